"""Settings of hypothesis: no clock fails a test."""

from hypothesis import HealthCheck, settings

# By default, an example fails if it takes 200 ms, as any can on a busy machine.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

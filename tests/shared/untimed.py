"""Settings of hypothesis: no clock fails a test."""

from hypothesis import HealthCheck, settings

# By default, an example fails if it takes 200 ms, as any can on a busy machine.
UNTIMED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("untimed", UNTIMED)
settings.load_profile("untimed")

# .ci/release draws eight times as many examples, with --hypothesis-profile=thorough.
settings.register_profile("thorough", UNTIMED, max_examples=500)

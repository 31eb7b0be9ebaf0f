"""Settings of hypothesis: the same examples each time, and no clock fails a test."""

from hypothesis import HealthCheck, settings

# By default, an example fails if it takes 200 ms, as any can on a busy machine.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("untimed", UNTIMED, max_examples=25, derandomize=True, database=None)
settings.load_profile("untimed")

# .ci/release draws twenty times as many examples, others each time: --hypothesis-profile=thorough.
settings.register_profile("thorough", UNTIMED, max_examples=500)

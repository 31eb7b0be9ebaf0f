"""Connects the frameworks before test modules import measures, and lets no clock fail a test."""

import os

from hypothesis import HealthCheck, settings

import pres_plugin  # noqa: F401

# On a terminal, numba writes its warnings in bold, which filters of warnings do not expect.
os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] = "1"

# By default, an example that takes 200 ms fails, as any may on a machine that is busy.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("untimed", UNTIMED)
settings.load_profile("untimed")
# For .ci/run: five times as many examples, with pytest's --hypothesis-profile=thorough.
settings.register_profile("thorough", UNTIMED, max_examples=500)

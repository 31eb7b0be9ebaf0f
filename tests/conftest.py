"""Connects the frameworks before test modules import measures, and lets no clock fail a test."""

from hypothesis import HealthCheck, settings

import pres_plugin  # noqa: F401

# By default, an example that takes 200 ms fails, as any may on a machine that is busy.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("untimed", UNTIMED)
settings.load_profile("untimed")

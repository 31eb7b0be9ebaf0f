"""Connects the frameworks before test modules import the measures from them."""

import pres_plugin  # noqa: F401

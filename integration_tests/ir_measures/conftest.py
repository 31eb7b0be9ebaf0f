"""Set up hypothesis."""

import untimed  # noqa: F401

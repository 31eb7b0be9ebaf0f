"""Connecting frameworks: one folder each, behind the interface in :mod:`.base`."""

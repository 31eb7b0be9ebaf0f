"""Parquet: :mod:`.files` reads it with polars after :mod:`.pages` has checked its pages."""

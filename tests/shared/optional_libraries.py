"""Make frames of libraries that may be missing; a test without its library is skipped."""

import pytest


def in_duckdb(arrow):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    return duckdb.default_connection().from_arrow(arrow)


def in_ibis(arrow):
    ibis = pytest.importorskip("ibis", reason="Ibis is not installed")
    return ibis.memtable(arrow)

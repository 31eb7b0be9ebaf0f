"""Several runs of CLEF 2017's systematic reviews at once, in memory and in DuckDB."""

import duckdb
import pyarrow as pa
import pytest
from frame_libraries import LAZY, PANDAS, POLARS, in_duckdb
from scored_topics import check, expected, qrels_table, run_table

from pres_plugin.formats import read_qrels, read_run
from pres_plugin.frames import score

pytestmark = pytest.mark.xdist_group("frames of CLEF")

MEASURES = [
    *("PRES@100", "PRES_est@10", "Rnorm(judged_only=True)", "PRES(judged_only=True)@50"),
    *("AP", "AP@50", "R@100"),
]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(4, id="every fourth run"),
        pytest.param(1, id="all runs", marks=pytest.mark.release),
    ],
)
def tables_and_scores(request, clef_tar):
    qrels = read_qrels(str(clef_tar / "qrels.abstract.txt.gz"))
    paths = sorted((clef_tar / "runs").iterdir())[:: request.param]
    runs = {path.name: read_run(str(path), duplicates="last") for path in paths}
    values = {
        (name, *key): value
        for name, run in runs.items()
        for key, value in expected(MEASURES, qrels, run).items()
    }
    run = pa.concat_tables([run_table(run, system=name) for name, run in runs.items()])
    return run, qrels_table(qrels), values


@pytest.mark.parametrize(
    "library",
    [PANDAS, POLARS, LAZY, in_duckdb(duckdb.default_connection())],
    ids=lambda library: library.name,
)
def test_scores_of_real_runs_are_those_of_ir_measures(tables_and_scores, library):
    run, qrels, values = tables_and_scores
    result = score(library.frame(run), library.frame(qrels), MEASURES, by="system")
    check(library.rows(result), values, "system", "query_id", "measure")

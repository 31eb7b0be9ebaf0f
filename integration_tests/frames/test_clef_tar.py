"""Several runs of CLEF 2017's systematic reviews at once, in memory and in DuckDB."""

import duckdb
import ir_measures
import polars as pl
import pyarrow as pa
import pytest
from scored_topics import check, qrels_table, run_table

from pres_plugin.formats import read_qrels, read_run
from pres_plugin.frames import score

pytestmark = pytest.mark.xdist_group("frames of CLEF")

MEASURES = [
    *("PRES@100", "PRES_est@10", "Rnorm(judged_only=True)", "PRES(judged_only=True)@50"),
    *("AP", "AP@50", "R@100"),
]
FRAMES = {
    "pandas": (pa.Table.to_pandas, lambda f: f.to_dict("records")),
    "polars": (lambda t: pl.from_arrow(t).lazy(), lambda f: f.collect().to_dicts()),
    "PyArrow": (lambda t: t, pa.Table.to_pylist),
    "DuckDB": (duckdb.from_arrow, lambda r: r.to_arrow_table().to_pylist()),
}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(4, id="every fourth run"),
        pytest.param(1, id="all runs", marks=pytest.mark.slow),
    ],
)
def tables_and_scores(request, clef_tar):
    qrels = read_qrels(str(clef_tar / "qrels.abstract.txt.gz"))
    paths = sorted((clef_tar / "runs").iterdir())[:: request.param]
    runs = {path.name: read_run(str(path), duplicates="last") for path in paths}
    measures = [ir_measures.parse_measure(measure) for measure in MEASURES]
    values = {
        (name, metric.query_id, str(metric.measure)): metric.value
        for name, run in runs.items()
        for metric in ir_measures.iter_calc(measures, qrels, run)
    }
    run = pa.concat_tables([run_table(run, system=name) for name, run in runs.items()])
    return run, qrels_table(qrels), values


@pytest.mark.parametrize("name", FRAMES)
def test_scores_of_real_runs_are_those_of_ir_measures(tables_and_scores, name):
    run, qrels, values = tables_and_scores
    frame, rows = FRAMES[name]
    result = score(frame(run), frame(qrels), MEASURES, by="system")
    check(rows(result), values, "system", "query_id", "measure")

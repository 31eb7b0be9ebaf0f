"""The tables of reference/measures.md are up to date, and each string in them works."""

import re
from pathlib import Path

import ir_measures
import measure_tables
import pytest
from marked_parts import with_parts

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = (DOCS / "reference" / "measures.md").read_text(encoding="utf-8")

# The longest id is as long as in our tests of ranx, so that numba need not compile it again.
QRELS = {"q1": {"EP1203408": 2, "b": 1}, "q2": {"c": 2}}
RUN = {"q1": {"EP1203408": 3.0, "x": 2.0, "b": 1.0}, "q2": {"y": 2.0, "c": 1.0}}


def cells(table):
    """The parameter, the measure and what stands in the table for both."""
    body = re.search(rf"<!-- table: {table} -->\n(.*?)<!-- end -->", PAGE, flags=re.DOTALL)[1]
    heads, _, *rows = [re.split(r" *\| *", line)[1:-1] for line in body.strip().splitlines()]
    return [
        pytest.param(row[0].strip("`"), head.strip("`"), cell.strip("`"), id=cell)
        for row in rows
        for head, cell in zip(heads[1:], row[1:], strict=True)
        if cell != "–"
    ]


def test_the_tables_are_up_to_date():
    assert with_parts(PAGE, "table", measure_tables.tables()) == PAGE


@pytest.mark.parametrize(("parameter", "name", "text"), cells("ir-measures"))
def test_ir_measures_reads_what_is_shown(parameter, name, text):
    measure = ir_measures.parse_measure(text)
    assert (measure.NAME, str(measure)) == (name, text)
    assert parameter in measure.params
    assert measure.calc_aggregate(QRELS, RUN) != 0


@pytest.mark.parametrize(("parameter", "name", "text"), cells("ir-measures"))
def test_frames_read_the_same_and_score_as_ir_measures_does(parameter, name, text):
    pytest.importorskip("narwhals")
    pd = pytest.importorskip("pandas")
    from pres_plugin import frames

    run, qrels = (
        pd.DataFrame(
            [(topic, doc, value) for topic, docs in rows.items() for doc, value in docs.items()],
            columns=["query_id", "doc_id", column],
        )
        for rows, column in ((RUN, "score"), (QRELS, "relevance"))
    )
    scores = frames.score(run, qrels, text)
    assert set(scores["measure"]) == {text}
    expected = ir_measures.parse_measure(text).calc_aggregate(QRELS, RUN)
    assert scores["value"].mean() == pytest.approx(expected)


@pytest.mark.parametrize(("parameter", "name", "text"), cells("trec"))
def test_strings_in_the_style_of_trec_eval_are_read(parameter, name, text):
    (measure,) = ir_measures.parse_trec_measure(text)
    assert measure == ir_measures.parse_measure(f"{name}@100")
    assert parameter == "cutoff"


@pytest.mark.xdist_group("ranx")
@pytest.mark.parametrize(("parameter", "name", "text"), cells("ranx"))
def test_ranx_reads_what_is_shown_and_scores_as_ir_measures_does(parameter, name, text):
    ranx = pytest.importorskip("ranx")
    same = {param.values[:2]: param.values[2] for param in cells("ir-measures")}
    measure = ir_measures.parse_measure(same[parameter, name])
    score = ranx.evaluate(ranx.Qrels(QRELS), ranx.Run(RUN), text)
    assert score == pytest.approx(measure.calc_aggregate(QRELS, RUN))

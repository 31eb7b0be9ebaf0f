"""What docs/which-measure.md says: the value of a random ranking, published systems, the tools."""

import random
import re
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from statistics import fmean, quantiles

import pytest

from pres_plugin import pres
from pres_plugin.formats import read_qrels

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

import random_ranking

PAGE = (Path(__file__).parents[2] / "docs" / "which-measure.md").read_text(encoding="utf-8")


def page_function():
    """The function that the page defines."""
    (code,) = re.findall(r"```python\n(def random_pres.*?)\n\n\n", PAGE, re.DOTALL)
    names = {}
    exec(code, names)
    return names["random_pres"]


SMALL = [
    (n, n_docs, n_max)
    for n_docs in range(1, 8)
    for n in range(1, n_docs + 1)
    for n_max in range(1, n_docs + 3)
]


def test_the_expectation_is_the_mean_over_all_rankings_of_small_collections():
    for n, n_docs, n_max in SMALL:
        rankings = combinations(range(1, n_docs + 1), n)
        mean = fmean(pres(ranks, n, n_max) for ranks in rankings)
        expected = random_ranking.expected_pres(n, n_docs, n_max)
        assert isinstance(expected, Fraction)
        assert mean == pytest.approx(float(expected), abs=1e-12), (n, n_docs, n_max)


@pytest.mark.parametrize(
    ("n", "n_docs", "n_max"), [(10, 2000, 300), (150, 1000, 100), (40, 500, 500), (7, 90, 200)]
)
def test_simulated_rankings_score_the_expectation(n, n_docs, n_max):
    rng = random.Random(18)
    scores = [pres(rng.sample(range(1, n_docs + 1), n), n, n_max) for _ in range(4000)]
    mean = fmean(scores)
    error = (sum((score - mean) ** 2 for score in scores) / len(scores) / len(scores)) ** 0.5
    expected = float(random_ranking.expected_pres(n, n_docs, n_max))
    assert abs(mean - expected) < 4 * error
    assert error < 0.02 * expected


def test_the_page_computes_the_same_expectation():
    on_page = page_function()
    for n, n_docs, n_max in [*SMALL, (10, 10**6, 1000), (100, 1000, 1000)]:
        expected = float(random_ranking.expected_pres(n, n_docs, n_max))
        assert on_page(n, n_docs, n_max) == pytest.approx(expected, rel=1e-12)


def test_the_rule_of_thumb_is_half_of_the_random_recall():
    assert float(random_ranking.expected_pres(10, 10**6, 1000)) == pytest.approx(0.0005, rel=0.01)
    for n, n_docs, n_max in [(1, 1000, 100), (10, 10_000, 1000), (10, 10**6, 1000)]:
        expected = float(random_ranking.expected_pres(n, n_docs, n_max))
        assert expected == pytest.approx(n_max / n_docs / 2, rel=0.02)


def test_each_picture_is_drawn_is_there_and_is_shown():
    drawn = dict(random_ranking.pictures())
    stored = {path.stem for path in random_ranking.PICTURES.glob("*.png")}
    assert stored == {*drawn, "published"}
    assert set(re.findall(r"which-measure/([\w-]+)\.png", PAGE)) == stored
    (axes,) = drawn["random-by-n-max"].axes
    for line in axes.get_lines():
        n_docs = int(line.get_label().removeprefix("N = ").replace(",", ""))
        for k, value in zip(line.get_xdata(), line.get_ydata(), strict=True):
            assert value == float(random_ranking.expected_pres(10, n_docs, int(k)))


@pytest.fixture(scope="module")
def tasks(data):
    pytest.importorskip("pandas", reason="pandas is not installed")
    return random_ranking.published(data)


def test_the_table_is_that_of_the_data(tasks):
    (shown,) = re.findall(r"<!-- table: published -->\n\n(.*?)\n\n<!-- end -->", PAGE, re.DOTALL)
    assert shown == random_ranking.table(tasks)


def test_the_text_about_published_systems_is_right(tasks, data):
    patents, at_100, at_1000 = tasks
    low, _, high = quantiles(patents.means, n=4, method="inclusive")
    assert len(patents.means) == 48
    assert f"between {low:.2f} and {high:.2f}" in PAGE
    assert f"random order scores {at_1000.random:.2f}" in PAGE
    assert sum(mean < at_1000.random for mean in at_1000.means) == 2
    assert len(at_100.means) == len(at_1000.means) == 17
    reviews = read_qrels(str(data / "clef-tar-2017" / "qrels.abstract.txt.gz"))
    sizes = sorted(map(len, reviews.values()))
    assert (len(sizes), sizes[0], sizes[-1]) == (30, 64, 12_807)
    assert sum(size < 1000 for size in sizes) == 11
    figure = random_ranking.runs(tasks)
    assert figure.axes


def tools():
    """The table of spellings: a measure, and the spellings of each tool."""
    section = PAGE[PAGE.index("## Find the measure") : PAGE.index("## See the measures disagree")]
    rows = re.findall(r"^\| (\w[\w-]*) \| (.*?) \| (.*?) \| (.*?) \|$", section, re.MULTILINE)
    return [row for row in rows if row[0] != "measure"]


QRELS = {"q1": {"a": 1, "b": 2, "c": 0}, "q2": {"a": 1, "d": 0}}
RUN = {"q1": {"a": 3.0, "c": 2.0, "b": 1.0}, "q2": {"d": 2.0, "a": 1.0}}


def spellings(cell):
    return re.findall(r"`([^`]+)`", cell)


def test_ir_measures_and_ranx_have_the_measures_of_the_table():
    ir_measures = pytest.importorskip("ir_measures", reason="ir-measures is not installed")
    providers = ir_measures.providers.registry
    rows = tools()
    assert len(rows) == 13
    for name, cell, _, _ in rows:
        if name == "RBP":
            with_rel, by, graded, graded_by = spellings(cell)
            for spelling, provider in ((with_rel, by), (graded, graded_by)):
                measure = ir_measures.parse_measure(spelling)
                assert providers[provider].supports(measure)
                assert not providers["pytrec_eval"].supports(measure)
            continue
        for spelling in spellings(cell):
            measure = ir_measures.parse_measure(spelling)
            assert ir_measures.calc_aggregate([measure], QRELS, RUN)[measure] >= 0


def test_frames_have_the_measures_of_the_table():
    pl = pytest.importorskip("polars", reason="polars is not installed")
    pytest.importorskip("narwhals", reason="narwhals is not installed")
    from pres_plugin import frames

    def long(scores, column):
        rows = [(q, d, v) for q, docs in scores.items() for d, v in docs.items()]
        return pl.DataFrame(rows, schema=["query_id", "doc_id", column], orient="row")

    for name, _, _, cell in tools():
        found = spellings(cell)
        for spelling in found:
            assert len(frames.score(long(RUN, "score"), long(QRELS, "relevance"), [spelling]))
        if not found:
            with pytest.raises(ValueError, match=r"is not one of|cannot be read"):
                frames.score(long(RUN, "score"), long(QRELS, "relevance"), [name])


@pytest.mark.xdist_group("ranx")
def test_ranx_has_the_measures_of_the_table():
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    for name, _, cell, _ in tools():
        for spelling in spellings(cell):
            assert ranx.evaluate(ranx.Qrels(QRELS), ranx.Run(RUN), spelling) >= 0, spelling
        if not spellings(cell):
            with pytest.raises(ValueError, match="not supported"):
                ranx.evaluate(ranx.Qrels(QRELS), ranx.Run(RUN), name.lower())


@pytest.mark.xdist_group("ranx")
def test_what_the_page_says_of_ranx():
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    run = ranx.Run({"q": {"a": 2.0, "b": 1.0}})
    assert ranx.evaluate(ranx.Qrels({"q": {"a": 3, "b": 3}}), run, "rbp.80") > 1
    bpref = ranx.evaluate(ranx.Qrels({"q": {"a": 1}}), run, "bpref")
    assert bpref != bpref  # NaN


def perfect(measure, n, n_docs=50):
    """The score of a ranking with the relevant documents first."""
    import ir_measures

    docs = [f"d{i:02}" for i in range(n_docs)]
    qrels = {"q": {doc: int(i < n) for i, doc in enumerate(docs)}}
    run = {"q": {doc: float(n_docs - i) for i, doc in enumerate(docs)}}
    parsed = ir_measures.parse_measure(measure)
    return ir_measures.calc_aggregate([parsed], qrels, run)[parsed]


def test_perfect_rankings_score_what_the_table_says():
    pytest.importorskip("ir_measures", reason="ir-measures is not installed")
    ones = ["PRES_est@5", "Rnorm(N=50)", "AP", "Rprec", "nDCG@5", "nDCG", "Bpref", "infAP"]
    for measure in (*ones, "TNR(N=50)@0.95"):
        for n in (3, 5, 20):
            assert perfect(measure, n) == pytest.approx(1, abs=1e-4), measure
    for measure in ("PRES@5", "AP@5", "R@5"):
        assert [perfect(measure, n) for n in (3, 5, 20)] == pytest.approx([1, 1, 0.25])
    assert perfect("LastRel", 20) == 20
    assert perfect("WSS(N=50)@0.95", 3) != perfect("WSS(N=50)@0.95", 20)

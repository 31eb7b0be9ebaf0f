"""Searching for the best parameters by PRES, as PyTerrier does by "map"."""

import pytest

pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")

from pyterrier.measures import PRES, Rnorm  # noqa: E402

# PyTerrier's operators, on recent versions of pandas.
pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword")


class Mixture(pt.Transformer):
    """Two results, the second with a weight."""

    def __init__(self, first, second):
        self.first, self.second = first, second
        self.weight = 0.0

    def transform(self, topics):
        return (self.first + self.weight * self.second)(topics)


WEIGHTS = [0.0, 0.5, 1.0, 4.0]


@pytest.fixture
def mixture(systems):
    return Mixture(systems[0], systems[1])


@pytest.fixture
def scores(systems, topics, experiment):
    """A function that returns mean scores by weight, each from an experiment of its own."""

    def by_weight(measure):
        runs = [(systems[0] + weight * systems[1])(topics) for weight in WEIGHTS]
        found = dict(zip(WEIGHTS, experiment([measure], runs)[str(measure)], strict=True))
        assert len(set(found.values())) > 1
        return found

    return by_weight


@pytest.mark.parametrize("metrics", [["pres_10"], PRES @ 10, ["map", PRES @ 10]], ids=repr)
def test_a_grid_scan_scores_each_setting(mixture, topics, qrels, scores, metrics):
    scan = pt.GridScan(mixture, {mixture: {"weight": WEIGHTS}}, topics, qrels, metrics)
    column = "pres_10" if metrics == ["pres_10"] else "PRES@10"
    found = dict(zip(scan.tran_0_weight, scan[column], strict=True))
    assert found == pytest.approx(scores(PRES @ 10))


@pytest.mark.parametrize("metric", ["pres_10", Rnorm(N=40)], ids=repr)
def test_a_grid_search_finds_the_best_setting(mixture, topics, qrels, scores, metric, capsys):
    _, best, [(_, _, weight)] = pt.GridSearch(
        mixture, {mixture: {"weight": WEIGHTS}}, topics, qrels, metric=metric, return_type="both"
    )
    expected = scores(metric)
    assert best == pytest.approx(max(expected.values()))
    assert weight == mixture.weight == max(expected, key=expected.get)
    assert f"Best {metric} is" in capsys.readouterr().out

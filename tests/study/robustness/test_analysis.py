"""Which documents a sample keeps, how runs are scored with it, and how their order changes."""

import random

import numpy as np
import pytest
from beginnings import raises
from random_runs import random_runs
from scipy import stats

from pres_plugin import InputError
from pres_plugin.ranking.judgements import Judgements
from pres_plugin.study import scoring
from pres_plugin.study.robustness import Robustness, robustness, sample
from pres_plugin.study.robustness.picture import lowest_tau
from pres_plugin.study.robustness.report import report
from pres_plugin.study.runs import judged

FROM_RANKS = ["PRES@10", "Rnorm(N=60)", "AP", "AP(rel=2)@10", "R@5", "WSS(N=60)", "TNR(N=60)@0.3"]


def kept(qrels, fraction, seed):
    """The judgements that a sample leaves, the rest unjudged."""
    relevant = Judgements.from_dicts(qrels)
    (keep,) = sample(relevant, fraction, [seed])
    ids = [
        (relevant.topics[t], d) for t, d in zip(relevant.topic_of, relevant.doc_ids, strict=True)
    ]
    chosen = {pair for pair, stays in zip(ids, keep, strict=True) if stays}
    return {
        topic: {doc: rel for doc, rel in docs.items() if rel < 1 or (topic, doc) in chosen}
        for topic, docs in qrels.items()
    }


@pytest.mark.parametrize("fraction", [0.01, 0.5, 1])
def test_a_fraction_of_each_topic_is_kept_and_at_least_one(fraction):
    relevant = Judgements.from_dicts(random_runs(6)[0])
    (keep,) = sample(relevant, fraction, [[0]])
    of_topics = [sum(each) for each in np.split(keep, np.cumsum(relevant.n)[:-1])]
    assert of_topics == [max(1, int(fraction * n + 0.5)) if n else 0 for n in relevant.n]


def test_samples_do_not_depend_on_the_order_of_topics_and_documents():
    qrels, _ = random_runs(6)
    shuffled = {
        topic: dict(random.Random(topic).sample(list(qrels[topic].items()), len(qrels[topic])))
        for topic in reversed(list(qrels))
    }
    assert kept(shuffled, 0.4, [7]) == kept(qrels, 0.4, [7])
    assert kept(qrels, 0.4, [8]) != kept(qrels, 0.4, [7])


@pytest.mark.ci
def test_all_documents_of_a_topic_are_equally_likely_to_stay():
    relevant = Judgements.from_dicts({"q": dict.fromkeys("abcdefghij", 1), "r": {"x": 1, "y": 1}})
    samples = sample(relevant, 0.4, [[0, number] for number in range(4_000)])
    assert stats.chisquare(samples[:, :10].sum(axis=0)).pvalue > 0.001
    # Four of the ten documents stay. How many of the first five are among them is hypergeometric,
    # and does not depend on the other topic.
    of_five = samples[:, :5].sum(axis=1)
    expected = 4_000 * stats.hypergeom(10, 5, 4).pmf(range(5))
    assert stats.chisquare(np.bincount(of_five), expected).pvalue > 0.001
    counts = stats.contingency.crosstab(of_five, samples[:, 10]).count
    assert stats.chi2_contingency(counts).pvalue > 0.001


def test_samples_are_the_same_on_any_machine():
    relevant = Judgements.from_dicts({"q": dict.fromkeys("abcdefghij", 1)})
    _, chosen = np.nonzero(sample(relevant, 0.3, [[0, 1]]))
    # Written down once, so that a change of random numbers anywhere is seen.
    assert "".join("abcdefghij"[i] for i in chosen) == "efh"


@pytest.mark.parametrize("names", [FROM_RANKS, ["nDCG@10", "PRES@10", "Bpref", "AP"]])
def test_tau_is_that_of_all_scores_with_fewer_judgements(names):
    qrels, runs = random_runs(6)
    found = robustness(qrels, iter(runs.items()), names, [0.3, 0.6], samples=2, seed=5)
    assert found.measures == tuple(names)

    def scores(judgements):
        return scoring.score(judgements, runs, names).means.round(12)

    full = scores(qrels)
    assert found.means == pytest.approx(full, abs=1e-9)
    taus = found.taus.set_index(["fraction", "sample", "measure"])["kendall_tau"]
    for fraction in (0.3, 0.6):
        for number in (1, 2):
            part = scores(kept(qrels, fraction, [5, number, round(fraction * 1_000_000)]))
            for m, measure in enumerate(found.measures):
                expected = stats.kendalltau(part[:, m], full[:, m]).statistic
                assert taus[fraction, number, measure] == pytest.approx(expected, nan_ok=True)


def made(taus, runs="abc"):
    """A result with these values of τ, of shape (F, S, M)."""
    taus = np.array(taus)
    measures = ("PRES@10", "AP")[: taus.shape[2]]
    means = np.zeros((len(runs), len(measures)))
    return Robustness(tuple(runs), measures, (0.4, 0.8)[: len(taus)], 12, means, taus)


FOUND = made([[[0.5, -0.25], [1, np.nan]], [[1, np.nan], [0.75, np.nan]]])
UNDEFINED = made([[[np.nan]]], "a")


def test_the_tables():
    assert FOUND.by_sample().fillna(9).to_numpy().tolist() == [
        [0.4, 1, 0.5, -0.25],
        [0.4, 2, 1, 9],
        [0.8, 1, 1, 9],
        [0.8, 2, 0.75, 9],
    ]
    assert FOUND.by_fraction().fillna(9).to_numpy().tolist() == [
        [0.4, "PRES@10", 0.5, 0.75, 1.0],
        [0.4, "AP", -0.25, -0.25, -0.25],
        [0.8, "PRES@10", 0.75, 0.875, 1.0],
        [0.8, "AP", 9, 9, 9],
    ]


def test_the_sentences():
    assert FOUND.sentences() == [
        "The lowest τ over all samples is 0.5000 by PRES@10 and -0.2500 by AP.",
        "With 40 % of the relevant documents kept, the mean τ is 0.7500 by PRES@10 and -0.2500 by "
        "AP; between samples of this size, τ differs by up to 0.5000.",
        "Without ties, τ falls by 0.6667 for each reversed pair of the 3 runs.",
        "τ is undefined for 3 of 8 values, because all runs have the same score with the sample or "
        "with all judgements.",
    ]
    assert UNDEFINED.sentences() == ["Kendall's τ is undefined, because there is only one run."]


def test_the_picture_shows_the_lowest_tau_of_each_fraction():
    (axes,) = lowest_tau(FOUND).axes
    pres, ap = (line for line in axes.get_lines() if line.get_linestyle() != "None")
    assert pres.get_xydata().tolist() == [[40, 0.5], [80, 0.75]]
    np.testing.assert_array_equal(ap.get_xydata(), [[40, -0.25], [80, np.nan]])
    assert [line.get_label() for line in (pres, ap)] == ["PRES@10", "AP"]


def test_ids_that_cannot_be_written_are_refused():
    with raises(InputError, r"qrels: topic '\\ud800': .* cannot be written in UTF-8"):
        judged({"\ud800": {"d": 1}})


def test_measures_without_a_direction_are_refused():
    with raises(InputError, "LastRel: neither high nor low values are better"):
        robustness(*random_runs(2), ["R@10", "LastRel"])


def test_an_undefined_tau_is_said_and_not_drawn():
    """One run has no order, and runs with equal scores have none, either."""
    qrels, runs = random_runs(n_runs=1)
    for some in (runs, runs | {"same": runs["run0"]}):
        found = robustness(qrels, some, ["PRES@10"], [0.5], samples=2)
        written = report(found, "pres-eval robustness")
        assert written.parts == []
        assert "<table" not in found._repr_html_()
        assert "".join(written.texts()).split() == ["-", *found.sentences()[0].split()]

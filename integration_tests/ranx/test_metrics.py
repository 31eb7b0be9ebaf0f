"""Our measures wherever ranx takes a metric, against ranx's own metrics.

``integration_tests/test_contract.py`` tests the scores themselves, but for ties.
"""

import json
import random
import re

import numpy as np
import pytest
from beginnings import raises
from interpreter import run_python

pytestmark = [
    pytest.mark.xdist_group("ranx"),
    # What ranx's own metrics say when they get compiled.
    pytest.mark.filterwarnings(
        r"ignore:unsafe cast from uint64 to int64:Warning:.*ranx.(metrics|statistical_tests)"
    ),
]

N_DOCS = 200
# The same length as in the pages' examples, so that numba need not compile ranx again.
DOC_IDS = [f"EP{1203000 + i}" for i in range(N_DOCS)]
OURS = ["pres@10", "pres@100-l2", "pres_est@3", "rnorm.200", "rnorm.200@20", "rnorm.200-l2"]


def random_collection(seed, n_topics=60, ties=False):
    """Topics of all sizes, some without relevant documents, some that found none."""
    rng = random.Random(seed)
    qrels, run = {}, {}
    for i in range(n_topics):
        judged = rng.sample(DOC_IDS, rng.choice([1, 2, 5, 30, 150]))
        qrels[f"q{i:02}"] = {d: rng.choice([0, 0, 1, 2, 3]) for d in judged}
        depth = rng.choice([1, 3, 20, 120, N_DOCS])
        scores = [rng.randrange(9) for _ in range(depth)] if ties else range(depth)
        run[f"q{i:02}"] = {
            d: float(s) for d, s in zip(rng.sample(DOC_IDS, depth), scores, strict=True)
        }
    qrels["q00"] = dict.fromkeys(qrels["q00"], 0)
    return qrels, run


def by_topic(ranx, qrels, run, metrics):
    """Return an array per metric, with one score per topic."""
    return ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), metrics, return_mean=False)


# Ties, which ranx orders as its sort leaves them


def test_pres_follows_from_the_frameworks_own_recall(ranx):
    n_max, level = 50, 2
    # PRES@Nmax = [Σ R@k over k = 1 … Nmax + R(nR-1)/2] / Nmax, with R = R@Nmax, needs no rank.
    qrels, run = random_collection(seed=n_max, ties=True)
    recalls = [f"recall@{k}-l{level}" for k in range(1, n_max + 1)]
    ours = [f"pres@{n_max}-l{level}", f"pres_est@{n_max}-l{level}"]
    scores = by_topic(ranx, qrels, run, [*recalls, *ours])
    n = np.array([sum(r >= level for r in qrels[q].values()) for q in sorted(qrels)])
    r = scores[recalls[-1]]
    expected = (sum(scores[m] for m in recalls) + r * (n * r - 1) / 2) / n_max
    assert scores[ours[0]] == pytest.approx(expected, abs=1e-12)
    assert scores[ours[1]] == pytest.approx(expected * np.maximum(1, n / n_max), abs=1e-12)
    assert len(np.unique(expected)) > 1


def test_compiled_metrics_compute_the_same(ranx):
    """Our other tests of ranx run interpreted, except in .ci/run."""
    code = """
        import warnings
        import numba, numpy as np, ranx, pres_plugin
        from pres_plugin.adapters.ranx.native.hits import _compiled

        ids = [f"EP{1203000 + i}" for i in range(100)]
        qrels = {"PAT-1": {ids[i]: 1 for i in (0, 97, 98, 99)}}
        run = {"PAT-1": {each: float(-i) for i, each in enumerate(ids)}}
        print(ranx.evaluate(qrels, run, "pres@100"))

        # What comes from no file cannot be cached, and is compiled all the same.
        exec("def double(x): return 2 * x")
        try:
            numba.njit(cache=True)(double)
        except RuntimeError as error:
            assert "cannot cache" in str(error)
        # An array, because numba warns if nothing can be computed in parallel.
        print(_compiled(double)(np.array([21]))[0])
    """
    printed = run_python(code, NUMBA_DISABLE_JIT="0").split()
    assert list(map(float, printed)) == [pytest.approx(0.28), 42]


# Every form that evaluate() takes and returns


FORMS = {
    "Qrels, Run": lambda ranx, qrels, run: (ranx.Qrels(qrels), ranx.Run(run)),
    "dicts": lambda ranx, qrels, run: (qrels, run),
    "typed lists": lambda ranx, qrels, run: (
        ranx.Qrels(qrels).to_typed_list(),
        ranx.Run(run).to_typed_list(),
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_input_gives_the_same_scores_in_the_types_of_map(ranx, form):
    collection = random_collection(seed=1)
    expected = by_topic(ranx, *collection, OURS)
    given = FORMS[form](ranx, *collection)
    scores = ranx.evaluate(*given, [*OURS, "map"], return_mean=False)
    means = ranx.evaluate(*given, [*OURS, "map"])
    assert list(scores) == list(means) == [*OURS, "map"]
    for name in OURS:
        assert scores[name].tolist() == expected[name].tolist()
        assert scores[name].dtype == scores["map"].dtype
        assert means[name] == ranx.evaluate(*given, name) == expected[name].mean()
        assert type(means[name]) is type(means["map"])


# compare() and its report


@pytest.fixture(scope="module")
def two_runs(ranx):
    qrels, run = random_collection(seed=21)
    return ranx.Qrels(qrels), [
        ranx.Run(run, "first"),
        ranx.Run(random_collection(seed=22)[1], "sec_ond"),
    ]


TITLES = {
    "map@100": "MAP@100",
    "pres_est@1000": "PRES_est@1000",
    "rnorm.11429-l2": "Rnorm(N=11429)-l2",
    "wss.judged.nearest@95": "WSS(judged_only=True,rounding='nearest')@0.95",
    "effort.11429@95": "Effort(N=11429)@0.95",
    "last_rel@100": "LastRel@100",
}


def test_reports_title_their_columns(ranx, two_runs, tmp_path):
    qrels, runs = two_runs
    report = ranx.compare(qrels, runs, [*TITLES])
    header = str(report).splitlines()[0].split()
    assert header == ["#", "Model", *TITLES.values()]
    of_tuning = ranx.data_structures.OptimizationReport
    assert of_tuning.get_metric_label(report, "pres@100-l2") == "PRES@100-l2"
    latex = report.to_latex()
    for title in TITLES.values():
        # An underscore outside of formulas is an error of LaTeX.
        assert f"& \\textbf{{{title}}}".replace("_", r"\_") in latex
    assert r"sec\_ond" in latex
    report.save(tmp_path / "report.json")
    saved = json.loads((tmp_path / "report.json").read_text())
    assert saved["metrics"] == [*TITLES]
    assert saved["first"]["scores"] == ranx.evaluate(qrels, runs[0], [*TITLES])


def test_scores_saved_for_the_hub_are_titled(ranx, two_runs, tmp_path):
    ranxhub = pytest.importorskip("ranx.ranxhub", reason="this ranx has no hub")
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    qrels, (run, _) = two_runs
    scored = ranx.Run(run.to_dict(), "first")
    scores = ranx.evaluate(qrels, scored, [*TITLES])
    card = tmp_path / "card.yaml"
    card.write_text("run: {name: first}")
    ranxhub.save(scored, card, tmp_path / "run.lz4")
    saved = yaml.safe_load(card.read_text())["run"]["results"]
    assert saved == dict(zip(TITLES.values(), scores.values(), strict=True))


# Bad input


@pytest.mark.parametrize(
    ("metric", "says"),
    [
        ("pres", "pres: the cutoff (Nmax, the number of results that the user is willing"),
        ("pres@20000000000", "pres@20000000000: the cutoff (Nmax, the number of results"),
        ("rnorm.x", "rnorm.x: write the number of documents in the collection after a dot"),
        ("rnorm.200@-1", "rnorm.200@-1: the cutoff (Nmax"),
        ("wss.200@0", "wss.200@0: the recall (fraction of the relevant documents"),
        (
            "tnr.200@101",
            "tnr.200@101: the recall (fraction of the relevant documents that the user wants "
            "to find) in per cent must be from 1 to 100; for instance tnr.200@95",
        ),
        ("tnr.200.down@95", "TNR: rounding (how to round the number of documents to find"),
        ("last_rel.5", "Metric last_rel.5 not supported"),
    ],
)
def test_a_wrong_metric_is_named_with_what_is_right(ranx, metric, says):
    with raises(ValueError, re.escape(says)):
        ranx.evaluate(*random_collection(seed=1), metric)


def test_a_collection_smaller_than_what_a_topic_has_is_refused(ranx):
    # Three retrieved and, of topic b, one more relevant.
    d, e, f, z = DOC_IDS[:4]
    qrels = ranx.Qrels({"a": {d: 1}, "b": {d: 2, z: 1}})
    run = ranx.Run({q: {d: 3.0, e: 2.0, f: 1.0} for q in "ab"})
    for metric, named in (("rnorm.3@1", "number 2 has 4"), ("rnorm.2-l2", "number 1 has 3")):
        with raises(ValueError, f"{metric}: topic {named} documents"):
            ranx.evaluate(qrels, run, ["map", metric])

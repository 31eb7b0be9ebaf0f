"""What PyTerrier's experiments do with AP and "map", they do with our measures.

Scores are compared with those that follow from PyTerrier's own recall, tables
with those that the same call gives for "map".
"""

import math
import re
import warnings

import pytest

pt = pytest.importorskip(
    "pyterrier", reason="PyTerrier is not installed: pip install 'pres-plugin[pyterrier]'"
)

import pandas as pd  # noqa: E402 (comes with PyTerrier)
from pyterrier.measures import AP, PRES, PRES_est, R, Rnorm  # noqa: E402
from scipy import stats  # noqa: E402
from statsmodels.stats.multitest import multipletests  # noqa: E402

# Nearly all of them: what is left of recall there has to come out of the formula.
N_MAX = 20


def means(scores):
    """The mean over topics of each system."""
    table = pd.Series(scores)
    return table.groupby(level=0).mean().to_dict()


def with_map_named(frame, name):
    """A table for "map", with another measure's name in the place of map's."""
    return [column.replace("map", name) for column in frame.columns]


# By object and by string


@pytest.mark.parametrize(
    ("string", "measure"),
    [
        ("PRES@20", PRES @ 20),
        ("PRES(rel=2)@20", PRES(rel=2) @ 20),
        ("PRES_est@5", PRES_est @ 5),
        ("Rnorm(N=40)", Rnorm(N=40)),
        ("Rnorm(N=40)@20", Rnorm(N=40) @ 20),
        ("Rnorm(judged_only=True)", Rnorm(judged_only=True)),
        ("pres_20", PRES @ 20),
        ("pres.20", PRES @ 20),
        ("pres_est_5", PRES_est @ 5),
        ("pres_est.5", PRES_est @ 5),
    ],
)
def test_a_string_is_a_column_of_that_name_with_the_scores_of_its_object(
    experiment, string, measure
):
    by_string, by_object = experiment([string]), experiment([measure])
    assert list(by_string.columns) == ["name", string]
    assert list(by_object.columns) == ["name", str(measure)]
    assert list(by_string[string]) == list(by_object[str(measure)])
    assert by_string[string].nunique() == 3


@pytest.mark.parametrize("family", ["{}.10,20", "{}_10,20"])
def test_a_family_is_a_column_for_each_cutoff_as_of_recall(experiment, family):
    recall = experiment([family.format("recall")])
    ours = experiment([family.format("pres")])
    assert list(ours.columns) == [c.replace("R@", "PRES@") for c in recall.columns]
    assert list(ours["PRES@20"]) == list(experiment([PRES @ 20])["PRES@20"])
    assert list(ours["PRES@10"]) == list(experiment([PRES @ 10])["PRES@10"])


def test_columns_come_in_the_order_asked_for_mixed_with_others(experiment, by_recall):
    result = experiment(["pres_20", AP, "recall_20", PRES_est @ 40, "map_cut_10"])
    alone = experiment([AP, "recall_20", "map_cut_10"])
    assert set(result.columns) == {
        "name", "pres_20", "AP", "recall_20", "PRES_est@40", "map_cut_10"
    }  # fmt: skip
    for column in alone.columns:
        assert list(result[column]) == list(alone[column])
    assert dict(zip(result.name, result.pres_20, strict=True)) == pytest.approx(
        means(by_recall(experiment, 20)), abs=1e-9
    )


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("PRES", "PRES@100"),
        ("pres", "pres_100"),
        ("pres_0", "pres_100"),
        ("pres_x", "pres_100"),
        ("pres_10,", "pres.100,1000"),
        ("PRES@0", "PRES@100"),
        ("PRES_100", "pres_100"),
        ("pres_est_x", "PRES_est@100"),
        ("Rnorm", "Rnorm(N=11429)"),
        ("rnorm_100", "Rnorm(N=11429)"),
    ],
)
def test_a_wrong_string_is_refused_before_retrieval_with_one_that_is_right(
    experiment, wrong, right
):
    def retrieve(_):
        pytest.fail("the retrieval was run")

    with pytest.raises(ValueError, match=re.escape(repr(wrong))) as refusal:
        experiment([wrong], retr_systems=[pt.apply.generic(retrieve)], validate="ignore")
    assert right in str(refusal.value)


def test_a_name_that_nobody_knows_is_refused_as_ever(experiment):
    with pytest.raises(ValueError, match="^unkonwn measure presence$"):
        experiment(["presence"])


# Options of pt.Experiment


def test_scores_by_topic_follow_from_recall(experiment, by_recall, scores_of):
    rows = experiment([PRES @ N_MAX, "pres_20"], perquery=True)
    expected = by_recall(experiment, N_MAX)
    assert scores_of(rows, "pres_20") == pytest.approx(expected, abs=1e-9)


def test_rows_by_topic_are_those_of_map(experiment):
    rows, rows_of_map = (experiment([m], perquery=True) for m in ("pres_20", "map"))
    assert list(rows.columns) == list(rows_of_map.columns)
    for column in ("name", "qid"):
        assert sorted(rows[column]) == sorted(rows_of_map[column])
    assert set(rows.measure) == {"pres_20"}


def test_perquery_both_gives_means_and_their_topics(experiment, by_recall, scores_of):
    averages, rows = experiment(["pres_20", "map"], perquery="both")
    expected = by_recall(experiment, N_MAX)
    assert scores_of(rows, "pres_20") == pytest.approx(expected, abs=1e-9)
    assert dict(zip(averages.name, averages.pres_20, strict=True)) == pytest.approx(
        means(expected), abs=1e-9
    )


@pytest.mark.parametrize(
    ("test", "function"), [("t", stats.ttest_rel), ("wilcoxon", stats.wilcoxon)]
)
def test_differences_from_a_baseline_are_counted_and_tested(experiment, by_recall, test, function):
    table = experiment(["pres_20"], baseline=0, test=test)
    assert list(table.columns) == with_map_named(
        experiment(["map"], baseline=0, test=test), "pres_20"
    )
    scores = pd.Series(by_recall(experiment, N_MAX)).unstack()
    assert math.isnan(table["pres_20 p-value"][0])
    for i, name in [(1, "B"), (2, "C")]:
        assert table["pres_20 +"][i] == (scores.loc[name] > scores.loc["A"] + 1e-9).sum()
        assert table["pres_20 -"][i] == (scores.loc[name] < scores.loc["A"] - 1e-9).sum()
        assert table["pres_20 p-value"][i] == pytest.approx(
            function(scores.loc[name], scores.loc["A"])[1], abs=1e-6
        )


@pytest.mark.parametrize("correction", ["bonferroni", "holm"])
def test_p_values_are_corrected_for_multiple_tests(experiment, correction):
    options = {"baseline": 0, "correction": correction}
    table = experiment(["PRES@20"], **options)
    assert list(table.columns) == with_map_named(experiment(["map"], **options), "PRES@20")
    reject, corrected, *_ = multipletests(table["PRES@20 p-value"][1:], method=correction)
    assert list(table["PRES@20 reject"][1:]) == list(reject)
    assert list(table["PRES@20 p-value corrected"][1:]) == pytest.approx(list(corrected))


def test_scores_are_rounded(experiment):
    full = experiment(["pres_20", PRES @ 10])
    both = experiment(["pres_20", PRES @ 10], round=2)
    one = experiment(["pres_20", PRES @ 10], round={"PRES@10": 1})
    assert list(both.pres_20) == [round(value, 2) for value in full.pres_20]
    assert list(one.pres_20) == list(full.pres_20)
    assert list(one["PRES@10"]) == [round(value, 1) for value in full["PRES@10"]]


@pytest.mark.parametrize(
    ("highlight", "style"), [("bold", "font-weight: bold"), ("color", "lightgreen")]
)
def test_the_best_score_is_highlighted(experiment, highlight, style):
    pytest.importorskip("jinja2", reason="pandas styles tables with jinja2")
    styled = experiment(["map", "pres_20"], highlight=highlight)
    html = styled.to_html()
    # Of pandas: "#T_…_row2_col1, #T_…_row2_col2 { font-weight: bold }"
    cells = re.search(r"([^{}>]*)\{\s*[^{}]*" + style, html).group(1)
    best = {f"row{styled.data[m].argmax()}_col{i}" for i, m in [(1, "map"), (2, "pres_20")]}
    assert set(re.findall(r"row\d+_col\d+", cells)) == best


def test_batches_of_topics_give_the_same_scores(experiment):
    whole, batched = (
        experiment(["pres_20", "map", Rnorm(N=40)], perquery=True, batch_size=size)
        for size in (None, 3)
    )
    key = ["name", "qid", "measure"]
    assert batched.sort_values(key).values.tolist() == whole.sort_values(key).values.tolist()


def test_a_tree_of_pipelines_gives_the_same_scores(experiment, systems, needs_option):
    needs_option("plan")
    pipelines = [systems[1] % depth for depth in (10, 20, 30)]
    tree, linear = (
        experiment(["pres_20", "map"], retr_systems=pipelines, plan=plan, verbose=False)
        for plan in ("tree", "linear")
    )
    assert tree.equals(linear)
    assert tree.pres_20.is_monotonic_increasing


def test_saved_results_are_scored_in_the_place_of_retrieval(experiment, tmp_path):
    def retrieve(_):
        pytest.fail("the retrieval was run")

    measures = ["pres_20", "map", PRES_est @ 5]
    saved = experiment(measures, save_dir=str(tmp_path))
    reused = experiment(
        measures,
        retr_systems=[pt.apply.generic(retrieve)] * 3,
        save_dir=str(tmp_path),
        save_mode="reuse",
        validate="ignore",
    )
    assert reused.equals(saved)
    assert saved.equals(experiment(measures))


def test_without_a_dataframe_scores_come_in_dicts(experiment):
    frame = experiment(["pres_20", PRES @ 10])
    dicts = experiment(["pres_20", PRES @ 10], dataframe=False)
    assert dicts == frame.set_index("name").to_dict("index")


def test_results_can_stand_in_the_place_of_transformers(experiment, runs):
    frames = experiment(["pres_20", "map", Rnorm(N=40)], retr_systems=runs)
    assert frames.equals(experiment(["pres_20", "map", Rnorm(N=40)]))


def test_pipelines_are_validated_without_a_word(experiment):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        experiment([PRES @ 20, "pres_est_5", "Rnorm(N=40)"], validate="error")


# Topics that only some of topics, qrels and results have


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"filter_by_qrels": True},
        {"filter_by_topics": False},
        {"filter_by_qrels": True, "filter_by_topics": False},
    ],
)
def test_the_topics_that_count_are_those_that_count_for_map(
    experiment, topics, qrels, options, by_recall
):
    options |= {"topics": topics[2:], "qrels": qrels[qrels.qid != "q7"]}
    table = experiment(["pres_20", "map"], **options)
    rows, rows_of_map = (
        (experiment([m], perquery=True, dataframe=False, **options) for m in ("pres_20", "map"))
        if not _backfills(options)
        else _quietly(experiment, options)
    )

    def counted(rows):
        return {s: {q for q, of in r.items() if not _missing(of)} for s, r in rows.items()}

    assert counted(rows) == counted(rows_of_map)
    n_topics = len(counted(rows)[0])
    assert n_topics == (5 if options.get("filter_by_topics", True) else 7)
    expected = by_recall(lambda m, **o: _quiet(experiment, m, **(options | o)), N_MAX)
    sums = pd.Series(expected).dropna().groupby(level=0).sum()
    assert dict(zip(table.name, table.pres_20, strict=True)) == pytest.approx(
        (sums / n_topics).to_dict(), abs=1e-9
    )


def _missing(scores):
    return all(math.isnan(score) for score in scores.values())


def _backfills(options):
    return not options.get("filter_by_qrels", False)


def _quiet(experiment, measures, **options):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not found in qrels")
        return experiment(measures, **options)


def _quietly(experiment, options):
    return tuple(
        _quiet(experiment, [m], perquery=True, dataframe=False, **options)
        for m in ("pres_20", "map")
    )


def test_a_topic_without_results_scores_zero_and_counts(experiment, runs, scores_of):
    fewer = [run[run.qid != "q3"] for run in runs]
    rows = experiment(["pres_20", "map"], retr_systems=fewer, perquery=True)
    table = experiment(["pres_20", "map"], retr_systems=fewer)
    for measure in ("pres_20", "map"):
        scores = scores_of(rows, measure)
        assert [scores[name, "q3"] for name in "ABC"] == [0, 0, 0]
        assert dict(zip(table.name, table[measure], strict=True)) == pytest.approx(means(scores))

"""The report of a comparison contains its tables, in files and on the screen."""

import re

import pandas as pd
import pytest
from random_scores import comparison, random_scores

from pres_plugin.output.tables import NONE
from pres_plugin.study.compare.report import report
from pres_plugin.study.output.parts import Section

GROUPS = {"q0001": "B", "q0003": "A", "q0005": "B", "unjudged": "C"}
ATTRIBUTES = ["groups", "pairs", "correlations", "agreement", "intervals"]
PICTURES = ["sorted-scores", "rank-changes", "agreement-chart"]


def made(n_runs=4, n_topics=12, **options):
    scores = random_scores(n_runs, n_topics, measures=("PRES@100", "AP"))
    found = comparison(scores, resamples=999, **options)
    return found, report(found, "pres-eval compare")


@pytest.mark.ci
def test_files_contain_the_tables_of_the_comparison(tmp_path):
    found, written = made(confidence=0.9, groups=GROUPS)
    written.write(tmp_path / "out")
    tables = {name: getattr(found, name) for name in ATTRIBUTES} | {
        "verdicts": found.verdicts.reset_index(),
        "scores": found.scores.table().reset_index(),
        "scores-by-topic": found.scores.by_topic().reset_index(),
    }
    for name, expected in tables.items():
        read = pd.read_csv(tmp_path / "out" / f"{name}.tsv", sep="\t")
        pd.testing.assert_frame_equal(read, expected)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *(f"{name}.tsv" for name in tables),
        *(f"{name}.{fmt}" for name in PICTURES for fmt in ("png", "svg")),
        *("table.tex", "table.md", "results.json", "report.html"),
    }
    assert (tmp_path / "out" / "table.md").read_text(encoding="utf-8") == found.to_markdown()


def test_the_terminal_shows_intervals_in_brackets():
    found, printed = made(confidence=0.9, groups=GROUPS)
    text = "".join(printed.texts(3))
    for name, rows in (("mean", found.intervals), ("difference", found.pairs)):
        for mean, low, high in rows[[name, "low", "high"]].to_numpy():
            assert f" {mean:.3f} [{low:.3f}, {high:.3f}]" in text
    assert "Topics without a group: 9." in text
    assert found._repr_html_().count("<svg") == 1


@pytest.mark.parametrize("n_runs", [3, 4])
def test_how_measures_agree_is_shown_from_four_runs_on(n_runs):
    names = {part.name for part in made(n_runs)[1].parts}
    agreement = {"correlations", "agreement", "rank-changes", "agreement-chart"}
    assert names & agreement == (agreement if n_runs == 4 else set())


def test_the_terminal_shows_few_pairs_or_those_with_a_baseline():
    for n_runs, options, title in (
        (6, {}, "All pairs of runs"),
        (7, {}, None),
        (7, {"baselines": ["run1"]}, "Runs compared with a baseline"),
    ):
        text = "".join(made(n_runs, **options)[1].texts())
        assert re.findall("All pairs of runs|Runs compared with.*", text) == [title] * bool(title)


@pytest.mark.ci
@pytest.mark.parametrize(("n_runs", "n_topics"), [(1, 1), (2, 1), (4, 1), (1, 9)])
def test_of_one_run_or_topic_what_is_empty_is_left_out(n_runs, n_topics):
    found, shown = made(n_runs, n_topics, confidence=0.9)
    for text in (found._repr_html_(), "".join(shown.texts()), found.to_markdown()):
        for absent in ("0 pairs", "tested by", "significant"):
            assert absent not in text
        assert ("With one topic, there is no test" in text) == (n_topics == 1)
    for part in shown.parts:
        if isinstance(part, Section):
            for _, table in part.shown():
                assert len(table)
                assert not any(set(column) == {NONE} for column in table.texts())

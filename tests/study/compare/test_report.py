"""The report of a comparison contains its tables, in files and on the screen."""

import pandas as pd
import pytest
from random_scores import comparison, random_scores

from pres_plugin.study.compare.report import report
from pres_plugin.study.output.parts import Section
from pres_plugin.study.output.tables import NONE

GROUPS = {"q0001": "B", "q0003": "A", "q0005": "B", "unjudged": "C"}
ATTRIBUTES = ["groups", "pairs", "correlations", "agreement", "intervals"]
PICTURES = ["sorted-scores", "rank-changes", "agreement-chart"]


def made(n_runs=4, measures=("PRES@100", "AP"), **options):
    found = comparison(random_scores(n_runs, n_topics=12, measures=measures), **options)
    return found, report(found, "pres-eval compare")


def test_files_contain_the_tables_of_the_comparison(tmp_path):
    found, written = made(confidence=0.9, resamples=999, groups=GROUPS)
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


def test_the_terminal_shows_intervals_in_brackets_and_how_they_were_drawn():
    found, printed = made(
        confidence=0.9, test="randomization", resamples=999, seed=3, groups=GROUPS
    )
    text = "".join(printed.texts(3))
    for name, rows in (("mean", found.intervals), ("difference", found.pairs)):
        for mean, low, high in rows[[name, "low", "high"]].to_numpy():
            assert f" {mean:.3f} [{low:.3f}, {high:.3f}]" in text
    for said in (
        "In brackets: uncorrected 90 % confidence intervals by the BCa bootstrap over topics, "
        "adjusted for the number of topics (999 resamples, seed 3).",
        "Differences are tested by Fisher's randomization test at α = 0.05, with Holm's "
        "correction for 6 pairs.",
        "Random draws: 999 resamples, seed 3.",
        "The first run of each pair has the higher mean PRES@100.",
    ):
        assert said in text
    assert "Scores by topic" not in text
    assert "Topics without a group: 9." in text
    assert found._repr_html_().count("<svg") == 1


def test_how_measures_agree_is_shown_from_four_runs_on():
    for n_runs in (3, 4):
        _, printed = made(n_runs)
        names = {part.name for part in printed.parts}
        agreement = {"correlations", "agreement", "rank-changes", "agreement-chart"}
        assert names & agreement == (agreement if n_runs == 4 else set())


@pytest.mark.parametrize(("n_runs", "is_printed"), [(6, True), (7, False)])
def test_the_terminal_shows_few_pairs_or_those_with_a_baseline(n_runs, is_printed):
    _, printed = made(n_runs)
    assert ("All pairs of runs" in "".join(printed.texts())) == is_printed
    _, printed = made(n_runs, baselines=["run1"])
    text = "".join(printed.texts())
    assert "Runs compared with a baseline" in text
    assert "The second run of each pair is a baseline: run1." in text
    assert printed.title == f"{n_runs} runs compared with run1 by PRES@100, AP"


@pytest.mark.parametrize("options", [{}, {"confidence": 0.9}, {"test": "randomization"}])
@pytest.mark.parametrize(("n_runs", "n_topics"), [(1, 1), (2, 1), (4, 1), (1, 9)])
def test_of_one_run_or_topic_what_is_empty_is_left_out(tmp_path, n_runs, n_topics, options):
    scores = random_scores(n_runs, n_topics, measures=("PRES@100", "AP"))
    found = comparison(scores, resamples=999, **options)
    written = report(found, "pres-eval compare")
    written.write(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    printed = "".join(written.texts())
    said = "With one topic, there is no test and no interval over topics."
    for text in (page, printed):
        for absent in ("0 pairs", "tested by", "Student", "Fisher", "significant"):
            assert absent not in text
        assert text.count(said) == (n_topics == 1)
        assert ("comes first" in text) == (n_runs > 1)
        assert ("In brackets" in text) == (n_topics > 1 and "confidence" in options)
    assert (said in found.to_markdown()) == (n_topics == 1)
    assert "Superscripts" not in found.to_markdown()
    for part in written.parts:
        if isinstance(part, Section):
            for _, table in part.shown():
                assert len(table)
                assert not any(set(column) == {NONE} for column in table.texts())

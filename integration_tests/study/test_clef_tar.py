"""The studies on real runs: CLEF 2017 eHealth, technologically assisted reviews."""

import gzip
import shutil
import subprocess

import clef_tar as files_of_the_page
import numpy as np
import pandas as pd
import pytest
import systematic_reviews
from command import pres_eval, refused
from marked_parts import with_parts

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("studies of CLEF")]

STUDIES = {
    "explain": ["--query", "CD008081", "--n-max", "1000"],
    "compare": ["-m", "PRES@100 AP@100 R@100 PRES@1000"],
    "sweep": ["-m", "PRES AP R nDCG", "--n-max", "10:1000:log10"],
    "robustness": ["-m", "PRES@100 AP@100 R@100", "--processes", "2"],
}


@pytest.fixture(scope="module")
def study(clef_tar):
    return systematic_reviews.Study(clef_tar)


def test_the_page_has_the_tables_that_the_data_give(study):
    page = systematic_reviews.PAGE.read_text(encoding="utf-8")
    assert with_parts(page, "table", study.tables()) == page


def test_the_page_has_the_pictures_that_it_shows(study):
    drawn = {name for name, _ in study.pictures()}
    page = systematic_reviews.PAGE.read_text(encoding="utf-8")
    assert drawn == {path.stem for path in systematic_reviews.PICTURES.iterdir()}
    assert all(page.count(f"(systematic-reviews/{name}.png)") == 1 for name in drawn)


def test_the_values_of_the_papers_are_those_in_print(data):
    papers = data / "papers"
    table_4 = pd.read_csv(papers / "table4-clef-ip-2009.tsv", sep="\t")
    columns = {"PRES": "pres", "AP": "map", "R": "recall"}
    for (first, second), tau in systematic_reviews.PAPER_CORRELATIONS.items():
        of_runs = table_4[columns[first]].corr(table_4[columns[second]], method="kendall")
        assert round(of_runs, 2) == tau
    table_1 = pd.read_csv(papers / "incomplete-judgements-table1.tsv", sep="\t")
    samples = table_1.sort_values("sample").groupby(["cutoff", "fraction"])
    assert len(samples) == len(systematic_reviews.PAPER_TAUS)
    for (cutoff, fraction), taus in systematic_reviews.PAPER_TAUS.items():
        printed = samples.get_group((cutoff, fraction))[["pres", "map", "recall"]]
        np.testing.assert_array_equal(taus, printed)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_files_of_the_page_are_copied_from_a_clone(clef_tar, tmp_path):
    def git(*arguments):
        subprocess.run(["git", "-C", tmp_path / "clone", *arguments], check=True)

    original = {
        name: gzip.decompress((clef_tar / name).read_bytes()) for name in files_of_the_page.FILES
    }
    for name, source in files_of_the_page.FILES.items():
        path = tmp_path / "clone" / files_of_the_page.SOURCE / source
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(original[name])
    git("init", "--quiet")
    git("-c", "core.autocrlf=false", "add", ".")
    git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "Runs")
    shutil.rmtree(tmp_path / "clone" / files_of_the_page.SOURCE)  # as without a checkout

    files_of_the_page.lay_out(tmp_path / "clone", tmp_path / "data")
    copied = {
        path.relative_to(tmp_path / "data").as_posix(): gzip.decompress(path.read_bytes())
        for path in (tmp_path / "data").rglob("*.gz")
    }
    assert copied == original
    assert {path.name for path in (clef_tar / "runs").iterdir()} == {
        path.name for path in (tmp_path / "data" / "runs").iterdir()
    }


@pytest.mark.parametrize("cutoff", [100, 1000])
def test_runs_that_are_the_same_do_not_differ_by_any_measure(study, cutoff):
    pairs = study.compared[cutoff].pairs.set_index(["first", "second"])
    same = pairs.loc[("iiit.run1", "iiit.run2")]
    assert same["verdict"].tolist() == ["not significant"] * 3
    assert same["p_value"].tolist() == [1.0] * 3


# Without the slow tests, the blocks of docs/systematic-reviews.md run all studies.
@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_every_study_writes_its_folder(clef_tar, tmp_path, name):
    runs = sorted((clef_tar / "runs").iterdir())[::3]
    arguments = [clef_tar / "qrels.abstract.txt.gz", *runs, "--duplicates", "first"]
    result = pres_eval(name, *arguments, *STUDIES[name], "--out", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    tables = [path.stem for path in (tmp_path / "out").glob("*.tsv")]
    assert tables
    assert all(f'<section id="{table}"' in page for table in tables)
    assert "<svg" in page
    # The warnings are only about what is unusual in the runs.
    *warnings, written = result.stderr.splitlines()
    unusual = (
        "of the 30 topics",
        "topics in the run",
        "treats relevant documents outside the run as missed",
    )
    assert not [line for line in warnings if not any(words in line for words in unusual)]
    assert "written" in written


def test_repeated_documents_stop_a_study_unless_it_is_told_what_to_do(clef_tar, tmp_path):
    run = clef_tar / "runs" / "uos.sis.TMAL30Q_BM25.gz"
    line = refused("compare", clef_tar / "qrels.abstract.txt.gz", run, "--out", tmp_path / "out")
    assert "--duplicates first or last" in line
    assert not (tmp_path / "out").exists()

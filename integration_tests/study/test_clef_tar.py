"""The studies on real runs: CLEF 2017 eHealth, technologically assisted reviews."""

import gzip
import shutil
import subprocess

import clef_tar as files_of_the_page
import numpy as np
import pandas as pd
import pytest
import systematic_reviews
from marked_parts import with_parts

pytestmark = [pytest.mark.release, pytest.mark.xdist_group("studies of CLEF")]


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

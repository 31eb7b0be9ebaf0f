"""The data of docs/systematic-reviews.md can be taken from a clone of their repository."""

import csv
import gzip
import shutil
import subprocess

import clef_tar as files_of_the_page
import pytest


@pytest.mark.release
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
    for name in files_of_the_page.TABLES:
        original[name] = (clef_tar / name).read_bytes()
        for row in csv.DictReader(original[name].decode().splitlines(), delimiter="\t"):
            source = files_of_the_page.RESULTS[row["level"]].format(row["run"])
            path = tmp_path / "clone" / files_of_the_page.SOURCE / source
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as lines:
                lines.writelines(f"{row['topic']}\t{key}\t{row[key]}\n" for key in row)
    git("init", "--quiet")
    git("-c", "core.autocrlf=false", "add", ".")
    git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "Runs")
    shutil.rmtree(tmp_path / "clone" / files_of_the_page.SOURCE)  # as without a checkout

    files_of_the_page.lay_out(tmp_path / "clone", tmp_path / "data")
    copied = {
        path.relative_to(tmp_path / "data").as_posix(): path.read_bytes()
        for path in (tmp_path / "data").rglob("*.*")
    }
    copied = {
        name: gzip.decompress(found) if name.endswith(".gz") else found
        for name, found in copied.items()
    }
    assert copied == original

"""The data of docs/systematic-reviews.md can be taken from a clone of their repository."""

import gzip
import shutil
import subprocess

import clef_tar as files_of_the_page
import polars as pl
import pytest


@pytest.mark.release
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_files_of_the_page_are_copied_from_a_clone(clef_tar, tmp_path):
    def git(*arguments):
        subprocess.run(["git", "-C", tmp_path / "clone", *arguments], check=True)

    def files(folder):
        """The content of the files; the order of lines matters only in the compressed ones."""
        tables = {name: (folder / name).read_bytes() for name in files_of_the_page.TABLES}
        return {name: sorted(table.splitlines()) for name, table in tables.items()} | {
            name: gzip.decompress((folder / name).read_bytes()) for name in files_of_the_page.FILES
        }

    repository = tmp_path / "clone" / files_of_the_page.SOURCE
    original = files(clef_tar)
    for name, source in files_of_the_page.FILES.items():
        path = repository / source
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(original[name])
    for name in files_of_the_page.TABLES:
        for row in pl.read_csv(clef_tar / name, separator="\t", infer_schema=False).to_dicts():
            path = repository / files_of_the_page.RESULTS[row["level"]].format(row["run"])
            path.parent.mkdir(exist_ok=True)
            with path.open("a", encoding="utf-8") as lines:
                lines.writelines(f"{row['topic']}\t{key}\t{row[key]}\n" for key in row)
    git("init", "--quiet")
    git("-c", "core.autocrlf=false", "add", ".")
    git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "Runs")
    shutil.rmtree(repository)  # as without a checkout

    files_of_the_page.lay_out(tmp_path / "clone", tmp_path / "data")
    assert files(tmp_path / "data") == original

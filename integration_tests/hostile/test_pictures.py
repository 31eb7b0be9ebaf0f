"""Pictures need no settings of matplotlib, no home folder and no screen, and show any file name."""

from functools import partial
from xml.etree import ElementTree

import pytest
from bounded import bounded, check_refused
from command import EXAMPLES

pytestmark = pytest.mark.release

FILES = [EXAMPLES / "qrels.txt", EXAMPLES / "system-1.run"]
EXPLAIN = ["explain", *FILES, "--query", "PAT-1", "--n-max", "100", "--out", "out"]

run = partial(bounded, mib=500)


def file(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)


def in_current_folder(tmp_path):
    """Settings with wrong syntax, unknown names and wrong values, in the current folder."""
    file(tmp_path / "matplotlibrc", b"no colon\nunknown: 1\nfigure.dpi: many\nbackend: none\n: :\n")
    return {}


def broken_settings_elsewhere(tmp_path):
    """Settings that are not UTF-8, where the user's settings usually are; an unknown backend."""
    file(tmp_path / "rc", b"\xff\xfe\n")
    file(tmp_path / "config" / "matplotlibrc", b"\xff\xfe\n")
    return {
        "MATPLOTLIBRC": tmp_path / "rc", "MPLCONFIGDIR": tmp_path / "config", "MPLBACKEND": "none",
    }  # fmt: skip


def no_home(tmp_path):
    """A home folder that does not exist and cannot be created."""
    (tmp_path / "file").touch()
    home = tmp_path / "file" / "home"
    return {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home, "MPLCONFIGDIR": home}


@pytest.mark.parametrize("prepare", [in_current_folder, broken_settings_elsewhere, no_home])
def test_a_report_needs_no_settings_of_matplotlib(tmp_path, prepare):
    ended = run(*EXPLAIN, cwd=tmp_path, environment=prepare(tmp_path))
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr == "pres-eval: written: out/report.html\n"


def test_settings_in_the_current_folder_that_are_not_utf_8_are_named(tmp_path):
    file(tmp_path / "matplotlibrc", b"\xff\xfe\n")
    line = check_refused(run(*EXPLAIN, cwd=tmp_path))
    assert line.endswith("matplotlibrc in the current folder, which is not UTF-8")


def test_names_of_files_may_be_anything(tmp_path):
    names = [r"$\frac{$.run", "$x_1$.run", "_a.run", "中文😀.run", "a\nb.run", "\x1b[31m.run"]
    for name in names:
        (tmp_path / name).write_bytes(FILES[1].read_bytes())
    arguments = ["-m", "PRES@100 R@100", "--out", "out"]
    ended = run("compare", FILES[0], *names, *arguments, cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr == "pres-eval: written: out/report.html\n"
    pictures = list((tmp_path / "out").glob("*.svg"))
    assert pictures
    for picture in pictures:
        ElementTree.parse(picture)

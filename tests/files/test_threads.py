"""Files are read by several threads, which end with an error, and wait for many open files."""

import subprocess
import sys
import threading

import pytest

from pres_plugin.files import score
from pres_plugin.formats import FileError

LINE = "q Q0 {} 1 {} t\n"


def test_after_an_error_no_thread_goes_on_reading(tmp_path):
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "0").write_text("wrong\n")
    long = "".join(LINE.format(i, i) for i in range(100_000))
    for name in "123":
        (tmp_path / name).write_text(long)
    before = threading.active_count()
    with pytest.raises(FileError, match="0, line 1"):
        score(tmp_path / "qrels", [tmp_path / name for name in "0123"], "R@1")
    assert threading.active_count() == before


@pytest.mark.release
@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot wait for pipes")
def test_standard_input_may_have_any_number(tmp_path):
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    program = f"""
import io, os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (2048, 2048))
number = os.dup2(0, 1500)
sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(number)))
from pres_plugin.files import score
print(score({str(tmp_path / "qrels")!r}, "-", "R@1")["value"].to_list())
"""
    run = [sys.executable, "-c", program]
    found = subprocess.run(run, input=LINE.format("a", 1), capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ("[1.0]\n", "")


def test_scores_are_the_same_from_many_threads(tmp_path):
    (tmp_path / "qrels").write_text("q 0 5 1\n")
    (tmp_path / "run").write_text("".join(LINE.format(i, -i) for i in range(20_000)))
    found = []
    paths = tmp_path / "qrels", tmp_path / "run"
    threads = [
        threading.Thread(target=lambda: found.append(score(*paths, "PRES@10")["value"][0]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [0.5] * 4

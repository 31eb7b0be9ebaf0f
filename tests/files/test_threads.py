"""Files are read by several threads, which end with an error, and from several threads at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

from beginnings import raises

from pres_plugin import InputError
from pres_plugin.files import score

LINE = "q Q0 {} 1 {} t\n"


def test_after_an_error_no_thread_goes_on_reading(tmp_path):
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "0").write_text(LINE.format(0, "wrong"))
    long = "".join(LINE.format(i, i) for i in range(100_000))
    for name in "123":
        (tmp_path / name).write_text(long)
    before = threading.active_count()
    with raises(InputError, f"{tmp_path}/0, line 1: topic 'q'"):
        score(tmp_path / "qrels", [tmp_path / name for name in "0123"], "R@1")
    assert threading.active_count() == before


def test_scores_are_the_same_from_many_threads(tmp_path):
    (tmp_path / "qrels").write_text("q 0 5 1\n")
    (tmp_path / "run").write_text("".join(LINE.format(i, -i) for i in range(20_000)))
    paths = tmp_path / "qrels", tmp_path / "run"
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda _: score(*paths, "PRES@10")["value"][0], range(4))
    assert list(found) == [0.5] * 4

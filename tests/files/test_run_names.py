"""Names of runs, made from the paths of their files."""

import os
from pathlib import PurePath

from hypothesis import given
from hypothesis import strategies as st

from pres_plugin.files.run_names import own_names

PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)


@given(st.lists(PATHS, max_size=8), st.sampled_from(["", "/"]))
def test_names_differ_where_paths_do_and_are_as_short_as_can_be(paths, root):
    parts = {path: PurePath(root + path).parts for path in paths}
    names = own_names([(parts[path][-1], root + path) for path in paths])
    by_path = dict(zip(paths, names, strict=True))
    assert len(set(names)) == len(by_path)
    for path, name in by_path.items():
        assert (root + path).endswith(name)
        namesakes = [p for p in by_path if parts[p][-1] == parts[path][-1]]
        length = max(len(PurePath(by_path[p]).parts) for p in namesakes)
        if length > 1:  # with one folder less, two of them would have the same name
            assert len({parts[p][1 - length :] for p in namesakes}) < len(namesakes)


def test_an_absolute_path_is_the_same_as_a_relative_one():
    named = [("run.txt", path) for path in ("a/run.txt", "b/run.txt", os.path.abspath("a/run.txt"))]
    assert own_names(named) == ["a/run.txt", "b/run.txt", "a/run.txt"]

"""Calls at the same time give what they give one after the other."""

import threading

import pytest

from pres_plugin.files import parallel as module
from pres_plugin.files.parallel import in_order


@pytest.fixture(params=[1, 2, 8], ids="{} cores".format)
def n_cores(request, monkeypatch):
    monkeypatch.setattr(module, "_n_cores", lambda: request.param)
    return request.param


def test_results_come_in_the_order_of_arguments(n_cores):
    assert list(in_order(str, range(20))) == [str(i) for i in range(20)]
    assert list(in_order(str, [])) == []


def test_the_first_error_in_that_order_is_raised(n_cores):
    def call(i):
        if i >= 3:
            raise ValueError(str(i))
        return i

    results = in_order(call, range(9))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match=r"^3$"):
        next(results)


def test_as_many_calls_as_cores_run_at_once(n_cores):
    together = threading.Barrier(n_cores)
    assert len(list(in_order(lambda _: together.wait(timeout=30), range(n_cores)))) == n_cores

"""The next item is made while one is in use, and nothing else changes."""

import threading

import pytest

from pres_plugin.files.prefetch import ahead


class Source:
    """The numbers below `n`, and an event for each that is set when it is made."""

    def __init__(self, n, error=None):
        self.made = [threading.Event() for _ in range(n)]
        self._error = error

    def __iter__(self):
        for number, made in enumerate(self.made):
            made.set()
            yield number
        if self._error is not None:
            raise self._error

    def count(self):
        return sum(made.is_set() for made in self.made)


@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_items_come_in_order(n):
    assert list(ahead(Source(n))) == list(range(n))


def test_the_next_item_is_made_while_one_is_in_use_and_no_further_one():
    source = Source(5)
    for number in ahead(source):
        # Without a thread, the next item would be made only when it is asked for.
        assert all(made.wait(timeout=60) for made in source.made[: number + 2])
        assert source.count() == min(number + 2, 5)


def test_an_error_comes_after_the_items_before_it():
    items = ahead(Source(2, LookupError("third")))
    assert [next(items), next(items)] == [0, 1]
    with pytest.raises(LookupError, match=r"^third$"):
        next(items)


def test_items_that_nobody_asks_for_are_not_made():
    source = Source(5)
    items = ahead(source)
    assert source.count() == 0
    assert next(items) == 0
    items.close()
    assert source.count() == 2

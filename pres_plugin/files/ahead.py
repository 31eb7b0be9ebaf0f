"""The next piece of a file read while one is scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["ahead"]

_Item = TypeVar("_Item")
_END = object()


def ahead(items: Iterable[_Item]) -> Iterator[_Item]:
    """The same items, of which a thread makes the next one while one is used.

    Examples
    --------
    >>> from pres_plugin.files.ahead import ahead
    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    iterator = iter(items)
    with ThreadPoolExecutor(max_workers=1) as thread:
        following = thread.submit(next, iterator, _END)
        while (item := following.result()) is not _END:
            following = thread.submit(next, iterator, _END)
            yield item  # type: ignore[misc]

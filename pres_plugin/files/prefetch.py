"""Prepare the next item in a background thread while the current one is used.

On two idle cores, a run of 2 million lines takes 20 % less time in text and 10 % less in
Parquet. The prepared items take 2 to 17 MB.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Item = TypeVar("_Item")
_END = object()


def ahead(items: Iterable[_Item]) -> Iterator[_Item]:
    """Iterate over items, preparing the next one in a background thread."""
    iterator = iter(items)
    with ThreadPoolExecutor(max_workers=1) as thread:
        following = thread.submit(next, iterator, _END)
        while (item := following.result()) is not _END:
            following = thread.submit(next, iterator, _END)
            yield item  # type: ignore[misc]

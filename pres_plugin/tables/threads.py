"""Work in background threads, which end with the work that they are for."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

import polars as pl

_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")
_END = object()


def in_order(
    call: Callable[[_Argument], _Result],
    arguments: Sequence[_Argument],
    stop: Callable[[_Argument], object],
) -> Iterator[_Result]:
    """Yield what `call` returns for each argument, computed in one thread per core.

    Threads are enough, because polars and numpy let other threads run while they compute. After
    an error, `stop` is called with each argument. This function returns when all calls have.
    """
    with ThreadPoolExecutor(min(pl.thread_pool_size(), len(arguments) or 1)) as pool:
        try:
            yield from pool.map(call, arguments)
        finally:
            for argument in arguments:
                stop(argument)
            pool.shutdown(wait=False, cancel_futures=True)


def ahead(items: Iterable[_Result]) -> Generator[_Result, None, None]:
    """Iterate over items, preparing the next one in a background thread from the third one on.

    On two idle cores, a run of 7 million lines takes a quarter less time. The prepared item takes
    2 to 17 MB.
    """
    iterator = iter(items)
    begun = list(islice(iterator, 2))
    yield from begun
    if len(begun) < 2:  # a short file is not worth a thread
        return
    with ThreadPoolExecutor(max_workers=1) as thread:
        following = thread.submit(next, iterator, _END)
        while (item := following.result()) is not _END:
            following = thread.submit(next, iterator, _END)
            yield item  # type: ignore[misc]

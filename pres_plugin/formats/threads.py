"""Work in background threads, which end with the work that they are for."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

import polars as pl

_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")
_END = object()


def in_order(
    call: Callable[[_Argument, Event], _Result], arguments: Sequence[_Argument]
) -> Iterator[_Result]:
    """Yield what `call` returns for each argument, computed in one thread per core.

    Threads are enough, because polars and numpy let other threads run while they compute. After
    an error, the event that `call` receives is set. This function returns when all calls have.
    """
    stop = Event()
    with ThreadPoolExecutor(min(pl.thread_pool_size(), len(arguments) or 1)) as pool:
        try:
            yield from pool.map(lambda argument: call(argument, stop), arguments)
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)


def ahead(items: Iterable[_Result]) -> Generator[_Result, None, None]:
    """Iterate over items, preparing the next one in a background thread.

    On two idle cores, a run of 2 million lines takes 20 % less time in text and 10 % less in
    Parquet. The prepared items take 2 to 17 MB.
    """
    iterator = iter(items)
    with ThreadPoolExecutor(max_workers=1) as thread:
        following = thread.submit(next, iterator, _END)
        while (item := following.result()) is not _END:
            following = thread.submit(next, iterator, _END)
            yield item  # type: ignore[misc]

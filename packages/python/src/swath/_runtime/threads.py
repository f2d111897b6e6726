"""Concurrency of threads. `aio` has the same names for asyncio."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")

Lock = threading.Lock


def sleep(duration_s: float) -> None:
    time.sleep(duration_s)


def resolve(value: Result) -> Result:
    return value


def run_blocking(work: Callable[Parameters, Result], *arguments: Parameters.args, **options: Parameters.kwargs) -> Result:
    return work(*arguments, **options)


def map_ordered(items: Iterable[Item], work: Callable[[Item], Result], parallel: int) -> Iterator[Result]:
    """Yields the results in the order of the items, while at most `parallel` of them are worked on or wait to be taken."""
    rest = iter(items)
    running: deque[Future[Result]] = deque()
    executor = ThreadPoolExecutor(max_workers=parallel, thread_name_prefix="swath")

    def fill() -> None:
        while len(running) < parallel:
            try:
                running.append(executor.submit(work, next(rest)))
            except StopIteration:
                return

    try:
        fill()
        while running:
            result = running[0].result()
            running.popleft()
            fill()
            yield result
    finally:
        # What runs cannot be cancelled; its result is not used.
        executor.shutdown(wait=False, cancel_futures=True)

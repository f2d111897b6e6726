"""Concurrency of asyncio. `threads` has the same names for blocking code."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import ParamSpec, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")

Lock = asyncio.Lock


async def sleep(duration_s: float) -> None:
    await asyncio.sleep(duration_s)


async def resolve(value: Result | Awaitable[Result]) -> Result:
    """The value, or what it is awaited for: callbacks of an asynchronous client may be either."""
    return await value if isinstance(value, Awaitable) else value


async def run_blocking(
    work: Callable[Parameters, Result], *arguments: Parameters.args, **options: Parameters.kwargs
) -> Result:
    """Runs work on files without stopping the event loop."""
    return await asyncio.to_thread(work, *arguments, **options)


async def map_ordered(
    items: Iterable[Item], work: Callable[[Item], Awaitable[Result]], parallel: int
) -> AsyncIterator[Result]:
    """Yields the results in the order of the items, while at most `parallel` of them are worked on or wait to be taken."""
    rest = iter(items)
    running: deque[asyncio.Task[Result]] = deque()

    async def start(item: Item) -> Result:
        return await work(item)

    def fill() -> None:
        while len(running) < parallel:
            try:
                running.append(asyncio.create_task(start(next(rest))))
            except StopIteration:
                return

    try:
        fill()
        while running:
            result = await running[0]
            running.popleft()
            fill()
            yield result
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

"""Repeats the steps of transfers over failures that pass."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from .._problems import ApiProblem, CallTimeout, ConnectionFailed
from .._runtime import aio as runtime

Result = TypeVar("Result")

_FIRST_WAIT_S = 1.0
_MAX_WAIT_S = 30.0
_MAX_TRIES = 10
_MAX_RETRY_AFTER_S = 120.0
"""Nobody waits longer for a `Retry-After`, such as that of a daily limit: the failure is told instead."""


class AsyncPersistence:
    """Does work again after failures that pass, for about three minutes; each progress begins them anew."""

    def __init__(self) -> None:
        self._failures = 0

    def progress(self) -> None:
        """Tells that the work has got further."""
        self._failures = 0

    async def run(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Raises what does not pass, and the last failure after too many."""
        while True:
            try:
                return await work()
            except (ApiProblem, ConnectionFailed, CallTimeout) as error:
                self._failures += 1
                if not may_pass(error) or self._failures >= _MAX_TRIES:
                    raise
                wait_s = min(_MAX_WAIT_S, _FIRST_WAIT_S * 2.0 ** (self._failures - 1))
                asked_s = error.retry_after_s or 0 if isinstance(error, ApiProblem) else 0
            await runtime.sleep(max(asked_s, wait_s))


def may_pass(error: ApiProblem | ConnectionFailed | CallTimeout) -> bool:
    """True if the same step may work in a moment."""
    if not isinstance(error, ApiProblem):
        return True
    is_temporary = error.status == 429 or (error.status >= 500 and error.status != 501)
    return is_temporary and (error.retry_after_s or 0) <= _MAX_RETRY_AFTER_S


async def persist(work: Callable[[], Awaitable[Result]]) -> Result:
    """Does one step of a transfer."""
    return await AsyncPersistence().run(work)

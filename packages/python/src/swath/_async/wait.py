"""Waits until an order, a job or an upload has ended."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._generated.tables import DECISION_STATES, SUCCESS_STATES, TERMINAL_STATES
from .._hooks import RequestPlan
from .._problems import ApiProblem, CallTimeout, ConnectionFailed
from .._runtime import aio as runtime
from .._transfer_errors import WaitFailed, WaitTimeout
from .entities import Waiting, find_waiting, reason_of
from .events import AsyncEventStream
from .persist import persist

if TYPE_CHECKING:
    from .client import AsyncClient

_FIRST_POLL_S = 1.0
_MAX_POLL_S = 15.0
"""Events tell most changes; the others are read within this time."""
_POLL_GROWTH = 1.5

State = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class WaitOptions:
    """How a wait ends."""

    on_change: Callable[[dict[str, Any]], object] | None
    timeout_s: float | None
    until: Callable[[dict[str, Any]], bool] | None
    raise_on_failure: bool


def is_decision_pending(order: State) -> bool:
    """True if a tasking order waits for a decision of the customer, on a study or a quotation."""
    return order.get("status") == "CREATED" and order.get("subStatus") in DECISION_STATES


async def wait_for(client: AsyncClient, target: State | str, options: WaitOptions) -> dict[str, Any]:
    """Reads the state again whenever an event of it comes, and from time to time, since not every end has an event."""
    end_s = math.inf if options.timeout_s is None else time.monotonic() + options.timeout_s
    waiting, id = await find_waiting(client, target)
    changes = AsyncChangeSignal(client, waiting, id)
    # Before the first read, so that nothing is missed between both.
    await changes.open()
    last: dict[str, Any] | None = None
    poll_s = _FIRST_POLL_S
    while True:
        state = await _read(client, waiting, id)
        is_changed = last is None or any(last.get(name) != state.get(name) for name in waiting.changes)
        if is_changed:
            # What changes is read often.
            poll_s = _FIRST_POLL_S
            if options.on_change is not None:
                await runtime.resolve(options.on_change(state))
        last = state
        if (options.until is not None and options.until(state)) or state["status"] in TERMINAL_STATES[waiting.kind]:
            return _require_success(waiting, state, options)
        rest_s = end_s - time.monotonic()
        if rest_s <= 0:
            raise WaitTimeout(waiting.kind, options.timeout_s or 0, last)
        await changes.next(min(poll_s, rest_s))
        poll_s = min(_MAX_POLL_S, poll_s * _POLL_GROWTH)


class AsyncChangeSignal:
    """Tells that something may have changed: at an event of the entity, or after a time. Who may not read events polls."""

    def __init__(self, client: AsyncClient, waiting: Waiting, id: str) -> None:
        entity = {"entity_type": waiting.entity_type, "entity_id": id}
        self._stream = AsyncEventStream(client, "events.stream", entity, RequestPlan("events.stream", max_retries=0))
        self._is_open = True

    async def open(self) -> None:
        """Remembers the last event of now."""
        try:
            await self._stream.find_position()
        except (ApiProblem, ConnectionFailed, CallTimeout):
            self._is_open = False

    async def next(self, timeout_s: float) -> None:
        """Returns at the next event, or after the time."""
        started_s = time.monotonic()
        if self._is_open and timeout_s >= 1:
            try:
                async with aclosing(self._stream.read(max_seconds=math.floor(timeout_s))) as events:
                    async for _ in events:
                        return
            except ApiProblem as error:
                self._is_open = error.status >= 500 or error.status == 429
            except (ConnectionFailed, CallTimeout):
                # The state is read all the same, and tells more than this.
                self._is_open = True
        rest_s = timeout_s - (time.monotonic() - started_s)
        if rest_s > 0:
            await runtime.sleep(rest_s)


async def _read(client: AsyncClient, waiting: Waiting, id: str) -> dict[str, Any]:
    async def read() -> Any:
        return await client.call(waiting.operation, {waiting.id_member: id})

    output = await persist(read)
    state: dict[str, Any] = output[waiting.wrapper] if waiting.wrapper else output
    return state


def _require_success(waiting: Waiting, state: dict[str, Any], options: WaitOptions) -> dict[str, Any]:
    is_failed = state["status"] in TERMINAL_STATES[waiting.kind] and state["status"] != SUCCESS_STATES[waiting.kind]
    if is_failed and options.raise_on_failure:
        raise WaitFailed(waiting.kind, state, reason_of(waiting.kind, state))
    return state

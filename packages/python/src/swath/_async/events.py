"""Streams of events that go on over lost connections."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .._hooks import RequestPlan
from .._json import to_json
from .._problems import ApiProblem, CallTimeout, ConnectionFailed
from .._runtime import aio as runtime

if TYPE_CHECKING:
    from .client import AsyncClient

_MAX_SILENCE_S = 45.0
"""The platform sends a comment every 15 seconds: a connection that is silent for longer is lost."""
_RECONNECT_S = 2.0
_MAX_RECONNECT_S = 30.0


class AsyncEventStream:
    """The events of one input from a position on, which moves with those that were taken."""

    def __init__(self, client: AsyncClient, operation: str, input: Mapping[str, Any], plan: RequestPlan) -> None:
        self._client = client
        self._operation = operation
        self._input = input
        self._plan = replace(plan, is_read=True, timeout_s=plan.timeout_s or _MAX_SILENCE_S)
        self.last_event_id: str | None = input.get("last_event_id")
        self.reconnect_s = _RECONNECT_S

    async def find_position(self) -> None:
        """Begins after the last event of now: without a position, what happens while a stream is opened again would be missed."""
        if self.last_event_id is None:
            page = await self._client.call("events.list", {"limit": 1})
            events = page["events"]
            self.last_event_id = events[0]["event_id"] if events else None

    async def read(self, **members: Any) -> AsyncGenerator[Any, None]:
        """The events of one connection, with further members of the input. Raises `ApiProblem`, `ConnectionFailed`, `CallTimeout`."""
        headers = {"content-type": "application/json", "accept": "text/event-stream"}
        if self.last_event_id is not None:
            headers["last-event-id"] = self.last_event_id
        content = to_json({**self._input, **members})
        path = f"/v1/op/{self._operation}"
        async with await self._client.fetch(
            path, method="POST", headers=headers, content=content, plan=self._plan
        ) as response:
            if not response.is_success:
                raise await response.problem()
            async for event in response.iter_events():
                if event.retry_ms is not None:
                    self.reconnect_s = event.retry_ms / 1000
                self.last_event_id = event.id or self.last_event_id
                if event.data:
                    yield json.loads(event.data)


async def follow_events(
    client: AsyncClient, operation: str, input: Mapping[str, Any], plan: RequestPlan
) -> AsyncIterator[Any]:
    """Yields events until the program stops, or after `max_seconds` if the input has it. A connection that ends or breaks is opened
    again after the last event, with growing waits if that fails, so that no event is missed or comes twice."""
    stream = AsyncEventStream(client, operation, input, plan)
    await stream.find_position()
    failures = 0
    while True:
        try:
            async for event in stream.read():
                failures = 0
                yield event
            if "max_seconds" in input:
                return
            failures = 0
        except (ConnectionFailed, CallTimeout):
            failures += 1
        except ApiProblem as error:
            # What else the platform answers it would answer again.
            if error.status < 500 and error.status != 429:
                raise
            failures += 1
        await runtime.sleep(random.random() * min(_MAX_RECONNECT_S, stream.reconnect_s * 2.0**failures))

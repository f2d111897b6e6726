"""Sends requests, and repeats those that may be repeated. The only module that knows the HTTP library."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from .._hooks import Hooks, Limits, RequestInfo, RequestPlan, ResponseInfo
from .._problems import ApiProblem, CallTimeout, ConnectionFailed, SwathError, make_problem, parse_document
from .._retries import read_retry_after, wait_after_failure, wait_after_response
from .._runtime import aio as runtime

if TYPE_CHECKING:
    import httpx2


class StreamEvent(NamedTuple):
    """An event of a stream."""

    id: str | None
    data: str
    retry_ms: int | None
    """How long to wait before a lost stream is opened again."""


class AsyncResponse:
    """The response to a request. Its body is read once: whole, or in pieces as it arrives."""

    status: int
    headers: Mapping[str, str]
    """By name in any case."""

    def __init__(self, response: httpx2.Response, timeout_s: float | None, body: bytes | None = None) -> None:
        self._response = response
        self._timeout_s = timeout_s
        self._body = body
        self.status = response.status_code
        self.headers = response.headers
        self.url = str(response.url)

    @property
    def is_success(self) -> bool:
        """True for a status of 2xx."""
        return 200 <= self.status < 300

    async def read(self) -> bytes:
        """The whole body. Raises `ConnectionFailed` or `CallTimeout`."""
        if self._body is None:
            with _own_errors(self.url, self._timeout_s):
                self._body = await self._response.aread()
        return self._body

    async def json(self) -> Any:
        """The body as JSON."""
        return json.loads(await self.read())

    async def iter_bytes(self) -> AsyncIterator[bytes]:
        """The body in pieces as they arrive. Raises `ConnectionFailed` or `CallTimeout`."""
        with _own_errors(self.url, self._timeout_s):
            async for piece in self._response.aiter_bytes():
                yield piece

    async def iter_lines(self) -> AsyncIterator[str]:
        """The lines of a text as they arrive, without their ends."""
        with _own_errors(self.url, self._timeout_s):
            async for line in self._response.aiter_lines():
                yield line

    async def iter_events(self) -> AsyncIterator[StreamEvent]:
        """The Server-Sent Events of a stream as they arrive."""
        import httpx2

        with _own_errors(self.url, self._timeout_s):
            async for event in httpx2.EventSource(self._response):
                yield StreamEvent(event.id or None, event.data, event.retry)

    async def problem(self) -> ApiProblem:
        """The error of a response that is not a success."""
        return make_problem(self.status, parse_document(await self.read()), read_retry_after(self.headers))

    async def close(self) -> None:
        """Frees the connection, if the body was not read to its end."""
        await self._response.aclose()

    async def __aenter__(self) -> AsyncResponse:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncTransport:
    """Sends the requests of a client over connections that are kept open."""

    def __init__(self, limits: Limits, hooks: Hooks) -> None:
        self._limits = limits
        self._hooks = hooks
        self._client: httpx2.AsyncClient | None = None
        # Threads that begin at once must not open two.
        self._opening = threading.Lock()

    async def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        content: bytes | None = None,
        plan: RequestPlan,
    ) -> AsyncResponse:
        """Sends a request until it is answered or may not be repeated. Raises `ConnectionFailed` or `CallTimeout`."""
        sent = {**headers, **self._trace_header()}
        max_retries = self._limits.max_retries if plan.max_retries is None else plan.max_retries
        end_s = time.monotonic() + self._limits.retry_budget_s
        attempt = 0
        while True:
            attempt += 1
            request = RequestInfo(plan.operation, method, url.split("?", 1)[0], attempt)
            if self._hooks.on_request:
                self._hooks.on_request(request)
            started_s = time.monotonic()
            outcome: AsyncResponse | SwathError
            try:
                outcome = await self._attempt(method, url, sent, content, plan)
            except (ConnectionFailed, CallTimeout) as error:
                outcome = error
            wait_s = _choose_wait(method, sent, plan, outcome, attempt) if attempt <= max_retries else None
            if wait_s is not None and time.monotonic() + wait_s >= end_s:
                wait_s = None
            self._tell(request, outcome, time.monotonic() - started_s, wait_s)
            if wait_s is None:
                if isinstance(outcome, SwathError):
                    raise outcome
                return outcome
            if isinstance(outcome, AsyncResponse):
                # The connection is free for the next attempt.
                await outcome.close()
            await runtime.sleep(wait_s)

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _attempt(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes | None, plan: RequestPlan
    ) -> AsyncResponse:
        timeout_s = self._limits.timeout_s if plan.timeout_s is None else plan.timeout_s
        client = self._open()
        with _own_errors(url, timeout_s):
            request = client.build_request(method, url, headers=headers, content=content, timeout=timeout_s)
            end_s = None if timeout_s is None else time.monotonic() + timeout_s
            response = await client.send(request, stream=True)
            if not plan.is_whole:
                return AsyncResponse(response, timeout_s)
            try:
                return AsyncResponse(response, timeout_s, await _read_until(response, end_s))
            finally:
                await response.aclose()

    def _open(self) -> httpx2.AsyncClient:
        # Not at the start of a program: it takes a tenth of a second.
        import httpx2

        with self._opening:
            if self._client is None:
                limits = httpx2.Limits(max_connections=None, max_keepalive_connections=20)
                self._client = httpx2.AsyncClient(follow_redirects=True, limits=limits)
            return self._client

    def _trace_header(self) -> dict[str, str]:
        traceparent = self._hooks.traceparent() if self._hooks.traceparent else None
        return {"traceparent": traceparent} if traceparent else {}

    def _tell(
        self, request: RequestInfo, outcome: AsyncResponse | SwathError, duration_s: float, retry_in_s: float | None
    ) -> None:
        if not self._hooks.on_response:
            return
        status = outcome.status if isinstance(outcome, AsyncResponse) else None
        request_id = outcome.headers.get("x-request-id") if isinstance(outcome, AsyncResponse) else None
        self._hooks.on_response(ResponseInfo(request, status, request_id, duration_s, retry_in_s))


async def _read_until(response: httpx2.Response, end_s: float | None) -> bytes:
    """The whole body; a time limit of the library is one of silence only."""
    import httpx2

    pieces: list[bytes] = []
    async for piece in response.aiter_bytes():
        pieces.append(piece)
        if end_s is not None and time.monotonic() > end_s:
            raise httpx2.ReadTimeout("The body took too long.", request=response.request)
    return b"".join(pieces)


def _choose_wait(
    method: str, headers: Mapping[str, str], plan: RequestPlan, outcome: AsyncResponse | SwathError, attempt: int
) -> float | None:
    has_key = "idempotency-key" in headers
    is_read = method in {"GET", "HEAD"} if plan.is_read is None else plan.is_read
    if isinstance(outcome, SwathError):
        return wait_after_failure(attempt, is_repeatable=is_read or has_key)
    return wait_after_response(
        outcome.status, outcome.headers, attempt, is_repeatable=is_read or has_key, has_key=has_key
    )


@contextmanager
def _own_errors(url: str, timeout_s: float | None) -> Iterator[None]:
    """Errors of the HTTP library as those of this package."""
    import httpx2

    try:
        yield
    except httpx2.TimeoutException as error:
        raise CallTimeout(timeout_s or 0) from error
    except (httpx2.RequestError, httpx2.StreamError) as error:
        raise ConnectionFailed(url) from error

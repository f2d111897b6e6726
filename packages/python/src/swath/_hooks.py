"""What is told about requests, and how one is sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RequestInfo:
    """A request that is about to be sent: never its headers, its body or its query, which may have secrets."""

    operation: str | None
    """The id of the operation; None for other requests."""
    method: str
    url: str
    """Without its query."""
    attempt: int
    """1 for the first attempt."""


@dataclass(frozen=True, slots=True)
class ResponseInfo:
    """The outcome of one attempt."""

    request: RequestInfo
    status: int | None
    """None if there was no response."""
    request_id: str | None
    """Identifies the call in the log of the platform; None if there was no response."""
    duration_s: float
    retry_in_s: float | None
    """Seconds until the next attempt; None if this was the last."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """Functions that follow the requests of a client. They must not block: a call waits for them."""

    on_request: Callable[[RequestInfo], object] | None = None
    on_response: Callable[[ResponseInfo], object] | None = None
    traceparent: Callable[[], str | None] | None = None
    """The header `traceparent` (W3C Trace Context) of each call, which all its attempts share."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how often requests are tried."""

    max_retries: int = 4
    """How often a request may be repeated that is a read or has an idempotency key, or that a rate limit refused."""
    timeout_s: float | None = 120
    """Time limit of each attempt, until a JSON response is read or another one begins; None: no limit."""
    retry_budget_s: float = 300
    """No attempt begins later than this after the first one."""


@dataclass(frozen=True, slots=True)
class RequestPlan:
    """How one request is sent."""

    operation: str | None = None
    is_read: bool | None = None
    """It has no effect, so that it may be sent again after a failure; None: decided by its method."""
    is_whole: bool = False
    """The body is read as part of the attempt."""
    max_retries: int | None = None
    timeout_s: float | None = None

"""Calls of operations by id, and requests with the token of the client."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from .._generated.manifest import MANIFEST, ManifestRow
from .._hooks import RequestPlan
from .._json import to_json
from .._spends import Price, with_spend_options
from .events import follow_events
from .pages import AsyncPages
from .tokens import AsyncTokenSource
from .transport import AsyncResponse, AsyncTransport

_JSON = "application/json"


class AsyncClient:
    """A connection to one platform with one sign-in. Threads and tasks may share it."""

    def __init__(
        self, base_url: str, tokens: AsyncTokenSource, transport: AsyncTransport, *, require_price: bool = False
    ) -> None:
        self.base_url = base_url
        self._tokens = tokens
        self._transport = transport
        self._require_price = require_price

    async def call(
        self,
        operation: str,
        input: Mapping[str, Any] | None = None,
        *,
        price: Price | None = None,
        idempotency_key: str | None = None,
        timeout_s: float | None = None,
        max_retries: int | None = None,
    ) -> Any:
        """Calls an operation of the kind JSON and returns its output. Raises the class of the problem, `ConnectionFailed` or
        `CallTimeout`."""
        plan = RequestPlan(operation, is_whole=True, timeout_s=timeout_s, max_retries=max_retries)
        response = await self._post(operation, input, plan, price, idempotency_key)
        return await response.json()

    async def call_bytes(
        self,
        operation: str,
        input: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
        max_retries: int | None = None,
    ) -> bytes:
        """Calls an operation that returns bytes, such as a tile."""
        plan = RequestPlan(operation, is_whole=True, timeout_s=timeout_s, max_retries=max_retries)
        return await (await self._post(operation, input, plan)).read()

    async def lines(
        self,
        operation: str,
        input: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[Any]:
        """Calls an operation that returns newline-delimited JSON and yields the values as they arrive."""
        plan = RequestPlan(operation, timeout_s=timeout_s, max_retries=max_retries)
        async with await self._post(operation, input, plan) as response:
            async for line in response.iter_lines():
                if line:
                    yield json.loads(line)

    def events(
        self,
        operation: str,
        input: Mapping[str, Any] | None = None,
        *,
        timeout_s: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[Any]:
        """Yields the events of a stream as they happen, also over lost connections; until `max_seconds` if the input has it."""
        return follow_events(self, operation, input or {}, RequestPlan(operation, timeout_s=timeout_s, max_retries=max_retries))

    def pages(self, operation: str, input: Mapping[str, Any] | None = None) -> AsyncPages[dict[str, Any], dict[str, Any]]:
        """The rows of a list, by the id of its operation. Raises `ValueError` for an operation that is not paged."""
        row = MANIFEST.get(operation)
        if row is None or row.paging is None:
            raise ValueError(f"{operation} is not a list that has pages.")

        async def request(page_input: dict[str, Any]) -> dict[str, Any]:
            page: dict[str, Any] = await self.call(operation, page_input)
            return page

        return AsyncPages(request, input or {}, row.paging)

    async def fetch(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
        plan: RequestPlan = RequestPlan(),
    ) -> AsyncResponse:
        """Requests a path or a URL, with the token if it is one of the platform. Repeats reads, and requests with an idempotency
        key. The response may be a refusal; close it, or read it to its end."""
        target = f"{self.base_url}{url}" if url.startswith("/") else url
        if not is_of_platform(target, self.base_url):
            # A token is for the platform alone: signed URLs of its files may be those of a bucket of somebody else.
            return await self._transport.send(method, target, headers=headers or {}, content=content, plan=plan)
        token = await self._tokens.token()
        response = await self._send(method, target, token, headers=headers, content=content, plan=plan)
        if response.status != 401 or token is None:
            return response
        renewed = await self._tokens.token(token)
        if renewed == token:
            return response
        await response.close()
        return await self._send(method, target, renewed, headers=headers, content=content, plan=plan)

    async def fetch_signed(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
        timeout_s: float | None = None,
    ) -> AsyncResponse:
        """Requests a signed URL, which needs no token, once: who transfers files repeats requests with a new URL."""
        plan = RequestPlan(max_retries=0, timeout_s=timeout_s)
        return await self._transport.send(method, url, headers=headers or {}, content=content, plan=plan)

    async def close(self) -> None:
        """Closes the connections; a later call opens new ones."""
        await self._transport.close()

    async def _send(
        self,
        method: str,
        url: str,
        token: str | None,
        *,
        headers: Mapping[str, str] | None,
        content: bytes | None,
        plan: RequestPlan,
    ) -> AsyncResponse:
        lowered = {name.lower(): value for name, value in (headers or {}).items()}
        if token is not None:
            lowered["authorization"] = f"Bearer {require_header_text(token)}"
        return await self._transport.send(method, url, headers=lowered, content=content, plan=plan)

    async def _post(
        self,
        operation: str,
        input: Mapping[str, Any] | None,
        plan: RequestPlan,
        price: Price | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncResponse:
        row = MANIFEST.get(operation)
        body = dict(input or {})
        # What a newer platform has, and this package does not know, may spend.
        if row is None or row.is_priced:
            body = with_spend_options(operation, body, price, self._require_price)
        elif price is not None:
            raise TypeError(f"{operation} has no price that a call could be bound to: call it without one.")
        headers = {"content-type": _JSON, **_key_header(row, idempotency_key)}
        if row is not None and row.effect == "read":
            plan = replace(plan, is_read=True)
        content = to_json(body)
        response = await self.fetch(
            f"/v1/op/{operation}", method="POST", headers=headers, content=content, plan=plan
        )
        if not response.is_success:
            async with response:
                raise await response.problem()
        return response


def _key_header(row: ManifestRow | None, idempotency_key: str | None) -> dict[str, str]:
    """With a key that the operation does not look at, a write would be repeated."""
    if row is None:
        return {} if idempotency_key is None else {"idempotency-key": idempotency_key}
    return {"idempotency-key": idempotency_key or str(uuid.uuid4())} if row.is_idempotent else {}


def is_of_platform(url: str, base_url: str) -> bool:
    """True for URLs of the origin of the platform."""
    return _origin(url) == _origin(base_url)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def require_header_text(token: str) -> str:
    """The HTTP library would name the token in its error."""
    if re.fullmatch(r"[\t\x20-\x7e]*", token):
        return token
    raise ValueError("The token has a character that no header can have, such as a line break. Check how it was read.")

"""Reads ranges of a file over signed URLs that expire."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .._problems import ConnectionFailed
from .._runtime import aio as runtime
from .._transfer_errors import RemoteChanged
from .transport import AsyncResponse

if TYPE_CHECKING:
    from .client import AsyncClient

_REFUSALS = {400, 401, 403, 410}
"""Signed URLs that expired or were revoked: 410 by the platform, the others by object stores."""
_IDLE_TIMEOUT_S = 60.0
"""A response that sends nothing for this time is given up, and the rest requested again."""


@dataclass(frozen=True, slots=True)
class AsyncRemoteFile:
    """A file of the platform, as a signed URL serves it."""

    size_bytes: int | None
    """None if the platform does not tell it; the response does then."""
    sha256: str | None
    """In hexadecimal; None: the bytes are not verified."""
    issue_url: Callable[[bool], Awaitable[str]]
    """Asks the platform for a signed URL; True: the last one was refused, and another one is needed."""


@dataclass(frozen=True, slots=True)
class FileVersion:
    """The version of a file that a response has served."""

    size_bytes: int | None
    etag: str | None
    """A strong validator; None if the server has none."""
    accepts_ranges: bool


class AsyncRemoteReader:
    """Reads one version of a file; other ranges of another version raise `RemoteChanged`."""

    def __init__(self, client: AsyncClient, remote: AsyncRemoteFile, etag: str | None) -> None:
        self._client = client
        self._remote = remote
        self._urls = AsyncUrls(remote.issue_url)
        self._etag = etag

    @asynccontextmanager
    async def open(
        self, start: int, end: int, *, takes_whole: bool = False
    ) -> AsyncIterator[tuple[FileVersion, AsyncGenerator[bytes, None]]]:
        """The version and the bytes from `start` up to `end`; fewer, if the connection breaks. A server without ranges sends the whole
        file, of which the bytes before `start` are left out, and those after `end` unless the whole is taken."""
        headers = {"range": f"bytes={start}-{end - 1}", "accept-encoding": "identity"}
        if self._etag is not None:
            headers["if-range"] = self._etag
        async with await self._request(headers) as response:
            version = await self._check(response, start)
            self._etag = version.etag
            if response.status == 416:
                yield version, _read_bytes(response, 0, 0)
            elif version.accepts_ranges:
                yield version, _read_bytes(response, 0, end - start)
            else:
                yield version, _read_bytes(response, start, None if takes_whole else end - start)

    async def _request(self, headers: Mapping[str, str]) -> AsyncResponse:
        url = await self._urls.current()
        response = await self._client.fetch_signed(url, headers=headers, timeout_s=_IDLE_TIMEOUT_S)
        if response.status not in _REFUSALS:
            return response
        await response.close()
        renewed = await self._urls.renew(url)
        return await self._client.fetch_signed(renewed, headers=headers, timeout_s=_IDLE_TIMEOUT_S)

    async def _check(self, response: AsyncResponse, start: int) -> FileVersion:
        etag = _strong_etag(response.headers.get("etag"))
        told_start, told_size = _parse_content_range(response.headers.get("content-range"))
        size_bytes = told_size if told_size is not None else self._remote.size_bytes
        if response.status == 412 or (self._etag is not None and response.is_success and etag != self._etag):
            raise RemoteChanged
        if response.status == 206:
            if told_start not in (None, start):
                raise ConnectionFailed(response.url)
            return FileVersion(size_bytes, etag, True)
        if response.status == 200:
            return FileVersion(_content_length(response.headers) or self._remote.size_bytes, etag, False)
        if response.status == 416:
            # Nothing is left of a file that ends where the range begins.
            if size_bytes == start:
                return FileVersion(start, etag, True)
            raise RemoteChanged
        raise await response.problem()


class AsyncUrls:
    """The signed URL of a file; ranges that are refused at once share one new URL."""

    def __init__(self, issue: Callable[[bool], Awaitable[str]]) -> None:
        self._issue = issue
        self._url: str | None = None
        self._lock = runtime.Lock()

    async def current(self) -> str:
        async with self._lock:
            if self._url is None:
                self._url = await self._issue(False)
            return self._url

    async def renew(self, refused: str) -> str:
        async with self._lock:
            if self._url is None or self._url == refused:
                self._url = await self._issue(True)
            return self._url


async def _read_bytes(response: AsyncResponse, skipped: int, length: int | None) -> AsyncGenerator[bytes, None]:
    """Never more than the length: a server that sends more than was asked for must not fill the memory. Raises `ConnectionFailed` if
    nothing comes at all."""
    left = length
    if left == 0:
        return
    is_empty = True
    async for piece in response.iter_bytes():
        wanted = piece[skipped:][:left]
        skipped = max(0, skipped - len(piece))
        if not wanted:
            continue
        is_empty = False
        yield wanted
        if left is not None:
            left -= len(wanted)
            if left == 0:
                return
    if is_empty and length is not None:
        raise ConnectionFailed(response.url)


def _strong_etag(etag: str | None) -> str | None:
    """A weak ETag does not say that bytes are equal, and `If-Range` does not take it."""
    return etag if etag is not None and etag.startswith('"') else None


def _content_length(headers: Mapping[str, str]) -> int | None:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and "content-encoding" not in headers else None


def _parse_content_range(header: str | None) -> tuple[int | None, int | None]:
    """The start of the range and the size of the file (RFC 9110, 14.4); each is None if it is not told."""
    match = re.fullmatch(r"bytes (?:([0-9]{1,16})-[0-9]{1,16}|\*)/(?:([0-9]{1,16})|\*)", header or "")
    if match is None:
        return None, None
    first, size = match.groups()
    return None if first is None else int(first), None if size is None else int(size)

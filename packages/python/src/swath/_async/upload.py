"""Uploads a file in parts, over broken connections and crashes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._part_file import hash_file, replace_file
from .._problems import ApiProblem, CallTimeout, ConnectionFailed
from .._progress import ProgressBar
from .._runtime import aio as runtime
from .._upload_parts import FilePart, SourceFile, is_sent_whole, list_missing_parts, list_parts
from .persist import persist

if TYPE_CHECKING:
    from .client import AsyncClient

_OPEN_STATES = ("uploading", "initiated", "uploaded")
_PARALLEL = 3
_MAX_ROUNDS = 3
"""Parts that the platform does not list after they were sent are sent again this many times."""
_MIN_BYTES_PER_S = 20_000
"""A connection that stalls is given up; the slowest one that is not sends so many."""
_MEDIA_TYPE = "application/octet-stream"
"""The one that upload URLs are signed for: an object store accepts no other."""


@dataclass(frozen=True, slots=True)
class UploadOptions:
    """How an upload finds the session of an earlier attempt."""

    state: Path | None = None
    """A file that remembers the session; None: the open sessions of the caller are searched by name and size."""
    on_session: Callable[[str], object] | None = None


class AsyncUpload:
    """One file on its way."""

    def __init__(
        self, client: AsyncClient, file: SourceFile, place: Mapping[str, Any], bar: ProgressBar, options: UploadOptions
    ) -> None:
        self._client = client
        self._file = file
        self._place = {name: value for name, value in place.items() if value is not None}
        self._bar = bar
        self._options = options
        self._stored_bytes = 0
        self._sha256 = ""

    async def run(self) -> dict[str, Any]:
        """Sends the file and starts its ingestion; returns the session. A session that turns out to hold other bytes under the same
        name and size is cancelled, and the file sent once more."""
        self._sha256 = await runtime.run_blocking(hash_file, self._file.path)
        session = await persist(self._find_session)
        try:
            ended = await self._send_to(session)
        except ApiProblem as error:
            if not _is_other_content(error):
                raise
            await self._call("uploads.cancel", {"upload_id": session["id"]})
            ended = await self._send_to(await persist(self._open_session))
        if self._options.state is not None:
            self._options.state.unlink(missing_ok=True)
        return ended

    async def _find_session(self) -> dict[str, Any]:
        """The session of an earlier attempt, or a new one."""
        if self._options.state is None:
            found = await self._search_session()
        else:
            found = await self._remembered_session(self._options.state)
        return found or await self._open_session()

    async def _open_session(self) -> dict[str, Any]:
        input = {**self._place, "transfer_method": "cli", "file_count": 1, "total_bytes": self._file.size_bytes}
        session: dict[str, Any] = await self._client.call("uploads.initiate", input)
        return session

    async def _remembered_session(self, state: Path) -> dict[str, Any] | None:
        if not state.is_file():
            return None
        try:
            session = await self._read(state.read_text("utf-8").strip())
        except ApiProblem as error:
            if error.status >= 500 or error.status == 429:
                raise
            return None
        is_same = self._is_for_file(session) and (not session["files"] or self._stored(session) is not None)
        # The answer that it has ended was lost; otherwise an ended session is of no use.
        return session if is_same and (_is_open(session) or self._is_finished(session)) else None

    async def _search_session(self) -> dict[str, Any] | None:
        user = (await self._client.call("users.me")).get("user")
        for status in _OPEN_STATES:
            input = {"project_id": self._place["project_id"], "status": status, "limit": 200}
            for upload in (await self._client.call("uploads.list", input))["uploads"]:
                if self._is_for_file(upload) and upload["created_by"] == (user or {}).get("id"):
                    session = await self._read(upload["id"])
                    if _is_open(session) and self._stored(session) is not None:
                        return session
        return None

    async def _send_to(self, session: dict[str, Any]) -> dict[str, Any]:
        """Sends the missing parts, and completes the session, unless another program has completed it meanwhile."""
        upload_id = str(session["id"])
        await self._remember(upload_id)
        try:
            for _ in range(_MAX_ROUNDS):
                if self._is_complete(session):
                    break
                await self._send_missing(session)
                session = await self._read_again(upload_id)
            return await self._complete(upload_id)
        except ApiProblem as error:
            if error.problem not in {"invalid-state", "gone-expired"}:
                raise
            ended = await self._read_again(upload_id)
            if not self._is_finished(ended):
                raise
            return ended

    async def _remember(self, upload_id: str) -> None:
        if self._options.state is not None:
            await runtime.run_blocking(replace_file, self._options.state, f"{upload_id}\n")
        if self._options.on_session is not None:
            await runtime.resolve(self._options.on_session(upload_id))

    async def _send_missing(self, session: Mapping[str, Any]) -> None:
        missing = self._missing(session)
        size_bytes = self._file.size_bytes
        self._stored_bytes = size_bytes - sum(part.end - part.start for part in missing)
        self._bar.update(self._stored_bytes, size_bytes)

        async def send(part: FilePart) -> int:
            await persist(lambda: self._send_part(str(session["id"]), part))
            return part.end - part.start

        async for sent_bytes in runtime.map_ordered(missing, send, _PARALLEL):
            self._stored_bytes += sent_bytes
            self._bar.update(self._stored_bytes, size_bytes)
            if len(missing) > 1:
                await self._report(str(session["id"]))

    async def _report(self, upload_id: str) -> None:
        """Other programs see it; a report that fails is followed by the next one."""
        try:
            report = {"upload_id": upload_id, "bytes_uploaded": self._stored_bytes}
            await self._client.call("uploads.progress", report, max_retries=0)
        except (ApiProblem, ConnectionFailed, CallTimeout):
            return

    async def _send_part(self, upload_id: str, part: FilePart) -> None:
        content = await runtime.run_blocking(self._file.read, part.start, part.end)
        input = {"upload_id": upload_id, "file_name": self._file.name, "size_bytes": len(content)}
        # A new URL for each try: a URL does not live as long as a bad connection.
        if part.number == 0:
            signed = await self._client.call("uploads.signed_url", input)
        else:
            signed = await self._client.call("uploads.part_url", {**input, "number": part.number})
        async with await self._client.fetch_signed(
            signed["upload_url"],
            method="PUT",
            headers={"content-type": _MEDIA_TYPE},
            content=content,
            timeout_s=max(60, len(content) / _MIN_BYTES_PER_S),
        ) as response:
            if not response.is_success:
                raise await response.problem()

    async def _complete(self, upload_id: str) -> dict[str, Any]:
        """Says which parts make the file, as the platform has received them, and starts its ingestion."""

        async def complete() -> dict[str, Any]:
            session = await self._read(upload_id)
            # The answer to an earlier try was lost.
            if self._is_finished(session):
                return session
            stored = self._stored(session) or {}
            size_bytes = self._file.size_bytes
            own = {part.number for part in list_parts(size_bytes)}
            is_whole = is_sent_whole(size_bytes) or stored.get("size_bytes") == size_bytes
            parts = [
                {"number": part["number"], "etag": part["etag"]}
                for part in stored.get("parts") or []
                if part["number"] in own and not is_whole
            ]
            file = {"object_path": stored.get("object_path", self._file.name), "size": size_bytes, "sha256": self._sha256}
            input = {"upload_id": upload_id, "files": [{**file, "parts": parts} if parts else file]}
            upload: dict[str, Any] = (await self._client.call("uploads.complete", input))["upload"]
            return upload

        return await persist(complete)

    def _missing(self, session: Mapping[str, Any]) -> list[FilePart]:
        """The parts that the platform has not received; the whole file is one part, if it is small."""
        stored = self._stored(session) or {}
        size_bytes = self._file.size_bytes
        if stored.get("size_bytes") == size_bytes:
            return []
        if is_sent_whole(size_bytes):
            return [FilePart(0, 0, size_bytes)]
        return list_missing_parts(size_bytes, stored.get("parts") or [])

    def _is_complete(self, session: Mapping[str, Any]) -> bool:
        return self._stored(session) is not None and not self._missing(session)

    def _is_finished(self, session: Mapping[str, Any]) -> bool:
        """True if the session has, or had, the same bytes and needs nothing more."""
        stored = self._stored(session)
        return not _is_open(session) and stored is not None and stored.get("sha256") == self._sha256

    def _is_for_file(self, upload: Mapping[str, Any]) -> bool:
        names = ("target_collection_id", "target_item_id", "asset_key")
        return (
            upload["total_bytes"] == self._file.size_bytes
            and upload["project_id"] == self._place["project_id"]
            and all(upload[name] == self._place.get(name) for name in names)
            and upload["is_categorical"] == self._place.get("is_categorical", False)
        )

    def _stored(self, session: Mapping[str, Any]) -> dict[str, Any] | None:
        return next((file for file in session["files"] if file["file_name"] == self._file.name), None)

    async def _read(self, upload_id: str) -> dict[str, Any]:
        upload: dict[str, Any] = (await self._client.call("uploads.get", {"upload_id": upload_id}))["upload"]
        return upload

    async def _read_again(self, upload_id: str) -> dict[str, Any]:
        return await persist(lambda: self._read(upload_id))

    async def _call(self, operation: str, input: Mapping[str, Any]) -> Any:
        return await persist(lambda: self._client.call(operation, input))


def _is_open(upload: Mapping[str, Any]) -> bool:
    return upload["status"] in _OPEN_STATES


def _is_other_content(error: ApiProblem) -> bool:
    """True if the received bytes are not those of the file: the session was begun with another one of its name and size."""
    return error.problem == "validation" and any(field.get("path") == "files.0.sha256" for field in error.field_errors)

"""Downloads files in parallel ranges, each of which goes on where its connection broke, and verifies them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._part_file import Download, PartFile, require_size, sha256_of_multihash
from .._progress import ProgressBar
from .._runtime import aio as runtime
from .._transfer_errors import ChecksumMismatch, RemoteChanged
from .persist import AsyncPersistence
from .remote_file import AsyncRemoteFile, AsyncRemoteReader

if TYPE_CHECKING:
    from .client import AsyncClient

_MAX_ATTEMPTS = 3
"""A file that changes, or whose kept bytes are wrong, is downloaded from its start this many times."""


@dataclass(frozen=True, slots=True)
class RangeOptions:
    """How a file is read."""

    parallel: int = 4
    """Ranges that are requested at once."""
    range_bytes: int = 4 * 2**20
    """The length of a range; `parallel` of them are in memory at most."""


def to_remote_file(client: AsyncClient, asset: Mapping[str, Any]) -> AsyncRemoteFile:
    """The file of an asset. The URL that was issued before is used again while it is valid, and counts as one download."""

    async def issue_url(is_refused: bool) -> str:
        input = {"item_id": asset["item_id"], "asset_id": asset["id"], "again": not is_refused}
        url: str = (await client.call("items.asset.download", input))["url"]
        return url

    return AsyncRemoteFile(asset.get("file_size_bytes"), sha256_of_multihash(asset.get("checksum")), issue_url)


async def download_file(
    client: AsyncClient, remote: AsyncRemoteFile, path: Path, bar: ProgressBar, options: RangeOptions
) -> Download:
    """Downloads a file to a path. What an earlier, interrupted download has left beside it is kept if it belongs to the same version.
    Raises `ChecksumMismatch` for wrong bytes and `RemoteChanged` for a file that keeps changing."""
    attempt = 1
    while True:
        part = await runtime.run_blocking(PartFile, path, remote.size_bytes, remote.sha256)
        try:
            return await _download_into(client, remote, part, bar, options)
        except (ChecksumMismatch, RemoteChanged) as error:
            await runtime.run_blocking(part.discard)
            # Wrong bytes after a fresh start are not our own: nobody can do better.
            is_final = isinstance(error, ChecksumMismatch) and part.kept_bytes == 0
            if is_final or attempt == _MAX_ATTEMPTS:
                raise
            attempt += 1
        finally:
            part.close()


async def _download_into(
    client: AsyncClient, remote: AsyncRemoteFile, part: PartFile, bar: ProgressBar, options: RangeOptions
) -> Download:
    reader = AsyncRemoteReader(client, remote, part.etag)
    # The first range tells the version, which the others must have, and whether there are ranges at all.
    first_end = part.kept_bytes + options.range_bytes
    size_bytes = await _read_first(reader, part, first_end, bar)
    starts = range(part.done_bytes, size_bytes, options.range_bytes)

    async def read(start: int) -> bytes:
        return await _read_range(reader, start, min(size_bytes, start + options.range_bytes))

    async for piece in runtime.map_ordered(starts, read, options.parallel):
        await runtime.run_blocking(part.write, piece)
        bar.update(part.done_bytes, size_bytes)
    return await runtime.run_blocking(part.commit, size_bytes)


async def _read_first(reader: AsyncRemoteReader, part: PartFile, end: int, bar: ProgressBar) -> int:
    """Writes the first range, or all if the server sends nothing else, and returns the size of the file."""
    persistence = AsyncPersistence()
    size_bytes = 0
    limit: int | None = None

    async def read() -> None:
        nonlocal size_bytes, limit
        while limit is None or part.done_bytes < limit:
            async with reader.open(part.done_bytes, limit or end, takes_whole=True) as (version, pieces):
                size_bytes = require_size(version.size_bytes)
                if limit is None:
                    await runtime.run_blocking(part.begin, version.etag)
                limit = min(end, size_bytes) if version.accepts_ranges else size_bytes
                async for piece in pieces:
                    await runtime.run_blocking(part.write, piece)
                    persistence.progress()
                    bar.update(part.done_bytes, size_bytes)

    await persistence.run(read)
    return size_bytes


async def _read_range(reader: AsyncRemoteReader, start: int, end: int) -> bytes:
    """The bytes of a range, over as many connections as it takes."""
    persistence = AsyncPersistence()
    received = bytearray()

    async def read() -> None:
        while start + len(received) < end:
            async with reader.open(start + len(received), end) as (_, pieces):
                async for piece in pieces:
                    received.extend(piece)
                    persistence.progress()

    await persistence.run(read)
    return bytes(received)

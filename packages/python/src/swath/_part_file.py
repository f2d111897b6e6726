"""The file of a download: unfinished beside its place, until its bytes are verified."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ._transfer_errors import ChecksumMismatch, TransferError

_PIECE_BYTES = 4 * 2**20


@dataclass(frozen=True, slots=True)
class Download:
    """A verified file."""

    path: Path
    size_bytes: int
    sha256: str
    """In hexadecimal."""


@contextmanager
def open_replacement(path: Path) -> Iterator[BinaryIO]:
    """Writes a file beside its place, which it takes when it is whole: an error or a crash leaves what was there before."""
    temporary = path.with_name(f"{path.name}.new")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


class PartFile:
    """Until its bytes are verified they are in `<path>.part`, and `<path>.part.json` says to which version of which file they
    belong: a later download goes on there, also after a crash. The file appears whole, by a rename. The methods block."""

    def __init__(self, path: Path, size_bytes: int | None, sha256: str | None) -> None:
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        self._state = path.with_name(f"{path.name}.part.json")
        self._size_bytes = size_bytes
        self._sha256 = sha256
        self._hash = hashlib.sha256()
        path.parent.mkdir(parents=True, exist_ok=True)
        self.kept_bytes, self.etag = self._find_kept()
        self.done_bytes = self.kept_bytes
        self._file = self._part.open("r+b" if self.kept_bytes > 0 else "wb")
        self._hash_kept()

    def begin(self, etag: str | None) -> None:
        """Remembers the version of the file before the first byte is written."""
        if self.kept_bytes == 0 or etag != self.etag:
            state = {"size_bytes": self._size_bytes, "sha256": self._sha256, "etag": etag}
            replace_file(self._state, json.dumps(state))

    def write(self, piece: bytes) -> None:
        self._file.write(piece)
        self._hash.update(piece)
        self.done_bytes += len(piece)

    def commit(self, size_bytes: int) -> Download:
        """Verifies the bytes and puts the file in its place. Raises `ChecksumMismatch`."""
        digest = self._hash.hexdigest()
        if self.done_bytes != size_bytes:
            raise ChecksumMismatch(f"{size_bytes} bytes", f"{self.done_bytes}")
        if self._sha256 is not None and digest != self._sha256:
            raise ChecksumMismatch(self._sha256, digest)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._part.replace(self._path)
        self._state.unlink(missing_ok=True)
        sync_folder(self._path.parent)
        return Download(self._path, size_bytes, digest)

    def close(self) -> None:
        """Keeps what was written for the next attempt."""
        self._file.close()

    def discard(self) -> None:
        """Removes what was written, which is of no use."""
        self._file.close()
        self._part.unlink(missing_ok=True)
        self._state.unlink(missing_ok=True)

    def _find_kept(self) -> tuple[int, str | None]:
        """The bytes of an earlier download, if they belong to the same version: of equal checksum, or with an ETag that the server can
        compare."""
        try:
            state = json.loads(self._state.read_text("utf-8"))
            kept_bytes = self._part.stat().st_size
            is_same = (state["size_bytes"], state["sha256"]) == (self._size_bytes, self._sha256)
            etag = state["etag"]
        except (OSError, ValueError, KeyError, TypeError):
            return 0, None
        if not is_same or (self._sha256 is None and etag is None):
            return 0, None
        if self._size_bytes is not None and kept_bytes > self._size_bytes:
            return 0, None
        return kept_bytes, etag

    def _hash_kept(self) -> None:
        while piece := self._file.read(_PIECE_BYTES) if self.kept_bytes > 0 else b"":
            self._hash.update(piece)


def hash_file(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def replace_file(path: Path, text: str) -> None:
    """Writes a small file in one step: after a crash there is the old text or the new one."""
    with open_replacement(path) as file:
        file.write(text.encode())


def sync_folder(path: Path) -> None:
    """Makes a rename last over a power failure, where the system can do that."""
    # Windows opens no folders; its file systems log renames.
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sha256_of_multihash(multihash: object) -> str | None:
    """The SHA-256 that the platform has of a file; None if it has none, or another hash."""
    text = multihash.lower() if isinstance(multihash, str) else ""
    is_sha256 = len(text) == 68 and text.startswith("1220") and set(text) <= set("0123456789abcdef")
    return text[4:] if is_sha256 else None


def require_size(size_bytes: int | None) -> int:
    """Raises `TransferError` if neither the platform nor the server says the size."""
    if size_bytes is None:
        raise TransferError("Neither the platform nor the server tells the size of the file, so it cannot be verified.")
    return size_bytes

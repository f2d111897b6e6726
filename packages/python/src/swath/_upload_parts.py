"""The parts of a file that is uploaded: a broken connection costs one of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._transfer_errors import UnreadableFile

_MEBIBYTE = 2**20
_USUAL_PART_BYTES = 8 * _MEBIBYTE
_MAX_PARTS = 10_000


@dataclass(frozen=True, slots=True)
class FilePart:
    """From `start` up to, and without, `end`, in bytes; number 0 is the whole file."""

    number: int
    start: int
    end: int


def is_sent_whole(size_bytes: int) -> bool:
    """Smaller files are sent in one piece."""
    return size_bytes <= _USUAL_PART_BYTES


def list_parts(size_bytes: int) -> list[FilePart]:
    """The same parts for the same file, so that an upload can go on later."""
    part_bytes = max(_USUAL_PART_BYTES, -(-size_bytes // _MAX_PARTS // _MEBIBYTE) * _MEBIBYTE)
    starts = range(0, size_bytes, part_bytes)
    return [FilePart(index + 1, start, min(size_bytes, start + part_bytes)) for index, start in enumerate(starts)]


def list_missing_parts(size_bytes: int, received: Iterable[Mapping[str, Any]]) -> list[FilePart]:
    """The parts that the platform has not received in full."""
    sizes = {part["number"]: part["size_bytes"] for part in received}
    return [part for part in list_parts(size_bytes) if sizes.get(part.number) != part.end - part.start]


class SourceFile:
    """A file that is uploaded. It must not change meanwhile: a read of a changed file raises `UnreadableFile`. The methods block."""

    def __init__(self, path: Path, name: str | None = None) -> None:
        self.path = path
        self.name = name or path.name
        try:
            self._begun = path.stat()
        except OSError as error:
            raise UnreadableFile(path) from error
        if not path.is_file():
            raise UnreadableFile(path)
        self.size_bytes = self._begun.st_size

    def read(self, start: int, end: int) -> bytes:
        try:
            with self.path.open("rb") as file:
                file.seek(start)
                piece = file.read(end - start)
                now = os.fstat(file.fileno())
        except OSError as error:
            raise UnreadableFile(self.path) from error
        is_changed = (now.st_mtime_ns, now.st_size) != (self._begun.st_mtime_ns, self._begun.st_size)
        if is_changed or len(piece) != end - start:
            raise UnreadableFile(self.path)
        return piece

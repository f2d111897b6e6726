"""What goes wrong with files and waits besides problems of the platform."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ._problems import SwathError


class TransferError(SwathError):
    """A transfer that does not succeed by doing the same again."""


class UnreadableFile(TransferError):
    """A file to be uploaded was changed, moved or deleted meanwhile, or is a folder."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(f"{path} cannot be read: it was changed, moved or deleted meanwhile, or is a folder.")
        self.path = Path(path)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.path,)


class ChecksumMismatch(TransferError):
    """The bytes that arrived are not those that the platform has the checksum or the size of."""

    def __init__(self, expected: str, actual: str) -> None:
        super().__init__(
            f"The downloaded bytes are not those of the file: expected {expected}, got {actual}. Download it again."
        )
        self.expected = expected
        self.actual = actual

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.expected, self.actual)


class RemoteChanged(TransferError):
    """The file was replaced by another one while it was downloaded, so that its parts do not belong together."""

    def __init__(self) -> None:
        super().__init__("The file changed while it was downloaded. Download it again.")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), ()


@dataclass(frozen=True, slots=True)
class DownloadedFile:
    """A file of a folder that was downloaded."""

    path: Path
    item_id: str
    asset_id: str
    state: Literal["downloaded", "present", "failed"]
    """`present`: the file was there already, and is whole."""
    size_bytes: int
    sha256: str | None
    """In hexadecimal; None if it failed, or the platform has none to compare with."""
    error: SwathError | OSError | None = None
    """Why it failed."""


class FolderDownloadFailed(TransferError):
    """Some files of a folder could not be downloaded; the others are there."""

    def __init__(self, files: Sequence[DownloadedFile]) -> None:
        failed = [file for file in files if file.state == "failed"]
        super().__init__(
            f"{len(failed)} of {len(files)} files were not downloaded, {failed[0].path} because: {failed[0].error}"
        )
        self.files = list(files)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.files,)


WaitKind = Literal["order", "job", "upload"]


class WaitFailed(SwathError):
    """An order, job or upload ended without success."""

    def __init__(self, kind: WaitKind, state: Mapping[str, Any], reason: str | None) -> None:
        super().__init__(f"The {kind} ended as {state['status']}" + (f": {reason}" if reason else ""))
        self.kind = kind
        self.state = state
        self.reason = reason
        """Why, as the platform says it; None if it does not."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.kind, dict(self.state), self.reason)


class WaitTimeout(SwathError, TimeoutError):
    """An order, job or upload did not end in the time that the program gave it. It goes on."""

    def __init__(self, kind: WaitKind, timeout_s: float, state: Mapping[str, Any] | None) -> None:
        status = f"; it is {state['status']}" if state else ""
        super().__init__(
            f"The {kind} did not end within {timeout_s:g} s{status}. It goes on: wait again to see its end."
        )
        self.kind = kind
        self.timeout_s = timeout_s
        self.state = state
        """The state that was read last; None if none was."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.kind, self.timeout_s, self.state)

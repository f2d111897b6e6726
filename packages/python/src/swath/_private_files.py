"""Settings in files that only their owner can read, where the command line has them, too."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

_MAX_LOCK_AGE_S = 30.0
_LOCK_POLL_S = 0.05


def config_folder() -> Path:
    """The folder of the settings of a person, as each platform places it."""
    if folder := os.environ.get("SWATH_CONFIG_DIR"):
        return Path(folder)
    if folder := os.environ.get("XDG_CONFIG_HOME"):
        return Path(folder) / "swath"
    if sys.platform == "win32" and (folder := os.environ.get("APPDATA")):
        return Path(folder) / "swath"
    home = Path(os.environ.get("HOME") or Path.home())
    return home / "Library/Application Support/swath" if sys.platform == "darwin" else home / ".config/swath"


def read_private_json(path: Path) -> dict[str, Any] | None:
    """The object in a file; None if the file does not exist. Raises `ValueError` with a sentence if it is damaged."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read: {error}. Remove it and sign in again (swath login).") from error
    if not isinstance(value, dict):
        raise ValueError(f"{path} does not have a JSON object. Remove it and sign in again (swath login).")
    return value


def write_private_json(path: Path, value: object) -> None:
    """Replaces a JSON file as a whole; only its owner can read it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    following = path.with_name(f"{path.name}.{os.getpid()}.next")
    with suppress(FileNotFoundError):
        following.unlink()
    descriptor = os.open(following, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(json.dumps(value, indent=2) + "\n")
    following.replace(path)


@contextmanager
def folder_lock(lock: Path) -> Iterator[None]:
    """Runs while no other process holds the lock, which is a folder; the one of a process that was killed is removed."""
    lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    while True:
        try:
            lock.mkdir()
            break
        except FileExistsError:
            with suppress(OSError):
                if time.time() - lock.stat().st_mtime > _MAX_LOCK_AGE_S:
                    lock.rmdir()
                    continue
            time.sleep(_LOCK_POLL_S)
    try:
        yield
    finally:
        with suppress(OSError):
            lock.rmdir()

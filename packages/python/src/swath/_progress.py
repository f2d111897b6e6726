"""Bars that show how far transfers are, by tqdm where it is installed."""

from __future__ import annotations

import importlib
import threading
import warnings
from collections.abc import Callable
from typing import Any

from ._terminal import can_ask

OnProgress = Callable[[int, int | None], object]
"""Called with the bytes that are done and those of the whole, which may be unknown."""


class ProgressBar:
    """A bar in a terminal or a notebook; silent elsewhere, and without tqdm (`pip install "swath[progress]"`)."""

    def __init__(self, label: str, *, show: bool | None, on_progress: OnProgress | None = None) -> None:
        self._label = label
        self._on_progress = on_progress
        self._bar: Any = None
        self._is_shown = can_ask() if show is None else show
        self._lock = threading.Lock()

    def update(self, done_bytes: int, total_bytes: int | None) -> None:
        """Shows it. Several threads may tell what they have done."""
        with self._lock:
            self._update(done_bytes, total_bytes)

    def _update(self, done_bytes: int, total_bytes: int | None) -> None:
        if self._on_progress is not None:
            self._on_progress(done_bytes, total_bytes)
        if not self._is_shown:
            return
        if self._bar is None:
            self._bar = _open_bar(self._label, total_bytes)
            self._is_shown = self._bar is not None
        if self._bar is not None:
            self._bar.total = total_bytes
            self._bar.update(done_bytes - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _open_bar(label: str, total_bytes: int | None) -> Any:
    try:
        # The widget of a notebook, or a bar of characters.
        tqdm = importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        return None
    with warnings.catch_warnings():
        # A notebook without ipywidgets gets a bar of characters, which needs no advice.
        warnings.simplefilter("ignore")
        return tqdm(desc=label, total=total_bytes, unit="B", unit_scale=True, unit_divisor=1024)

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fake_platform import FakePlatform
from swath._runtime import aio, threads


@pytest.fixture
def platform() -> Iterator[FakePlatform]:
    """A platform in this process."""
    fake = FakePlatform()
    yield fake
    fake.close()


@pytest.fixture(autouse=True)
def config_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No test sees the profiles, the keychain or the settings of the person who runs it."""
    for name in [name for name in os.environ if name.startswith("SWATH_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("SWATH_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("SWATH_NO_KEYCHAIN", "1")
    return tmp_path / "config"


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Waits end at once; returns how long they would have been."""
    recorded: list[float] = []
    pause = asyncio.sleep

    async def sleep(duration_s: float) -> None:
        recorded.append(duration_s)
        await pause(0)

    monkeypatch.setattr(aio, "sleep", sleep)
    monkeypatch.setattr(threads, "sleep", recorded.append)
    return recorded

"""The first program of the README runs as it is, but for its sign-in."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

# Read before the tests hide the environment.
SETTINGS = {name: os.environ[f"SWATH_TEST_{name}"] for name in ("URL", "USERNAME", "PASSWORD")}


def test_the_first_program_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    program = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)[0]
    for name, value in SETTINGS.items():
        monkeypatch.setenv(f"SWATH_{name}", value)
    monkeypatch.chdir(tmp_path)
    signed_in, count = re.subn(r"Swath\.login\([^)]*\)", "Swath()", program)
    assert count == 1
    names: dict[str, Any] = {}
    exec(compile(signed_in, "README.md", "exec"), names)
    names["client"].close()
    assert "FULFILLED" in capsys.readouterr().out
    assert len([path for path in (tmp_path / "scenes").rglob("*") if path.is_file()]) > 0

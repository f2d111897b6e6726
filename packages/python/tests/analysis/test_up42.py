"""One program, with up42-py and with the module that replaces it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from swath import Swath
from swath.up42 import BatchOrderTemplate, UserNotAuthenticated, authenticate
from swath.up42.workspace import Workspace

PROGRAM = Path(__file__).with_name("up42_program.py")
SETTINGS = dict(os.environ)


def run(python: str, module: str, folder: Path) -> dict[str, Any]:
    """What the program found. up42-py has an environment of its own: it needs an old pystac_client."""
    folder.mkdir()
    command = [python, "-W", "ignore", str(PROGRAM), module, str(folder)]
    done = subprocess.run(command, env=SETTINGS, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_finds_the_same_as_up42_py(tmp_path: Path) -> None:
    expected = run(SETTINGS["SWATH_TEST_UP42_PYTHON"], "up42", tmp_path / "theirs")
    assert run(sys.executable, "swath.up42", tmp_path / "ours") == expected
    assert expected["order"][0] == "FULFILLED" and expected["refusal"] == "InvalidSearchRequest"
    assert len(expected["collections"]) > 3 and expected["file"][1] and expected["title"] == ["A title", ["one", "two"]]


def test_refuses_credentials_that_are_incomplete(client: Swath, tmp_path: Path) -> None:
    workspace = Workspace()
    with pytest.raises(UserNotAuthenticated, match="authenticate"):
        _ = workspace.client
    with pytest.raises(ValueError, match="incomplete"):
        workspace.authenticate(username="a@example.com")
    with pytest.raises(ValueError, match="once"):
        workspace.authenticate({"username": "a", "password": "b"}, username="a")
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"username": SETTINGS["SWATH_USERNAME"], "password": SETTINGS["SWATH_PASSWORD"]}))
    workspace.authenticate(file, base_url=client.base_url)
    assert workspace.id == client.users.me()["user"]["id"]  # type: ignore[index]


def test_has_the_names_of_up42_py() -> None:
    import swath.up42

    assert all(hasattr(swath.up42, name) for name in swath.up42.__all__)
    assert {"authenticate", "Order", "stac_client", "ProductGlossary"} <= set(swath.up42.__all__)
    assert BatchOrderTemplate.__module__.startswith("swath.up42") and callable(authenticate)

"""What programs see of the package."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import swath
import swath.types
from swath._generated.manifest import MANIFEST
from swath.errors import PROBLEM_CLASSES, ApiProblem

HEAVY = ["httpx2", "anyio", "tqdm", "keyring", "swath._generated.types", "swath._async.swath", "asyncio"]


def test_importing_the_client_loads_neither_the_http_library_nor_types() -> None:
    program = f"import sys, json; from swath import Swath; print(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    environment = {**os.environ, "PYTHONPATH": str(Path(swath.__file__).parent.parent)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert json.loads(done.stdout) == []


def test_every_operation_is_a_method_of_both_trees_with_a_docstring() -> None:
    for client in (swath.Swath, swath.AsyncSwath):
        tree: Any = client("https://swath.example", key="k")
        for operation, row in MANIFEST.items():
            method = tree
            for part in operation.split("."):
                method = getattr(method, part)
            call = method if inspect.ismethod(method) else method.__call__
            parameters = inspect.signature(call).parameters.values()
            assert {parameter.kind for parameter in parameters} == {inspect.Parameter.KEYWORD_ONLY}, operation
            assert f"Operation `{operation}`" in (call.__doc__ or ""), operation
            is_coroutine = inspect.iscoroutinefunction(call)
            expects_one = client is swath.AsyncSwath and row.paging is None and row.response_kind in {"json", "bytes"}
            assert is_coroutine == expects_one, operation


def test_every_problem_has_a_class() -> None:
    assert len(PROBLEM_CLASSES) > 40
    for name, problem in PROBLEM_CLASSES.items():
        assert issubclass(problem, ApiProblem) and problem.__doc__ and f"`{name}`" in problem.__doc__
        assert name.replace("-", "") == problem.__name__.lower()


def test_a_problem_cannot_replace_what_its_class_defines() -> None:
    document = {"type": "https://x/problems/not-found", "field_errors": 1, "args": 2, "violated-policies": [3]}
    error = PROBLEM_CLASSES["not-found"](404, document)
    assert (error.field_errors, error.args[0]) == ([], "404 The server refused the call")
    assert getattr(error, "violated_policies") == [3]
    assert not hasattr(error, "required_credits")


def test_types_are_exported() -> None:
    assert {"Order", "Item", "OrdersArchivePlaceInput"} <= set(dir(swath.types))
    assert "status" in swath.types.Order.__annotations__


def test_names_that_are_exported_exist() -> None:
    assert dir(swath) == swath.__all__
    for name in swath.__all__:
        assert getattr(swath, name) is not None
    try:
        getattr(swath, "nothing")
    except AttributeError as error:
        assert "nothing" in str(error)
    else:
        raise AssertionError("an unknown name was found")


def test_the_blocking_modules_are_those_of_the_asynchronous_ones() -> None:
    package = Path(swath.__file__).parent
    sources = {path.name for path in (package / "_async").glob("*.py")}
    assert sources == {path.name for path in (package / "_sync").glob("*.py")}
    for path in (package / "_sync").glob("*.py"):
        text = path.read_text("utf-8")
        words = [word for word in ("async ", "await ", "Async", "asyncio", "__a") if word in text]
        assert words == [], path.name

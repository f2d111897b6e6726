"""Calls operations through the tree of the package, or writes a program that does: operations.py call|write, with a request on the
standard input."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from pathlib import Path
from typing import Any

from swath import AsyncSwath, Limits, Swath
from swath._generated.manifest import MANIFEST
from swath.errors import ApiProblem


def to_argument(name: str) -> str:
    """The argument of a member of an input."""
    return name.replace("-", "_") if name.replace("-", "_") not in {"from", "in", "class"} else f"{name}_"


def find_method(client: Any, operation: str) -> Any:
    for part in operation.split("."):
        client = getattr(client, part)
    return client


def to_arguments(call: dict[str, Any]) -> dict[str, Any]:
    return {to_argument(name): value for name, value in call["input"].items()}


def describe_output(operation: str, output: object) -> str:
    """`ok`, or what is wrong with the kind of the output."""
    kind = MANIFEST[operation].response_kind
    expected: type[Any] = bytes if kind == "bytes" else list if kind in {"ndjson", "event-stream"} else dict
    return "ok" if isinstance(output, expected) else f"an output of {type(output).__name__}"


def call_blocking(url: str, call: dict[str, Any]) -> str:
    with Swath(url, token=lambda _: call["token"], limits=Limits(max_retries=0)) as client:
        try:
            output = find_method(client, call["id"])(**to_arguments(call))
            if hasattr(output, "first_page"):
                output = output.first_page()
            elif inspect.isgenerator(output):
                output = list(output)
        except ApiProblem as error:
            return error.problem
    return describe_output(call["id"], output)


async def call_asynchronously(url: str, call: dict[str, Any]) -> str:
    async with AsyncSwath(url, token=lambda _: call["token"], limits=Limits(max_retries=0)) as client:
        try:
            output = find_method(client, call["id"])(**to_arguments(call))
            if hasattr(output, "first_page"):
                output = await output.first_page()
            elif inspect.isasyncgen(output):
                output = [value async for value in output]
            else:
                output = await output
        except ApiProblem as error:
            return error.problem
    return describe_output(call["id"], output)


def call_all(request: dict[str, Any]) -> dict[str, str]:
    url, calls = request["url"], request["calls"]
    if request["form"] == "blocking":
        return {call["id"]: call_blocking(url, call) for call in calls}

    async def run() -> dict[str, str]:
        return {call["id"]: await call_asynchronously(url, call) for call in calls}

    return asyncio.run(run())


HEAD = '''"""A call for every example of the contract, as a person would write it."""

from collections.abc import AsyncIterator, Iterator

from swath import AsyncSwath, Swath
from swath.types import Order


def blocking(client: Swath) -> Iterator[object]:
'''

MISTAKES = '''
    client.items.get()  # type: ignore[call-arg]
    client.projects.add_member(project_id="a", user_id="b", role="king")  # type: ignore[arg-type]
    client.items.nothing()  # type: ignore[attr-defined]
    client.items.get("a")  # type: ignore[call-arg]
    order: Order = client.orders.get(order_id="a")
    is_newer: bool = order["status"] == "OF_A_NEWER_PLATFORM"
    order["nothing"]  # type: ignore[typeddict-item]
    names: list[str] = [row["displayName"] for row in client.orders.list()]
    yield is_newer, names
'''


def write_call(call: dict[str, Any], is_asynchronous: bool) -> str:
    row = MANIFEST[call["id"]]
    arguments = ", ".join(f"{name}={value!r}" for name, value in to_arguments(call).items())
    is_awaited = is_asynchronous and row.paging is None and row.response_kind in {"json", "bytes"}
    return f"    yield {'await ' if is_awaited else ''}client.{call['id']}({arguments})"


def write_program(request: dict[str, Any]) -> dict[str, int]:
    calls = request["calls"]
    lines = [write_call(call, False) for call in calls]
    async_lines = [write_call(call, True) for call in calls]
    asynchronous = "\n\nasync def asynchronous(client: AsyncSwath) -> AsyncIterator[object]:\n"
    text = HEAD + "\n".join(lines) + MISTAKES + asynchronous + "\n".join(async_lines) + "\n"
    Path(request["path"]).write_text(text, "utf-8")
    return {"calls": len(calls)}


if __name__ == "__main__":
    commands = {"call": call_all, "write": write_program}
    print(json.dumps(commands[sys.argv[1]](json.load(sys.stdin))))

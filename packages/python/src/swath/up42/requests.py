"""Requests to the routes of the platform that up42-py knows, too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from .workspace import workspace


@dataclass(frozen=True)
class SortingField:
    """An order of a list."""

    name: str
    ascending: bool = True

    @property
    def asc(self) -> SortingField:
        """Smallest first."""
        return SortingField(self.name)

    @property
    def desc(self) -> SortingField:
        """Largest first."""
        return SortingField(self.name, ascending=False)

    def __str__(self) -> str:
        return f"{self.name},{'asc' if self.ascending else 'desc'}"


def send(
    method: str,
    path: str,
    body: Any = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    content_type: str = "application/json",
) -> Any:
    """The JSON that a route answers, or None without a body. Raises the class of the problem if the call is refused."""
    query = _to_query(parameters or {})
    content = None if body is None else json.dumps(body).encode()
    headers = {"accept": "application/json", **({} if content is None else {"content-type": content_type})}
    with workspace.client.fetch(f"{path}{query}", method=method, headers=headers, content=content) as response:
        if not response.is_success:
            raise response.problem()
        text = response.read()
        return json.loads(text) if text else None


def list_pages(path: str, parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of all pages of a list that counts its pages."""
    page = 0
    while True:
        answer = send("GET", path, parameters={**parameters, "page": page})
        yield from answer["content"]
        page += 1
        if page >= answer["totalPages"]:
            return


def _to_query(parameters: Mapping[str, Any]) -> str:
    named = {
        name: [str(each) for each in value] if isinstance(value, list) else str(value)
        for name, value in parameters.items()
        if value is not None
    }
    return f"?{urlencode(named, doseq=True)}" if named else ""

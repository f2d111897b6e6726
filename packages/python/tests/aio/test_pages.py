"""Lists of the four conventions."""

from __future__ import annotations

from typing import Any

import pytest

from fake_platform import Answer, FakePlatform, Received
from swath import AsyncSwath


def offset_page(request: Received) -> Answer:
    input = request.json()
    offset, limit = input.get("offset", 0), input.get("limit", 2)
    rows = [{"id": str(number)} for number in range(5)][offset : offset + limit]
    return Answer({"projects": rows, "limit": limit, "offset": offset, "total": 5})


def sparse_page(request: Received) -> Answer:
    """A page of large rows may have fewer than its limit."""
    offset = request.json().get("offset", 0)
    return Answer({"items": [{"id": str(offset)}], "limit": 2, "offset": offset, "total": 3, "next_offset": None if offset == 2 else offset + 1})


def numbered_page(request: Received) -> Answer:
    page = request.json().get("page", 0)
    return Answer({"content": [{"id": f"{page}a"}, {"id": f"{page}b"}], "last": page == 1, "page": page, "size": 2})


def search_page(request: Received) -> Answer:
    page = request.json().get("page", 0)
    links = [{"rel": "next", "href": "/x", "body": {"page": page + 1}}] if page < 1 else []
    return Answer({"type": "FeatureCollection", "features": [{"id": str(page)}], "links": links})


def token_page(request: Received) -> Answer:
    token = request.json().get("next")
    pages: dict[Any, dict[str, Any]] = {None: {"features": [{"id": "1"}], "next": "b"}, "b": {"features": [{"id": "2"}]}}
    return Answer(pages[token])


CONVENTIONS = [
    ("projects.list", {}, offset_page, ["0", "1", "2", "3", "4"], 3),
    ("items.list", {"project_id": "p"}, sparse_page, ["0", "1", "2"], 3),
    ("orders.list", {}, numbered_page, ["0a", "0b", "1a", "1b"], 2),
    ("stac.search", {}, search_page, ["0", "1"], 2),
    ("catalog.search", {"host_name": "open"}, token_page, ["1", "2"], 2),
]


@pytest.mark.parametrize(("operation", "input", "page", "ids", "requests"), CONVENTIONS, ids=[row[0] for row in CONVENTIONS])
async def test_a_list_is_read_over_its_pages(
    platform: FakePlatform, operation: str, input: dict[str, Any], page: Any, ids: list[str], requests: int
) -> None:
    platform.on(operation, page)
    async with AsyncSwath(platform.url, key="key") as client:
        method: Any = client
        for part in operation.split("."):
            method = getattr(method, part)
        rows = method(**input)
        assert len(platform.requests) == 0, "nothing is requested before it is needed"
        assert [row["id"] async for row in rows] == ids
        assert len(platform.requests) == requests
        assert [row["id"] for row in await rows.all()] == ids, "a list can be read again"


async def test_pages_are_requested_when_they_are_needed(platform: FakePlatform) -> None:
    platform.on("projects.list", offset_page)
    async with AsyncSwath(platform.url, key="key") as client:
        assert [row["id"] for row in await client.projects.list(limit=2).all(max=2)] == ["0", "1"]
        assert len(platform.requests) == 1
        assert await client.projects.list().all(max=0) == []
        assert (await client.projects.list(limit=1).first_page())["total"] == 5
        assert len(platform.requests) == 2
        sizes = [len(page["projects"]) async for page in client.projects.list(limit=3).pages()]
    assert sizes == [3, 2]
    assert platform.inputs("projects.list")[-1] == {"limit": 3, "offset": 3}

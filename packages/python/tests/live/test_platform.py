"""Against a started platform, which SWATH_TEST_URL and the others of `npm run prove -- python` name."""

from __future__ import annotations

import os
import random
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from swath import AsyncSwath, Hooks, ResponseInfo, is_decision_pending
from swath._runtime import aio as runtime
from swath.errors import NotFound, PriceRequired, SpendLimitExceeded, UserRequired, Validation, WaitFailed

SETTINGS = {name: os.environ[f"SWATH_TEST_{name}"] for name in ("URL", "USERNAME", "PASSWORD", "KEY", "SCENES")}


@pytest.fixture
async def client() -> AsyncIterator[AsyncSwath]:
    """The administrator."""
    async with AsyncSwath(
        SETTINGS["URL"], username=SETTINGS["USERNAME"], password=SETTINGS["PASSWORD"], require_price=True
    ) as connected:
        yield connected


@pytest.fixture
async def project(client: AsyncSwath) -> str:
    """A project of its own for each test."""
    created = await client.projects.create(name=f"Python {uuid.uuid4()}")
    return str(created["id"])


async def test_a_key_and_a_password_call_and_hooks_are_told(client: AsyncSwath) -> None:
    told: list[ResponseInfo] = []
    async with AsyncSwath(SETTINGS["URL"], key=SETTINGS["KEY"], hooks=Hooks(on_response=told.append)) as by_key:
        assert (await by_key.users.me())["kind"] == "api_key"
        with pytest.raises(UserRequired):
            await by_key.users.tokens.list()
    user = (await client.users.me())["user"]
    assert user is not None and user["email"] == SETTINGS["USERNAME"]
    assert told[0].status == 200 and told[0].request_id


async def test_lists_are_read_over_their_pages(client: AsyncSwath) -> None:
    names = {f"Page {uuid.uuid4()}" for _ in range(3)}
    for name in names:
        await client.projects.create(name=name)
    found = {project["name"] async for project in client.projects.list(limit=2)}
    assert names <= found
    assert len(await client.projects.list(limit=2).all(max=3)) == 3


async def test_problems_are_errors_of_their_classes(client: AsyncSwath) -> None:
    with pytest.raises(NotFound) as missing:
        await client.items.get(item_id="01890a5d-ac96-774b-bcce-b302099a8057")
    assert missing.value.trace_id and missing.value.docs_url == f"{SETTINGS['URL']}/problems/not-found"
    with pytest.raises(Validation) as invalid:
        await client.items.get(item_id="x")
    assert invalid.value.field_errors[0]["path"] == "item_id"


async def find_captures(client: AsyncSwath) -> list[dict[str, Any]]:
    page = await client.catalog.search(host_name="open", limit=2).first_page()
    return [{"id": found["id"], "geometry": found["geometry"], "host": "open"} for found in page["features"]]


async def test_an_order_is_quoted_bought_waited_for_and_downloaded(
    client: AsyncSwath, project: str, tmp_path: Path
) -> None:
    captures: Any = (await find_captures(client))[:1]
    with pytest.raises(PriceRequired):
        await client.orders.archive.place(captures=captures, projectId=project)
    dry = await client.orders.archive.place(captures=captures, projectId=project, dry_run=True)
    assert dry.get("dry_run")
    quote = await client.orders.quote(captures=captures)
    order = await client.orders.archive.place(projectId=project, price=quote)
    seen: list[str] = []
    done = await client.wait(order, on_change=lambda state: seen.append(state["status"]), timeout_s=120)
    assert done["status"] == "FULFILLED" and seen[-1] == "FULFILLED" and not is_decision_pending(done)
    files = await client.download_order(order, tmp_path)
    assert len(files) >= 1 and {file.state for file in files} == {"downloaded"}
    again = await client.download_order(done["id"], tmp_path)
    assert {file.state for file in again} == {"present"}


async def test_a_file_is_uploaded_in_parts_and_downloaded_in_ranges(
    client: AsyncSwath, project: str, tmp_path: Path
) -> None:
    scenes = Path(SETTINGS["SCENES"]) / "landsat-pucallpa"
    # Bytes after its image make the file longer than one part.
    path = tmp_path / "long.tif"
    path.write_bytes((scenes / "pucallpa_2020.tif").read_bytes() + random.Random(1).randbytes(17 * 2**20))
    session = await client.upload(path, project_id=project)
    done = await client.wait(session, timeout_s=120)
    assert len(done["item_ids"]) == 1
    item_id = done["item_ids"][0]
    listed = (await client.items.list_assets(item_id=item_id))["assets"]
    data = next(asset for asset in listed if asset["key"] == "data")
    saved = await client.download(data, tmp_path / "saved.tif", parallel=3)
    assert saved.size_bytes == data["file_size_bytes"] and data["checksum"] == "1220" + saved.sha256
    files = await client.download_project(project, tmp_path / "project")
    assert len(files) == len([asset for asset in listed if asset["ready"]])


async def test_an_upload_that_is_no_image_fails_with_its_reason(client: AsyncSwath, project: str, tmp_path: Path) -> None:
    path = tmp_path / "text.tif"
    path.write_text("not an image")
    session = await client.upload(path, project_id=project)
    with pytest.raises(WaitFailed) as caught:
        await client.wait(session["id"], timeout_s=60)
    assert caught.value.reason


async def test_events_go_on_from_a_position(client: AsyncSwath, project: str) -> None:
    before = (await client.events.list(limit=1).first_page())["events"]
    last = before[0]["event_id"] if before else None
    path = Path(SETTINGS["SCENES"]) / "landsat-pucallpa" / "pucallpa_1985.tif"
    await client.wait(await client.upload(path, project_id=project, name=f"{uuid.uuid4()}.tif"), timeout_s=60)
    types = [event["event_type"] async for event in client.events.stream(last_event_id=last, max_seconds=1)]
    assert "item.created" in types


async def test_a_job_is_waited_for_and_lines_are_read(client: AsyncSwath, project: str) -> None:
    path = Path(SETTINGS["SCENES"]) / "landsat-pucallpa" / "pucallpa_1995.tif"
    upload = await client.wait(await client.upload(path, project_id=project), timeout_s=60)
    input: Any = {"item": upload["item_ids"][0]}
    job = await client.processing.execute(process_id="format-conversion", workspaceId=project, inputs=input, max_credits=1000)
    assert (await client.wait(job, timeout_s=120))["status"] == "completed"
    entries = [entry async for entry in client.lines("billing.ledger.export")]
    assert all(isinstance(entry, dict) for entry in entries) and len(entries) > 0


async def test_a_bound_that_is_too_low_spends_nothing(client: AsyncSwath, project: str) -> None:
    path = Path(SETTINGS["SCENES"]) / "landsat-pucallpa" / "pucallpa_2010.tif"
    upload = await client.wait(await client.upload(path, project_id=project), timeout_s=60)
    input: Any = {"item": upload["item_ids"][0]}
    with pytest.raises(SpendLimitExceeded):
        await client.processing.execute(
            process_id="format-conversion", workspaceId=project, inputs=input, max_credits=0
        )


async def test_many_calls_at_once_share_one_sign_in(client: AsyncSwath) -> None:
    async def call(_: int) -> str:
        return (await client.users.me())["kind"]

    kinds = {kind async for kind in runtime.map_ordered(range(24), call, 8)}
    assert len(kinds) == 1

"""Downloads in ranges, resumed, verified, and of whole folders."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from fake_files import FakeFile
from fake_platform import LOST, Answer, FakePlatform, Received, problem, refusal, tokens
from swath import AsyncSwath
from swath.errors import ChecksumMismatch, FolderDownloadFailed, InvalidState, RemoteChanged

MEBIBYTE = 2**20


def connect(platform: FakePlatform) -> AsyncSwath:
    return AsyncSwath(platform.url, key="key")


async def test_a_file_is_read_in_ranges_and_verified(platform: FakePlatform, tmp_path: Path) -> None:
    file = FakeFile(platform, 11 * MEBIBYTE + 5)
    told: list[tuple[int, int | None]] = []
    async with connect(platform) as client:
        done = await client.download(file.asset, tmp_path / "a" / "x.tif", on_progress=lambda *at: told.append(at))
    assert (done.size_bytes, done.sha256, done.path.read_bytes()) == (len(file.content), file.sha256, file.content)
    assert len(file.ranges()) == 3 and file.urls == 1
    assert told[-1] == (len(file.content), len(file.content)) and told == sorted(told)
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["x.tif"]
    assert all(request.token is None for request in platform.requests if request.path.startswith("/files/"))


async def test_a_folder_gets_a_safe_name(platform: FakePlatform, tmp_path: Path) -> None:
    file = FakeFile(platform, 10)
    platform.on("assets.get", Answer({"asset": {**file.asset, "key": "../../B 04"}, "stac": {}}))
    async with connect(platform) as client:
        done = await client.download({"item_id": "item", "id": "asset"}, tmp_path)
    assert done.path == tmp_path / "_.._B 04.tif"


async def test_a_range_goes_on_where_its_connection_broke(platform: FakePlatform, tmp_path: Path, waits: list[float]) -> None:
    file = FakeFile(platform, 5 * MEBIBYTE)
    file.cuts = [MEBIBYTE]
    file.faults = [problem(503, "unavailable"), LOST]
    async with connect(platform) as client:
        done = await client.download(file.asset, tmp_path / "x")
    assert done.path.read_bytes() == file.content
    assert len(file.ranges()) > 4


async def test_an_interrupted_download_goes_on_and_reads_what_is_missing(platform: FakePlatform, tmp_path: Path) -> None:
    file = FakeFile(platform, 9 * MEBIBYTE)
    path = tmp_path / "x"
    (tmp_path / "x.part").write_bytes(file.content[: 7 * MEBIBYTE])
    state = {"size_bytes": len(file.content), "sha256": file.sha256, "etag": file.etag}
    (tmp_path / "x.part.json").write_text(json.dumps(state))
    async with connect(platform) as client:
        await client.download(file.asset, path)
    assert path.read_bytes() == file.content
    assert file.ranges() == [f"bytes={7 * MEBIBYTE}-{11 * MEBIBYTE - 1}"]
    assert platform.requests[-1].headers["if-range"] == file.etag


async def test_kept_bytes_that_are_wrong_cost_a_fresh_start_and_not_the_file(platform: FakePlatform, tmp_path: Path) -> None:
    file = FakeFile(platform, 5 * MEBIBYTE)
    (tmp_path / "x.part").write_bytes(b"wrong")
    state = {"size_bytes": len(file.content), "sha256": file.sha256, "etag": file.etag}
    (tmp_path / "x.part.json").write_text(json.dumps(state))
    async with connect(platform) as client:
        await client.download(file.asset, tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == file.content


async def test_bytes_of_another_version_are_not_kept(platform: FakePlatform, tmp_path: Path) -> None:
    file = FakeFile(platform, 5 * MEBIBYTE)
    (tmp_path / "x.part").write_bytes(b"old")
    (tmp_path / "x.part.json").write_text(json.dumps({"size_bytes": 3, "sha256": "old", "etag": '"old"'}))
    async with connect(platform) as client:
        await client.download(file.asset, tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == file.content and file.ranges()[0].startswith("bytes=0-")


async def test_wrong_bytes_are_an_error_and_leave_nothing(platform: FakePlatform, tmp_path: Path) -> None:
    file = FakeFile(platform, 100)
    file.asset["checksum"] = "1220" + hashlib.sha256(b"other").hexdigest()
    async with connect(platform) as client:
        with pytest.raises(ChecksumMismatch):
            await client.download(file.asset, tmp_path / "x")
    assert list(tmp_path.iterdir()) == [tmp_path / "config"] or list(tmp_path.iterdir()) == []


async def test_a_file_that_changes_is_read_anew_and_one_that_keeps_changing_is_an_error(
    platform: FakePlatform, tmp_path: Path
) -> None:
    file = FakeFile(platform, 9 * MEBIBYTE)
    changes = [1]

    def change() -> None:
        file.etag = f'"{len(changes)}"'
        changes.append(1)

    first = file.content[: 4 * MEBIBYTE]
    headers = {"etag": file.etag, "content-range": f"bytes 0-{4 * MEBIBYTE - 1}/{9 * MEBIBYTE}"}
    file.faults = [Answer(first, 206, headers, before=change)]
    async with connect(platform) as client:
        await client.download(file.asset, tmp_path / "x")
        assert (tmp_path / "x").read_bytes() == file.content
        file.faults = [Answer(first, 206, {**headers, "etag": f'"never {n}"'}) for n in range(9)]
        with pytest.raises(RemoteChanged):
            await client.download(file.asset, tmp_path / "y")


async def test_a_url_that_expires_is_replaced_once_for_all_ranges(platform: FakePlatform, tmp_path: Path) -> None:
    file = FakeFile(platform, 33 * MEBIBYTE)
    head = {"etag": file.etag, "content-range": f"bytes 0-{4 * MEBIBYTE - 1}/{33 * MEBIBYTE}"}
    file.faults = [Answer(file.content[: 4 * MEBIBYTE], 206, head, before=file.expire)]
    async with connect(platform) as client:
        await client.download(file.asset, tmp_path / "x", parallel=8)
    assert (tmp_path / "x").read_bytes() == file.content
    assert [body["again"] for body in platform.inputs("items.asset.download")] == [True, False]


async def test_a_token_that_expires_between_ranges_is_renewed(platform: FakePlatform, tmp_path: Path) -> None:
    """Each URL serves one range, and each token one URL."""
    file = FakeFile(platform, 21 * MEBIBYTE)
    issue = file._issue
    valid = ["t1"]

    def check(request: Received) -> Answer:
        if request.token != valid[-1]:
            return problem(401, "unauthenticated")
        valid.append(f"t{len(valid) + 1}")
        return issue(request)

    serve = file._serve

    def serve_once(request: Received) -> Answer:
        answer = serve(request)
        file.expire()
        return answer

    platform.on("items.asset.download", check)
    platform.on_token(*[tokens(f"t{number}", f"r{number}") for number in range(1, 9)], refusal("invalid_grant"))
    file._serve = serve_once  # type: ignore[method-assign]
    async with AsyncSwath(platform.url, username="a", password="b") as client:
        await client.download(file.asset, tmp_path / "x", parallel=1)
    assert (tmp_path / "x").read_bytes() == file.content
    grants = [request.form()["grant_type"] for request in platform.requests if request.path.endswith("/token")]
    assert grants[0] == "password" and set(grants[1:]) == {"refresh_token"} and len(grants) > 3


async def test_a_server_without_ranges_sends_the_whole_file(platform: FakePlatform, tmp_path: Path, waits: list[float]) -> None:
    file = FakeFile(platform, 9 * MEBIBYTE)
    file.has_ranges = False
    file.cuts = [5 * MEBIBYTE]
    async with connect(platform) as client:
        await client.download(file.asset, tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == file.content and len(file.ranges()) == 2


async def test_a_file_of_unknown_size_and_an_empty_one_are_read(platform: FakePlatform, tmp_path: Path) -> None:
    file = FakeFile(platform, 6 * MEBIBYTE)
    file.asset.update(file_size_bytes=None, checksum=None)
    async with connect(platform) as client:
        await client.download(file.asset, tmp_path / "x")
        assert (tmp_path / "x").read_bytes() == file.content
        empty = FakeFile(platform, 0)
        assert (await client.download(empty.asset, tmp_path / "y")).size_bytes == 0


async def test_a_refused_file_is_its_problem(platform: FakePlatform, tmp_path: Path) -> None:
    file = FakeFile(platform, 10)
    platform.on("items.asset.download", problem(409, "invalid-state"))
    async with connect(platform) as client:
        with pytest.raises(InvalidState):
            await client.download(file.asset, tmp_path / "x")


def folder_of(platform: FakePlatform, file: FakeFile) -> None:
    """Two items of one name with an asset each."""
    features = [{"item_id": id, "id": "Scene"} for id in ("i1", "i2")]
    platform.on("orders.list_assets", Answer({"features": features}))
    platform.on("items.list_by_collection", collection_page)

    def assets(request: Received) -> Answer:
        item_id = request.json()["item_id"]
        wanted: dict[str, Any] = {**file.asset, "item_id": item_id, "id": f"asset of {item_id}"}
        unready = {**wanted, "id": "none", "key": "later", "ready": False}
        return Answer({"assets": [wanted, unready], "limit": 50, "offset": 0, "total": 2})

    platform.on("items.list_assets", assets)


def collection_page(request: Received) -> Answer:
    """An item that was created between both pages moves another one to the second page."""
    offset = request.json().get("offset", 0)
    rows = [[{"id": "i1", "name": "Scene"}], [{"id": "i1", "name": "Scene"}, {"id": "i2", "name": "Scene"}]][offset]
    return Answer({"items": rows, "limit": 1, "offset": offset, "total": 3, "next_offset": None if offset else 1})


@pytest.mark.parametrize("kind", ["order", "collection"])
async def test_a_folder_has_verified_files_and_is_completed_when_called_again(
    platform: FakePlatform, tmp_path: Path, kind: str
) -> None:
    file = FakeFile(platform, 1000)
    folder_of(platform, file)
    folder = tmp_path / "out"
    async with connect(platform) as client:
        download = client.download_order if kind == "order" else client.download_collection
        first = await download("id", folder)
        (folder / "Scene" / "Scene.tif").write_bytes(b"damaged")
        again = await download({"id": "id"}, folder)
    assert sorted(str(done.path.relative_to(folder)) for done in first) == ["Scene/Scene.tif", "Scene~i2/Scene.tif"]
    assert {done.state for done in first} == {"downloaded"}
    assert sorted(done.state for done in again) == ["downloaded", "present"]
    assert all(done.path.read_bytes() == file.content for done in again)


async def test_files_that_fail_are_named_and_the_others_are_there(platform: FakePlatform, tmp_path: Path) -> None:
    file = FakeFile(platform, 1000)
    folder_of(platform, file)
    issue = file._issue

    def refuse_one(request: Received) -> Answer:
        return problem(409, "invalid-state") if request.json()["item_id"] == "i2" else issue(request)

    platform.on("items.asset.download", refuse_one)
    done: list[str] = []
    async with connect(platform) as client:
        with pytest.raises(FolderDownloadFailed, match="1 of 2 files") as caught:
            await client.download_order("o", tmp_path, on_file=lambda file: done.append(file.state))
    assert sorted(done) == ["downloaded", "failed"]
    failed = [file for file in caught.value.files if file.state == "failed"]
    assert isinstance(failed[0].error, InvalidState)
    assert (tmp_path / "Scene" / "Scene.tif").read_bytes() == file.content

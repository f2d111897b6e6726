"""Uploads in parts that survive crashes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fake_files import FakeUploads
from fake_platform import LOST, Answer, FakePlatform, Received, problem
from swath import AsyncSwath
from swath.errors import Forbidden, UnreadableFile

MEBIBYTE = 2**20


def make_file(tmp_path: Path, size_bytes: int, seed: int = 1) -> Path:
    path = tmp_path / "scene.tif"
    path.write_bytes(random.Random(seed).randbytes(size_bytes))
    return path


def received(uploads: FakeUploads) -> bytes:
    last = list(uploads.sessions)[-1]
    return b"".join(part for (id, _), part in sorted(uploads.bytes.items()) if id == last)


async def test_a_small_file_is_sent_whole(platform: FakePlatform, tmp_path: Path) -> None:
    uploads, path = FakeUploads(platform), make_file(tmp_path, 1000)
    sessions: list[str] = []
    async with AsyncSwath(platform.url, key="k") as client:
        done = await client.upload(path, project_id="p", is_categorical=True, on_session=sessions.append)
    assert done["status"] == "completed" and uploads.puts == [0] and received(uploads) == path.read_bytes()
    assert sessions == ["session-1"]
    put = platform.calls("/parts/session-1/0")[0]
    assert (put.headers["content-type"], put.token) == ("application/octet-stream", None)
    assert platform.inputs("uploads.initiate")[0]["is_categorical"] is True
    assert "asset_key" not in platform.inputs("uploads.initiate")[0]


async def test_a_large_file_is_sent_in_parts_over_failures(platform: FakePlatform, tmp_path: Path, waits: list[float]) -> None:
    uploads, path = FakeUploads(platform), make_file(tmp_path, 20 * MEBIBYTE)
    uploads.faults = [LOST, Answer(b"slow down", 503)]
    told: list[int] = []
    async with AsyncSwath(platform.url, key="k") as client:
        await client.upload(path, project_id="p", on_progress=lambda done, _: told.append(done))
    assert sorted(uploads.puts) == [1, 2, 3] and received(uploads) == path.read_bytes()
    assert told[-1] == 20 * MEBIBYTE and len(waits) == 2
    assert [len(part["parts"]) for part in [platform.inputs("uploads.complete")[0]["files"][0]]] == [3]


@pytest.mark.parametrize("has_state", [True, False])
async def test_a_killed_upload_sends_what_is_missing(platform: FakePlatform, tmp_path: Path, has_state: bool) -> None:
    uploads, path = FakeUploads(platform), make_file(tmp_path, 20 * MEBIBYTE)
    state = tmp_path / "scene.upload" if has_state else None

    def end_after_two_parts(request: Received) -> Answer:
        if request.json()["number"] < 3:
            return uploads._sign(request)
        assert uploads.stored.acquire(timeout=30) and uploads.stored.acquire(timeout=30)
        platform.on("uploads.part_url", uploads._sign)
        return problem(403, "forbidden")

    platform.on("uploads.part_url", end_after_two_parts)
    async with AsyncSwath(platform.url, key="k") as client:
        with pytest.raises(Forbidden):
            await client.upload(path, project_id="p", state=state)
        assert sorted(uploads.puts) == [1, 2]
        await client.upload(path, project_id="p", state=state)
    assert len(uploads.sessions) == 1 and sorted(uploads.puts) == [1, 2, 3]
    assert received(uploads) == path.read_bytes()
    assert state is None or not state.exists()


async def test_a_session_with_other_bytes_is_cancelled_and_the_file_sent_once_more(platform: FakePlatform, tmp_path: Path) -> None:
    uploads, path = FakeUploads(platform), make_file(tmp_path, 10 * MEBIBYTE)
    platform.on("uploads.complete", problem(403, "forbidden"))
    async with AsyncSwath(platform.url, key="k") as client:
        with pytest.raises(Forbidden):
            await client.upload(path, project_id="p")
        platform.on("uploads.complete", uploads._complete)
        make_file(tmp_path, 10 * MEBIBYTE, seed=2)
        done = await client.upload(path, project_id="p")
    assert [session["status"] for session in uploads.sessions.values()] == ["cancelled", "completed"]
    assert done["id"] == "session-2" and received(uploads) == path.read_bytes()


async def test_the_lost_answer_of_a_completion_is_asked_for_again(platform: FakePlatform, tmp_path: Path, waits: list[float]) -> None:
    uploads, path = FakeUploads(platform), make_file(tmp_path, 100)
    complete = uploads._complete

    def lose_first(request: Received) -> Answer:
        answer = complete(request)
        return LOST if len(platform.calls("uploads.complete")) == 1 else answer

    platform.on("uploads.complete", lose_first)
    async with AsyncSwath(platform.url, key="k") as client:
        done = await client.upload(path, project_id="p")
    assert done["status"] == "completed" and len(platform.calls("uploads.complete")) == 1


async def test_a_file_that_changes_or_is_none_is_an_error(platform: FakePlatform, tmp_path: Path) -> None:
    uploads, path = FakeUploads(platform), make_file(tmp_path, 100)
    async with AsyncSwath(platform.url, key="k") as client:
        with pytest.raises(UnreadableFile):
            await client.upload(tmp_path, project_id="p")
        with pytest.raises(UnreadableFile):
            await client.upload(tmp_path / "none.tif", project_id="p")

        def initiate_and_change(request: Received) -> Answer:
            path.write_bytes(b"other bytes of another length")
            return uploads._initiate(request)

        platform.on("uploads.initiate", initiate_and_change)
        with pytest.raises(UnreadableFile):
            await client.upload(path, project_id="p")


async def test_a_refused_session_is_its_problem(platform: FakePlatform, tmp_path: Path) -> None:
    FakeUploads(platform)
    platform.on("uploads.initiate", problem(403, "forbidden"))
    async with AsyncSwath(platform.url, key="k") as client:
        with pytest.raises(Forbidden):
            await client.upload(make_file(tmp_path, 10), project_id="p")

"""Streams of events, and waits."""

from __future__ import annotations

import json
from typing import Any

import pytest

import swath
from fake_platform import LOST, Answer, FakePlatform, Received, problem
from swath import AsyncSwath
from swath.errors import InsufficientScope, WaitFailed, WaitTimeout

STREAM = {"content-type": "text/event-stream"}


def stream(*ids: str, text: str = "", cut_after: int | None = None) -> Answer:
    events = "".join(f'id: {id}\nevent: e\ndata: {{"event_id": "{id}"}}\n\n' for id in ids)
    return Answer(f": open\nretry: 10\n\n{events}{text}".encode(), headers=STREAM, cut_after=cut_after)


def position(platform: FakePlatform, id: str | None = "e0") -> None:
    platform.on("events.list", Answer({"events": [] if id is None else [{"event_id": id}], "total": 1}))


async def test_a_stream_goes_on_after_the_last_event_over_lost_connections(platform: FakePlatform, waits: list[float]) -> None:
    position(platform)
    half = 'id: e3\ndata: {"event_id":'
    platform.on("events.stream", stream("e1", "e2", text=half, cut_after=10_000), LOST, stream("e3"), stream("e4"))
    seen: list[str] = []
    async with AsyncSwath(platform.url, key="k") as client:
        async for event in client.events.stream(entity_type="order"):
            seen.append(event["event_id"])
            if len(seen) == 4:
                break
    assert seen == ["e1", "e2", "e3", "e4"]
    asked = [request.headers.get("last-event-id") for request in platform.calls("events.stream")]
    assert asked == ["e0", "e2", "e2", "e3"] and all(wait <= 30 for wait in waits)
    assert platform.inputs("events.stream")[0] == {"entity_type": "order"}


async def test_a_stream_of_some_seconds_ends(platform: FakePlatform) -> None:
    platform.on("events.stream", stream("e1"))
    async with AsyncSwath(platform.url, key="k") as client:
        events = [event async for event in client.events.stream(max_seconds=1, last_event_id="e0")]
    assert events == [{"event_id": "e1"}] and platform.calls("events.list") == []


async def test_a_refused_stream_is_a_problem(platform: FakePlatform) -> None:
    position(platform, None)
    platform.on("events.stream", problem(403, "insufficient-scope", required_scope="event_subscriptions:read"))
    async with AsyncSwath(platform.url, key="k") as client:
        with pytest.raises(InsufficientScope) as caught:
            async for _ in client.events.stream():
                pass
    assert caught.value.required_scope == "event_subscriptions:read"


def order(status: str, **members: Any) -> Answer:
    return Answer({"id": "o", "orderType": "archive", "status": status, "subStatus": None, "failureReason": None, **members})


async def test_a_wait_follows_events_and_returns_the_fulfilled_order(platform: FakePlatform, waits: list[float]) -> None:
    position(platform)
    platform.on("orders.get", order("PLACED"), order("PLACED"), order("BEING_FULFILLED"), order("FULFILLED"))
    platform.on("events.stream", stream("e1"), stream("e2"), stream("e3"))
    seen: list[str] = []
    async with AsyncSwath(platform.url, key="k") as client:
        placed = {"id": "o", "orderType": "archive", "status": "processing"}
        done = await client.wait(placed, on_change=lambda state: seen.append(state["status"]))
    assert done["status"] == "FULFILLED" and seen == ["PLACED", "BEING_FULFILLED", "FULFILLED"]
    assert waits == [], "events wake it at once"
    assert platform.inputs("events.stream")[0] == {"entity_type": "order", "entity_id": "o", "max_seconds": 1}
    asked = [request.headers["last-event-id"] for request in platform.calls("events.stream")]
    assert asked == ["e0", "e1", "e2"]


async def test_who_may_not_read_events_polls_with_growing_waits(platform: FakePlatform, waits: list[float]) -> None:
    platform.on("events.list", problem(403, "insufficient-scope"))
    pending = Answer({"job": {"id": "j", "job_type_id": "t", "status": "running", "progress": 1}})
    done = Answer({"job": {"id": "j", "job_type_id": "t", "status": "completed", "progress": 100}})
    platform.on("processing.job.get", pending, pending, pending, pending, done)
    async with AsyncSwath(platform.url, key="k") as client:
        assert (await client.wait(json.loads(pending.content())))["status"] == "completed"
    assert [round(wait, 1) for wait in waits] == [1.0, 1.5, 2.2, 3.4]
    assert platform.calls("events.stream") == []


async def test_an_order_that_fails_is_an_error_with_its_reason(platform: FakePlatform) -> None:
    position(platform)
    platform.on("orders.get", order("FAILED_PERMANENTLY", failureReason={"code": "x", "text": "clouds"}))
    async with AsyncSwath(platform.url, key="k") as client:
        with pytest.raises(WaitFailed, match="FAILED_PERMANENTLY: clouds") as caught:
            await client.wait("o")
        assert caught.value.state["id"] == "o"
        assert (await client.wait("o", raise_on_failure=False))["status"] == "FAILED_PERMANENTLY"


async def test_a_wait_ends_in_its_time_and_says_that_the_order_goes_on(platform: FakePlatform) -> None:
    position(platform)
    platform.on("orders.get", order("PLACED"))
    async with AsyncSwath(platform.url, key="k") as client:
        with pytest.raises(WaitTimeout, match="it is PLACED. It goes on"):
            await client.wait("o", timeout_s=0)


async def test_an_upload_that_fails_tells_the_reason_of_its_file(platform: FakePlatform) -> None:
    position(platform)
    session = {
        "id": "u",
        "transfer_method": "cli",
        "status": "failed",
        "bytes_uploaded": 1,
        "error_message": None,
        "files": [{"reason": "no georeference"}],
    }
    platform.on("uploads.get", Answer({"upload": session}))
    async with AsyncSwath(platform.url, key="k") as client:
        with pytest.raises(WaitFailed, match="upload ended as failed: no georeference"):
            await client.wait({"upload": session})


async def test_a_tasking_order_that_needs_a_decision_can_end_the_wait(platform: FakePlatform) -> None:
    position(platform)
    platform.on("orders.get", order("CREATED", subStatus="QUOTATION_WAITING_RESPONSE"))
    async with AsyncSwath(platform.url, key="k") as client:
        state = await client.wait("o", until=swath.is_decision_pending)
    assert state["subStatus"] == "QUOTATION_WAITING_RESPONSE"


async def test_an_id_is_looked_for_among_orders_jobs_and_uploads(platform: FakePlatform) -> None:
    def missing(_: Received) -> Answer:
        return problem(404, "not-found")

    position(platform)
    done = Answer({"job": {"id": "j", "job_type_id": "t", "status": "completed", "progress": 100}})
    platform.on("orders.get", missing)
    platform.on("processing.job.get", done)
    async with AsyncSwath(platform.url, key="k") as client:
        assert (await client.wait("j"))["id"] == "j"
        platform.on("processing.job.get", missing)
        with pytest.raises(LookupError, match="neither an order, nor a job, nor an upload"):
            await client.wait("x")
        with pytest.raises(ValueError, match="dry run"):
            await client.wait({"id": "o", "orderType": "archive", "dry_run": {"valid": True}})
        with pytest.raises(ValueError, match="output of a call"):
            await client.wait({"id": "o"})


async def test_a_wait_lasts_over_an_outage(platform: FakePlatform, waits: list[float]) -> None:
    position(platform)
    platform.on("orders.get", order("PLACED"), problem(404, "not-found"))
    platform.on("orders.get", order("PLACED"), *[problem(503, "unavailable")] * 6, order("FULFILLED"))
    platform.on("events.stream", LOST)
    async with AsyncSwath(platform.url, key="k") as client:
        placed = {"id": "o", "orderType": "archive", "status": "processing"}
        assert (await client.wait(placed))["status"] == "FULFILLED"

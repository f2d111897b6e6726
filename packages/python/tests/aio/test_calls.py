"""Calls, retries, limits and hooks."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

import swath.errors as errors
from fake_platform import LOST, Answer, FakePlatform, Received, problem
from swath import AsyncSwath, Hooks, Limits, RequestPlan, ResponseInfo


def connect(platform: FakePlatform, **options: Any) -> AsyncSwath:
    return AsyncSwath(platform.url, key="key", **options)


async def test_a_call_sends_its_arguments_and_returns_the_output(platform: FakePlatform) -> None:
    platform.on("items.get", Answer({"item": {"id": "a"}}))
    async with connect(platform) as client:
        assert (await client.items.get(item_id="a"))["item"]["id"] == "a"
        assert await client.call("items.get", {"item_id": "a"}) == {"item": {"id": "a"}}
    assert platform.inputs("items.get") == [{"item_id": "a"}, {"item_id": "a"}]
    assert [request.token for request in platform.requests] == ["key", "key"]


async def test_none_is_null_and_what_is_not_given_is_left_out(platform: FakePlatform) -> None:
    platform.on("projects.update", Answer({}))
    async with connect(platform) as client:
        await client.projects.update(project_id="p", description=None)
    assert platform.inputs("projects.update") == [{"project_id": "p", "description": None}]


async def test_an_argument_with_another_name_on_the_wire_is_sent_under_it(platform: FakePlatform) -> None:
    platform.on("stac.search", Answer({"type": "FeatureCollection", "features": [], "links": []}))
    async with connect(platform) as client:
        assert await client.stac.search(filter_lang="cql2-text").all() == []
    assert platform.inputs("stac.search") == [{"filter-lang": "cql2-text"}]


async def test_a_problem_is_an_error_of_its_class_with_its_fields(platform: FakePlatform) -> None:
    platform.on("orders.archive.place", problem(402, "insufficient-credits", required_credits=7))
    async with connect(platform) as client:
        with pytest.raises(errors.InsufficientCredits) as caught:
            await client.orders.archive.place(captures=[], projectId="p")
    error = caught.value
    assert (error.status, error.required_credits, error.available_credits, error.trace_id) == (402, 7, None, "t")
    assert error.docs_url == "https://swath.example/problems/insufficient-credits"
    assert str(error) == "402 insufficient-credits: No."


async def test_a_problem_of_a_newer_platform_and_an_answer_of_another_server_are_problems(platform: FakePlatform) -> None:
    platform.on("users.me", problem(418, "of-tomorrow"), Answer(b"<html>", 404))
    async with connect(platform) as client:
        with pytest.raises(errors.ApiProblem) as newer:
            await client.users.me()
        with pytest.raises(errors.ApiProblem) as other:
            await client.users.me()
    assert (newer.value.problem, type(newer.value)) == ("of-tomorrow", errors.ApiProblem)
    assert (other.value.problem, other.value.document["detail"]) == ("unknown", "<html>")


@pytest.mark.parametrize("failure", [LOST, problem(503, "unavailable"), problem(500, "internal"), Answer({"a": 1}, cut_after=3)])
async def test_a_read_is_repeated_after_what_passes(platform: FakePlatform, waits: list[float], failure: Answer) -> None:
    platform.on("users.me", failure, Answer({"kind": "user"}))
    async with connect(platform) as client:
        assert (await client.users.me())["kind"] == "user"
    assert len(platform.requests) == 2 and len(waits) == 1 and 0 <= waits[0] <= 20


async def test_a_write_without_a_key_is_sent_once(platform: FakePlatform, waits: list[float]) -> None:
    platform.on("projects.create", LOST, Answer({}))
    async with connect(platform) as client:
        with pytest.raises(errors.ConnectionFailed):
            await client.projects.create(name="A")
    assert len(platform.requests) == 1 and waits == []


async def test_a_spend_keeps_its_key_over_repetitions(platform: FakePlatform, waits: list[float]) -> None:
    in_flight = problem(409, "idempotency-in-flight", headers={"retry-after": "2"})
    platform.on("orders.archive.place", LOST, in_flight, Answer({"id": "order"}))
    async with connect(platform) as client:
        await client.orders.archive.place(captures=[], projectId="p", max_credits=5)
    keys = [request.headers["idempotency-key"] for request in platform.requests]
    assert len(keys) == 3 and len(set(keys)) == 1
    assert 2 <= waits[1] <= 2.5


async def test_each_spend_has_its_own_key_unless_the_program_names_one(platform: FakePlatform) -> None:
    platform.on("orders.archive.place", Answer({"id": "order"}))
    async with connect(platform) as client:
        await client.orders.archive.place(captures=[], projectId="p")
        await client.orders.archive.place(captures=[], projectId="p")
        await client.orders.archive.place(captures=[], projectId="p", idempotency_key="mine")
    first, second, third = (request.headers["idempotency-key"] for request in platform.requests)
    assert first != second and third == "mine"


async def test_a_write_is_repeated_after_a_rate_limit_which_had_no_effect(platform: FakePlatform, waits: list[float]) -> None:
    limited = problem(429, "rate-limited", headers={"ratelimit": '"calls";r=0;t=7'})
    platform.on("projects.create", limited, Answer({"id": "p"}))
    async with connect(platform) as client:
        await client.projects.create(name="A")
    assert 7 <= waits[0] <= 7.5


async def test_a_wait_beyond_the_budget_ends_the_call_with_its_problem(platform: FakePlatform, waits: list[float]) -> None:
    platform.on("users.me", problem(429, "rate-limited", headers={"retry-after": "3600"}, retry_after_s=3600))
    async with connect(platform) as client:
        with pytest.raises(errors.RateLimited) as caught:
            await client.users.me()
    assert caught.value.retry_after_s == 3600 and waits == []


async def test_retries_end(platform: FakePlatform, waits: list[float]) -> None:
    platform.on("users.me", problem(503, "unavailable"))
    async with connect(platform, limits=Limits(max_retries=2)) as client:
        with pytest.raises(errors.ApiProblem):
            await client.users.me()
        with pytest.raises(errors.ApiProblem):
            await client.users.me(max_retries=0)
    assert len(platform.requests) == 4 and len(waits) == 2


async def test_a_call_that_takes_too_long_ends(platform: FakePlatform) -> None:
    release = threading.Event()
    platform.on("users.me", Answer({}, before=release.wait))
    async with connect(platform) as client:
        with pytest.raises(errors.CallTimeout) as caught:
            await client.users.me(timeout_s=0.05, max_retries=0)
        release.set()
    assert "0.05 s" in str(caught.value) and isinstance(caught.value, TimeoutError)


async def test_hooks_are_told_of_each_attempt_and_never_of_a_secret(platform: FakePlatform, waits: list[float]) -> None:
    told: list[ResponseInfo] = []
    platform.on("users.me", problem(503, "unavailable"), Answer({}, headers={"x-request-id": "r"}))
    platform.on("/files/a", Answer(b"x"))
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    async with connect(platform, hooks=Hooks(on_response=told.append, traceparent=lambda: trace)) as client:
        await client.users.me()
        await (await client.fetch("/files/a?signature=secret")).read()
    assert [(info.request.operation, info.request.attempt, info.status, info.request_id) for info in told] == [
        ("users.me", 1, 503, None),
        ("users.me", 2, 200, "r"),
        (None, 1, 200, None),
    ]
    assert told[0].retry_in_s == waits[0] and told[2].request.url == f"{platform.url}/files/a"
    assert {request.headers["traceparent"] for request in platform.requests} == {trace}


async def test_the_token_is_for_the_platform_alone(platform: FakePlatform) -> None:
    other = FakePlatform()
    other.on("/bucket", Answer(b"bytes"))
    platform.on("/stac", Answer({}))
    async with connect(platform) as client:
        async with await client.fetch(f"{other.url}/bucket") as response:
            assert await response.read() == b"bytes"
        await (await client.fetch("/stac")).read()
        await (await client.fetch(f"{platform.url}/stac", headers={"Accept": "a/b"})).read()
    assert [request.token for request in other.requests] == [None]
    assert [request.token for request in platform.requests] == ["key", "key"]
    other.close()


async def test_a_raw_request_has_any_method_and_its_refusal_is_a_response(platform: FakePlatform) -> None:
    platform.on("/things", Answer({"a": 1}, 409))
    async with connect(platform) as client:
        plan = RequestPlan(max_retries=0)
        async with await client.fetch("/things", method="PUT", content=b"{}", plan=plan) as response:
            assert (response.status, response.is_success, await response.json()) == (409, False, {"a": 1})
    assert platform.requests[0].method == "PUT"


async def test_lines_are_yielded_as_values(platform: FakePlatform) -> None:
    platform.on("organizations.audit.export", Answer(b'{"a":1}\n{"a":2}\n'))
    async with connect(platform) as client:
        assert [line async for line in client.lines("organizations.audit.export", {})] == [{"a": 1}, {"a": 2}]


async def test_bytes_are_returned_as_they_are(platform: FakePlatform) -> None:
    platform.on("items.tile.preview", Answer(b"\x89PNG"))
    async with connect(platform) as client:
        assert await client.items.tile.preview(item_id="a") == b"\x89PNG"


async def test_a_price_is_passed_on_as_it_was_shown(platform: FakePlatform) -> None:
    platform.on("orders.archive.place", Answer({"id": "order"}))
    quote = {"total_credits": 9, "quote_id": "q"}
    async with connect(platform, require_price=True) as client:
        await client.orders.archive.place(captures=[], projectId="p", price=quote)
        await client.orders.archive.place(captures=[], projectId="p", price=quote, max_credits=4)
        await client.orders.archive.place(captures=[], projectId="p", dry_run=True)
        with pytest.raises(errors.PriceRequired):
            await client.orders.archive.place(captures=[], projectId="p")
        with pytest.raises(TypeError):
            await client.orders.archive.place(captures=[], projectId="p", price={"total_credits": float("nan")})
    bounds = [(body.get("max_credits"), body.get("quote_id"), body.get("dry_run")) for body in platform.inputs("orders.archive.place")]
    assert bounds == [(9, "q", None), (4, "q", None), (None, None, True)]


async def test_a_price_is_kept_for_operations_that_are_not_known_and_refused_where_none_is_charged(platform: FakePlatform) -> None:
    platform.on("future.buy", Answer({}))
    async with connect(platform, require_price=True) as client:
        await client.call("future.buy", {"n": 1}, price={"total_credits": 9, "quote_id": "q"})
        await client.call("future.buy", {"max_credits": 3})
        with pytest.raises(errors.PriceRequired):
            await client.call("future.buy", {"n": 1})
        with pytest.raises(TypeError, match="no price"):
            await client.call("users.me", price={"total_credits": 9})
    assert platform.inputs("future.buy") == [{"n": 1, "max_credits": 9, "quote_id": "q"}, {"max_credits": 3}]
    assert platform.inputs("users.me") == []


async def test_geometries_and_times_become_json(platform: FakePlatform) -> None:
    from datetime import UTC, datetime

    class Geometry:
        __geo_interface__ = {"type": "Point", "coordinates": (1.5, 2)}

    platform.on("catalog.search", Answer({"features": []}))
    async with connect(platform) as client:
        await client.call("catalog.search", {"intersects": Geometry(), "start": datetime(2026, 1, 2, tzinfo=UTC)})
        with pytest.raises(ValueError):
            await client.call("catalog.search", {"limit": float("inf")})
        with pytest.raises(TypeError, match="object, which is not JSON"):
            await client.call("catalog.search", {"limit": object()})
    expected = {"intersects": {"type": "Point", "coordinates": [1.5, 2]}, "start": "2026-01-02T00:00:00+00:00"}
    assert platform.inputs("catalog.search") == [expected]


async def test_a_token_with_a_line_break_is_named_as_the_mistake_but_never_shown(platform: FakePlatform) -> None:
    async with AsyncSwath(platform.url, key="secret\n") as client:
        with pytest.raises(ValueError) as caught:
            await client.users.me()
    assert "line break" in str(caught.value) and "secret" not in str(caught.value)


async def test_many_calls_at_once_share_the_client(platform: FakePlatform) -> None:
    from swath._runtime import aio as runtime

    def echo(request: Received) -> Answer:
        return Answer({"item": request.json()})

    platform.on("items.get", echo)
    async with connect(platform) as client:

        async def get(number: int) -> object:
            return (await client.items.get(item_id=str(number)))["item"]

        found = [item async for item in runtime.map_ordered(range(40), get, 8)]
    assert found == [{"item_id": str(number)} for number in range(40)]


async def test_a_failure_of_one_of_many_is_raised_in_its_turn(platform: FakePlatform) -> None:
    from swath._runtime import aio as runtime

    async def work(number: int) -> int:
        if number == 2:
            raise LookupError("two")
        return number

    done: list[int] = []
    with pytest.raises(LookupError):
        async for number in runtime.map_ordered(range(9), work, 3):
            done.append(number)
    assert done == [0, 1]


async def test_a_platform_that_cannot_be_reached_is_named_without_its_path() -> None:
    with FakePlatformThatEnded() as url:
        async with AsyncSwath(url, key="key", limits=Limits(max_retries=0)) as client:
            with pytest.raises(errors.ConnectionFailed) as caught:
                await client.fetch("/files/a?signature=secret")
    assert str(caught.value).startswith(f"{url} cannot be reached.") and "secret" not in str(caught.value)
    assert isinstance(caught.value, ConnectionError)


class FakePlatformThatEnded:
    """The URL of a platform that does not answer any more."""

    def __enter__(self) -> str:
        platform = FakePlatform()
        platform.close()
        return platform.url

    def __exit__(self, *_: object) -> None:
        pass


async def test_errors_can_be_sent_to_other_processes() -> None:
    import pickle

    document = {"type": "https://x/problems/insufficient-credits", "title": "No", "required_credits": 7}
    samples: list[errors.SwathError] = [
        errors.InsufficientCredits(402, document, 3),
        errors.SignInError(400, {"error": "access_denied"}),
        errors.ConnectionFailed("https://x/y?secret"),
        errors.CallTimeout(3),
        errors.PriceRequired("orders.place"),
        errors.ChecksumMismatch("a", "b"),
        errors.WaitTimeout("order", 3, {"status": "PLACED"}),
        errors.WaitFailed("job", {"status": "failed"}, "why"),
    ]
    for error in samples:
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), json.dumps(str(again))) == (type(error), json.dumps(str(error)))

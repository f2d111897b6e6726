"""Orders, items, jobs and uploads that a program names by an id or by an output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._problems import ApiProblem
from .._transfer_errors import WaitKind

if TYPE_CHECKING:
    from .client import AsyncClient


@dataclass(frozen=True, slots=True)
class Waiting:
    """How the state of a kind is read and understood."""

    kind: WaitKind
    operation: str
    id_member: str
    wrapper: str | None
    """The member of the output that has the state; None: it is the output."""
    entity_type: str
    """In events."""
    marks: tuple[str, ...]
    """A member that only this kind has."""
    changes: tuple[str, ...]
    """Members whose changes are told."""


KINDS: Mapping[WaitKind, Waiting] = {
    "order": Waiting(
        "order", "orders.get", "order_id", None, "order", ("orderType",), ("status", "subStatus", "itemCount")
    ),
    "job": Waiting(
        "job", "processing.job.get", "job_id", "job", "processing_job", ("job_type_id",), ("status", "progress")
    ),
    "upload": Waiting(
        "upload", "uploads.get", "upload_id", "upload", "upload", ("transfer_method",), ("status", "bytes_uploaded")
    ),
}


def kind_of(output: Mapping[str, Any]) -> tuple[Waiting, str] | None:
    """What the output of a call is: an order, a job or an upload, alone or as a member. None if it is none of them."""
    for waiting in KINDS.values():
        state = output.get(waiting.wrapper) if waiting.wrapper else None
        found = state if isinstance(state, Mapping) else output
        if any(mark in found for mark in waiting.marks):
            return waiting, str(found["id"])
    return None


def reason_of(kind: WaitKind, state: Mapping[str, Any]) -> str | None:
    """Why it ended without success, as the platform says it."""
    if kind == "upload":
        reasons: list[Any] = [state.get("error_message"), *(file.get("reason") for file in state.get("files", []))]
        return next((str(reason) for reason in reasons if reason is not None), None)
    failure = state.get("failureReason" if kind == "order" else "failure")
    return failure.get("text") if isinstance(failure, Mapping) else None


async def find_waiting(client: AsyncClient, target: Mapping[str, Any] | str) -> tuple[Waiting, str]:
    """What a program waits for. Raises `ValueError` for what never ends, and `LookupError` for an id of nothing."""
    if isinstance(target, str):
        return await _find_by_id(client, target, list(KINDS.values()))
    if target.get("dry_run"):
        raise ValueError("A dry run has created nothing that could be waited for.")
    found = kind_of(target)
    if found is None:
        raise ValueError("This is neither an order, nor a job, nor an upload. Pass the output of a call, or an id.")
    return found


async def _find_by_id(client: AsyncClient, id: str, kinds: Sequence[Waiting]) -> tuple[Waiting, str]:
    for waiting in kinds:
        try:
            await client.call(waiting.operation, {waiting.id_member: id})
        except ApiProblem as error:
            # An id of another form is one of nothing.
            if error.status not in {404, 410, 422} and error.problem != "not-a-member":
                raise
        else:
            return waiting, id
    raise LookupError(f"Nothing that you can see has the id {id}: neither an order, nor a job, nor an upload.")

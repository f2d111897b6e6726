"""Processing jobs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any

from .requests import SortingField, send

if TYPE_CHECKING:
    import pystac


class JobStatus(Enum):
    """The state of a job."""

    CREATED = "created"
    LICENSED = "licensed"
    UNLICENSED = "unlicensed"
    VALID = "valid"
    INVALID = "invalid"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    RUNNING = "running"
    SUCCESSFUL = "successful"
    FAILED = "failed"
    CAPTURED = "captured"
    RELEASED = "released"


TERMINAL_STATUSES = frozenset(
    {
        JobStatus.CAPTURED,
        JobStatus.RELEASED,
        JobStatus.INVALID,
        JobStatus.REJECTED,
        JobStatus.UNLICENSED,
        JobStatus.SUCCESSFUL,
    }
)


class UnfinishedJob(Exception):
    """The job has not ended within the retries."""


class JobSorting:
    """Orders of jobs."""

    process_id = SortingField("processID")
    status = SortingField("status", ascending=False)
    created = SortingField("created", ascending=False)
    credits = SortingField("creditConsumption.credits", ascending=False)


@dataclass(frozen=True)
class ValidationError:
    """Why a job was not run."""

    message: str
    name: str


@dataclass
class Job:
    """A processing job."""

    process_id: str
    id: str
    account_id: str
    workspace_id: str | None
    definition: dict[str, Any]
    status: JobStatus
    created: datetime | None
    updated: datetime | None
    collection_url: str | None = None
    errors: list[ValidationError] | None = None
    credits: int | None = None
    started: datetime | None = None
    finished: datetime | None = None

    @property
    def collection(self) -> pystac.Collection | None:
        """The collection of its results; None before it has some."""
        from .stac import stac_client

        return None if self.collection_url is None else stac_client().get_collection(self.collection_url.split("/")[-1])

    def track(self, *, wait: float = 60, retries: int = 60 * 24 * 3) -> None:
        """Waits until it has ended, and reads it again every `wait` seconds. Raises `UnfinishedJob` after the retries."""
        for _ in range(retries):
            now = Job.get(self.id)
            for each in fields(self):
                setattr(self, each.name, getattr(now, each.name))
            if self.status in TERMINAL_STATUSES:
                return
            time.sleep(wait)
        raise UnfinishedJob

    @classmethod
    def get(cls, job_id: str) -> Job:
        """A job by its id."""
        return _to_job(send("GET", f"/v2/processing/jobs/{job_id}"))

    @classmethod
    def all(
        cls,
        process_id: list[str] | None = None,
        workspace_id: str | None = None,
        status: list[JobStatus] | None = None,
        min_duration: int | None = None,
        max_duration: int | None = None,
        sort_by: SortingField | None = None,
        ids: list[str] | None = None,
        *,
        page_size: int | None = None,
    ) -> Iterator[Job]:
        """All jobs, or those that match; durations are in seconds."""
        parameters = {
            "workspaceId": workspace_id,
            "processId": ",".join(process_id) if process_id else None,
            "status": ",".join(each.value for each in status) if status else None,
            "minDuration": min_duration,
            "maxDuration": max_duration,
            "limit": page_size,
            "sort": sort_by,
            "ids": ",".join(ids) if ids else None,
        }
        page = send("GET", "/v2/processing/jobs", parameters=parameters)
        while page:
            yield from (_to_job(row) for row in page["jobs"])
            following = next((link["href"] for link in page["links"] if link["rel"] == "next"), None)
            page = None if following is None else send("GET", following)


def _to_job(row: Mapping[str, Any]) -> Job:
    results = row.get("results") or {}
    errors = [ValidationError(**error) for error in results.get("errors") or []]
    return Job(
        process_id=row["processID"],
        id=row["jobID"],
        account_id=row["accountID"],
        workspace_id=row["workspaceID"],
        definition=row["definition"],
        status=JobStatus(row["status"]),
        created=_to_datetime(row["created"]),
        updated=_to_datetime(row["updated"]),
        collection_url=results.get("collection"),
        errors=errors or None,
        credits=(row.get("creditConsumption") or {}).get("credits"),
        started=_to_datetime(row["started"]),
        finished=_to_datetime(row["finished"]),
    )


def _to_datetime(text: str | None) -> datetime | None:
    """Without its zone, which is UTC, as programs of up42-py compare it."""
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=None)

"""Dates as intervals."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from swath.analysis.dates import DatesLike, to_interval

JUNE = "2024-06-01T00:00:00Z/2024-06-30T23:59:59Z"


@pytest.mark.parametrize(
    ("dates", "interval"),
    [
        (None, None),
        ("2024-06", JUNE),
        ("2024-06-01/2024-06-30", JUNE),
        (("2024-06", "2024-06"), JUNE),
        ((date(2024, 6, 1), date(2024, 6, 30)), JUNE),
        ("2024", "2024-01-01T00:00:00Z/2024-12-31T23:59:59Z"),
        ("2024-02", "2024-02-01T00:00:00Z/2024-02-29T23:59:59Z"),
        (("2024-06-01", None), "2024-06-01T00:00:00Z/.."),
        ("../2024-06-30", "../2024-06-30T23:59:59Z"),
        ((datetime(2024, 6, 1, 12, tzinfo=UTC), None), "2024-06-01T12:00:00Z/.."),
        ((datetime(2024, 6, 1, 12, tzinfo=timezone(timedelta(hours=2))), None), "2024-06-01T10:00:00Z/.."),
        ("2024-06-01T12:00:00+02:00/..", "2024-06-01T10:00:00Z/.."),
    ],
)
def test_writes_an_interval(dates: DatesLike, interval: str | None) -> None:
    assert to_interval(dates) == interval


def test_refuses_what_is_no_date() -> None:
    with pytest.raises(ValueError, match="summer"):
        to_interval("summer")

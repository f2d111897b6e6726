"""Dates of searches as intervals of RFC 3339."""

from __future__ import annotations

import calendar
import re
from datetime import UTC, date, datetime
from typing import TypeAlias

Moment: TypeAlias = str | date | None
DatesLike: TypeAlias = Moment | tuple[Moment, Moment]

_PART = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2}))?)?")


def to_interval(dates: DatesLike) -> str | None:
    """The interval of a search, in UTC; None for all time.

    Args:
        dates: A year, a month or a day (`"2024-06"`), an interval of two of them, or a pair; None is an open end. What has no time
            begins at midnight and ends before the next one; times without a zone are UTC.

    Raises:
        ValueError: A text is no date.
    """
    if dates is None:
        return None
    if isinstance(dates, tuple):
        start, end = dates
    elif isinstance(dates, str) and "/" in dates:
        start, end = dates.split("/", 1)
    else:
        start = end = dates
    return f"{_bound(start, is_end=False)}/{_bound(end, is_end=True)}"


def _bound(moment: Moment, *, is_end: bool) -> str:
    if moment is None or moment in {"", ".."}:
        return ".."
    if isinstance(moment, datetime):
        return _write(moment)
    if isinstance(moment, date):
        return _day(moment.year, moment.month, moment.day, is_end)
    parts = _PART.fullmatch(moment.strip())
    if parts is None:
        return _write(datetime.fromisoformat(moment.strip()))
    year, month, day = int(parts["year"]), parts["month"], parts["day"]
    chosen_month = int(month) if month else (12 if is_end else 1)
    last_day = calendar.monthrange(year, chosen_month)[1]
    return _day(year, chosen_month, int(day) if day else (last_day if is_end else 1), is_end)


def _day(year: int, month: int, day: int, is_end: bool) -> str:
    moment = datetime(year, month, day, tzinfo=UTC)
    return _write(moment.replace(hour=23, minute=59, second=59) if is_end else moment)


def _write(moment: datetime) -> str:
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return zoned.astimezone(UTC).isoformat().replace("+00:00", "Z")

"""Which requests are repeated, and after which time."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

TEMPORARY_STATUSES = frozenset({408, 429, 500, 502, 503, 504})
"""Statuses after which a call that may be repeated is sent again."""

_FIRST_BACKOFF_S = 0.5
_MAX_BACKOFF_S = 20.0


def backoff_s(attempt: int) -> float:
    """A random wait (full jitter) that grows with the attempts."""
    return random.random() * min(_MAX_BACKOFF_S, _FIRST_BACKOFF_S * 2.0**attempt)


def wait_after_failure(attempt: int, *, is_repeatable: bool) -> float | None:
    """Seconds until a request without a response is sent again; None if it may not."""
    return backoff_s(attempt) if is_repeatable else None


def wait_after_response(
    status: int, headers: Mapping[str, str], attempt: int, *, is_repeatable: bool, has_key: bool
) -> float | None:
    """Seconds until a request with this response is sent again; None if it may not."""
    asked_s = read_retry_after(headers)
    # Another call with the key is in progress: 409 with Retry-After. What a rate limit refuses has had no effect.
    is_temporary = status in TEMPORARY_STATUSES or (status == 409 and has_key and asked_s is not None)
    if not is_temporary or not (is_repeatable or status == 429):
        return None
    return backoff_s(attempt) if asked_s is None else asked_s + random.random() * _FIRST_BACKOFF_S


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """The wait that the platform asks for: `Retry-After`, or the reset of a rate limit that is used up."""
    retry_after = headers.get("retry-after")
    if retry_after is not None:
        if re.fullmatch(r"[0-9]{1,9}", retry_after):
            return float(retry_after)
        try:
            return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
        except ValueError:
            return None
    used_up = re.search(r";r=0;t=([0-9]{1,9})", headers.get("ratelimit", ""))
    return float(used_up[1]) if used_up else None

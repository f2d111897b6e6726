"""Deliveries of events: verified by their signature (Standard Webhooks, HMAC-SHA256).

    from swath.webhooks import verify_webhook

    event = verify_webhook(secret, headers=request.headers, body=request.body)
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import Any

from ._problems import SwathError

_TOLERANCE_S = 300.0
_SECRET_PREFIX = "whsec_"


class WebhookVerificationError(SwathError):
    """The delivery was not sent by the platform with this secret, or not now. Answer it 401."""


def verify_webhook(
    secret: str,
    *,
    headers: Mapping[str, str],
    body: bytes | str,
    tolerance_s: float = _TOLERANCE_S,
    now: float | None = None,
) -> dict[str, Any]:
    """Verifies a delivery and returns its event. A receiver should also ignore an `event_id` that it has seen, because deliveries are
    repeated, and answer 500 for an event that it cannot handle now, which is then delivered again.

    Args:
        secret: The signing secret of the webhook or the subscription.
        headers: Those of the request; their names may have any case.
        body: The exact body, before it is parsed.
        tolerance_s: Maximum difference between the time of the delivery and the clock here.
        now: The time here in seconds since 1970; by default that of the clock.

    Raises:
        WebhookVerificationError: A header is missing, the signature is wrong, or the delivery is too old.
    """
    lowered = {name.lower(): value for name, value in headers.items()}
    id, timestamp, signatures = (_require_header(lowered, name) for name in ("id", "timestamp", "signature"))
    _require_recent(timestamp, tolerance_s, time.time() if now is None else now)
    key = _signing_key(secret)
    if not key:
        raise WebhookVerificationError("The secret is not a signing secret.")
    content = body.encode() if isinstance(body, str) else body
    expected = _sign(key, id, timestamp, content)
    # All are compared, so that the time tells nothing.
    matches = [_is_signature(signature, expected) for signature in signatures.split(" ")]
    if not any(matches):
        raise WebhookVerificationError("No signature of the delivery was made with this secret.")
    return _parse_event(content)


def sign_webhook(secret: str, event: Mapping[str, Any], *, now: float | None = None) -> tuple[dict[str, str], bytes]:
    """The headers and the body of a delivery as the platform signs it, for tests of a receiver. Raises `ValueError` for a secret that is
    none."""
    key = _signing_key(secret)
    if not key:
        raise ValueError("The secret is not a signing secret.")
    body = json.dumps(event).encode()
    timestamp = str(int(time.time() if now is None else now))
    id = str(event["event_id"])
    signature = base64.b64encode(_sign(key, id, timestamp, body)).decode()
    headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{signature}",
    }
    return headers, body


def _require_header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(f"webhook-{name}")
    if not value:
        raise WebhookVerificationError(f"The header webhook-{name} is missing.")
    return value


def _require_recent(timestamp: str, tolerance_s: float, now: float) -> None:
    is_time = re.fullmatch(r"[0-9]{1,12}", timestamp) is not None
    if not is_time or abs(int(timestamp) - now) > tolerance_s:
        raise WebhookVerificationError(f"The delivery was not sent within {tolerance_s:g} s of now.")


def _signing_key(secret: str) -> bytes | None:
    """The bytes after `whsec_`, or the text itself, which a program may choose. None if it is none."""
    if not secret.startswith(_SECRET_PREFIX):
        return secret.encode()
    return _decode_base64(secret.removeprefix(_SECRET_PREFIX))


def _sign(key: bytes, id: str, timestamp: str, body: bytes) -> bytes:
    return hmac.digest(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256)


def _is_signature(signature: str, expected: bytes) -> bool:
    version, _, encoded = signature.partition(",")
    received = _decode_base64(encoded) if version == "v1" else None
    return received is not None and hmac.compare_digest(received, expected)


def _decode_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _parse_event(body: bytes) -> dict[str, Any]:
    try:
        event = json.loads(body)
    except ValueError as error:
        raise WebhookVerificationError("The body of the delivery is not JSON.") from error
    if not isinstance(event, dict):
        raise WebhookVerificationError("The body of the delivery is not an event.")
    return event

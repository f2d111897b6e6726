from __future__ import annotations

import pytest

from swath.webhooks import WebhookVerificationError, sign_webhook, verify_webhook

# The example of Standard Webhooks.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "Webhook-Timestamp": "1614265330",
    "Webhook-Signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
BODY = '{"test": 2432232314}'
NOW = 1614265330


def test_a_delivery_of_the_standard_is_verified() -> None:
    assert verify_webhook(SECRET, headers=HEADERS, body=BODY, now=NOW) == {"test": 2432232314}


@pytest.mark.parametrize("secret", [SECRET, "a secret that a program chose"])
def test_what_is_signed_here_is_verified_here(secret: str) -> None:
    event = {"event_id": "e", "event_type": "order.fulfilled"}
    headers, body = sign_webhook(secret, event)
    assert verify_webhook(secret, headers=headers, body=body) == event
    rotated = {**headers, "webhook-signature": f"v1,AAAA v2,x {headers['webhook-signature']}"}
    assert verify_webhook(secret, headers=rotated, body=body) == event


@pytest.mark.parametrize(
    ("headers", "body", "secret", "now"),
    [
        ({**HEADERS, "Webhook-Id": ""}, BODY, SECRET, NOW),
        (HEADERS, BODY + " ", SECRET, NOW),
        (HEADERS, BODY, SECRET, NOW + 301),
        (HEADERS, BODY, SECRET, NOW - 301),
        (HEADERS, BODY, "whsec_AAAA", NOW),
        (HEADERS, BODY, "whsec_not base64", NOW),
        (HEADERS, BODY, "", NOW),
        ({**HEADERS, "Webhook-Timestamp": "1e9"}, BODY, SECRET, NOW),
        ({**HEADERS, "Webhook-Timestamp": "nan"}, BODY, SECRET, NOW),
        ({**HEADERS, "Webhook-Signature": "v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}, BODY, SECRET, NOW),
        ({**HEADERS, "Webhook-Signature": "v1,é"}, BODY, SECRET, NOW),
    ],
)
def test_any_other_delivery_is_refused(headers: dict[str, str], body: str, secret: str, now: float) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(secret, headers=headers, body=body, now=now)


def test_a_signed_body_that_is_no_event_is_refused() -> None:
    import base64
    import hashlib
    import hmac

    for body in (b"not json", b"[]"):
        digest = hmac.digest(b"s", b"e.5." + body, hashlib.sha256)
        headers = {
            "webhook-id": "e",
            "webhook-timestamp": "5",
            "webhook-signature": "v1," + base64.b64encode(digest).decode(),
        }
        with pytest.raises(WebhookVerificationError):
            verify_webhook("s", headers=headers, body=body, now=5)


def test_a_secret_that_is_none_signs_nothing() -> None:
    with pytest.raises(ValueError):
        sign_webhook("", {"event_id": "e"})

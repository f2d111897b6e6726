"""The authorization code flow with PKCE (RFC 7636), for web applications."""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode, urlsplit

from ._problems import sign_in_error

REALM_PATH = "/realms/public/protocol/openid-connect"


@dataclass(frozen=True, slots=True)
class StartedSignIn:
    """A sign-in that has begun; an application keeps it in the session of the browser until that comes back."""

    url: str
    """Where the browser goes."""
    client_id: str
    redirect_uri: str
    state: str = field(repr=False)
    code_verifier: str = field(repr=False)


def begin_sign_in(base_url: str, client_id: str, redirect_uri: str, scope: str | None = None) -> StartedSignIn:
    """Begins a sign-in of an OAuth client that is registered with the redirect URI: the browser is sent to `url`."""
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        **({} if scope is None else {"scope": scope}),
    }
    url = f"{base_url.rstrip('/')}{REALM_PATH}/auth?{urlencode(query)}"
    return StartedSignIn(url, client_id, redirect_uri, state, verifier)


def redeem_form(started: StartedSignIn, callback_url: str) -> dict[str, str]:
    """The form that redeems the code of the URL that the browser came back to. Raises `SignInError` if the sign-in was refused, or if
    the URL is the answer to another one."""
    answer = {name: values[0] for name, values in parse_qs(urlsplit(callback_url).query).items()}
    if not secrets.compare_digest(answer.get("state", "").encode(), started.state.encode()):
        raise sign_in_error("invalid_state", "The answer is not the one of this sign-in. Sign in again.")
    if "error" in answer or "code" not in answer:
        description = answer.get("error_description", "The sign-in was refused. Sign in again.")
        raise sign_in_error(answer.get("error", "invalid_request"), description)
    return {
        "grant_type": "authorization_code",
        "client_id": started.client_id,
        "redirect_uri": started.redirect_uri,
        "code_verifier": started.code_verifier,
        "code": answer["code"],
    }

"""Which platform a client calls, and as whom: what the program says, or else the environment, or else a profile."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from ._problems import sign_in_error
from ._profiles import find_profile
from .auth import ApiKey, ClientCredentials, Password, ProfileSignIn, SignIn, TokenFunction


def choose_sign_in(
    *,
    auth: SignIn | None,
    key: str | None,
    token: Callable[..., Any] | None,
    username: str | None,
    password: str | None,
    profile: str | None,
) -> SignIn | None:
    """The sign-in that a program names; None if it names none. Raises `ValueError` if it names more than one."""
    if (username is None) != (password is None):
        raise ValueError("A user signs in with both: username and password.")
    named: list[SignIn] = [sign_in for sign_in in (auth,) if sign_in is not None]
    if key is not None:
        named.append(ApiKey(key))
    if token is not None:
        named.append(TokenFunction(token))
    if username is not None and password is not None:
        named.append(Password(username, password))
    if profile is not None:
        named.append(ProfileSignIn(profile))
    if len(named) > 1:
        raise ValueError("A client signs in one way: auth, key, token, username with password, or profile.")
    return named[0] if named else None


def choose_connection(base_url: str | None, sign_in: SignIn | None) -> tuple[str, SignIn | None]:
    """The URL of the platform and the sign-in there. Raises `SignInError` with the way out if there is neither."""
    environment_url = os.environ.get("SWATH_URL") or os.environ.get("SWATH_ADDRESS")
    url = base_url or environment_url
    # The secrets of the environment are for its server alone.
    is_elsewhere = bool(base_url and environment_url and not _is_same_server(base_url, environment_url))
    if sign_in is None and is_elsewhere and _of_environment() is not None:
        profile = find_profile(None)
        if profile is None or not _is_same_server(str(url), profile.base_url):
            raise sign_in_error(
                "other_server",
                f"The secrets of the environment are for {environment_url}, not for {base_url}: name the sign-in there, "
                "such as Swath(base_url, key=...), or set SWATH_URL to it.",
            )
    chosen = sign_in or (None if is_elsewhere else _of_environment())
    if chosen is not None and not isinstance(chosen, ProfileSignIn):
        if url is None:
            raise sign_in_error("no_server", "The URL of the platform is missing: Swath(base_url=...), or SWATH_URL.")
        return to_base_url(url), chosen
    profile = find_profile(chosen.name if chosen else None)
    if profile is None:
        return _without_profile(url), None
    if url is None or _is_same_server(url, profile.base_url):
        return to_base_url(profile.base_url), ProfileSignIn(profile.name)
    if chosen is not None:
        # The secret of a profile is for its server alone.
        raise sign_in_error("other_server", f'The profile "{profile.name}" is of {profile.base_url}, not of {url}.')
    return to_base_url(url), None


def to_base_url(text: str) -> str:
    """The URL without a slash at its end. Raises `ValueError` for anything else than the URL of a server."""
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f'"{text}" is not the URL of a platform, such as https://swath.example.org.')
    return text.rstrip("/")


def _of_environment() -> SignIn | None:
    environment = os.environ
    if key := environment.get("SWATH_KEY"):
        return ApiKey(key)
    username, password = environment.get("SWATH_USERNAME"), environment.get("SWATH_PASSWORD")
    if username and password:
        return Password(username, password, otp=environment.get("SWATH_OTP"))
    client_id, client_secret = environment.get("SWATH_CLIENT_ID"), environment.get("SWATH_CLIENT_SECRET")
    if client_id and client_secret:
        return ClientCredentials(client_id, client_secret)
    return None


def _is_same_server(url: str, other: str) -> bool:
    return _origin(url) == _origin(other)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _without_profile(url: str | None) -> str:
    if url is not None:
        return to_base_url(url)
    raise sign_in_error(
        "not_signed_in",
        "Nothing says which platform is called, and as whom. Sign in once: Swath.login(URL), or swath login; "
        "or set SWATH_URL and SWATH_KEY.",
    )

"""Tokens of sessions, and where they are kept."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ._private_files import folder_lock, read_private_json, write_private_json
from ._problems import sign_in_error
from ._profiles import find_profile, replace_secret, session_lock

RENEWAL_MARGIN_S = 30.0
"""A token that expires within this time is renewed before use."""


@dataclass(frozen=True, slots=True)
class SessionTokens:
    """The tokens of a session."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    """None if the session cannot be renewed without signing in."""
    expires_at: float
    """When the access token expires, in seconds since 1970."""

    def is_usable(self, refused: str | None, margin_s: float = RENEWAL_MARGIN_S) -> bool:
        """True if the access token was not refused, and does not expire within the margin."""
        return self.access_token != refused and time.time() < self.expires_at - margin_s

    def to_json(self) -> dict[str, Any]:
        """As the command line writes it."""
        return {
            "accessToken": self.access_token,
            "refreshToken": self.refresh_token,
            "expires_at_ms": round(self.expires_at * 1000),
        }

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> SessionTokens:
        """Reads what `to_json` wrote. Raises `ValueError`."""
        try:
            access_token, refresh_token = value["accessToken"], value.get("refreshToken")
            expires_at = float(value["expires_at_ms"]) / 1000
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError("The tokens of the session are damaged. Sign in again (swath login).") from error
        return SessionTokens(access_token, refresh_token, expires_at)


class TokenStore(Protocol):
    """Keeps the tokens of a session. The methods may block; an asynchronous client calls them in a thread."""

    def load(self) -> SessionTokens | None:
        """The tokens that were saved last; None if there are none."""

    def save(self, tokens: SessionTokens) -> None:
        """Keeps the tokens."""

    def lock(self) -> AbstractContextManager[object]:
        """Held while tokens are renewed: a refresh token is valid once, so processes with one store take turns."""


class MemoryStore:
    """Keeps tokens as long as the program runs."""

    def __init__(self, tokens: SessionTokens | None = None) -> None:
        self._tokens = tokens

    def load(self) -> SessionTokens | None:
        return self._tokens

    def save(self, tokens: SessionTokens) -> None:
        self._tokens = tokens

    def lock(self) -> AbstractContextManager[object]:
        return nullcontext()


class FileStore:
    """Keeps tokens in a file that only its owner can read; programs that run at once may share it. A client finds there only tokens
    of its own platform and sign-in."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._owner: dict[str, str | None] | None = None

    def bound_to(self, *, server: str, client_id: str | None, username: str | None) -> FileStore:
        """The same file for the tokens of one platform, OAuth client and user; those of others are none."""
        bound = FileStore(self._path)
        bound._owner = {"server": server, "clientId": client_id, "username": username}
        return bound

    def load(self) -> SessionTokens | None:
        value = read_private_json(self._path)
        if value is None or (self._owner is not None and value.get("owner") != self._owner):
            return None
        return SessionTokens.from_json(value)

    def save(self, tokens: SessionTokens) -> None:
        owner = {} if self._owner is None else {"owner": self._owner}
        write_private_json(self._path, {**tokens.to_json(), **owner})

    def lock(self) -> AbstractContextManager[object]:
        return folder_lock(self._path.with_name(f"{self._path.name}.lock"))


class ProfileStore:
    """The session of a profile of the command line."""

    def __init__(self, name: str) -> None:
        self._name = name

    def load(self) -> SessionTokens | None:
        # Read again: another program may have renewed the session, or moved it to the keychain.
        profile = find_profile(self._name)
        try:
            return None if profile is None else SessionTokens.from_json(json.loads(profile.read_secret()))
        except ValueError as error:
            raise sign_in_error("session_damaged", str(error)) from error

    def save(self, tokens: SessionTokens) -> None:
        replace_secret(self._name, json.dumps(tokens.to_json()))

    def lock(self) -> AbstractContextManager[object]:
        return session_lock()

"""How a client signs in: the value of `auth` of `Swath` and `AsyncSwath`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ._sessions import FileStore as FileStore
from ._sessions import MemoryStore as MemoryStore
from ._sessions import SessionTokens as SessionTokens
from ._sessions import TokenStore as TokenStore

AskForOtp = Callable[[str], str | None]
"""Returns a code of the second factor for the question of the platform; None gives up."""

SWATH_CLIENT = "swath"
"""The OAuth client of tools that people use on their machines."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key, which is valid until it is revoked."""

    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Password:
    """A user with a password, and with a code if the user has a second factor."""

    username: str
    password: str = field(repr=False)
    otp: str | AskForOtp | None = field(default=None, repr=False)
    """The code, or a function that asks for it; by default a terminal or a notebook asks."""
    scope: str | None = None
    """Scopes, separated by spaces; None: all that are not those of operators."""
    client_id: str | None = None


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """What a person needs to confirm a sign-in in a browser, on any device (RFC 8628)."""

    user_code: str
    verification_uri: str
    """The page where the code is entered."""
    verification_uri_complete: str
    """The same page with the code filled in."""
    expires_in: float
    """Seconds."""


@dataclass(frozen=True, slots=True)
class Device:
    """A person who confirms the sign-in in a browser."""

    on_code: Callable[[DeviceCode], object] | None = None
    """Shows the code to the person; by default it is printed in a terminal or a notebook."""
    client_id: str = SWATH_CLIENT
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class ClientCredentials:
    """An OAuth client of the organization with a secret (`oauth_clients.create`); it acts for itself."""

    client_id: str
    client_secret: str = field(repr=False)
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Tokens of a sign-in before, such as of `finish_sign_in`."""

    tokens: SessionTokens
    client_id: str


@dataclass(frozen=True, slots=True)
class TokenFunction:
    """A function that returns a valid token. It is called with the token that the platform has just refused, else with None; that of
    an asynchronous client may be asynchronous."""

    function: Callable[[str | None], Any]


@dataclass(frozen=True, slots=True)
class ProfileSignIn:
    """A profile of the command line (`swath login`)."""

    name: str | None = None
    """None: the current one."""


SignIn = ApiKey | Password | Device | ClientCredentials | SignedIn | TokenFunction | ProfileSignIn

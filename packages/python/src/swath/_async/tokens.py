"""Access tokens of a client: given, or those of a session that is renewed."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from typing import Protocol

from .._problems import SignInError, sign_in_error
from .._profiles import find_profile
from .._retries import TEMPORARY_STATUSES
from .._runtime import aio as runtime
from .._sessions import RENEWAL_MARGIN_S, FileStore, MemoryStore, ProfileStore, SessionTokens, TokenStore
from ..auth import (
    SWATH_CLIENT,
    ApiKey,
    ClientCredentials,
    Device,
    Password,
    ProfileSignIn,
    SignedIn,
    SignIn,
    TokenFunction,
)
from .sign_in import AsyncSignInServer

AsyncBegin = Callable[[], Awaitable[SessionTokens]]


class AsyncTokenSource(Protocol):
    """Where a client has its access tokens from."""

    async def token(self, refused: str | None = None) -> str | None:
        """A valid token, another one than that which was refused if there is one; None: public operations only."""


class AsyncGivenToken:
    """An API key, or no token."""

    def __init__(self, value: str | None) -> None:
        self._value = value

    async def token(self, refused: str | None = None) -> str | None:
        return self._value


class AsyncCalledToken:
    """Tokens of a function of the program."""

    def __init__(self, sign_in: TokenFunction) -> None:
        self._function = sign_in.function

    async def token(self, refused: str | None = None) -> str | None:
        value: str = await runtime.resolve(self._function(refused))
        return value


class AsyncRenewedTokens:
    """The tokens of a session: stored ones, or renewed ones, or those of a new sign-in if the session has ended. Callers at the
    same time share one request."""

    def __init__(
        self,
        server: AsyncSignInServer,
        begin: AsyncBegin,
        *,
        client: Mapping[str, str | None],
        store: TokenStore | None = None,
    ) -> None:
        self._server = server
        self._begin = begin
        self._client = client
        self._store = store or MemoryStore()
        self._held: SessionTokens | None = None
        self._margin_s = RENEWAL_MARGIN_S
        self._lock = runtime.Lock()

    async def token(self, refused: str | None = None) -> str | None:
        held = self._held
        if held is None or not held.is_usable(refused, self._margin_s):
            async with self._lock:
                # Another caller may have renewed it meanwhile.
                held = self._held
                if held is None or not held.is_usable(refused, self._margin_s):
                    held = self._held = await self._find(refused)
        return held.access_token

    async def _find(self, refused: str | None) -> SessionTokens:
        with ExitStack() as stack:
            await runtime.run_blocking(stack.enter_context, self._store.lock())
            stored = await runtime.run_blocking(self._store.load)
            # Another process may have renewed it.
            if stored is not None and stored.is_usable(refused):
                return stored
            tokens = await self._renew(stored)
            # Tokens may live for less than the margin.
            self._margin_s = min(RENEWAL_MARGIN_S, (tokens.expires_at - time.time()) / 4)
            await runtime.run_blocking(self._store.save, tokens)
            return tokens

    async def _renew(self, stored: SessionTokens | None) -> SessionTokens:
        if stored is None or stored.refresh_token is None:
            return await self._begin()
        form = {"grant_type": "refresh_token", "refresh_token": stored.refresh_token, **self._client}
        try:
            tokens = await self._server.request_tokens(form)
        except SignInError as error:
            # Without an answer the session may still be valid.
            if error.status in TEMPORARY_STATUSES:
                raise
            return await self._begin()
        # A refresh token that was not replaced stays valid.
        kept = tokens.refresh_token or stored.refresh_token
        return SessionTokens(tokens.access_token, kept, tokens.expires_at)


def create_token_source(
    server: AsyncSignInServer, sign_in: SignIn | None, store: TokenStore | None = None
) -> AsyncTokenSource:
    """The tokens of a client that signs in so; a session is kept in the store, where the next program finds it."""
    if sign_in is None:
        return AsyncGivenToken(None)
    if isinstance(sign_in, ApiKey):
        return AsyncGivenToken(sign_in.key)
    if isinstance(sign_in, TokenFunction):
        return AsyncCalledToken(sign_in)
    if isinstance(sign_in, ProfileSignIn):
        return _of_profile(server, sign_in)
    begin, client, first = _session_of(server, sign_in)
    kept = MemoryStore(first) if store is None else store
    if isinstance(kept, FileStore):
        username = sign_in.username if isinstance(sign_in, Password) else None
        kept = kept.bound_to(server=server.base_url, client_id=sign_in.client_id, username=username)
    return AsyncRenewedTokens(server, begin, client=client, store=_StoreOfSignIn(kept, first))


def _of_profile(server: AsyncSignInServer, sign_in: ProfileSignIn) -> AsyncTokenSource:
    profile = find_profile(sign_in.name)
    if profile is None:
        raise sign_in_error("not_signed_in", "There is no profile. Sign in first: swath login, or Swath.login(URL).")
    if profile.kind == "key":
        return AsyncGivenToken(profile.read_secret())
    return AsyncRenewedTokens(
        server, _ended_profile(profile.name), client={"client_id": SWATH_CLIENT}, store=ProfileStore(profile.name)
    )


def _session_of(
    server: AsyncSignInServer, sign_in: Password | Device | ClientCredentials | SignedIn
) -> tuple[AsyncBegin, Mapping[str, str | None], SessionTokens | None]:
    """How a session begins, the OAuth client that renews it, and its tokens if it has begun."""
    client: Mapping[str, str | None] = {"client_id": sign_in.client_id}

    async def begin() -> SessionTokens:
        if isinstance(sign_in, Password):
            return await server.by_password(sign_in)
        if isinstance(sign_in, Device):
            return await server.by_device(sign_in)
        if isinstance(sign_in, ClientCredentials):
            return await server.by_client(sign_in)
        raise sign_in_error("session_ended", "The session has ended. Sign in again.")

    if isinstance(sign_in, ClientCredentials):
        client = {**client, "client_secret": sign_in.client_secret}
    return begin, client, sign_in.tokens if isinstance(sign_in, SignedIn) else None


def _ended_profile(name: str) -> AsyncBegin:
    async def begin() -> SessionTokens:
        raise sign_in_error("session_ended", f'The session of the profile "{name}" has ended: swath login --profile {name}.')

    return begin


class _StoreOfSignIn:
    """A store that begins with the tokens of a sign-in, unless it has those that replaced them, which expire later."""

    def __init__(self, store: TokenStore, first: SessionTokens | None) -> None:
        self._store = store
        self._first = first
        self.save = store.save
        self.lock = store.lock

    def load(self) -> SessionTokens | None:
        stored, first = self._store.load(), self._first
        if first is None or (stored is not None and stored.expires_at >= first.expires_at):
            return stored
        self._first = None
        self._store.save(first)
        return first

"""The client: the operations of a platform as a tree, and everything around them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Literal, Self

from .._connection import choose_connection, choose_sign_in, to_base_url
from .._hooks import Hooks, Limits, RequestPlan
from .._pkce import StartedSignIn
from .._profiles import save_profile
from .._recipe import Recipe, rebuild
from .._runtime import aio as runtime
from .._sessions import TokenStore
from .._spends import Price
from ..auth import SWATH_CLIENT, ApiKey, Device, Password, SignedIn, SignIn
from .client import AsyncClient
from .sign_in import AsyncSignInServer
from .tokens import create_token_source
from .transfers import AsyncTransfers
from .transport import AsyncResponse, AsyncTransport
from .tree import AsyncOperationTree


class AsyncSwath(AsyncTransfers, AsyncOperationTree):
    """A platform. `client.orders.get(order_id=...)` calls the operation `orders.get`; `client.call` calls one by its id.

    Nothing is sent before the first call. Reads are repeated after lost connections, outages and rate limits; so are writes that
    accept an idempotency key, which they get by themselves. Problems are errors of their classes (`swath.errors`).

    Args:
        base_url: The URL of the platform; by default SWATH_URL (or SWATH_ADDRESS), or that of the profile.
        auth: How it signs in, one of `swath.auth`. Without any, the environment (SWATH_KEY; SWATH_USERNAME and
            SWATH_PASSWORD; SWATH_CLIENT_ID and SWATH_CLIENT_SECRET), or else the profile of the command line; or else only
            public operations can be called.
        key: An API key; the same as `auth=ApiKey(key)`.
        token: A function that returns a valid token; it is given one that was refused, or None.
        username: A user with a `password`; a second factor is asked for in a terminal or a notebook.
        password: The password of the user.
        profile: The name of a profile of the command line.
        token_store: Where a session is kept, such as `swath.auth.FileStore(path)`; by default in memory.
        require_price: Every call that spends credits must have a price, a bound or be a dry run.
        limits: How long and how often requests are tried.
        hooks: Functions that follow the requests.

    Raises:
        SignInError: There is no platform, or no such profile.
        ValueError: Two sign-ins are named, or the URL is none.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        auth: SignIn | None = None,
        key: str | None = None,
        token: Callable[..., Any] | None = None,
        username: str | None = None,
        password: str | None = None,
        profile: str | None = None,
        token_store: TokenStore | None = None,
        require_price: bool = False,
        limits: Limits = Limits(),
        hooks: Hooks = Hooks(),
    ) -> None:
        named = choose_sign_in(
            auth=auth, key=key, token=token, username=username, password=password, profile=profile
        )
        url, sign_in = choose_connection(base_url, named)
        transport = AsyncTransport(limits, hooks)
        tokens = create_token_source(AsyncSignInServer(transport, url), sign_in, token_store)
        super().__init__(AsyncClient(url, tokens, transport, require_price=require_price))
        self._recipe = Recipe(
            url,
            {
                "auth": sign_in,
                "token_store": token_store,
                "require_price": require_price,
                "limits": limits,
                "hooks": hooks,
            },
        )

    def __reduce__(self) -> tuple[object, ...]:
        # Other processes, such as workers of Dask, open connections of their own.
        return rebuild, (type(self), self._recipe.require_portable())

    @classmethod
    async def login(
        cls,
        base_url: str,
        *,
        profile: str = "default",
        key: str | None = None,
        username: str | None = None,
        password: str | None = None,
        on_code: Callable[..., Any] | None = None,
        scope: str | None = None,
    ) -> Self:
        """Signs in and stores it as a profile, which later programs and the command line use: in a browser by a code, or with an API
        key, or with a user name and a password.

        Args:
            base_url: The URL of the platform.
            profile: The name to store it under.
            key: An API key.
            username: A user with a password.
            password: The password of the user.
            on_code: Shows the code for the browser to a person; by default a terminal or a notebook prints it.
            scope: Scopes, separated by spaces; by default all that are not those of operators.

        Raises:
            SignInError: The sign-in was refused, or nobody can be asked here.
        """
        url = to_base_url(base_url)
        sign_in = choose_sign_in(
            auth=None, key=key, token=None, username=username, password=password, profile=None
        ) or Device(on_code, scope=scope)
        named = sign_in if isinstance(sign_in, ApiKey) else await _begin_session(url, sign_in, scope)
        async with cls(url, auth=named) as client:
            account = _account_of(await client.call("users.me"))
        kind, secret = _secret_of(named)
        await runtime.run_blocking(save_profile, profile, base_url=url, kind=kind, account=account, secret=secret)
        return cls(profile=profile)

    @classmethod
    async def finish_sign_in(cls, base_url: str, started: StartedSignIn, callback_url: str, **options: Any) -> Self:
        """The client of a user of a web application, whose browser came back to `callback_url` after `swath.begin_sign_in`. The
        options are those of the class. Raises `SignInError` if the sign-in was refused."""
        url = to_base_url(base_url)
        transport = AsyncTransport(Limits(), Hooks())
        try:
            signed_in = await AsyncSignInServer(transport, url).by_redirect(started, callback_url)
        finally:
            await transport.close()
        return cls(url, auth=signed_in, **options)

    @property
    def base_url(self) -> str:
        """The URL of the platform, without a slash at its end."""
        return self._client.base_url

    async def call(
        self,
        operation: str,
        input: Mapping[str, Any] | None = None,
        *,
        price: Price | None = None,
        idempotency_key: str | None = None,
        timeout_s: float | None = None,
        max_retries: int | None = None,
    ) -> Any:
        """Calls an operation by its id and returns its output, also one that this version of the package does not know.

        Args:
            operation: The id, such as `orders.get`.
            input: The members of its input, by their names on the wire.
            price: Of a spend: the output of a quote or an estimate, which the call may not exceed.
            idempotency_key: Calls with the same key have one effect; by default a new one for operations that accept it.
            timeout_s: Time limit of each attempt in seconds.
            max_retries: How often the call may be repeated.

        Raises:
            ApiProblem: The platform refused the call; of the class of its problem.
            ConnectionFailed: The platform could not be reached.
            CallTimeout: It did not answer in time.
        """
        return await self._client.call(
            operation,
            input,
            price=price,
            idempotency_key=idempotency_key,
            timeout_s=timeout_s,
            max_retries=max_retries,
        )

    def lines(self, operation: str, input: Mapping[str, Any] | None = None) -> AsyncIterator[Any]:
        """Calls an operation that returns newline-delimited JSON and yields the values as they arrive."""
        return self._client.lines(operation, input)

    async def fetch(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
        plan: RequestPlan = RequestPlan(),
    ) -> AsyncResponse:
        """Requests a path of the platform, or any URL; the token is sent to the platform alone. The response may be a refusal: look
        at its `status`, and close it, or read it to its end."""
        return await self._client.fetch(url, method=method, headers=headers, content=content, plan=plan)

    async def close(self) -> None:
        """Closes the connections; a later call opens new ones."""
        await self._client.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"


async def _begin_session(url: str, sign_in: SignIn, scope: str | None) -> SignedIn:
    transport = AsyncTransport(Limits(), Hooks())
    server = AsyncSignInServer(transport, url)
    try:
        if isinstance(sign_in, Password):
            # The session is of the client that the command line is, which renews it, too.
            named = Password(sign_in.username, sign_in.password, scope=scope, client_id=SWATH_CLIENT)
            return SignedIn(await server.by_password(named), SWATH_CLIENT)
        if isinstance(sign_in, Device):
            return SignedIn(await server.by_device(sign_in), SWATH_CLIENT)
        raise TypeError("A profile is made by a key, a user with a password, or a browser.")
    finally:
        await transport.close()


def _secret_of(sign_in: ApiKey | SignedIn) -> tuple[Literal["key", "session"], str]:
    """What a profile keeps."""
    if isinstance(sign_in, ApiKey):
        return "key", sign_in.key
    return "session", json.dumps(sign_in.tokens.to_json())


def _account_of(me: Mapping[str, Any]) -> str:
    """Who signed in, for people, as the command line says it."""
    user, organization = me.get("user"), me.get("organization")
    who = user["email"] if user else f"a key ({me.get('kind')})"
    return f"{who} of {organization['name']}" if organization else str(who)

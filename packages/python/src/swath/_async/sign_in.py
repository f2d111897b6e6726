"""Sign-ins at the OAuth endpoints of the platform."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from .._hooks import RequestPlan
from .._pkce import REALM_PATH, StartedSignIn, redeem_form
from .._problems import ConnectionFailed, SignInError, parse_document, sign_in_error
from .._retries import read_retry_after
from .._runtime import aio as runtime
from .._sessions import SessionTokens
from .._terminal import ask_otp, show_code
from ..auth import ClientCredentials, Device, DeviceCode, Password, SignedIn
from .transport import AsyncTransport

_TOKEN_TIMEOUT_S = 60.0
"""All calls wait for their token: a server that does not answer must not hold them for ever."""
_SLOW_DOWN_S = 5.0


class AsyncSignInServer:
    """The OAuth endpoints of a platform."""

    def __init__(self, transport: AsyncTransport, base_url: str) -> None:
        self._transport = transport
        self.base_url = base_url

    async def post_form(self, name: str, form: Mapping[str, str | None]) -> dict[str, Any]:
        """Posts a form to an endpoint. Raises `SignInError` if it is refused."""
        fields = {field: value for field, value in form.items() if value is not None}
        # A refresh token is valid once: a request whose outcome is unknown is not repeated.
        plan = RequestPlan(is_read=False, is_whole=True, timeout_s=_TOKEN_TIMEOUT_S)
        response = await self._transport.send(
            "POST",
            f"{self.base_url}{REALM_PATH}/{name}",
            headers={"content-type": "application/x-www-form-urlencoded"},
            content=urlencode(fields).encode(),
            plan=plan,
        )
        document = parse_document(await response.read() or b"{}")
        if response.is_success:
            return document
        raise SignInError(response.status, document, read_retry_after(response.headers))

    async def request_tokens(self, form: Mapping[str, str | None]) -> SessionTokens:
        """Requests the tokens of a grant."""
        answer = await self.post_form("token", form)
        try:
            expires_at = time.time() + float(answer["expires_in"])
            return SessionTokens(answer["access_token"], answer.get("refresh_token"), expires_at)
        except (KeyError, TypeError, ValueError) as error:
            raise sign_in_error("invalid_response", "The server sent no token. Check the URL of the platform.") from error

    async def revoke(self, refresh_token: str, client_id: str | None = None) -> None:
        """Ends the session of a refresh token (RFC 7009)."""
        await self.post_form("revoke", {"client_id": client_id, "token": refresh_token})

    async def by_password(self, sign_in: Password) -> SessionTokens:
        """Signs in with a password, and with a code of the second factor if it is needed."""
        form = {
            "grant_type": "password",
            "client_id": sign_in.client_id,
            "username": sign_in.username,
            "password": sign_in.password,
            "scope": sign_in.scope,
        }
        try:
            return await self.request_tokens(form)
        except SignInError as error:
            if not error.is_otp_required:
                raise
            otp = await _find_otp(sign_in, error)
            if otp is None:
                raise
        return await self.request_tokens({**form, "otp": otp})

    async def by_client(self, sign_in: ClientCredentials) -> SessionTokens:
        """Signs in as an OAuth client."""
        return await self.request_tokens(
            {
                "grant_type": "client_credentials",
                "client_id": sign_in.client_id,
                "client_secret": sign_in.client_secret,
                "scope": sign_in.scope,
            }
        )

    async def by_device(self, sign_in: Device) -> SessionTokens:
        """Waits until a person has confirmed the sign-in in a browser. Raises `SignInError` with the code `access_denied` or
        `expired_token`."""
        client = {"client_id": sign_in.client_id}
        answer = await self.post_form("auth/device", {**client, "scope": sign_in.scope})
        code = DeviceCode(
            answer["user_code"],
            answer["verification_uri"],
            answer["verification_uri_complete"],
            float(answer["expires_in"]),
        )
        await runtime.resolve((sign_in.on_code or show_code)(code))
        form = {
            **client,
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "device_code": answer["device_code"],
        }
        end_s = time.monotonic() + code.expires_in
        wait_s = float(answer.get("interval", _SLOW_DOWN_S))
        while True:
            await runtime.sleep(wait_s)
            try:
                return await self.request_tokens(form)
            except SignInError as error:
                if error.code == "slow_down":
                    wait_s += _SLOW_DOWN_S
                elif error.code != "authorization_pending":
                    raise
            except ConnectionFailed:
                # After a lost connection the next request may be answered.
                if time.monotonic() >= end_s:
                    raise

    async def by_redirect(self, started: StartedSignIn, callback_url: str) -> SignedIn:
        """Redeems the code of the URL that the browser came back to."""
        tokens = await self.request_tokens(redeem_form(started, callback_url))
        return SignedIn(tokens, started.client_id)


async def _find_otp(sign_in: Password, error: SignInError) -> str | None:
    if isinstance(sign_in.otp, str):
        return sign_in.otp
    question = str(error.document.get("error_description", error))
    return await runtime.run_blocking(sign_in.otp or ask_otp, question)

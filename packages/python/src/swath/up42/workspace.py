"""Who is signed in. Programs of up42-py sign in once for the whole process, so that this is state of the module."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from ..client import Swath


class UserNotAuthenticated(ValueError):
    """`authenticate` was not called."""


class Workspace:
    """The signed-in user, and the project of new orders."""

    def __init__(self) -> None:
        self._client: Swath | None = None
        self._id: str | None = None

    @property
    def client(self) -> Swath:
        """The client of the platform. Raises `UserNotAuthenticated`."""
        if self._client is None:
            raise UserNotAuthenticated("User not authenticated: call up42.authenticate(...) first.")
        return self._client

    @property
    def id(self) -> str:
        """The id of the user, which stands for their oldest project, as with up42-py. Raises `UserNotAuthenticated`."""
        if self._id is None:
            user = self.client.users.me()["user"]
            if user is None:
                raise UserNotAuthenticated("An API key has no workspace: authenticate as a user.")
            self._id = user["id"]
        return self._id

    def authenticate(
        self,
        cfg_file: str | PathLike[str] | Mapping[str, str] | None = None,
        username: str | None = None,
        password: str | None = None,
        region: str = "eu",
        *,
        base_url: str | None = None,
        client: Swath | None = None,
    ) -> None:
        """Signs in.

        Args:
            cfg_file: A JSON file with `username` and `password`.
            username: The e-mail address of the user.
            password: The password of the user.
            region: Without effect: a platform has one.
            base_url: The URL of the platform; by default SWATH_URL.
            client: A client that is signed in already.

        Raises:
            SignInError: The sign-in was refused.
            ValueError: There are no credentials, or those of two sources.
        """
        configured = _read_config(cfg_file)
        if configured and (username or password):
            raise ValueError("Name the credentials once: a file, or username and password.")
        user, secret = configured.get("username", username), configured.get("password", password)
        if client is None and not (user and secret):
            raise ValueError("The credentials are incomplete: username and password, or a file with both.")
        self._client = client or Swath(base_url, username=user, password=secret)
        self._id = None
        # A wrong password is an error here, and not at the first call.
        self._client.users.me()


def _read_config(source: str | PathLike[str] | Mapping[str, str] | None) -> dict[str, Any]:
    if source is None:
        return {}
    if isinstance(source, Mapping):
        return dict(source)
    return dict(json.loads(Path(source).read_text("utf-8")))


workspace = Workspace()
authenticate = workspace.authenticate

"""What makes a client again in another process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .auth import Device, MemoryStore, SignedIn


@dataclass(frozen=True, slots=True)
class Recipe:
    """The arguments of a client, with the sign-in that was found."""

    base_url: str
    options: dict[str, Any]

    def require_portable(self) -> Recipe:
        """Raises `TypeError` for a session that lives in this process: a refresh token is valid once, so the first process that renewed
        it would end it for the others."""
        is_session = isinstance(self.options["auth"], Device | SignedIn)
        store = self.options["token_store"]
        if isinstance(store, MemoryStore) or (is_session and store is None):
            raise TypeError(
                "This client has a session of this process alone. For other processes sign in with a key, a client of OAuth, "
                "a profile (Swath.login), or keep the session in a file (token_store=FileStore(path))."
            )
        return self


def rebuild(client: Callable[..., Any], recipe: Recipe) -> Any:
    """The client in another process."""
    return client(recipe.base_url, **recipe.options)

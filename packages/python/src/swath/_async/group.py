"""A group of operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .client import AsyncClient


class AsyncOperationGroup:
    """Operations whose ids begin alike; each calls with the client of the tree."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

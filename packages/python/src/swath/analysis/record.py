"""What items, collections and orders have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..client import Swath


class Record:
    """A thing of the platform with an id; `record` is what the platform says of it."""

    def __init__(self, client: Swath, record: Mapping[str, Any]) -> None:
        self._client = client
        self.record = dict(record)

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.record["id"])

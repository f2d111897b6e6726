"""Orders that analysts follow."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import TYPE_CHECKING, Any

from .items import Item
from .record import Record

if TYPE_CHECKING:
    from .._transfer_errors import DownloadedFile
    from .collections import Collection


class Order(Record):
    """An order; `record` is what the platform says of it."""

    @property
    def status(self) -> str:
        """Its status when it was last read."""
        return str(self.record["status"])

    @property
    def credits(self) -> int:
        """What it costs in all."""
        return int(self.record["totalCredits"])

    @property
    def is_dry_run(self) -> bool:
        """It was checked, and nothing was ordered."""
        return "dry_run" in self.record

    def refresh(self) -> Order:
        """Reads it again."""
        self.record = dict(self._client.orders.get(order_id=self.id))
        return self

    def wait(
        self, *, timeout_s: float | None = None, on_change: Callable[[dict[str, Any]], object] | None = None
    ) -> Order:
        """Waits until it is delivered.

        Args:
            timeout_s: Seconds to wait at most; by default without an end.
            on_change: Called with each new state.

        Raises:
            WaitFailed: It failed or was cancelled.
            WaitTimeout: It was not delivered in time; it goes on.
        """
        self._client.wait(self.id, on_change=on_change, timeout_s=timeout_s)
        return self.refresh()

    def items(self) -> list[Item]:
        """What it has delivered so far, oldest acquisition first."""
        rows = self._client.orders.get(order_id=self.id)["captures"]
        delivered = [row["item_id"] for row in rows if row["deliveredAt"] is not None]
        items = [self._client.item(item_id) for item_id in delivered]
        return sorted(items, key=lambda item: item.datetime)

    def collection(self) -> Collection:
        """The collection that it delivers into. Raises `LookupError` before there is one."""
        self.refresh()
        collection_id = self.record["collectionId"]
        if collection_id is None:
            raise LookupError("Nothing was delivered yet: wait for the order.")
        return self._client.collection(collection_id, project_id=self.record["projectId"])

    def download(self, folder: str | PathLike[str], **options: Any) -> list[DownloadedFile]:
        """Downloads what it has delivered, verified by checksums; `Swath.download_order` has the options."""
        return self._client.download_order(self.id, folder, **options)

    def __repr__(self) -> str:
        return f"Order({self.id}, {self.status}, {self.credits} credits)"

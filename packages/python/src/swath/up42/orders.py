"""Orders that were placed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from .requests import SortingField, list_pages, send

MERGE_PATCH = "application/merge-patch+json"
_CANCELLABLE = frozenset({"CREATED", "PLACEMENT_FAILED"})
_UNSET = object()


class UnfulfilledOrder(ValueError):
    """The order is on its way."""


class FailedOrder(ValueError):
    """The order failed."""


class CanceledOrder(ValueError):
    """The order was cancelled."""


class OrderCannotBeCanceled(ValueError):
    """The order has gone too far."""


class OrderSorting:
    """Orders of orders."""

    created_at = SortingField("createdAt")
    updated_at = SortingField("updatedAt")
    type = SortingField("type")
    status = SortingField("status")


@dataclass
class CancelOrder:
    """An order that was cancelled."""

    order_id: str
    status: str


@dataclass
class ArchiveOrderDetails:
    """What is ordered of an archive."""

    aoi: dict[str, Any]
    image_id: str | None
    sub_status = None


@dataclass
class TaskingOrderDetails:
    """What is to be acquired."""

    acquisition_start: str
    acquisition_end: str
    geometry: dict[str, Any]
    extra_description: str | None
    sub_status: str | None


@dataclass
class Order:
    """An order."""

    id: str
    display_name: str
    status: str
    workspace_id: str
    account_id: str
    type: str
    details: ArchiveOrderDetails | TaskingOrderDetails | None
    data_product_id: str | None
    tags: list[str] | None
    info: dict[str, Any] = field(repr=False)
    budget_id: str | None = None

    @classmethod
    def get(cls, order_id: str) -> Order:
        """An order by its id."""
        return _to_order(send("GET", f"/v2/orders/{order_id}"))

    @classmethod
    def all(
        cls,
        workspace_id: str | None = None,
        order_type: str | None = None,
        status: list[str] | None = None,
        sub_status: list[str] | None = None,
        display_name: str | None = None,
        tags: list[str] | None = None,
        budget_ids: list[str] | None = None,
        ids: list[str] | None = None,
        sort_by: SortingField | None = None,
    ) -> Iterator[Order]:
        """All orders, or those that match."""
        parameters = {
            "sort": sort_by,
            "workspaceId": workspace_id,
            "displayName": display_name,
            "type": order_type,
            "tags": tags,
            "status": status,
            "subStatus": sub_status,
            "budgetIds": ",".join(budget_ids) if budget_ids else None,
            "orderIds": ",".join(ids) if ids else None,
        }
        return map(_to_order, list_pages("/v2/orders", parameters))

    @classmethod
    def update(cls, order_id: str, tags: list[str] | None = None, budget_id: Any = _UNSET) -> Order:
        """Changes the tags or the budget of an order."""
        body = {**({} if tags is None else {"tags": tags}), **({} if budget_id is _UNSET else {"budgetId": budget_id})}
        return _to_order(send("PATCH", f"/v2/orders/{order_id}", body, content_type=MERGE_PATCH))

    def cancel(self) -> CancelOrder:
        """Cancels it. Raises `OrderCannotBeCanceled` if it was placed."""
        if self.status not in _CANCELLABLE:
            raise OrderCannotBeCanceled(f"Order with id {self.id} cannot be canceled in its current status.")
        answer = send("POST", f"/v2/orders/{self.id}/cancellation")
        return CancelOrder(answer["orderId"], answer["status"])

    @property
    def is_fulfilled(self) -> bool:
        """Everything was delivered."""
        return self.status == "FULFILLED"

    def track(self, report_time: float = 120) -> None:
        """Waits until it is fulfilled, and reads it again every `report_time` seconds. Raises `FailedOrder` and `CanceledOrder`."""
        while not self.is_fulfilled:
            now = Order.get(self.id)
            for each in fields(self):
                setattr(self, each.name, getattr(now, each.name))
            if self.status == "FAILED_PERMANENTLY":
                raise FailedOrder("Order has failed!")
            if self.status == "CANCELED":
                raise CanceledOrder("Order has been canceled!")
            if not self.is_fulfilled:
                time.sleep(report_time)


def _to_order(row: Mapping[str, Any]) -> Order:
    return Order(
        id=row["id"],
        display_name=row["displayName"],
        status=row["status"],
        workspace_id=row["workspaceId"],
        account_id=row["accountId"],
        type=row["type"],
        details=_to_details(row["type"], row.get("orderDetails")),
        data_product_id=row.get("dataProductId"),
        tags=row.get("tags"),
        info=dict(row),
        budget_id=row.get("budgetId"),
    )


def _to_details(type: str, row: Mapping[str, Any] | None) -> ArchiveOrderDetails | TaskingOrderDetails | None:
    if row is None:
        return None
    if type == "TASKING":
        return TaskingOrderDetails(
            row["acquisitionStart"],
            row["acquisitionEnd"],
            row["geometry"],
            row.get("extraDescription"),
            row.get("subStatus"),
        )
    return ArchiveOrderDetails(row["aoi"], row.get("imageId"))

"""Orders before they are placed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .orders import Order
from .requests import send
from .workspace import workspace


@dataclass
class OrderError:
    """An area that cannot be ordered."""

    index: int
    message: str
    details: str


@dataclass
class OrderReference:
    """An order that was placed for an area."""

    index: int
    id: str

    @property
    def order(self) -> Order:
        """The order."""
        return Order.get(self.id)


@dataclass
class OrderCost:
    """What an area costs."""

    index: int
    credits: float
    size: float
    unit: str


@dataclass
class Estimate:
    """What all areas cost."""

    items: list[OrderCost | OrderError]
    credits: float
    size: float
    unit: str


@dataclass
class BatchOrderTemplate:
    """An order for each area; the estimate is made at once."""

    data_product_id: str
    display_name: str
    features: Mapping[str, Any]
    params: dict[str, Any]
    tags: list[str] | None = None
    budget_id: str | None = None
    workspace_id: str | None = None
    estimate: Estimate = field(init=False)

    def __post_init__(self) -> None:
        self.workspace_id = self.workspace_id or workspace.id
        answer = send("POST", "/v2/orders/estimate", self._payload())
        summary = answer["summary"]
        items: list[OrderCost | OrderError] = [
            *(OrderCost(**row) for row in answer["results"]),
            *(OrderError(**row) for row in answer["errors"]),
        ]
        self.estimate = Estimate(
            sorted(items, key=lambda row: row.index), summary["totalCredits"], summary["totalSize"], summary["unit"]
        )

    def place(self) -> list[OrderReference | OrderError]:
        """Places the orders; an area that cannot be ordered has an error."""
        parameters = {"workspaceId": self.workspace_id}
        answer = send("POST", "/v2/orders", self._payload(), parameters=parameters)
        items: list[OrderReference | OrderError] = [
            *(OrderReference(**row) for row in answer["results"]),
            *(OrderError(**row) for row in answer["errors"]),
        ]
        return sorted(items, key=lambda row: row.index)

    def _payload(self) -> dict[str, Any]:
        members = {
            "dataProduct": self.data_product_id,
            "displayName": self.display_name,
            "params": self.params,
            "featureCollection": self.features,
            "tags": self.tags,
            "budgetId": self.budget_id,
        }
        return {name: value for name, value in members.items() if value is not None}

"""What scenes cost for an area."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .areas import Geometry

if TYPE_CHECKING:
    import pandas

    from ..client import Swath

MAX_PRICED_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """What the prices of a search are for."""

    area: Geometry
    licence: str | None = None
    exclude_owned: bool = True

    def order_input(self) -> dict[str, Any]:
        """The members of estimates, quotes and orders besides the captures."""
        licence = {} if self.licence is None else {"licenseType": self.licence}
        return {"exclude_owned": self.exclude_owned, **licence}


@dataclass(frozen=True)
class Estimate:
    """What scenes would cost now."""

    total_credits: int
    total_aud: float
    lines: pandas.DataFrame
    """One row for each scene: id, host, area_km2, credits, held_licence."""
    errors: list[dict[str, Any]]
    """Scenes without a price, with the reason."""
    agreements: list[dict[str, Any]]
    """Licence agreements that have to be accepted (`client.eulas.document.accept`) before an order."""

    def __repr__(self) -> str:
        return f"Estimate({self.total_credits} credits, {self.total_aud:.2f} AUD, {len(self.lines)} scenes)"


def to_capture(scene_id: str, host: str | None, area: Geometry) -> dict[str, Any]:
    """A scene of an order, with the area that is wanted of it."""
    return {"id": scene_id, "geometry": area, **({} if host is None else {"host": host})}


def price_captures(client: Swath, captures: list[dict[str, Any]], terms: SearchTerms) -> list[dict[str, Any]]:
    """What each capture costs, in their order: a line of `orders.archive.estimate`, or the error that says why it has no price."""
    priced: dict[tuple[str, str | None], dict[str, Any]] = {}
    for start in range(0, len(captures), MAX_PRICED_AT_ONCE):
        some = captures[start : start + MAX_PRICED_AT_ONCE]
        estimate = client.call("orders.archive.estimate", {"captures": some, **terms.order_input()})
        for row in [*estimate["lines"], *estimate["errors"]]:
            priced[row["id"], row["host"]] = row
    return [priced.get((capture["id"], capture.get("host")), {}) for capture in captures]

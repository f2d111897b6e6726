"""What calls that spend credits may cost."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ._problems import SwathError

Price = Mapping[str, Any]
"""The output of `orders.quote`, whose price is charged whatever it is then, or of an estimate, above which a call is refused."""


class PriceRequired(SwathError):
    """A call that spends was not told what it may cost, and the client requires that."""

    def __init__(self, operation: str) -> None:
        super().__init__(
            f"{operation} spends credits, and nothing says how many. Pass the price of a quote or an estimate (price), "
            "a bound (max_credits), or dry_run."
        )
        self.operation = operation

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.operation,)


def with_spend_options(
    operation: str, input: Mapping[str, Any], price: Price | None, require_price: bool
) -> dict[str, Any]:
    """The input of a spend with its price. A bound that the input has stays if it is lower. Raises `PriceRequired` if a price is
    required and there is neither one nor a bound nor a dry run."""
    bounds = [_require_bound(operation, bound) for bound in (input.get("max_credits"),) if bound is not None]
    if price is not None:
        bounds.append(_require_bound(operation, price.get("total_credits")))
    if require_price and not bounds and input.get("dry_run") is not True:
        raise PriceRequired(operation)
    priced = dict(input)
    if bounds:
        priced["max_credits"] = min(bounds)
    if price is not None and price.get("quote_id") is not None:
        priced["quote_id"] = price["quote_id"]
    return priced


def _require_bound(operation: str, bound: object) -> float:
    """JSON has no infinity, and no bound would be left."""
    if isinstance(bound, int | float) and not isinstance(bound, bool) and math.isfinite(bound):
        return bound
    raise TypeError(f"{operation}: the price or the bound is not a number of credits.")

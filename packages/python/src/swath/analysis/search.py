"""Searches of catalogues with prices for an area."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .areas import AreaLike, read_area, require_polygon
from .dates import DatesLike, to_interval
from .prices import SearchTerms, price_captures, to_capture
from .scenes import Scenes

if TYPE_CHECKING:
    from ..client import Swath

_MAX_PAGE = 500


def search_scenes(
    client: Swath,
    where: AreaLike,
    dates: DatesLike = None,
    *,
    cloud: float | None = None,
    hosts: Sequence[str] | None = None,
    collections: Sequence[str] | None = None,
    licence: str | None = None,
    exclude_owned: bool = True,
    limit: int = 100,
) -> Scenes:
    """Scenes that intersect an area, newest first, with their prices for it; `Swath.search` describes the arguments."""
    area = require_polygon(read_area(client, where))
    query = {} if cloud is None else {"query": {"cloudCoverage": {"LTE": cloud}}}
    pages = client.catalog.federated_search(
        intersects=area,  # type: ignore[arg-type]
        datetime=to_interval(dates),
        source_ids=list(hosts) if hosts else None,
        collections=list(collections) if collections else None,
        limit=min(limit, _MAX_PAGE),
        **query,  # type: ignore[arg-type]
    )
    features: list[dict[str, Any]] = [dict(feature) for feature in pages.all(max=limit) if feature["geometry"]]
    features.sort(key=lambda feature: feature["properties"]["datetime"], reverse=True)
    terms = SearchTerms(area, licence, exclude_owned)
    captures = [to_capture(feature["id"], feature["properties"].get("host"), area) for feature in features]
    return Scenes.from_features(client, terms, features, price_captures(client, captures, terms))

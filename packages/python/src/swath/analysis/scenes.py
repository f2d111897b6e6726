"""Scenes that can be bought, as a GeoDataFrame."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import geopandas
import pandas
import shapely
import shapely.geometry
from pyproj import Geod
from shapely.geometry.polygon import orient

from .orders import Order
from .prices import Estimate, SearchTerms, to_capture

if TYPE_CHECKING:
    from ..client import Swath

ALREADY_HELD = "already-held"
_M2_IN_KM2 = 1_000_000


class Scenes(geopandas.GeoDataFrame):  # type: ignore[misc]
    """Scenes of catalogues with their prices for an area: a GeoDataFrame, whose parts are scenes again.

    Columns: `id`, `host`, `collection`, `datetime` (UTC), `cloud_cover` (per cent), `resolution` (metres), `cover` (per cent of the
    area), `cover_km2`, `held_km2` (already held, which costs nothing), `credits`, `aud`, `note` (why there is no price),
    `quicklook` (URL), and `geometry`, the footprint in degrees.
    """

    # pandas copies these to what it makes of a frame.
    _metadata = ["_geometry_column_name", "swath", "terms"]  # noqa: RUF012
    swath: Swath
    terms: SearchTerms | None
    """What the prices are for; None for a frame of several searches that differ in it."""

    @property
    def _constructor(self) -> Callable[..., Any]:
        return _scenes_or_frame

    def __finalize__(self, other: Any, method: str | None = None, **options: Any) -> Any:
        """What pandas calls for a new frame. One that is made of several searches is for an area only if all agree on it."""
        made = super().__finalize__(other, method=method, **options)
        parts = list(getattr(other, "input_objs", getattr(other, "objs", []))) if method == "concat" else []
        first = parts[0] if parts else None
        if any(_origin_of(part) != _origin_of(first) for part in parts):
            object.__setattr__(made, "terms", None)
        return made

    @classmethod
    def from_features(
        cls, client: Swath, terms: SearchTerms, features: list[dict[str, Any]], prices: list[dict[str, Any]]
    ) -> Scenes:
        """The frame of a search: its features, and a price for each."""
        area = shapely.geometry.shape(terms.area)
        area_km2 = geodesic_km2(area)
        rows = [_to_row(feature, price, area, area_km2) for feature, price in zip(features, prices, strict=True)]
        frame = cls(rows, columns=_COLUMNS, geometry="geometry", crs=4326)
        frame["datetime"] = pandas.to_datetime(frame["datetime"], utc=True)
        frame.swath, frame.terms = client, terms
        return frame

    @property
    def total_credits(self) -> int:
        """The sum of the prices of the search."""
        return int(self["credits"].sum())

    @property
    def total_aud(self) -> float:
        """The sum of the prices of the search, in Australian dollars."""
        return float(self["aud"].sum())

    def captures(self) -> list[dict[str, Any]]:
        """The scenes as `orders.archive.place` takes them, without those that are held already. Raises `ValueError` for scenes of
        searches that differ in their area, licence or client."""
        area = self._require_terms().area
        wanted = self[self["note"] != ALREADY_HELD]
        return [to_capture(str(row["id"]), row["host"], area) for _, row in wanted.iterrows()]

    def _require_terms(self) -> SearchTerms:
        terms: SearchTerms | None = getattr(self, "terms", None)
        if terms is None:
            raise ValueError(
                "These scenes are not of one search: their prices are for different areas or licences. Order those of each search "
                "by themselves, or search for all of the area at once."
            )
        return terms

    def estimate(self) -> Estimate:
        """What the scenes of this frame would cost now, in one order."""
        captures = self.captures()
        lines = pandas.DataFrame(columns=["id", "host", "area_km2", "credits", "held_licence"])
        if not captures:
            return Estimate(0, 0.0, lines, [], [])
        answer = self.swath.call("orders.archive.estimate", {"captures": captures, **self._require_terms().order_input()})
        if answer["lines"]:
            lines = pandas.DataFrame(answer["lines"])[list(lines.columns)]
        agreements = [row for row in answer["eulas"] if not row["isAccepted"]]
        return Estimate(answer["total_credits"], answer["total_aud"], lines, answer["errors"], agreements)

    def buy(
        self,
        *,
        max_credits: int,
        project_id: str | None = None,
        split_by_date: bool = False,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> Order:
        """Orders the scenes of this frame for the area of the search, except what is held already.

        Args:
            max_credits: The order is refused if it costs more.
            project_id: Where they are delivered; by default the oldest project.
            split_by_date: One price group for each day.
            dry_run: Checks everything and orders nothing.
            idempotency_key: Calls with the same key order once.

        Returns:
            The order: `order.wait().items()` are the delivered scenes.

        Raises:
            ValueError: The frame is empty, or everything in it is held already.
            SpendLimitExceeded: It would cost more.
            InsufficientCredits: The organization has fewer credits.
        """
        captures = self.captures()
        if not captures:
            raise ValueError("There is nothing to buy: the frame is empty, or all its scenes are held already.")
        input = {
            "captures": captures,
            **self._require_terms().order_input(),
            "splitByDate": split_by_date,
            "max_credits": max_credits,
            "dry_run": dry_run,
            "projectId": project_id,
        }
        return Order(self.swath, self.swath.call("orders.archive.place", input, idempotency_key=idempotency_key))

    def quicklook(self, position: int = 0) -> bytes:
        """The picture of a scene as JPEG, by its position in the frame."""
        row = self.iloc[position]
        return self.swath.catalog.image.quicklook(host_name=row["host"], image_id=row["id"], format="jpeg")

    def _repr_html_(self) -> str:
        from .html import scenes_html

        return scenes_html(self)


_COLUMNS = [
    "id",
    "host",
    "collection",
    "datetime",
    "cloud_cover",
    "resolution",
    "cover",
    "cover_km2",
    "held_km2",
    "credits",
    "aud",
    "note",
    "quicklook",
    "geometry",
]


def _scenes_or_frame(data: Any = None, *arguments: Any, **options: Any) -> Any:
    """What pandas makes of scenes: scenes as long as they have what they are bought by, or else a frame."""
    frame = geopandas.GeoDataFrame(data, *arguments, **options)
    if {"id", "host", "note", "geometry"} <= set(frame.columns.astype(str)):
        return Scenes(frame)
    return frame if "geometry" in frame.columns else pandas.DataFrame(frame)


def _origin_of(part: Any) -> tuple[object, object]:
    """What the scenes of a frame are bought by; none for other frames."""
    return id(getattr(part, "swath", None)), getattr(part, "terms", None)


def _to_row(
    feature: dict[str, Any], price: dict[str, Any], area: shapely.Geometry, area_km2: float
) -> dict[str, Any]:
    properties = feature["properties"]
    footprint = shapely.geometry.shape(feature["geometry"])
    cover_km2 = geodesic_km2(footprint.intersection(area))
    code = price.get("code")
    charged_km2 = 0.0 if code == ALREADY_HELD else price.get("area_km2", cover_km2)
    asset = feature.get("assets", {}).get("thumbnail", {})
    return {
        "id": feature["id"],
        "host": properties.get("host"),
        "collection": feature.get("collection"),
        "datetime": properties["datetime"],
        "cloud_cover": properties.get("cloudCoverage", properties.get("eo:cloud_cover")),
        "resolution": properties.get("resolution", properties.get("gsd")),
        "cover": round(100 * cover_km2 / area_km2, 1) if area_km2 else 0.0,
        "cover_km2": round(cover_km2, 3),
        # Areas are measured on the ellipsoid here and there; a difference of rounding is no held area.
        "held_km2": round(cover_km2 - charged_km2, 3) if code == ALREADY_HELD or price.get("held_licence") else 0.0,
        "credits": 0 if code == ALREADY_HELD else price.get("credits"),
        "aud": 0.0 if code == ALREADY_HELD else price.get("aud"),
        "note": code or "",
        "quicklook": asset.get("href"),
        "geometry": footprint,
    }


def geodesic_km2(geometry: shapely.Geometry) -> float:
    """The area of a geometry in degrees on the ellipsoid of WGS 84, in square kilometres; lines and points have none."""
    ellipsoid = Geod(ellps="WGS84")
    polygons = [part for part in getattr(geometry, "geoms", [geometry]) if part.geom_type == "Polygon"]
    areas_m2 = [abs(float(ellipsoid.geometry_area_perimeter(orient(polygon))[0])) for polygon in polygons]
    return sum(areas_m2) / _M2_IN_KM2

"""Boxes of places at the edges of the map."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from swath.analysis.areas import bounds_of, find_place


def box_of(lon: float, lat: float, bbox: list[float] | None = None) -> Any:
    place = {"lon": lon, "lat": lat, "bbox": bbox}
    return find_place(SimpleNamespace(call=lambda *_: {"places": [place]}), "x")  # type: ignore[arg-type]


def test_places_at_the_antimeridian_and_the_poles_have_boxes() -> None:
    for box in (box_of(179.99, 0), box_of(-179.99, 0), box_of(178, -17, [177, -19, -178, -16])):
        assert box["type"] == "MultiPolygon" and len(box["coordinates"]) == 2
        assert bounds_of(box)[0] == -180 and bounds_of(box)[2] == 180
    assert bounds_of(box_of(0, 90))[3] == 90 and box_of(3, 50)["type"] == "Polygon"

"""Areas in each form, as GeoJSON in degrees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import geopandas
import pytest
import shapely

from swath.analysis.areas import AreaError, bounds_of, join_geojson, read_area, require_polygon

BOX = (11.0, 46.0, 12.0, 47.0)
SQUARE: dict[str, Any] = {
    "type": "Polygon",
    "coordinates": [[[11.0, 46.0], [12.0, 46.0], [12.0, 47.0], [11.0, 47.0], [11.0, 46.0]]],
}


class Gazetteer:
    """Knows two places."""

    base_url = "https://platform.example"

    def call(self, operation: str, input: Any = None) -> Any:
        assert operation == "catalog.places.search"
        places = {
            "Bolzano": {"lon": 11.35, "lat": 46.5, "bbox": None},
            "Italy": {"lon": 12.0, "lat": 42.0, "bbox": list(BOX)},
        }
        return {"places": [places[input["query"]]] if input["query"] in places else []}


def same(where: Any) -> bool:
    return shapely.equals(shapely.geometry.shape(read_area(Gazetteer(), where)), shapely.box(*BOX))


def test_reads_every_form_as_the_same_area(tmp_path: Path) -> None:
    frame = geopandas.GeoDataFrame(geometry=[shapely.box(*BOX)], crs=4326)
    file = tmp_path / "area.gpkg"
    frame.to_crs(32632).to_file(file)
    (tmp_path / "area.geojson").write_text(frame.to_json())
    forms = [
        BOX,
        SQUARE,
        {"type": "Feature", "geometry": SQUARE, "properties": {}},
        {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": SQUARE}]},
        shapely.to_geojson(shapely.box(*BOX)),
        shapely.box(*BOX),
        shapely.box(*BOX).wkt,
        frame,
        frame.geometry,
        tmp_path / "area.geojson",
        str(tmp_path / "area.geojson"),
        "Italy",
    ]
    assert [same(form) for form in forms] == [True] * len(forms)
    read = shapely.geometry.shape(read_area(Gazetteer(), file))
    assert read.symmetric_difference(shapely.box(*BOX)).area < 1e-3


def test_draws_a_box_of_twenty_kilometres_around_a_settlement() -> None:
    west, south, east, north = bounds_of(read_area(Gazetteer(), "Bolzano"))
    assert north - south == pytest.approx(0.18)
    assert (east - west) * 0.688 == pytest.approx(0.18, rel=0.01)


def test_joins_polygons_and_leaves_out_what_has_no_area() -> None:
    collection = {"type": "GeometryCollection", "geometries": [SQUARE, {"type": "Point", "coordinates": [1, 2]}]}
    assert join_geojson(collection)["type"] == "MultiPolygon"
    with pytest.raises(AreaError, match="buffer it"):
        require_polygon(read_area(Gazetteer(), "POINT (11 46)"))


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("Atlantis", "No place"),
        ((1, 2, 3), "has four"),
        ((12, 46, 11, 47), "The box is none"),
        ({"type": "Feature", "geometry": None}, "not GeoJSON"),
        ("POLYGON ((11 46, x))", "WKT"),
    ],
)
def test_says_what_is_wrong_with_an_area(where: Any, message: str) -> None:
    with pytest.raises(AreaError, match=message):
        read_area(Gazetteer(), where)

"""Areas in every form that analysts have them, as GeoJSON in degrees."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from .._problems import SwathError
from ..signing import Caller

PLACE_MARGIN_DEG = 0.09
"""Half the side of the box around a settlement or a position, in degrees of latitude: 10 km."""

_WKT_NAMES = ("POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION")


class HasGeoInterface(Protocol):
    """An object with a geometry, such as one of shapely, geopandas or pystac."""

    @property
    def __geo_interface__(self) -> Mapping[str, Any]: ...


AreaLike: TypeAlias = str | PathLike[str] | Sequence[float] | Mapping[str, Any] | HasGeoInterface
Geometry: TypeAlias = dict[str, Any]


class AreaError(SwathError, ValueError):
    """The area is none, or its place is unknown."""


def read_area(client: Caller, where: AreaLike) -> Geometry:
    """An area as a geometry of GeoJSON in WGS 84 degrees; several polygons become one multipolygon.

    Args:
        client: Finds places by their names.
        where: The name of a place, `(west, south, east, north)`, GeoJSON as text or mapping, WKT, the path of a file that geopandas
            reads, a GeoDataFrame, or an object with `__geo_interface__`.

    Raises:
        AreaError: It is none of these, or no place has the name.
    """
    if isinstance(where, str):
        return _read_text(client, where)
    if isinstance(where, PathLike):
        return _read_file(Path(where))
    if hasattr(where, "to_crs"):
        return _read_frame(where)
    if isinstance(where, Mapping):
        return join_geojson(where)
    if hasattr(where, "__geo_interface__"):
        return join_geojson(where.__geo_interface__)
    return _box(where)


def require_polygon(geometry: Geometry) -> Geometry:
    """The geometry if it has an area. Raises `AreaError` for points and lines."""
    if geometry["type"] in {"Polygon", "MultiPolygon"}:
        return geometry
    raise AreaError(f"A {geometry['type']} has no area: buffer it, such as shapely.buffer(geometry, 0.01) in degrees.")


def join_geojson(value: Mapping[str, Any]) -> Geometry:
    """The geometry of GeoJSON of any kind."""
    kind = value.get("type")
    if kind == "Feature" and value.get("geometry"):
        return dict(value["geometry"])
    if kind == "FeatureCollection":
        return _join([feature["geometry"] for feature in value.get("features", []) if feature.get("geometry")])
    if kind == "GeometryCollection":
        return _join(list(value.get("geometries", [])))
    if isinstance(kind, str) and "coordinates" in value:
        return {"type": kind, "coordinates": _to_lists(value["coordinates"])}
    raise AreaError("The area is not GeoJSON: it needs a geometry, a feature or a feature collection.")


def _join(geometries: list[Mapping[str, Any]]) -> Geometry:
    if len(geometries) == 1:
        return join_geojson(geometries[0])
    polygons: list[Any] = []
    for geometry in geometries:
        coordinates = _to_lists(geometry.get("coordinates", []))
        if geometry["type"] == "Polygon":
            polygons.append(coordinates)
        elif geometry["type"] == "MultiPolygon":
            polygons.extend(coordinates)
    if not polygons:
        raise AreaError("The area has no polygon.")
    return {"type": "MultiPolygon", "coordinates": polygons}


def _read_text(client: Caller, text: str) -> Geometry:
    trimmed = text.strip()
    if trimmed.startswith("{"):
        return join_geojson(json.loads(trimmed))
    if trimmed.upper().startswith(_WKT_NAMES) and "(" in trimmed:
        return _read_wkt(trimmed)
    if Path(trimmed).suffix and Path(trimmed).is_file():
        return _read_file(Path(trimmed))
    return find_place(client, trimmed)


def _read_wkt(text: str) -> Geometry:
    import shapely
    import shapely.wkt

    try:
        return join_geojson(shapely.wkt.loads(text).__geo_interface__)
    except shapely.errors.ShapelyError as error:
        raise AreaError(f"The WKT cannot be read: {error}") from error


def _read_file(path: Path) -> Geometry:
    if path.suffix in {".json", ".geojson"}:
        return join_geojson(json.loads(path.read_text("utf-8")))
    import geopandas

    return _read_frame(geopandas.read_file(path))


def _read_frame(frame: Any) -> Geometry:
    """A GeoDataFrame or GeoSeries. Without a reference system its numbers are taken for degrees."""
    in_degrees = frame if frame.crs is None else frame.to_crs(4326)
    return join_geojson(in_degrees.geometry.union_all().__geo_interface__)


def _box(numbers: Iterable[float]) -> Geometry:
    try:
        west, south, east, north = (float(number) for number in numbers)
    except (TypeError, ValueError) as error:
        raise AreaError("An area of numbers has four: (west, south, east, north) in degrees.") from error
    if not (-180 <= west < east <= 180 and -90 <= south < north <= 90):
        raise AreaError("The box is none: it is (west, south, east, north) in degrees, such as (11.2, 46.4, 11.5, 46.6).")
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"type": "Polygon", "coordinates": [ring]}


def _box_around(numbers: Sequence[float]) -> Geometry:
    """A box that may cross the antimeridian: then it is two boxes, one on each side."""
    west, south, east, north = numbers
    if east < west:
        east += 360
    if west >= -180 and east <= 180:
        return _box(numbers)
    if west < -180:
        west, east = west + 360, east + 360
    parts = [_box((west, south, 180, north)), _box((-180, south, east - 360, north))]
    return {"type": "MultiPolygon", "coordinates": [part["coordinates"] for part in parts]}


def find_place(client: Caller, name: str) -> Geometry:
    """The box of a place: of a country or region its own, of a settlement or position 20 km wide. Raises `AreaError` if no place has
    the name."""
    places = client.call("catalog.places.search", {"query": name, "limit": 1})["places"]
    if not places:
        raise AreaError(f'No place is called "{name}": name a larger one, or pass (west, south, east, north) or a geometry.')
    place = places[0]
    if place["bbox"]:
        return _box_around(place["bbox"])
    lon, lat = place["lon"], place["lat"]
    lon_margin = PLACE_MARGIN_DEG / max(0.1, math.cos(math.radians(lat)))
    south, north = max(-90.0, lat - PLACE_MARGIN_DEG), min(90.0, lat + PLACE_MARGIN_DEG)
    return _box_around((lon - lon_margin, south, lon + lon_margin, north))


def bounds_of(geometry: Mapping[str, Any]) -> tuple[float, float, float, float]:
    """West, south, east and north of a geometry, in degrees."""
    positions = list(_positions(geometry["coordinates"]))
    lons, lats = [position[0] for position in positions], [position[1] for position in positions]
    return min(lons), min(lats), max(lons), max(lats)


def _positions(coordinates: Any) -> Iterable[Sequence[float]]:
    if isinstance(coordinates[0], int | float):
        yield coordinates
        return
    for part in coordinates:
        yield from _positions(part)


def _to_lists(coordinates: Any) -> Any:
    """Tuples of shapely as lists of JSON; a third number is left out."""
    if coordinates and isinstance(coordinates[0], int | float):
        return [float(number) for number in coordinates[:2]]
    return [_to_lists(part) for part in coordinates]

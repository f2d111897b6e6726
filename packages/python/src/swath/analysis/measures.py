"""Statistics of rasters as tables. The pixels stay on the platform; what it computes is the same as in its console."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas

from ..errors import Validation
from .areas import Geometry, join_geojson
from .bands import Band, find_band, find_formula, is_band, read_bands, to_physical

if TYPE_CHECKING:
    import geopandas

    from ..client import Swath

PARALLEL_REQUESTS = 4
STATISTICS = ("mean", "min", "max", "std", "median", "count", "valid_percent")


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured of a raster: an expression, or its bands."""

    asset: Mapping[str, Any]
    bands: list[Band]
    expression: str | None
    """As the platform computes it."""
    name: str
    is_physical: bool

    @property
    def request(self) -> dict[str, Any]:
        """The members of requests."""
        return {} if self.expression is None else {"expression": self.expression}


def plan_measure(
    client: Swath, asset: Mapping[str, Any], expression: str | None, *, scaled: bool, name: str | None = None
) -> Measure:
    """What an expression means for an asset: an index by its name, a formula of its bands, or one band; without any, each band."""
    bands = read_bands(asset)
    if expression is None:
        return Measure(asset, bands, None, name or "", scaled)
    is_single = is_band(bands, expression)
    formula = f"b{find_band(bands, expression).number}" if is_single else find_formula(client, expression)
    return Measure(asset, bands, to_physical(formula, bands) if scaled else formula, name or expression, scaled)


def measure_area(
    client: Swath, measure: Measure, area: Geometry, percentiles: Sequence[float] = (2, 98)
) -> pandas.DataFrame:
    """One row for the expression or each band, with the statistics of the pixels whose centre is in the area. Without any pixel
    there, `count` is 0 and the others are missing."""
    input = {
        "url": measure.asset["href"],
        "geometry": area,
        "percentiles": list(percentiles),
        **measure.request,
    }
    answer = client.call("cog.statistics", input)
    rows = {}
    for number, statistics in enumerate(answer["statistics"].values(), 1):
        band = None if measure.expression is not None else find_band(measure.bands, number)
        rows[measure.name if band is None else band.name] = _to_row(statistics, band if measure.is_physical else None)
    return pandas.DataFrame.from_dict(rows, orient="index")


def _to_row(statistics: Mapping[str, Any], band: Band | None) -> dict[str, Any]:
    scale, offset = (1.0, 0.0) if band is None else (band.scale, band.offset)
    row: dict[str, Any] = {}
    for name in STATISTICS:
        value = statistics[name]
        if value is None or name in {"count", "valid_percent"}:
            row[name] = value
        else:
            row[name] = value * abs(scale) if name == "std" else value * scale + offset
    for percentile, value in statistics["percentiles"].items():
        row[f"p{percentile}"] = None if value is None else value * scale + offset
    return row


def measure_fields(
    client: Swath, measure: Measure, fields: geopandas.GeoDataFrame, statistics: Sequence[str]
) -> geopandas.GeoDataFrame:
    """A copy of the fields with a column `<name>_<statistic>` for each statistic. Fields without a pixel have none."""
    in_degrees = fields if fields.crs is None else fields.to_crs(4326)
    areas = [join_geojson(geometry.__geo_interface__) for geometry in in_degrees.geometry]

    def measure_one(area: Geometry) -> dict[str, Any]:
        try:
            frame = measure_area(client, measure, area)
        except Validation as refusal:
            if not _is_outside(refusal):
                raise
            return {"count": 0}
        return dict(frame.iloc[0])

    with ThreadPoolExecutor(PARALLEL_REQUESTS) as executor:
        rows = list(executor.map(measure_one, areas))
    measured = fields.copy()
    for statistic in statistics:
        values = [row.get(statistic) for row in rows]
        measured[f"{measure.name}_{statistic}"] = pandas.array(values, dtype="Float64").to_numpy(float, na_value=float("nan"))
    return measured


def _is_outside(refusal: Validation) -> bool:
    return "outside" in str(refusal) or "intersect" in str(refusal)


def read_point(client: Swath, item_id: str, measure: Measure, lon: float, lat: float) -> dict[str, float | None]:
    """The value of the expression, or of each band, at a position in degrees; None where there is none."""
    input = {"item_id": item_id, "asset_key": measure.asset["key"], "lon": lon, "lat": lat, **measure.request}
    answer = client.call("items.tile.point", {**input, "scaled": measure.expression is None and measure.is_physical})
    if measure.expression is not None:
        return {measure.name: answer["values"][0]["value"]}
    return {row["band_name"] or row["name"]: row["value"] for row in answer["values"]}



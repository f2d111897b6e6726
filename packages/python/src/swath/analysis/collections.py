"""Collections: their items through time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import NotFound
from .areas import AreaLike, Geometry, bounds_of, read_area
from .dates import DatesLike, to_interval
from .items import Item
from .record import Record

if TYPE_CHECKING:
    import geopandas
    import pandas
    import xarray

    from ..client import Swath


class Collection(Record):
    """A collection; `record` is what the platform says of it."""

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.record["name"])

    def items(self, dates: DatesLike = None, *, cloud: float | None = None) -> list[Item]:
        """Its items, oldest acquisition first.

        Args:
            dates: Only those acquired then.
            cloud: The highest cloud cover in per cent; items without one are kept.
        """
        rows = [Item(self._client, row) for row in self._client.items.list_by_collection(collection_id=self.id)]
        chosen = [item for item in rows if item.datetime and _is_in(item.datetime, to_interval(dates))]
        if cloud is not None:
            chosen = [item for item in chosen if (item.record["cloud_cover"] or 0) <= cloud]
        return sorted(chosen, key=lambda item: item.datetime)

    def to_xarray(
        self,
        where: AreaLike | None = None,
        bands: Sequence[str] | None = None,
        *,
        dates: DatesLike = None,
        cloud: float | None = None,
        resolution: float | None = None,
        crs: str | int | None = None,
        asset: str | None = None,
        scaled: bool = True,
        chunks: Mapping[str, int] | None = None,
        groupby: str = "time",
    ) -> xarray.Dataset:
        """Its items as a lazy cube of time, y and x (extra `xarray`), a variable for each band. Chunks are read when they are
        computed, however long after: the addresses of files renew themselves.

        Args:
            where: Only the box around this area.
            bands: Names or common names of bands, which all items must have; by default those of the first.
            dates: Only items acquired then.
            cloud: The highest cloud cover in per cent.
            resolution: The size of a pixel, in units of the reference system; by default the most common one of the items.
            crs: The reference system; by default the most common one of the items.
            asset: The key of the files; by default the first raster.
            scaled: Physical values as float32, missing ones as NaN; else what is stored.
            chunks: Chunks of Dask, such as `{"x": 2048, "y": 2048}`.
            groupby: `time`, or `solar_day`, which mosaics the items of a day.

        Raises:
            ValueError: There are no such items.
            BandError: There is no such band.
        """
        from .cubes import CubeOptions, load_cube

        found = self.items(dates, cloud=cloud)
        if not found:
            raise ValueError(f"The collection {self.name} has no items of these dates.")
        options = CubeOptions(bands, resolution, crs, asset, scaled, chunks, groupby)
        area = None if where is None else read_area(self._client, where)
        return load_cube(self._client, found, area, options)

    def time_series(
        self,
        where: AreaLike,
        expression: str,
        *,
        dates: DatesLike = None,
        cloud: float | None = None,
        asset: str | None = None,
        scaled: bool = True,
    ) -> pandas.DataFrame:
        """An index, a formula or a band through time (extra `geo`): at a point, or over an area with its statistics.

        Args:
            where: A point (WKT, GeoJSON, shapely), or an area in any form.
            expression: Such as `"ndvi"` or `"nir / red"`.
            dates: Only items acquired then.
            cloud: The highest cloud cover in per cent.
            asset: The key of the files; by default the first raster.
            scaled: Of physical values, instead of stored ones.

        Returns:
            One row for each item, by its time in UTC: `value` at a point, or the statistics of an area; `item` and `cloud_cover`.
        """
        import pandas

        geometry = read_area(self._client, where)
        measure = _at_point if geometry["type"] == "Point" else _over_area
        rows = []
        for item in self.items(dates, cloud=cloud):
            values = measure(item, geometry, {"expression": expression, "asset": asset, "scaled": scaled})
            rows.append({"time": item.datetime, "item": item.name, "cloud_cover": item.record["cloud_cover"], **values})
        frame = pandas.DataFrame(rows, columns=None if rows else ["time", "item", "cloud_cover"])
        frame["time"] = pandas.to_datetime(frame["time"], utc=True, format="ISO8601")
        return frame.set_index("time").sort_index()

    def zonal(
        self, fields: geopandas.GeoDataFrame, expression: str, *, statistic: str = "mean", **options: Any
    ) -> pandas.DataFrame:
        """A statistic of an index in fields through time: a row for each item by its time, and a column for each field by its index.

        Args:
            fields: Polygons in any reference system.
            expression: An index, a formula or a band.
            statistic: As `Item.zonal` has them.
            options: `dates` and `cloud` choose items.
        """
        import pandas

        series: dict[pandas.Timestamp, pandas.Series] = {}
        for item in self.items(**options):
            measured = item.zonal(fields, expression, statistics=[statistic])[f"{expression}_{statistic}"]
            time = pandas.Timestamp(item.datetime)
            # Tiles of one pass have one time, and each measures the fields that it reaches.
            series[time] = series[time].combine_first(measured) if time in series else measured
        return pandas.DataFrame(series).T.sort_index()

    def __repr__(self) -> str:
        return f"Collection({self.id}, {self.name})"


def find_collection(client: Swath, collection_id: str, project_id: str | None = None) -> Collection:
    """A collection of a project, or of any. Raises `NotFound`."""
    projects = [project["id"] for project in client.projects.list()] if project_id is None else [project_id]
    for other in projects[:-1]:
        try:
            return _get(client, collection_id, other)
        except NotFound:
            continue
    return _get(client, collection_id, projects[-1])


def _get(client: Swath, collection_id: str, project_id: str) -> Collection:
    found = client.collections.get(collection_id=collection_id, project_id=project_id)
    return Collection(client, found["collection"])


Measurement = Callable[[Item, Geometry, dict[str, Any]], dict[str, Any]]


def _at_point(item: Item, point: Geometry, options: dict[str, Any]) -> dict[str, Any]:
    lon, lat, _east, _north = bounds_of(point)
    return {"value": next(iter(item.point(lon, lat, **options).values()))}


def _over_area(item: Item, area: Geometry, options: dict[str, Any]) -> dict[str, Any]:
    return dict(item.statistics(where=area, **options).iloc[0])


def _is_in(moment: str, interval: str | None) -> bool:
    if interval is None:
        return True
    start, end = interval.split("/")
    # The platform writes times in UTC; the digits of fractions would be compared with the zone.
    second = moment[:19]
    return (start == ".." or start[:19] <= second) and (end == ".." or second <= end[:19])

"""Items of a project, to look at, measure, open as arrays and process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, overload

from .._problems import SwathError
from .areas import AreaLike, Geometry, read_area, require_polygon
from .record import Record

if TYPE_CHECKING:
    import geopandas
    import pandas
    import pystac
    import xarray

    from .._transfer_errors import DownloadedFile
    from ..provenance import Provenance
    from ..tiles import TileLayer
    from .collections import Collection


class AssetError(SwathError, LookupError):
    """An item has no such asset."""


class Item(Record):
    """An item; `record` is what the platform says of it."""

    @property
    def name(self) -> str:
        """Its name; of a delivered scene the id at its host."""
        return str(self.record["name"])

    @property
    def datetime(self) -> str:
        """When it was acquired, as RFC 3339, or when its interval began."""
        return str(self.record["datetime"] or self.record["start_datetime"] or "")

    @property
    def geometry(self) -> Geometry | None:
        """Its footprint, as GeoJSON in degrees."""
        return self.record.get("geometry") or dict(self.stac["geometry"] or {}) or None

    @property
    def __geo_interface__(self) -> Mapping[str, Any]:
        return {"type": "Feature", "id": self.id, "geometry": self.geometry, "properties": {"name": self.name}}

    def collection(self) -> Collection | None:
        """The collection that it is in; None if it is in none."""
        from .collections import find_collection

        collection_id = self.record["collection_id"]
        return None if collection_id is None else find_collection(self._client, collection_id, self.record["project_id"])

    @cached_property
    def assets(self) -> dict[str, dict[str, Any]]:
        """Its files by their keys, with the metadata of their bands."""
        rows = self._client.items.list_assets(item_id=self.id)["assets"]
        return {row["key"]: dict(row) for row in rows}

    @cached_property
    def stac(self) -> dict[str, Any]:
        """Its STAC Feature."""
        return dict(self._client.items.get_stac(item_id=self.id))

    def to_pystac(self, *, sign: bool = False) -> pystac.Item:
        """It as an item of pystac (extra `stac`); `sign` signs its assets for some minutes."""
        import pystac

        from ..stac import Signatures

        item = pystac.Item.from_dict(self.stac)
        if sign:
            Signatures(self._client.signer())(item)
        return item

    def find_raster(self, key: str | None = None) -> dict[str, Any]:
        """An asset with bands, by its key or the first one. Raises `AssetError`."""
        if key is not None:
            if key not in self.assets:
                raise AssetError(f'The item {self.name} has no asset "{key}". It has {", ".join(self.assets)}.')
            return self.assets[key]
        for asset in self.assets.values():
            if asset["metadata"].get("bands") and "thumbnail" not in asset["roles"]:
                return asset
        raise AssetError(f"The item {self.name} has no raster. It has {', '.join(self.assets) or 'no assets'}.")

    def to_xarray(
        self,
        where: AreaLike | None = None,
        bands: Sequence[str] | None = None,
        *,
        resolution: float | None = None,
        crs: str | int | None = None,
        asset: str | None = None,
        scaled: bool = True,
        chunks: Mapping[str, int] | None = None,
    ) -> xarray.Dataset:
        """Its pixels as a lazy Dataset (extra `xarray`), a variable for each band; they are read when they are computed.

        Args:
            where: Only the box around this area.
            bands: Names or common names of bands; by default all.
            resolution: The size of a pixel, in units of the reference system; by default as stored.
            crs: The reference system; by default as stored.
            asset: The key of the file; by default the first raster.
            scaled: Physical values as float32, missing ones as NaN; else what is stored.
            chunks: Chunks of Dask, such as `{"x": 2048, "y": 2048}`.

        Raises:
            BandError: There is no such band.
            AssetError: There is no raster.
        """
        from .cubes import CubeOptions, load_cube

        options = CubeOptions(bands, resolution, crs, asset, scaled, chunks)
        area = None if where is None else read_area(self._client, where)
        return load_cube(self._client, [self], area, options).isel(time=0)

    def statistics(
        self,
        expression: str | None = None,
        where: AreaLike | None = None,
        *,
        asset: str | None = None,
        percentiles: Sequence[float] = (2, 98),
        scaled: bool = True,
    ) -> pandas.DataFrame:
        """Statistics of an index (`"ndvi"`), a formula (`"nir / red"`) or each band, of all of it or an area (extra `geo`).

        Args:
            expression: By default each band.
            where: Only pixels in this area.
            asset: The key of the file; by default the first raster.
            percentiles: Percentiles that are columns, too.
            scaled: Of physical values, instead of stored ones.

        Raises:
            BandError: There is no such band or index.
        """
        from .measures import measure_area, plan_measure

        measure = plan_measure(self._client, self.find_raster(asset), expression, scaled=scaled)
        area = self.geometry if where is None else require_polygon(read_area(self._client, where))
        if area is None:
            raise AssetError(f"The item {self.name} has no footprint: pass an area.")
        return measure_area(self._client, measure, area, percentiles)

    def zonal(
        self,
        fields: geopandas.GeoDataFrame,
        expression: str,
        *,
        statistics: Sequence[str] = ("mean",),
        asset: str | None = None,
        scaled: bool = True,
    ) -> geopandas.GeoDataFrame:
        """A copy of fields with statistics of an index or a formula in each of them, as columns such as `ndvi_mean` (extra `geo`).

        Args:
            fields: Polygons in any reference system.
            expression: An index, a formula or a band.
            statistics: Of `mean`, `min`, `max`, `std`, `median`, `count`, `valid_percent`, `p2`, `p98`.
            asset: The key of the file; by default the first raster.
            scaled: Of physical values, instead of stored ones.
        """
        from .measures import measure_fields, plan_measure

        measure = plan_measure(self._client, self.find_raster(asset), expression, scaled=scaled)
        return measure_fields(self._client, measure, fields, statistics)

    def point(
        self, lon: float, lat: float, expression: str | None = None, *, asset: str | None = None, scaled: bool = True
    ) -> dict[str, float | None]:
        """The value of an index, a formula or each band at a position in degrees; None where there is none."""
        from .measures import plan_measure, read_point

        measure = plan_measure(self._client, self.find_raster(asset), expression, scaled=scaled)
        return read_point(self._client, self.id, measure, lon, lat)

    @overload
    def process(
        self, process: str, *, max_credits: int, wait: Literal[True] = True, **inputs: Any
    ) -> Item: ...
    @overload
    def process(self, process: str, *, max_credits: int, wait: Literal[False], **inputs: Any) -> str: ...
    def process(self, process: str, *, max_credits: int, wait: bool = True, **inputs: Any) -> Item | str:
        """Runs a process on it, such as `item.process("spectral-index", index="ndvi", max_credits=50)`.

        Args:
            process: The id of a process (`client.processing.catalog.list()`).
            max_credits: It is refused if it costs more.
            wait: False returns the id of the job at once.
            inputs: Its other inputs.

        Returns:
            The new item.

        Raises:
            SpendLimitExceeded: It would cost more.
            WaitFailed: The job failed.
        """
        answer = self._client.processing.execute(
            process_id=process,
            workspaceId=self.record["project_id"],
            inputs={"item": self.id, **inputs},
            max_credits=max_credits,
        )
        job_id = answer["job"]["id"]
        if not wait:
            return job_id
        job = self._client.wait(job_id)
        return self._client.item(job["item_ids"][0])

    def preview(self, **options: Any) -> bytes:
        """A picture of it as PNG; `client.items.tile.preview` has the options."""
        return self._client.items.tile.preview(item_id=self.id, **options)

    def tiles(self, **options: Any) -> TileLayer:
        """It as a layer of tiles; `swath.tiles.tile_layer` has the options."""
        return self._client.tiles(self.id, **options)

    def provenance(self, direction: Literal["up", "down", "both"] = "up") -> Provenance:
        """What it was made of (`up`), and what was made of it (`down`)."""
        from ..provenance import trace

        return trace(self._client, "item", self.id, direction)

    def download(self, folder: str | PathLike[str], **options: Any) -> list[DownloadedFile]:
        """Downloads its files, verified by checksums; `Swath.download_order` has the options."""
        return self._client.download_item(self.id, folder, **options)

    def _repr_html_(self) -> str:
        from .html import item_html

        return item_html(self)

    def __repr__(self) -> str:
        return f"Item({self.id}, {self.name}, {self.datetime})"

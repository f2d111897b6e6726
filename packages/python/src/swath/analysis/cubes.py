"""Items as lazy cubes of xarray, read by odc-stac, with addresses that renew themselves.

Catalogues with signed URLs sign when a graph is built, so that graphs which run for longer than their URLs live fail at some point,
and never recover. Here the graph has permanent URLs, and each read signs its own, in whatever thread or process it runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import odc.stac
import pystac
import rasterio
from odc.loader import RioDriver, RioReader
from rasterio.errors import RasterioError

from ..signing import AssetSigner
from .areas import Geometry, bounds_of
from .bands import Band, BandError, find_band, read_bands
from .items import Item

if TYPE_CHECKING:
    import xarray

    from ..client import Swath

DEFAULT_CHUNKS = {"x": 2048, "y": 2048}
_GDAL_OPTIONS = {
    # Without it GDAL requests the folder of the file first.
    "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR",
    "GDAL_HTTP_MAX_RETRY": "4",
    "GDAL_HTTP_RETRY_DELAY": "0.5",
    "GDAL_HTTP_MERGE_CONSECUTIVE_RANGES": "YES",
}


@dataclass(frozen=True, slots=True)
class CubeOptions:
    """How items are read."""

    bands: Sequence[str] | None = None
    resolution: float | None = None
    crs: str | int | None = None
    asset: str | None = None
    scaled: bool = True
    chunks: Mapping[str, int] | None = None
    groupby: str = "time"


def load_cube(client: Swath, items: Sequence[Item], area: Geometry | None, options: CubeOptions) -> xarray.Dataset:
    """A lazy Dataset of time, y and x. Raises `BandError` if an item has not the bands of the first."""
    key = str(items[0].find_raster(options.asset)["key"])
    chosen = choose_bands(items, key, options.bands)
    by_layer = {f"{key}.{band.number}": band for band in chosen}
    loaded = odc.stac.load(
        [with_permanent_urls(client, item) for item in items],
        bands=list(by_layer),
        bbox=None if area is None else bounds_of(area),
        **_grid_options(options),
        chunks=dict(options.chunks or DEFAULT_CHUNKS),
        groupby=options.groupby,
        driver=SignedDriver(AssetSigner(client)),
    )
    cube = loaded.rename({layer: band.name for layer, band in by_layer.items() if layer in loaded})
    return to_physical_values(cube, chosen) if options.scaled else cube


def _grid_options(options: CubeOptions) -> dict[str, Any]:
    named = {"crs": options.crs, "resolution": options.resolution}
    grid = {name: value for name, value in named.items() if value is not None}
    if isinstance(options.crs, int):
        grid["crs"] = f"EPSG:{options.crs}"
    return grid


def choose_bands(items: Sequence[Item], key: str, names: Sequence[str] | None) -> list[Band]:
    """The bands of the first item by their names, or all; the other items must have them under the same numbers, with the same scale."""
    first = read_bands(items[0].find_raster(key))
    chosen = first if names is None else [find_band(first, name) for name in names]
    for item in items[1:]:
        bands = {band.number: band for band in read_bands(item.find_raster(key))}
        for band in chosen:
            if bands.get(band.number) != band:
                raise BandError(
                    f'The band {band.number} of {item.name} is not "{band.name}" with the scale and offset of {items[0].name}: '
                    "open items of one kind, such as those of one collection of a host."
                )
    return chosen


def with_permanent_urls(client: Swath, item: Item) -> pystac.Item:
    """The item with its rasters alone; pystac would make their URLs absolute otherwise."""
    feature = dict(item.stac)
    feature["assets"] = {
        key: asset for key, asset in feature["assets"].items() if "thumbnail" not in (asset.get("roles") or [])
    }
    return pystac.Item.from_dict(feature)


def to_physical_values(cube: xarray.Dataset, bands: Sequence[Band]) -> xarray.Dataset:
    """Stored values as physical ones, float32; missing pixels as NaN."""
    scaled = cube.copy()
    for band in bands:
        stored = cube[band.name]
        valid = stored if band.nodata is None else stored.where(stored != band.nodata)
        values = valid.astype("float32")
        scaled[band.name] = values * band.scale + band.offset if band.is_scaled else values
        scaled[band.name].attrs = {key: value for key, value in stored.attrs.items() if key != "nodata"}
    return scaled


class SignedDriver(RioDriver):  # type: ignore[misc]
    """The driver of rasterio, with signed URLs."""

    def __init__(self, signer: AssetSigner) -> None:
        super().__init__()
        self._signer = signer

    def open(self, src: Any, ctx: Any) -> SignedReader:
        """A reader of one band of one file."""
        return SignedReader(src, ctx, self._signer)

    def __dask_tokenize__(self) -> tuple[object, ...]:
        return type(self).__qualname__, self._signer.__dask_tokenize__()


class SignedReader(RioReader):  # type: ignore[misc]
    """Signs the URL of a file for each read, and once more if that fails: the URL may have expired during the read."""

    def __init__(self, src: Any, ctx: Any, signer: AssetSigner) -> None:
        super().__init__(src, ctx)
        self._permanent = src
        self._signer = signer

    def read(self, cfg: Any, dst_geobox: Any, *, dst: Any = None, selection: Any = None) -> Any:
        """The part of the grid that the file covers."""
        href = self._permanent.uri
        url = self._signer.sign(href)
        try:
            return self._read_from(url, cfg, dst_geobox, dst, selection)
        except RasterioError:
            again = self._signer.sign(href, refused=url)
            if again == url:
                raise
            return self._read_from(again, cfg, dst_geobox, dst, selection)

    def _read_from(self, url: str, cfg: Any, dst_geobox: Any, dst: Any, selection: Any) -> Any:
        reader = RioReader(self._permanent.patch(uri=url), self._ctx)
        with rasterio.Env(**_GDAL_OPTIONS):
            return reader.read(cfg, dst_geobox, dst=dst, selection=selection)

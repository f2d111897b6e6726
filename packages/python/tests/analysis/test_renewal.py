"""A graph that runs for a day, while tokens live for five minutes and signed URLs for fifteen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import numpy
import pytest
import rasterio
from rasterio.transform import from_origin

from expiring_platform import TOKEN_LIFETIME_S, URL_LIFETIME_S, Clock, ExpiringPlatform
from swath import Swath
from swath.analysis.cubes import CubeOptions, load_cube
from swath.analysis.items import Item
from swath.signing import AssetAddress, AssetSigner

DAY_S = 86_400
SIZE = 512
TILE = 32
CHUNKS = (SIZE // TILE) ** 2
PIXELS = numpy.arange(SIZE * SIZE, dtype="uint32").reshape(SIZE, SIZE) % 60_000 + 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    manual = Clock()
    monkeypatch.setattr(time, "time", manual)
    return manual


@pytest.fixture
def platform(clock: Clock, tmp_path: Path) -> Iterator[ExpiringPlatform]:
    path = tmp_path / "data.tif"
    grid = {"crs": "EPSG:32632", "transform": from_origin(600_000, 5_200_000, 10, 10), "nodata": 0}
    tiles = {"tiled": True, "blockxsize": 16, "blockysize": 16}
    with rasterio.open(path, "w", "GTiff", SIZE, SIZE, 1, dtype="uint16", **grid, **tiles) as file:
        file.write(PIXELS.astype("uint16"), 1)
    served = ExpiringPlatform(clock, path.read_bytes(), step_s=1)
    yield served
    served.close()


@pytest.fixture
def client(platform: ExpiringPlatform) -> Iterator[Swath]:
    with Swath(platform.url, username="a@example.com", password="a password") as swath:
        yield swath


def make_item(client: Swath) -> Item:
    """An item as the platform describes it."""
    href = f"{client.base_url}/api/v1/items/i/assets/data"
    transform = [10, 0, 600_000, 0, -10, 5_200_000]
    item = Item(client, {"id": "i", "name": "scene", "datetime": "2026-01-01T00:00:00Z"})
    item.assets = {
        "data": {"key": "data", "href": href, "roles": ["data"], "metadata": {"nodata": 0, "bands": [{"name": "B1"}]}}
    }
    raster: dict[str, Any] = {
        "href": href,
        "type": "image/tiff; application=geotiff",
        "roles": ["data"],
        "proj:epsg": 32632,
        "proj:shape": [SIZE, SIZE],
        "proj:transform": transform,
        "raster:bands": [{"data_type": "uint16", "nodata": 0}],
    }
    ring = [[10.3, 46.8], [10.5, 46.8], [10.5, 47.0], [10.3, 47.0], [10.3, 46.8]]
    item.stac = {
        "type": "Feature",
        "stac_version": "1.0.0",
        "stac_extensions": ["https://stac-extensions.github.io/projection/v1.2.0/schema.json"],
        "id": "i",
        "geometry": {"type": "Polygon", "coordinates": [ring]},
        "bbox": [10.3, 46.8, 10.5, 47.0],
        "properties": {"datetime": "2026-01-01T00:00:00Z"},
        "links": [],
        "assets": {"data": raster},
    }
    return item


@pytest.mark.parametrize("scheduler", ["synchronous", "threads"])
def test_reads_every_chunk_for_a_day(
    platform: ExpiringPlatform, clock: Clock, client: Swath, monkeypatch: pytest.MonkeyPatch, scheduler: str
) -> None:
    monkeypatch.setattr("swath.analysis.cubes.AssetSigner", lambda caller: AssetSigner(caller, clock))
    options = CubeOptions(scaled=False, chunks={"x": TILE, "y": TILE})
    cube = load_cube(client, [make_item(client)], None, options)
    began = clock.now

    def compute(block: Any) -> Any:
        """What a program does with a chunk; all together take a day."""
        clock.now += DAY_S / CHUNKS
        return block

    worked = cube["B1"].data.map_blocks(compute, meta=numpy.array((), dtype="uint16"))
    with dask.config.set(scheduler=scheduler, num_workers=2):
        numpy.testing.assert_array_equal(worked.compute()[0], PIXELS)
    assert worked.npartitions == CHUNKS and clock.now - began > 0.9 * DAY_S
    # URLs and tokens were renewed as they expired. While a thread reads, the other moves the clock by minutes: a URL may expire
    # during the read, which is then repeated with another one.
    assert scheduler == "threads" or platform.refused == []
    assert platform.answered["items.asset.download"] >= (clock.now - began) / URL_LIFETIME_S / 2
    assert len(platform.tokens) >= platform.answered["items.asset.download"] // 2
    assert TOKEN_LIFETIME_S < URL_LIFETIME_S


def test_a_refused_url_is_signed_again(platform: ExpiringPlatform, clock: Clock, client: Swath) -> None:
    """The platform may end a URL before its time: here its clock was moved behind the back of the signer."""
    signer = AssetSigner(client, lambda: 0.0)
    item = make_item(client)
    first = signer.sign(item.assets["data"]["href"])
    clock.now += URL_LIFETIME_S
    assert signer.sign(item.assets["data"]["href"]) == first
    second = signer.sign_asset(AssetAddress("i", "data"), refused=first)
    assert second.url != first and second.size_bytes == len(platform.content)


def test_files_by_name_are_read_over_expired_urls(platform: ExpiringPlatform, clock: Clock, client: Swath) -> None:
    files = client.filesystem()
    entry = {"id": "data", "item_id": "i", "size": len(platform.content)}
    assert files.read_range(entry, 0, 2) == b"II"
    clock.now += URL_LIFETIME_S
    assert files.read_range(entry, 2, 10) == platform.content[2:10]
    assert len(platform.refused) == 1


def test_urls_of_elsewhere_are_left_as_they_are(client: Swath) -> None:
    signer = client.signer()
    for url in ("https://files.example/items/i/assets/data", f"{client.base_url}/items/i"):
        assert signer.sign(url) == url

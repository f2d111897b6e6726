"""Other programs that read what is stored: GDAL, fsspec, pystac_client, web maps."""

from __future__ import annotations

import fsspec
import geopandas
import numpy
import pytest
import rasterio
import requests
import shapely

from swath import Swath
from swath.analysis.items import Item
from swath.filesystem import SwathFileSystem
from swath.stac import sign, unsigned_href


@pytest.fixture(scope="module")
def path(client: Swath, item: Item) -> str:
    collection = item.collection()
    assert collection is not None
    return f"swath://First project/{collection.name}/{item.name}/data"


def test_lists_folders_and_files_by_their_names(client: Swath, item: Item, path: str) -> None:
    files = client.filesystem()
    assert "First project" in files.ls("swath://", detail=False)
    parent = path.removeprefix("swath://").rsplit("/", 1)[0]
    assert sorted(files.ls(parent, detail=False)) == [f"{parent}/data", f"{parent}/thumbnail"]
    entry = files.info(path)
    assert (entry["type"], entry["size"]) == ("file", item.assets["data"]["file_size_bytes"])
    assert files.isdir(parent) and files.exists(path) and not files.exists(f"{parent}/none")
    by_ids = f"{item.record['project_id']}/{item.record['collection_id']}/{item.id}/data"
    assert files.info(by_ids)["checksum"] == item.assets["data"]["checksum"]
    with pytest.raises(FileNotFoundError, match='no item is called "none"'):
        files.ls(f"{parent.rsplit('/', 1)[0]}/none")


def test_reads_ranges_of_a_file(client: Swath, path: str) -> None:
    files = client.filesystem()
    whole = files.cat_file(path)
    assert len(whole) == files.size(path) and whole[:2] == b"II"
    assert files.cat_file(path, 10, 30) == whole[10:30] and files.cat_file(path, -16) == whole[-16:]
    with files.open(path, block_size=1000) as file:
        file.seek(50_000)
        assert file.read(3000) == whole[50_000:53_000]


def test_opens_a_raster_by_its_name(client: Swath, item: Item, path: str) -> None:
    with rasterio.open(path, opener=client.filesystem()) as source:
        assert source.count == 5
        numpy.testing.assert_array_equal(source.read(4), item.to_xarray(bands=["nir"], scaled=False)["B08"].values)


def test_is_known_to_fsspec(client: Swath, path: str) -> None:
    assert fsspec.get_filesystem_class("swath") is SwathFileSystem
    assert fsspec.filesystem("swath", client=client).size(path) > 0


def test_signs_what_pystac_client_returns(client: Swath, item: Item) -> None:
    catalog = client.stac()
    (found,) = catalog.search(ids=[item.id]).items()
    asset = found.assets["data"]
    assert unsigned_href(asset) == item.assets["data"]["href"] != asset.href
    with rasterio.open(asset.href) as source:
        assert source.count == 5
    before = asset.href
    sign(client, found)
    assert requests.get(asset.href, headers={"range": "bytes=0-1"}, timeout=30).content == b"II"
    assert unsigned_href(found.assets["data"]) == item.assets["data"]["href"] and before.startswith(client.base_url)
    assert client.stac.search(ids=[item.id]).first_page()["features"][0]["id"] == item.id
    plain = client.stac(sign=False)
    assert next(plain.search(ids=[item.id]).items()).assets["data"].href == item.assets["data"]["href"]


def test_draws_tiles_without_the_token_of_the_client(client: Swath, item: Item) -> None:
    layer = item.tiles(expression="(nir-red)/(nir+red)", rescale="0,1", colormap="viridis")
    west, south, east, north = layer.bounds
    x, y = (west + east) / 2, (south + north) / 2
    tile = geopandas.GeoSeries([shapely.Point(x, y)], crs=4326).to_crs(3857)[0]
    size = 2 * 20037508.342789244 / 2**13
    column, row = int((tile.x + 20037508.342789244) // size), int((20037508.342789244 - tile.y) // size)
    answer = requests.get(layer.url.format(z=13, x=column, y=row), timeout=30)
    assert answer.status_code == 200 and answer.content[:4] == b"\x89PNG"
    assert layer.url.split("&")[0] in layer.to_map().get_root().render()
    client.items.tile.token.revoke(token_id=layer.token_id)
    assert requests.get(layer.url.format(z=13, x=column, y=row), timeout=30).status_code == 401

"""Lazy cubes beside the files that are downloaded."""

from __future__ import annotations

import pickle
from pathlib import Path

import dask.base
import numpy
import pytest
import rasterio

from swath import Swath
from swath.analysis.bands import BandError
from swath.analysis.items import Item
from swath.analysis.orders import Order


def test_stored_values_are_those_of_the_file(item: Item, tmp_path: Path) -> None:
    stored = item.to_xarray(scaled=False)
    assert dask.base.is_dask_collection(stored)
    (file,) = [each for each in item.download(tmp_path) if each.path.suffix == ".tif"]
    with rasterio.open(file.path) as source:
        expected = source.read()
    assert list(stored.data_vars) == ["B02", "B03", "B04", "B08", "SCL"]
    for at, name in enumerate(stored.data_vars):
        numpy.testing.assert_array_equal(stored[name].values, expected[at])


def test_physical_values_have_scale_and_missing_pixels(item: Item) -> None:
    stored, physical = (
        item.to_xarray(bands=["nir"], scaled=scaled).compute() for scaled in (False, True)
    )
    valid = stored["B08"].values != 0
    assert numpy.isnan(physical["B08"].values[~valid]).all() and not valid.all()
    numpy.testing.assert_allclose(physical["B08"].values[valid], stored["B08"].values[valid] * 0.0001 - 0.1, atol=1e-6)


def test_reads_an_area_at_another_resolution(item: Item) -> None:
    part = item.to_xarray((-3.53, 50.71, -3.51, 50.72), ["red"], resolution=40, crs=32630)
    assert part.odc.crs.epsg == 32630 and part.odc.geobox.resolution.x == 40
    assert 30 < part.sizes["x"] < 50 and float(part["B04"].mean()) > 0


def test_stacks_the_items_of_a_collection(order: Order) -> None:
    collection = order.collection()
    cube = collection.to_xarray((-3.53, 50.71, -3.51, 50.72), ["red", "nir"], chunks={"x": 32, "y": 32})
    assert cube.sizes["time"] == 3 and len(cube["B04"].chunks[2]) > 1
    median = cube.median("time").compute()
    assert float(median["B08"].mean()) > float(median["B04"].mean()) > 0
    assert len(collection.items("2024-08")) == 2
    with pytest.raises(BandError, match='no band "swir"'):
        collection.to_xarray(bands=["swir"])
    with pytest.raises(ValueError, match="no items"):
        collection.to_xarray(dates="1999")


def test_is_read_by_another_process(client: Swath, item: Item) -> None:
    """What Dask sends to a worker: the worker signs in itself."""
    cube = pickle.loads(pickle.dumps(item.to_xarray(None, ["red"])))
    assert float(cube["B04"].mean()) == pytest.approx(float(item.to_xarray(None, ["red"])["B04"].mean()))
    copy = pickle.loads(pickle.dumps(client))
    assert copy.users.me() == client.users.me()

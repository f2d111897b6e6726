"""Statistics of the platform beside those of the same pixels here."""

from __future__ import annotations

import geopandas
import numpy
import pytest
import shapely
import xarray
from rasterio.features import geometry_mask

from swath import Swath
from swath.analysis.bands import BandError
from swath.analysis.items import AssetError, Item
from swath.analysis.orders import Order

FIELDS = geopandas.GeoDataFrame(
    {"name": ["west", "east", "elsewhere"]},
    geometry=[shapely.box(-3.53, 50.71, -3.52, 50.72), shapely.box(-3.52, 50.71, -3.51, 50.72), shapely.box(1, 1, 2, 2)],
    crs=4326,
)


@pytest.fixture(scope="module")
def cube(item: Item) -> xarray.Dataset:
    return item.to_xarray(bands=["red", "nir"]).compute()


@pytest.fixture(scope="module")
def ndvi(cube: xarray.Dataset) -> xarray.DataArray:
    return (cube["B08"] - cube["B04"]) / (cube["B08"] + cube["B04"])


def test_a_scaled_index_is_that_of_the_physical_pixels(item: Item, ndvi: xarray.DataArray) -> None:
    row = item.statistics("ndvi").loc["ndvi"]
    # The footprint cuts some of the pixels at the edge.
    assert row["mean"] == pytest.approx(float(ndvi.mean()), abs=0.005)
    assert row["count"] == pytest.approx(int(ndvi.notnull().sum()), rel=0.02)
    raw = item.statistics("ndvi", scaled=False).loc["ndvi"]
    assert raw["mean"] < row["mean"] - 0.1


def test_bands_have_physical_statistics(item: Item, cube: xarray.Dataset) -> None:
    frame = item.statistics(percentiles=[50])
    assert list(frame.index) == ["B02", "B03", "B04", "B08", "SCL"]
    for band in ("B04", "B08"):
        assert frame.loc[band, "mean"] == pytest.approx(float(cube[band].mean()), abs=0.002)
        assert frame.loc[band, "std"] == pytest.approx(float(cube[band].std()), abs=0.002)
        assert frame.loc[band, "p50"] == pytest.approx(frame.loc[band, "median"])


def test_zonal_means_are_those_of_the_pixels_in_each_field(item: Item, ndvi: xarray.DataArray) -> None:
    measured = item.zonal(FIELDS, "ndvi", statistics=["mean", "count"])
    assert list(measured.columns) == ["name", "geometry", "ndvi_mean", "ndvi_count"]
    projected = FIELDS.to_crs(ndvi.odc.crs)
    for at in (0, 1):
        outside = geometry_mask([projected.geometry[at]], ndvi.shape, ndvi.odc.affine)
        pixels = ndvi.values[~outside]
        assert measured["ndvi_count"][at] == numpy.isfinite(pixels).sum()
        assert measured["ndvi_mean"][at] == pytest.approx(float(numpy.nanmean(pixels)), abs=1e-4)
    assert numpy.isnan(measured["ndvi_mean"][2]) and measured["ndvi_count"][2] == 0


def test_fields_may_have_another_reference_system(item: Item) -> None:
    first = item.zonal(FIELDS, "nir")["nir_mean"]
    again = item.zonal(FIELDS.to_crs(27700), "nir")["nir_mean"]
    assert first[0] == pytest.approx(again[0], abs=0.002)


def test_a_point_has_the_value_of_its_pixel(item: Item, cube: xarray.Dataset) -> None:
    values = item.point(-3.52, 50.715)
    x, y = geopandas.GeoSeries([shapely.Point(-3.52, 50.715)], crs=4326).to_crs(27700)[0].coords[0]
    pixel = cube.sel(x=x, y=y, method="nearest")
    assert values["B08"] == pytest.approx(float(pixel["B08"]), abs=1e-4)
    index = item.point(-3.52, 50.715, "ndvi")["ndvi"]
    expected = (pixel["B08"] - pixel["B04"]) / (pixel["B08"] + pixel["B04"])
    assert index == pytest.approx(float(expected), abs=1e-3)


def test_series_follow_the_items_of_a_collection(client: Swath, order: Order) -> None:
    collection = order.collection()
    at_point = collection.time_series("POINT (-3.52 50.715)", "ndvi")
    over_area = collection.time_series((-3.53, 50.71, -3.51, 50.72), "ndvi", cloud=40)
    assert [str(day) for day in at_point.index.date] == ["2024-06-02", "2024-08-01", "2024-08-26"]
    assert len(over_area) == 2 and at_point["value"].iloc[0] == pytest.approx(order.items()[0].point(-3.52, 50.715, "ndvi")["ndvi"])
    assert client.collection(collection.id).name == collection.name
    fields = collection.zonal(FIELDS, "ndvi", dates="2024-06/2024-08-01")
    assert fields.shape == (2, 3) and numpy.isnan(fields[2]).all() and fields[0].between(-1, 1).all()


def test_says_which_bands_and_files_there_are(item: Item) -> None:
    with pytest.raises(BandError, match="no index"):
        item.statistics("swir")
    with pytest.raises(AssetError, match='no asset "pan"'):
        item.statistics("ndvi", asset="pan")


def test_processes_to_a_new_item(item: Item) -> None:
    made = item.process("clip", geometry=FIELDS.geometry[0].__geo_interface__, max_credits=100)
    assert made.id != item.id and made.record["job_id"] is not None
    assert made.statistics()["count"].max() <= item.statistics()["count"].max()

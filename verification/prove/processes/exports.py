"""Compares a PNG and a Zarr store with the GeoTIFF that they were made of: paths as JSON on standard input.

The Zarr store is read out of its ZIP file by zarr, by xarray and by GDAL, the PNG with its world file by GDAL. Prints one JSON
line with what differs.
"""

import json
import sys
import warnings

import numpy
import rasterio
import xarray
import zarr
from rasterio.warp import transform

request = json.load(sys.stdin)
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def expect_same_place(name, dataset, source):
    expect(dataset.transform.almost_equals(source.transform), f"{name} lies at {dataset.transform}, not {source.transform}")


with rasterio.open(request["source"]) as source, warnings.catch_warnings():
    warnings.simplefilter("error")
    samples = source.read()
    valid = source.read_masks() > 0

    store = zarr.storage.ZipStore(request["zarr"], mode="r")
    data = zarr.open_group(store, mode="r")["data"]
    expect(data.shape == samples.shape and data.dtype == samples.dtype, f"zarr reads {data.dtype} of {data.shape}")
    expect(bool((data[:] == samples)[valid].all()), "zarr reads other samples")

    dataset = xarray.open_zarr(store, consolidated=False)
    values = numpy.where(valid, samples.astype("float64"), numpy.nan)
    found = dataset["data"].values.astype("float64")
    expect(dataset["data"].dims == ("band", "y", "x"), f"xarray has the dimensions {dataset['data'].dims}")
    expect(numpy.array_equal(numpy.where(valid, found, numpy.nan), values, equal_nan=True), "xarray reads other values")
    expect(source.nodata is None or bool(numpy.isnan(found[~valid]).all()), "xarray reads values where there are none")
    x, y = source.xy(0, 0)
    expect((float(dataset.x[0]), float(dataset.y[0])) == (x, y), "xarray has another place")

    for band in range(source.count):
        with rasterio.open(f'ZARR:"/vsizip/{request["zarr"]}":/data:{band}') as opened:
            expect(bool((opened.read(1) == samples[band])[valid[band]].all()), f"GDAL reads other samples of band {band}")
            # Names of systems without a code differ; places must not.
            ours, theirs = (transform(crs, "EPSG:4326", [x], [y]) for crs in (opened.crs, source.crs))
            expect(numpy.allclose(ours, theirs, rtol=0, atol=1e-9), f"GDAL has the reference system {opened.crs}")
            expect(opened.nodata == source.nodata, f"GDAL has the nodata {opened.nodata}")
            expect_same_place("the Zarr store", opened, source)

    with rasterio.open(request["png"]) as png:
        own, alpha = png.read(), png.colorinterp[-1] == rasterio.enums.ColorInterp.alpha
        first, last = request["range"]
        wanted = samples[0].astype("float64")
        scaled = numpy.floor(numpy.clip((wanted - first) / (last - first), 0, 1) * 255 + 0.5)
        expect(bool((own[0] == scaled)[valid[0]].all()), "the PNG has other samples")
        expect(not alpha or bool(((own[-1] > 0) == valid[0]).all()), "the PNG is transparent elsewhere")
        expect(alpha or bool(valid[0].all()), "the PNG is not transparent where there is no value")
        expect_same_place("the PNG", png, source)

print(json.dumps({"samples": int(samples.size), "problems": problems}))

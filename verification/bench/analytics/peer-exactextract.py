"""Processor time of exactextract on zones: a request as JSON on standard input, its answer on standard output."""

import json
import sys
import time

import rasterio
from exactextract import exact_extract
from exactextract.raster import RasterioRasterSource
from rasterio.warp import transform_geom

request = json.load(sys.stdin)
with rasterio.open(request["path"]) as dataset:
    # Projecting the zones is not timed: the product does it in its own time.
    zones = [
        {"type": "Feature", "properties": {}, "geometry": transform_geom("EPSG:4326", dataset.crs, zone)}
        for zone in request["zones"]
    ]
begin = time.process_time()
with rasterio.open(request["path"]) as dataset:
    # The first band alone, as the product is asked for: a path would stand for all of them.
    found = exact_extract(RasterioRasterSource(dataset, 1), zones, request["operations"], strategy="feature-sequential")
elapsed = (time.process_time() - begin) * 1000
means = [one["properties"]["mean"] for one in found]
means = [None if mean is None or mean != mean else mean for mean in means]
print(json.dumps({"ms": elapsed, "means": means}))

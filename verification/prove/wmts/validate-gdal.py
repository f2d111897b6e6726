"""Validates a WMTS with GDAL's own driver: validate-gdal.py <test case as JSON>; prints one line per violation."""
import json
import sys
from urllib.request import urlopen

import numpy
from osgeo import gdal

gdal.UseExceptions()
case = json.loads(sys.argv[1])
z, x, y = case["tile"]
with urlopen(case["plain"]) as response:
    gdal.FileFromMemBuffer("/vsimem/tile.png", response.read())
image = gdal.Open("/vsimem/tile.png")
# The driver converts gray to RGB.
bands = [1, 2, 3] if image.RasterCount > 2 else [1, 1, 1]
expected = numpy.stack([image.GetRasterBand(band).ReadAsArray() for band in bands])
dataset = gdal.Open(f"WMTS:{case['capabilities']},layer={case['layer']},tilematrixset=GoogleMapsCompatible")
if dataset.GetSpatialRef().GetAuthorityCode(None) != "3857":
    print(f"GDAL reads the reference system {dataset.GetSpatialRef().GetAuthorityCode(None)}")
left, pixel, _, top, _, _ = dataset.GetGeoTransform()
half = 20037508.342789244
side = 2 * half / 2**z
if abs(side / 256 - pixel) > 1e-6:
    print(f"GDAL reads a pixel size of {pixel} m at the finest level, which is {side / 256}")
column = round((x * side - half - left) / pixel)
row = round((top - (half - y * side)) / pixel)
# The tile, or its part within the bounds of the image, to which GDAL clips.
x0, y0 = max(0, column), max(0, row)
x1, y1 = min(dataset.RasterXSize, column + 256), min(dataset.RasterYSize, row + 256)
read = dataset.ReadAsArray(x0, y0, x1 - x0, y1 - y0)[:3]
part = expected[:, y0 - row : y1 - row, x0 - column : x1 - column]
if read.shape != part.shape or not numpy.array_equal(read, part):
    print(f"GDAL's pixels differ from those of the tile, {read.shape} and {part.shape}")
if part.max() == 0:
    print("the tile is empty, so the comparison is meaningless")
print(f"about: GDAL {gdal.__version__} reads {dataset.RasterXSize} × {dataset.RasterYSize} pixels", file=sys.stderr)

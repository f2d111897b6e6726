"""Judges a WMTS with GDAL's own driver: judge-gdal.py <question as JSON>; prints what is wrong, a line each."""
import json
import sys
from urllib.request import urlopen

import numpy
from osgeo import gdal

gdal.UseExceptions()
question = json.loads(sys.argv[1])
z, x, y = question["tile"]
with urlopen(question["plain"]) as answer:
    gdal.FileFromMemBuffer("/vsimem/tile.png", answer.read())
picture = gdal.Open("/vsimem/tile.png")
# The driver makes colours of grays.
bands = [1, 2, 3] if picture.RasterCount > 2 else [1, 1, 1]
wanted = numpy.stack([picture.GetRasterBand(band).ReadAsArray() for band in bands])
dataset = gdal.Open(f"WMTS:{question['capabilities']},layer={question['layer']},tilematrixset=GoogleMapsCompatible")
if dataset.GetSpatialRef().GetAuthorityCode(None) != "3857":
    print(f"GDAL reads the reference system {dataset.GetSpatialRef().GetAuthorityCode(None)}")
left, pixel, _, top, _, _ = dataset.GetGeoTransform()
half = 20037508.342789244
side = 2 * half / 2**z
if abs(side / 256 - pixel) > 1e-6:
    print(f"GDAL takes {pixel} m for a pixel of the finest level, which is {side / 256}")
column = round((x * side - half - left) / pixel)
row = round((top - (half - y * side)) / pixel)
# The whole tile, or what of it lies within the image's box, to which GDAL cuts.
x0, y0 = max(0, column), max(0, row)
x1, y1 = min(dataset.RasterXSize, column + 256), min(dataset.RasterYSize, row + 256)
read = dataset.ReadAsArray(x0, y0, x1 - x0, y1 - y0)[:3]
part = wanted[:, y0 - row : y1 - row, x0 - column : x1 - column]
if read.shape != part.shape or not numpy.array_equal(read, part):
    print(f"GDAL reads other pixels than the tile has, {read.shape} for {part.shape}")
if part.max() == 0:
    print("the tile is empty, which proves nothing")
print(f"about: GDAL {gdal.__version__} reads {dataset.RasterXSize} × {dataset.RasterYSize} pixels", file=sys.stderr)

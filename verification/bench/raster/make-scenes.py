"""Generates the scenes of the raster benchmark: the same pixels on every machine, from one seed.

    /usr/bin/python3 make-scenes.py <folder>

Decoding them costs as much as a Sentinel-2 scene: several octaves of noise, fields with their own reflectance, sensor noise
(which keeps deflate at about 2:1) and nodata beyond a diagonal edge. Written in strips of 512 rows, so memory stays below
1 GiB. `scenes.json` describes the result and is written last.
"""
import json
import os
import sys
import time
import zlib

import numpy
from osgeo import gdal

gdal.UseExceptions()
gdal.SetCacheMax(256 << 20)
gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
# Version of the generator; change it together with the scenes.
RECIPE = "1"
SEED = 20260
STRIP = 512
SIDE, DEM_SIDE, CROP_SIDE = 10980, 8192, 2048
WEST, NORTH, PIXEL_M = 600000, 5300040, 10
BANDS = 4
# Mean reflectance, spread between fields and sensor noise, in the blue, green, red and near-infrared band.
MEANS, SPREADS, SENSOR = (700, 900, 850, 2700), (160, 220, 330, 800), (17, 18, 20, 32)
NODATA_DEM = -9999.0
TILED = ["TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=512", "BIGTIFF=IF_SAFER"]


class Octaves:
    """Value noise: lattices of random numbers, each twice as fine and weaker than the previous one."""

    def __init__(self, seed, width, wavelength, count, falloff):
        random = numpy.random.default_rng(seed)
        self.layers = []
        columns = numpy.arange(width, dtype=numpy.float32)
        for index in range(count):
            step = max(2, wavelength >> index)
            cells = width // step + 2
            lattice = random.standard_normal((cells, cells), dtype=numpy.float32) * falloff**index
            left = (columns / step).astype(numpy.int32)
            self.layers.append((step, lattice, left, smooth(columns / step - left)))

    def rows(self, top, count):
        total = 0.0
        places = numpy.arange(top, top + count, dtype=numpy.float32)
        for step, lattice, left, across in self.layers:
            above = (places / step).astype(numpy.int32)
            down = smooth(places / step - above)[:, None]
            rows = lattice[above] * (1 - down) + lattice[above + 1] * down
            total = total + rows[:, left] * (1 - across) + rows[:, left + 1] * across
        return total


def smooth(share):
    return (share * share * (3 - 2 * share)).astype(numpy.float32)


def fields(top, count, width):
    """The number of the field at each pixel: rows of plots of different lengths, turned against the grid."""
    y, x = numpy.ogrid[top : top + count, 0:width]
    along = (x * 0.94 + y * 0.34).astype(numpy.float32)
    across = (y * 0.94 - x * 0.34 + width).astype(numpy.float32)
    row = (across / 37).astype(numpy.int64)
    plot = ((along + (row * 7919 % 101)) / (23 + row * 104729 % 53)).astype(numpy.int64)
    return (row * 73856093 ^ plot * 19349663) & 1023


def beyond_edge(top, count, width):
    y, x = numpy.ogrid[top : top + count, 0:width]
    return x * 0.97 + y * 0.23 > width * 0.98


def create(path, width, height, bands, kind, nodata, pixel=PIXEL_M):
    dataset = gdal.GetDriverByName("GTiff").Create(path, width, height, bands, kind, TILED + ["INTERLEAVE=PIXEL"])
    dataset.SetGeoTransform((WEST, pixel, 0, NORTH, 0, -pixel))
    dataset.SetProjection(reference(32632))
    if nodata is not None:
        for band in range(bands):
            dataset.GetRasterBand(band + 1).SetNoDataValue(nodata)
    return dataset


def reference(code):
    from osgeo import osr

    system = osr.SpatialReference()
    system.ImportFromEPSG(code)
    return system.ExportToWkt()


def paint_imagery(imagery_path, colour_path):
    """Writes the 16-bit scene of four bands and an 8-bit RGB version with a mask; returns the checksum of the former."""
    imagery = create(imagery_path, SIDE, SIDE, BANDS, gdal.GDT_UInt16, 0)
    colour = create(colour_path, SIDE, SIDE, 3, gdal.GDT_Byte, None)
    colour.CreateMaskBand(gdal.GMF_PER_DATASET)
    for band, meaning in enumerate((gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand)):
        colour.GetRasterBand(band + 1).SetColorInterpretation(meaning)
    land = Octaves(SEED, SIDE, 2048, 8, 0.62)
    means = numpy.random.default_rng(SEED + 1).standard_normal((1024, BANDS), dtype=numpy.float32)
    checksum = 0
    for top in range(0, SIDE, STRIP):
        count = min(STRIP, SIDE - top)
        sensor = numpy.random.default_rng([SEED, top])
        relief = land.rows(top, count)
        plots = fields(top, count, SIDE)
        empty = beyond_edge(top, count, SIDE)
        strip = numpy.empty((BANDS, count, SIDE), numpy.uint16)
        for band in range(BANDS):
            values = means[plots, band] * SPREADS[band]
            values += MEANS[band] + relief * (SPREADS[band] * (0.5 if band < 3 else -0.4))
            values += sensor.standard_normal((count, SIDE), dtype=numpy.float32) * SENSOR[band]
            strip[band] = numpy.clip(values, 1, 10000)
            strip[band][empty] = 0
        checksum = zlib.crc32(strip.tobytes(), checksum)
        imagery.WriteArray(strip, 0, top)
        for place, band in enumerate((2, 1, 0)):
            shown = numpy.clip(strip[band].astype(numpy.int32) // 6 - 30, 0, 255).astype(numpy.uint8)
            colour.GetRasterBand(place + 1).WriteArray(shown, 0, top)
        colour.GetRasterBand(1).GetMaskBand().WriteArray(numpy.where(empty, 0, 255).astype(numpy.uint8), 0, top)
    return checksum


def paint_terrain(path):
    terrain = create(path, DEM_SIDE, DEM_SIDE, 1, gdal.GDT_Float32, NODATA_DEM)
    land = Octaves(SEED + 2, DEM_SIDE, 2048, 10, 0.5)
    checksum = 0
    for top in range(0, DEM_SIDE, STRIP):
        sensor = numpy.random.default_rng([SEED + 2, top])
        heights = 1200 + 420 * land.rows(top, STRIP)
        heights += sensor.standard_normal((STRIP, DEM_SIDE), dtype=numpy.float32) * 0.05
        heights[beyond_edge(top, STRIP, DEM_SIDE)] = NODATA_DEM
        checksum = zlib.crc32(heights.astype(numpy.float32).tobytes(), checksum)
        terrain.GetRasterBand(1).WriteArray(heights, 0, top)
    return checksum


def cog(folder, name, source, options, **more):
    path = os.path.join(folder, name)
    gdal.Translate(
        path, source, format="COG",
        creationOptions=["BLOCKSIZE=512", "OVERVIEW_RESAMPLING=AVERAGE", "NUM_THREADS=2", *options], **more)


def write_crops(folder, imagery, colour, terrain):
    """Small scenes in other sample types and other reference systems."""
    window = [3000, 3000, CROP_SIDE, CROP_SIDE]
    deflate = ["COMPRESS=DEFLATE", "PREDICTOR=YES"]
    cog(folder, "m_u16.tif", imagery, deflate, srcWin=window)
    cog(folder, "m_u8.tif", colour, deflate, srcWin=window)
    cog(folder, "m_i16.tif", imagery, deflate, srcWin=window, outputType=gdal.GDT_Int16)
    cog(folder, "m_i32.tif", imagery, deflate, srcWin=window, outputType=gdal.GDT_Int32)
    cog(folder, "m_f32.tif", imagery, deflate, srcWin=window, outputType=gdal.GDT_Float32,
        scaleParams=[[0, 10000, 0, 1]])
    cog(folder, "m_dem.tif", terrain, ["COMPRESS=ZSTD", "PREDICTOR=YES"], srcWin=window)
    edge = [SIDE - CROP_SIDE, 1000, CROP_SIDE, CROP_SIDE]
    cog(folder, "m_edge.tif", imagery, deflate, srcWin=edge)
    for code in (4326, 3857, 3413, 3035):
        moved = gdal.Warp("", os.path.join(folder, "m_edge.tif"), format="MEM", dstSRS=f"EPSG:{code}", resampleAlg="cubic")
        cog(folder, f"m_{code}.tif", moved, deflate)


def main(folder):
    begin = time.time()
    os.makedirs(folder, exist_ok=True)
    path = lambda name: os.path.join(folder, name)
    colour = path("rgb_raw.tif")
    checksums = {"s2": paint_imagery(path("s2_raw.tif"), colour), "dem": paint_terrain(path("dem_raw.tif"))}
    cog(folder, "s2.tif", path("s2_raw.tif"), ["COMPRESS=DEFLATE", "PREDICTOR=YES"])
    cog(folder, "s2_zstd.tif", path("s2_raw.tif"), ["COMPRESS=ZSTD", "PREDICTOR=YES"])
    cog(folder, "rgb_jpeg.tif", colour, ["COMPRESS=JPEG", "QUALITY=75"])
    cog(folder, "dem.tif", path("dem_raw.tif"), ["COMPRESS=ZSTD", "PREDICTOR=YES"])
    write_crops(folder, path("s2_raw.tif"), colour, path("dem_raw.tif"))
    os.remove(colour)
    for leftover in os.listdir(folder):
        if leftover.endswith((".aux.xml", ".msk")):
            os.remove(path(leftover))
    files = {name: os.path.getsize(path(name)) for name in sorted(os.listdir(folder)) if name.endswith(".tif")}
    made = dict(recipe=RECIPE, seed=SEED, gdal=gdal.__version__, numpy=numpy.__version__, crc32=checksums,
                took_s=round(time.time() - begin), bytes=files)
    with open(path("scenes.json"), "w") as file:
        json.dump(made, file, indent=1)
    print(json.dumps(made))


if __name__ == "__main__":
    main(sys.argv[1])

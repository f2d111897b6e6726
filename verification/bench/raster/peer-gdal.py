"""GDAL's own tools (Debian's) as the peer of the raster benchmark, and PROJ as the reference for projected positions.

Started by verification/oracle/serve_commands.py. Costs are CPU milliseconds of the whole process, user and system.
"""
import os
import subprocess
import time

import numpy
from osgeo import gdal, osr

gdal.UseExceptions()
gdal.PushErrorHandler("CPLQuietErrorHandler")
EXTENT = 20037508.342789244


def versions(message, folder):
    return {"text": f"GDAL {gdal.__version__}, PROJ {osr.GetPROJVersionMajor()}.{osr.GetPROJVersionMinor()}, numpy {numpy.__version__}"}


def tiles(message, folder):
    """gdal.Warp to memory; the dataset is opened for each tile, nothing is encoded."""
    wall, cpu = time.perf_counter(), time.process_time()
    for z, x, y in message["tiles"]:
        side = 2 * EXTENT / 2**z
        west, north = x * side - EXTENT, EXTENT - y * side
        gdal.Warp(
            "", gdal.Open(message["file"]), format="MEM", dstSRS="EPSG:3857", width=256, height=256,
            outputBounds=(west, north - side, west + side, north), resampleAlg=message["style"]["resampling"])
    return {"bytes": 0, "cpu_ms": (time.process_time() - cpu) * 1000, "wall_ms": (time.perf_counter() - wall) * 1000}


def write(message, folder):
    """gdal_translate -of COG in a process of its own: its cost and peak memory."""
    options = [word for option in message["options"] for word in ("-co", option)]
    wall = time.perf_counter()
    child = subprocess.Popen(["gdal_translate", "-q", "-of", "COG", *options, message["source"], message["target"]])
    _, status, used = os.wait4(child.pid, 0)
    if status != 0:
        raise RuntimeError(f"gdal_translate ended with {status}")
    return {
        "cpu_ms": (used.ru_utime + used.ru_stime) * 1000, "wall_ms": (time.perf_counter() - wall) * 1000,
        "rss_mib": used.ru_maxrss / 1024, "bytes": os.path.getsize(message["target"]),
    }


def blocks(message, folder):
    """Offset and size in the file of blocks of the first band."""
    dataset = gdal.Open(message["file"])
    band = dataset.GetRasterBand(1)
    level = band if message["level"] == 0 else band.GetOverview(message["level"] - 1)
    item = lambda what, x, y: int(level.GetMetadataItem(f"BLOCK_{what}_{x}_{y}", "TIFF") or 0)
    return {"blocks": [[item("OFFSET", x, y), item("SIZE", x, y)] for x, y in message["blocks"]]}


def places(message, folder):
    """PROJ's coordinates of 7 x 7 positions in the area of use of each reference system; a small raster carries the system."""
    answer = []
    for code in message["codes"]:
        system, world = system_of(code), system_of(4326)
        there = osr.CoordinateTransformation(world, system)
        back = osr.CoordinateTransformation(system, world)
        area = system.GetAreaOfUse()
        west, east = area.west_lon_degree, area.east_lon_degree
        south, north = max(-89.9, area.south_lat_degree), min(89.9, area.north_lat_degree)
        if east < west:
            east += 360
        points = []
        for right in numpy.linspace(0.02, 0.98, 7):
            for up in numpy.linspace(0.02, 0.98, 7):
                longitude = (west + (east - west) * right + 180) % 360 - 180
                latitude = south + (north - south) * up
                x, y, _ = there.TransformPoint(longitude, latitude)
                points.append([longitude, latitude, x, y, *back.TransformPoint(x, y)[:2]])
        path = os.path.join(folder, f"system-{code}.tif")
        dataset = gdal.GetDriverByName("GTiff").Create(path, 4, 4)
        dataset.SetGeoTransform((points[24][2], 1, 0, points[24][3], 0, -1))
        dataset.SetProjection(system.ExportToWkt())
        dataset = None
        answer.append({"code": code, "file": path, "metres_per_unit": system.GetLinearUnits(), "points": points})
    return {"systems": answer}


def system_of(code):
    system = osr.SpatialReference()
    system.ImportFromEPSG(code)
    system.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return system


COMMANDS = {"versions": versions, "tiles": tiles, "write": write, "blocks": blocks, "places": places}

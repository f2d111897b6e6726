"""rio-tiler as the peer of the raster benchmark: renders the same tiles as titiler does and reports the cost.

Started by verification/oracle/serve_commands.py. Costs are CPU milliseconds of the whole process, user and system.
"""
import platform
import time
import warnings
from importlib.metadata import version

import numpy
import rasterio
from rio_tiler.colormap import cmap
from rio_tiler.io import Reader
from rio_tiler.models import ImageData

warnings.filterwarnings("ignore")


def versions(message, folder):
    names = ("rio-tiler", "rasterio", "numpy", "morecantile")
    versions_text = [f"{name} {version(name)}" for name in names]
    return {"text": ", ".join([*versions_text, f"GDAL {rasterio.__gdal_version__}", f"Python {platform.python_version()}"])}


def timed(work):
    wall, cpu = time.perf_counter(), time.process_time()
    answer = work()
    return {**answer, "cpu_ms": (time.process_time() - cpu) * 1000, "wall_ms": (time.perf_counter() - wall) * 1000}


def tiles(message, folder):
    file, style = message["file"], message["style"]

    def each():
        size = 0
        for z, x, y in message["tiles"]:
            with Reader(file) as reader:
                size += len(render(reader, z, x, y, style))
        return {"bytes": size}

    def kept():
        with Reader(file) as reader:
            return {"bytes": sum(len(render(reader, z, x, y, style)) for z, x, y in message["tiles"])}

    return timed(kept if message.get("kept") else each)


def render(reader, z, x, y, style):
    resampling = style["resampling"]
    selection = {"expression": style["formula"]} if "formula" in style else {"indexes": [b + 1 for b in style["bands"]]}
    image = reader.tile(x, y, z, resampling_method=resampling, reproject_method=resampling, **selection)
    if style.get("terrain"):
        image = terrain_colours(image)
    elif "rescale" in style:
        image.rescale(in_range=(tuple(style["rescale"]),))
    if style["format"] == "jpeg":
        return image.render(add_mask=False, img_format="JPEG", quality=75)
    colours = cmap.get(style["colormap"]) if "colormap" in style else None
    return image.render(img_format="PNG", colormap=colours, zlevel=1)


def terrain_colours(image):
    """Heights as Mapbox terrain-RGB: tenths of a metre above -10000 in 24 bits."""
    tenths = numpy.round((image.array.data[0].astype(numpy.float64) + 10000) * 10).astype(numpy.uint32)
    colours = numpy.stack([tenths >> 16, tenths >> 8 & 255, tenths & 255]).astype(numpy.uint8)
    mask = numpy.broadcast_to(image.array.mask[0], colours.shape)
    return ImageData(numpy.ma.MaskedArray(colours, mask), crs=image.crs, bounds=image.bounds)


def zonal(message, folder):
    def work():
        with Reader(message["file"]) as reader:
            image = reader.feature(message["polygon"], dst_crs=reader.dataset.crs)
            return {"bands": [read_band(band) for band in image.statistics(percentiles=[2, 98]).values()]}

    return timed(work)


def read_band(band):
    return {
        "minimum": float(band.min), "maximum": float(band.max), "mean": float(band.mean), "stddev": float(band.std),
        "p2": float(band.percentile_2), "p98": float(band.percentile_98), "count": float(band.valid_pixels),
    }


COMMANDS = {"versions": versions, "tiles": tiles, "zonal": zonal}

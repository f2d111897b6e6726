"""What GDAL says of a raster: samples, map tiles, statistics and overviews, as raw arrays in files that the asker deletes.

Started by listen.py. Arrays are band after band, row after row, in the machine's byte order.
"""
import contextlib
import functools
import io
import itertools
import os

import numpy
from osgeo import gdal, osr

gdal.UseExceptions()
gdal.PushErrorHandler("CPLQuietErrorHandler")
# Statistics must not be left beside the files that were looked at.
gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")
gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
EXTENT = 20037508.342789244
LOSSY = ("JPEG", "YCbCr JPEG", "WEBP", "JPEG2000")
numbers = itertools.count()


@functools.lru_cache(maxsize=4)
def opened(path):
    """Inks stay inks: GDAL would answer them as colours."""
    dataset = gdal.Open(path)
    inks = dataset.GetMetadataItem("SOURCE_COLOR_SPACE", "IMAGE_STRUCTURE") == "CMYK"
    return gdal.Open(f"GTIFF_RAW:{path}") if inks else dataset


def versions(message, folder):
    return {"text": f"GDAL {gdal.__version__}, PROJ {osr.GetPROJVersionMajor()}.{osr.GetPROJVersionMinor()}, numpy {numpy.__version__}"}


def describe(message, folder):
    dataset = opened(message["file"])
    first = dataset.GetRasterBand(1)
    overviews = [first.GetOverview(index) for index in range(first.GetOverviewCount())]
    nodata = first.GetNoDataValue()
    structure = dataset.GetMetadata("IMAGE_STRUCTURE")
    lossless = structure.get("COMPRESSION_REVERSIBILITY") == "LOSSLESS"
    return {
        "width": dataset.RasterXSize, "height": dataset.RasterYSize, "bands": dataset.RasterCount,
        "type": str(numpy.dtype(sample_type(dataset))),
        "levels": [[band.XSize, band.YSize] for band in [first, *overviews]],
        "lossy": structure.get("COMPRESSION") in LOSSY and not lossless,
        "alpha": alpha_band(dataset), "nodata": None if nodata is None else repr(nodata),
        "palette": first.GetColorTable() is not None,
        "middle": middle(message["file"]),
    }


def middle(file):
    """Where PROJ puts the middle of the picture on the web map; None where it has no place."""
    dataset = opened(file)
    try:
        transformer = gdal.Transformer(dataset, None, ["DST_SRS=EPSG:3857"])
        reached, point = transformer.TransformPoint(0, dataset.RasterXSize / 2, dataset.RasterYSize / 2)
    except RuntimeError:
        return None
    return point[:2] if reached and numpy.isfinite(point[:2]).all() else None


def sample_type(dataset):
    signed = dataset.GetRasterBand(1).GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE") == "SIGNEDBYTE"
    return numpy.int8 if signed else dataset.GetRasterBand(1).ReadAsArray(0, 0, 1, 1).dtype


def alpha_band(dataset):
    bands = range(dataset.RasterCount)
    found = [b for b in bands if dataset.GetRasterBand(b + 1).GetColorInterpretation() == gdal.GCI_AlphaBand]
    return found[0] if found else None


def read(message, folder):
    """A window of one level, and its mask by the rule of this project: the file's mask, else alpha and nodata in all bands."""
    dataset, level = opened(message["file"]), message["level"]
    x0, y0, x1, y1 = message["window"]
    place = (x0, y0, x1 - x0, y1 - y0)
    bands = [dataset.GetRasterBand(index + 1) for index in range(dataset.RasterCount)]
    levels = [band if level == 0 else band.GetOverview(level - 1) for band in bands]
    samples = numpy.stack([band.ReadAsArray(*place) for band in levels])
    if sample_type(dataset) == numpy.int8:
        samples = samples.view(numpy.int8)
    if bands[0].GetMaskFlags() == gdal.GMF_PER_DATASET:
        valid = levels[0].GetMaskBand().ReadAsArray(*place) > 0
    else:
        valid = valid_pixels(dataset, samples)
    return {"samples": dump(folder, samples), "mask": dump(folder, valid.astype(numpy.uint8) * 255)}


def valid_pixels(dataset, samples):
    alpha = alpha_band(dataset)
    colour = [band for band in range(dataset.RasterCount) if band != alpha]
    valid = numpy.ones(samples.shape[1:], bool) if alpha is None else samples[alpha] != 0
    nodata = dataset.GetRasterBand(1).GetNoDataValue()
    holes = [missing(samples[band], nodata) for band in colour or [alpha]]
    return valid & ~numpy.logical_and.reduce(holes)


def missing(values, nodata):
    """What GDAL's mask of a nodata value leaves out, and NaN: floats are compared as its ARE_REAL_EQUAL does."""
    floats = values.dtype.kind == "f"
    holes = numpy.isnan(values) if floats else numpy.zeros(values.shape, bool)
    if nodata is None or numpy.isnan(nodata) or not representable(nodata, values.dtype):
        return holes
    with numpy.errstate(all="ignore"):
        value = numpy.float64(nodata).astype(values.dtype).astype(numpy.float64)
        tolerance = numpy.abs(values + value) * 2 * numpy.finfo(numpy.float32).eps if floats and numpy.isfinite(value) else 0
        return holes | (values == value) | (numpy.abs(values - value) < tolerance)


def representable(nodata, dtype):
    if dtype.kind == "f":
        return True
    limits = numpy.iinfo(dtype)
    return float(nodata).is_integer() and limits.min <= nodata <= limits.max


def dump(folder, array):
    path = os.path.join(folder, f"answer-{next(numbers)}.bin")
    numpy.ascontiguousarray(array).tofile(path)
    return path


def tile(message, folder):
    """
    gdalwarp with the exact transformer into a tile of the web map; the colours only where the source has an alpha band.
    A mask decides alone, as in GetMaskBand; gdalwarp by itself would look at nodata instead.
    `scale`: None leaves it to GDAL, which makes kernels wider or narrower where the picture ends inside of the tile; "whole"
    gives the scale that the tile would have if the picture went on; "local" draws the tile in cells, each with its own scale.
    The level is left to GDAL, unless rounding noise decides, and in cells.
    """
    dataset = opened(message["file"])
    size, bounds = message["size"], bounds_of(message)
    scale, level = whole_scale(message["file"], bounds, size) or (None, None)
    resampling = message["resampling"]
    if message.get("scale") == "local":
        arrays = drawn_in_cells(message["file"], bounds, size, resampling)
    else:
        fixed = scale if message.get("scale") == "whole" else None
        arrays = drawn(dataset, bounds, size, resampling, fixed, None if level is None else str(level - 1))
    samples = arrays[:-1].view(numpy.int8) if sample_type(dataset) == numpy.int8 else arrays[:-1]
    mask = (arrays[-1] > 0).astype(numpy.uint8) * 255
    curved = is_curved(message["file"], bounds, size)
    return {"samples": dump(folder, samples), "mask": dump(folder, mask), "scale": scale, "curved": curved}


def drawn(dataset, bounds, size, resampling, scale, level):
    plain = dataset.GetRasterBand(1).GetNoDataValue() is None and numpy.dtype(sample_type(dataset)).kind == "f"
    masked = dataset.GetRasterBand(1).GetMaskFlags() == gdal.GMF_PER_DATASET
    fixed = [f"XSCALE={float(scale[0])!r}", f"YSCALE={float(scale[1])!r}"] if scale else []
    if scale and level is not None:
        fixed.append(f"SOURCE_EXTRA={int(2 / min(1, *scale)) + 4}")
    return gdal.Warp(
        "", dataset, format="MEM", dstSRS="EPSG:3857", outputBounds=bounds,
        width=size, height=size, resampleAlg=resampling, errorThreshold=0, dstAlpha=True,
        srcNodata="none" if masked else "nan" if plain else None, overviewLevel=level,
        warpOptions=["UNIFIED_SRC_NODATA=YES", "INIT_DEST=0", *fixed]).ReadAsArray()


CELL = 16
UNEVEN = 1.25


@functools.lru_cache(maxsize=4)
def transformer(file):
    return gdal.Transformer(opened(file), None, ["DST_SRS=EPSG:3857"])


def positions(file, bounds, size, columns, rows):
    """Where places of a tile, in its pixels, lie in the pixels of the source; NaN for those in space."""
    west, south, east, north = bounds
    x = west + (east - west) * numpy.ravel(columns) / size
    y = north - (north - south) * numpy.ravel(rows) / size
    points, reached = transformer(file).TransformPoints(1, list(zip(x, y)))
    found = numpy.where(numpy.array(reached)[:, None] > 0, numpy.array(points)[:, :2], numpy.nan)
    return found.reshape(*numpy.shape(columns), 2)


@functools.lru_cache(maxsize=64)
def is_curved(file, bounds, size):
    """Whether pixels of some part of the tile are larger or smaller than the box around the tile says."""
    try:
        places = positions(file, bounds, size, *numpy.meshgrid(*[numpy.linspace(0, size, 10)] * 2))
    except RuntimeError:
        return False
    dataset = opened(file)
    corners = numpy.stack([places[:-1, :-1], places[:-1, 1:], places[1:, :-1], places[1:, 1:]])
    touching = ((corners.max(axis=0) > 0) & (corners.min(axis=0) < [dataset.RasterXSize, dataset.RasterYSize])).all(axis=-1)
    boxes = (numpy.abs(corners[1] - corners[0]) + numpy.abs(corners[2] - corners[0])) * 9
    whole = numpy.nanmax(places, axis=(0, 1)) - numpy.nanmin(places, axis=(0, 1)) if not numpy.isnan(places).all() else numpy.ones(2)
    return bool((touching[..., None] & ((boxes > whole * UNEVEN) | (boxes * UNEVEN < whole))).any())


def drawn_in_cells(file, bounds, size, resampling):
    """Cell by cell, each with the scale at its middle, from the level that the finest of them needs."""
    dataset = opened(file)
    west, south, east, north = bounds
    step = (east - west) / size
    found = {}
    for row, column in itertools.product(range(0, size, CELL), repeat=2):
        ratio = local_ratio(file, bounds, size, column, row)
        if ratio is not None:
            found[column, row] = ratio
    first = dataset.GetRasterBand(1)
    canvas = numpy.zeros((dataset.RasterCount + (alpha_band(dataset) is None), size, size), sample_type(dataset))
    if not found:
        return canvas
    index = level_of(dataset, [min(ratio[0] for ratio in found.values())] * 2)
    level = first if index == 0 else first.GetOverview(index - 1)
    factors = numpy.array([first.XSize / level.XSize, first.YSize / level.YSize])
    for (column, row), ratio in found.items():
        left, top = west + column * step, north - row * step
        place = (left, top - CELL * step, left + CELL * step, top)
        scale = factors / ratio if resampling in ("bilinear", "cubic") else None
        cell = drawn(dataset, place, CELL, resampling, None if scale is None else list(scale), "NONE" if index == 0 else str(index - 1))
        canvas[:, row:row + CELL, column:column + CELL] = cell
    return canvas


def local_ratio(file, bounds, size, column, row):
    """Pixels of the source that a pixel of the tile is wide and high around the middle of a cell; None where it is not near."""
    dataset = opened(file)
    limits = numpy.array([dataset.RasterXSize, dataset.RasterYSize])
    for right, down in ((.5, .5), (.25, .25), (.75, .25), (.25, .75), (.75, .75)):
        x, y = column + right * CELL, row + down * CELL
        here, *around = positions(file, bounds, size, numpy.array([x, x + .5, x - .5, x, x]), numpy.array([y, y, y, y + .5, y - .5]))
        steps = numpy.abs(numpy.array(around) - here)
        ratio = 2 * (numpy.fmin(steps[0], steps[1]) + numpy.fmin(steps[2], steps[3]))
        if numpy.isnan(ratio).any() or numpy.isnan(here).any():
            continue
        return ratio if (here > -CELL * ratio).all() and (here < limits + CELL * ratio).all() else None
    return None


def bounds_of(tile):
    side = 2 * EXTENT / 2 ** tile["z"]
    west, north = tile["x"] * side - EXTENT, EXTENT - tile["y"] * side
    return west, north - side, west + side, north


@functools.lru_cache(maxsize=64)
def whole_scale(file, bounds, size):
    """Pixels of the tile for one of the level that gdalwarp reads, by the box around the tile; None where part of it is in space."""
    dataset = opened(file)
    places = positions(file, bounds, size, *numpy.meshgrid(*[numpy.linspace(0, size, 10)] * 2))
    if not numpy.isfinite(places).all():
        return None
    spans = numpy.ptp(places, axis=(0, 1))
    level = level_of(dataset, spans / size)
    band = dataset.GetRasterBand(1)
    read = band if level == 0 else band.GetOverview(level - 1)
    shrunk = band.XSize / read.XSize, band.YSize / read.YSize
    scale = [rounded(size / (span / factor)) for span, factor in zip(spans, shrunk)]
    return scale, level if level != level_of(dataset, spans / size, noise=0) else None


def rounded(scale):
    """As gdalwarp does: a shrinkage by nearly a whole number is taken as that number."""
    whole = round(1 / scale)
    return float(1 / whole if whole > 0 and abs(1 / scale - whole) < 0.05 else scale)


def level_of(dataset, ratios, noise=1e-3):
    """
    The level that gdalwarp picks where a pixel of the tile is so many of the picture wide and high. Up to GDAL 3.6.2 it looks at
    the width alone. Without `noise` (a part of the ratio) the last digits of a position decide in an aligned grid.
    """
    ratio = ratios[0] if int(gdal.VersionInfo()) < 3060300 else min(ratios)
    band = dataset.GetRasterBand(1)
    levels = [band, *(band.GetOverview(index) for index in range(band.GetOverviewCount()))]
    widths = [band.XSize / level.XSize for level in levels]
    chosen = 0
    while ratio > 1 and chosen < len(levels) - 1:
        if widths[chosen] < ratio and ratio * (1 + noise) < widths[chosen + 1] or abs(widths[chosen] - ratio) < 0.1:
            break
        chosen += 1
    return chosen


def statistics(message, folder):
    """Exact statistics band by band, over a window in pixels; percentiles by numpy."""
    source = opened(message["file"])
    x0, y0, x1, y1 = message["window"]
    whole = (x0, y0, x1, y1) == (0, 0, source.RasterXSize, source.RasterYSize)
    cut = source if whole else gdal.Translate("", source, format="VRT", srcWin=[x0, y0, x1 - x0, y1 - y0])
    samples = numpy.stack([cut.GetRasterBand(index + 1).ReadAsArray() for index in range(cut.RasterCount)])
    alpha, signed = alpha_band(source), sample_type(source) == numpy.int8
    # GDAL counts what an alpha band or a mask hides, and takes signed bytes for unsigned ones.
    by_numpy = alpha is not None or signed or source.GetRasterBand(1).GetMaskFlags() == gdal.GMF_PER_DATASET
    answer = []
    for index in range(cut.RasterCount):
        band = cut.GetRasterBand(index + 1)
        values = samples[index].view(numpy.int8) if signed else samples[index]
        # A mask decides alone, as in GetMaskBand.
        masked = band.GetMaskFlags() == gdal.GMF_PER_DATASET
        valid = ~missing(values, None if masked else band.GetNoDataValue())
        if masked:
            valid &= band.GetMaskBand().ReadAsArray() > 0
        elif alpha is not None:
            valid &= samples[alpha] != 0
        answer.append(measure(band, values[valid], by_numpy))
    return {"bands": answer}


def measure(band, values, by_numpy):
    values = values[numpy.isfinite(values)]
    if values.size == 0:
        return None
    if by_numpy:
        wide = values.astype(numpy.longdouble)
        moments = [wide.min(), wide.max(), wide.mean(), wide.std()]
    else:
        moments = band.ComputeStatistics(False)
    names = ("minimum", "maximum", "mean", "stddev")
    percentiles = dict(zip(("p2", "p98"), map(float, numpy.percentile(values.astype(numpy.float64), [2, 98]))))
    return {**dict(zip(names, map(float, moments))), **percentiles, "count": int(values.size)}


def crop(message, folder):
    """The north-west corner as a plain file whose sides can be halved without a rest."""
    path = os.path.join(folder, f"crop-{next(numbers)}.tif")
    gdal.Translate(
        path, opened(message["file"]), format="GTiff", srcWin=[0, 0, message["width"], message["height"]],
        creationOptions=["INTERLEAVE=PIXEL"])
    return {"path": path}


def overviews(message, folder):
    """The arrays of each level of the cloud-optimized copy that GDAL makes, the full one first."""
    path = os.path.join(folder, f"copy-{next(numbers)}.tif")
    options = [f"BLOCKSIZE={message['block']}", f"OVERVIEW_RESAMPLING={message['resampling'].upper()}"]
    copy = gdal.Translate(path, gdal.Open(message["file"]), format="COG", creationOptions=options)
    bands = [copy.GetRasterBand(index + 1) for index in range(copy.RasterCount)]
    levels = [bands] + [[band.GetOverview(level) for band in bands] for level in range(bands[0].GetOverviewCount())]
    arrays = [numpy.stack([band.ReadAsArray() for band in level]) for level in levels]
    os.remove(path)
    return {"levels": [dump(folder, array) for array in arrays]}


def validate(message, folder):
    from osgeo_utils.samples import validate_cloud_optimized_geotiff as validator

    with contextlib.redirect_stdout(io.StringIO()):
        warnings, errors, _ = validator.validate(gdal.Open(message["file"]), full_check=True)
    return {"errors": errors, "warnings": warnings}


COMMANDS = {
    "versions": versions, "describe": describe, "read": read, "tile": tile, "statistics": statistics, "crop": crop,
    "overviews": overviews, "validate": validate,
}

"""GDAL's view of a raster: samples, map tiles, statistics and overviews, as raw arrays in files that the caller deletes.

Started by serve_commands.py. Arrays are band after band, row after row, in the machine's byte order.
"""
import collections
import contextlib
import functools
import io
import itertools
import os

import numpy
from osgeo import gdal, osr

gdal.UseExceptions()
gdal.PushErrorHandler("CPLQuietErrorHandler")
# Statistics must not be written next to the files (.aux.xml).
gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")
gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
EXTENT = 20037508.342789244
LOSSY = ("JPEG", "YCbCr JPEG", "WEBP", "JPEG2000")
numbers = itertools.count()


@functools.lru_cache(maxsize=4)
def opened(path):
    """Opens CMYK files raw: GDAL would convert the inks to RGB."""
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
    return {
        "width": dataset.RasterXSize, "height": dataset.RasterYSize, "bands": dataset.RasterCount,
        "type": str(numpy.dtype(sample_type(dataset))),
        "levels": [[band.XSize, band.YSize] for band in [first, *overviews]],
        "lossy": is_lossy(dataset),
        "alpha": alpha_band(dataset), "nodata": None if nodata is None else repr(nodata),
        "palette": first.GetColorTable() is not None,
        "middle": middle(message["file"]),
    }


def is_lossy(dataset):
    structure = dataset.GetMetadata("IMAGE_STRUCTURE")
    return structure.get("COMPRESSION") in LOSSY and structure.get("COMPRESSION_REVERSIBILITY") != "LOSSLESS"


def middle(file):
    """PROJ's position of the image centre in EPSG:3857; None if there is none."""
    dataset = opened(file)
    try:
        reached, point = transformer(Source(file, None)).TransformPoint(0, dataset.RasterXSize / 2, dataset.RasterYSize / 2)
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
    """A window of one level, and its mask by this project's rule: the file's mask, else alpha and nodata in all bands."""
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
    """Samples that GDAL's nodata mask excludes, and NaN: floats are compared like its ARE_REAL_EQUAL does."""
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
    gdalwarp with the exact transformer into a map tile; only the colour bands if the source has an alpha band. A mask
    takes precedence over nodata, as in GetMaskBand; gdalwarp by itself would use nodata.
    `way` in the response: "plain" leaves everything to GDAL, except the level where rounding noise decides. "whole" sets the
    scale that the tile would have if the image continued beyond its edge; GDAL would make kernels wider or narrower there.
    "padded" adds empty pixels around the image, which GDAL needs for averages at its edge. "local" warps the tile in cells,
    each with its own scale, all from the level that the finest needs; of weighted kernels every `cells`-th cell is warped and
    255 in `where`. "aligned" is "plain", with `where` excluding the pixels next to an image edge between pixels, which are
    rounding noise. "alpha" is "whole" with the mask of nearest pixels, and `where` without those that GDAL lost by
    interpolating alpha.
    """
    source = Source(message["file"], message.get("crs"))
    place = Place(bounds_of(message), message["size"])
    resampling, every = message["resampling"], message.get("cells", 1)
    way = way_of(source, place, resampling)
    where = None
    if way == "local":
        arrays, where = drawn_locally(source, place, resampling, every)
    else:
        level, noisy, scale = whole_scale(source, place)
        if way == "padded":
            arrays = drawn_padded(source, place, level)
        else:
            fixed = scale if way in ("whole", "alpha") else None
            arrays = drawn(source, place, resampling, fixed, named(level) if noisy else None)
        if way == "aligned":
            rows, columns = aligned_part(source, place)
            where = numpy.full(arrays[-1].shape, 255, numpy.uint8)
            where[max(0, rows.start - 1):rows.stop + 1, max(0, columns.start - 1):columns.stop + 1] = 0
            where[rows, columns] = 255
            arrays[:, where == 0] = 0
        if way == "alpha":
            nearest = drawn(source, place, "nearest", None, named(level))
            where = numpy.where((arrays[-1] == 0) & (nearest[-1] > 0), 0, 255).astype(numpy.uint8)
            arrays[-1] = numpy.minimum(nearest[-1], where)
    samples = arrays[:-1].view(numpy.int8) if sample_type(source.dataset()) == numpy.int8 else arrays[:-1]
    mask = (arrays[-1] > 0).astype(numpy.uint8) * 255
    return {
        "samples": dump(folder, samples), "mask": dump(folder, mask), "way": way,
        "where": None if where is None else dump(folder, where)}


class Source(collections.namedtuple("Source", "file crs")):
    """A file, and its reference system if it differs from the one that GDAL reads."""

    def dataset(self):
        return opened(self.file)

    def limits(self):
        return numpy.array([self.dataset().RasterXSize, self.dataset().RasterYSize])


# A part of the map and its side in pixels.
Place = collections.namedtuple("Place", "bounds size")

CELL = 16
UNEVEN = 1.25
WEIGHTED = ("bilinear", "cubic")


def way_of(source, place, resampling):
    if is_curved(source, place):
        return "local"
    places = probes(source, place)
    inside = ((places >= 0) & (places <= source.limits())).all()
    if resampling == "nearest" or inside or numpy.isnan(places).all():
        return "plain"
    if resampling not in WEIGHTED:
        return "padded" if aligned_part(source, place) is None else "aligned"
    dataset = source.dataset()
    return "alpha" if alpha_band(dataset) is not None and is_lossy(dataset) else "whole"


def aligned_part(source, place):
    """The columns and rows of the tile that the image covers if its edges are aligned to pixels; None if it covers some in part."""
    west, south, east, north = place.bounds
    width, height = source.limits()
    corners, _ = transformer(source).TransformPoints(0, [(0, 0), (width, 0), (0, height), (width, height)])
    if not numpy.isfinite(corners).all():
        return None
    places = (numpy.array(corners)[:, :2] - [west, north]) / [east - west, south - north] * place.size
    whole = numpy.rint(places)
    if (numpy.abs(places - whole) >= 1e-6).any():
        return None
    (left, top), (right, bottom) = whole.clip(0, place.size).astype(int).min(axis=0), whole.clip(0, place.size).astype(int).max(axis=0)
    return slice(top, bottom), slice(left, right)


def drawn(source, place, resampling, scale, level):
    dataset = source.dataset()
    plain = dataset.GetRasterBand(1).GetNoDataValue() is None and numpy.dtype(sample_type(dataset)).kind == "f"
    masked = dataset.GetRasterBand(1).GetMaskFlags() == gdal.GMF_PER_DATASET
    fixed = [f"XSCALE={float(scale[0])!r}", f"YSCALE={float(scale[1])!r}"] if scale is not None else []
    if scale is not None and level is not None:
        fixed.append(f"SOURCE_EXTRA={int(2 / min(1, *scale)) + 4}")
    return warped(dataset, source, place, resampling, level, "none" if masked else "nan" if plain else None, fixed)


def warped(dataset, source, place, resampling, level, nodata, options):
    return gdal.Warp(
        "", dataset, format="MEM", polynomialOrder=1 if dataset.GetGCPCount() > 0 else None, srcSRS=source.crs, dstSRS="EPSG:3857", outputBounds=place.bounds,
        width=place.size, height=place.size, resampleAlg=resampling, errorThreshold=0, dstAlpha=True,
        srcNodata=nodata, overviewLevel=level,
        warpOptions=["UNIFIED_SRC_NODATA=YES", "INIT_DEST=0", *options]).ReadAsArray()


def named(level):
    """gdalwarp's name of a level: NONE is the full resolution."""
    return "NONE" if level == 0 else str(level - 1)


def drawn_padded(source, place, level):
    """Averages of one level, padded with as many empty pixels as a tile pixel may be wide."""
    spans = numpy.nanmax(probes(source, place), axis=(0, 1)) - numpy.nanmin(probes(source, place), axis=(0, 1))
    margin = 2 ** int(numpy.ceil(numpy.log2(2 * numpy.max(spans / place.size) + 4)))
    return warped(padded(source.file, level, margin), source, place, "average", "NONE", None, [])


@functools.lru_cache(maxsize=2)
def padded(file, level, margin):
    """One level in memory with empty pixels around it: padding is masked, or has alpha 0."""
    dataset = opened(file)
    first, alpha = dataset.GetRasterBand(1), alpha_band(dataset)
    bands = [dataset.GetRasterBand(index + 1) for index in range(dataset.RasterCount)]
    levels = [band if level == 0 else band.GetOverview(level - 1) for band in bands]
    samples = numpy.stack([band.ReadAsArray() for band in levels])
    masked = first.GetMaskFlags() == gdal.GMF_PER_DATASET
    valid = levels[0].GetMaskBand().ReadAsArray() > 0 if masked else valid_pixels(dataset, samples)
    around = (margin, margin)
    wide = numpy.pad(samples, ((0, 0), around, around))
    copy = gdal.GetDriverByName("MEM").Create("", wide.shape[2], wide.shape[1], len(bands), first.DataType)
    shrunk = numpy.array([first.XSize / levels[0].XSize, first.YSize / levels[0].YSize])
    if dataset.GetGCPCount() > 0:
        moved = [
            gdal.GCP(point.GCPX, point.GCPY, point.GCPZ, point.GCPPixel / shrunk[0] + margin, point.GCPLine / shrunk[1] + margin)
            for point in dataset.GetGCPs()]
        copy.SetGCPs(moved, dataset.GetGCPProjection())
    else:
        x, across, turn_x, y, turn_y, down = dataset.GetGeoTransform()
        step = numpy.array([[across, turn_x], [turn_y, down]]) * shrunk
        x, y = numpy.array([x, y]) - step @ [margin, margin]
        copy.SetGeoTransform([x, *step[0], y, *step[1]])
        copy.SetProjection(dataset.GetProjection())
    for index in range(len(bands)):
        copy.GetRasterBand(index + 1).WriteArray(wide[index])
    if alpha is None:
        copy.CreateMaskBand(gdal.GMF_PER_DATASET)
        copy.GetRasterBand(1).GetMaskBand().WriteArray(numpy.pad(valid, margin).astype(numpy.uint8) * 255)
    else:
        copy.GetRasterBand(alpha + 1).SetColorInterpretation(gdal.GCI_AlphaBand)
    return copy


@functools.lru_cache(maxsize=4)
def transformer(source):
    system = [f"SRC_SRS={source.crs}"] if source.crs else []
    return gdal.Transformer(source.dataset(), None, ["DST_SRS=EPSG:3857", "MAX_GCP_ORDER=1", *system])


def positions(source, place, columns, rows):
    """Positions of a tile, in its pixels, as pixels of the source; NaN outside the Earth."""
    west, south, east, north = place.bounds
    x = west + (east - west) * numpy.ravel(columns) / place.size
    y = north - (north - south) * numpy.ravel(rows) / place.size
    points, reached = transformer(source).TransformPoints(1, list(zip(x, y)))
    found = numpy.where(numpy.array(reached)[:, None] > 0, numpy.array(points)[:, :2], numpy.nan)
    return found.reshape(*numpy.shape(columns), 2)


@functools.lru_cache(maxsize=64)
def probes(source, place):
    """Ten by ten positions all over a tile."""
    return positions(source, place, *numpy.meshgrid(*[numpy.linspace(0, place.size, 10)] * 2))


def is_curved(source, place):
    """Whether the scale in some part of the tile differs from that of the tile's bounding box."""
    places = probes(source, place)
    if numpy.isnan(places).all():
        return False
    corners = numpy.stack([places[:-1, :-1], places[:-1, 1:], places[1:, :-1], places[1:, 1:]])
    touching = ((corners.max(axis=0) > 0) & (corners.min(axis=0) < source.limits())).all(axis=-1)
    boxes = (numpy.abs(corners[1] - corners[0]) + numpy.abs(corners[2] - corners[0])) * 9
    whole = numpy.nanmax(places, axis=(0, 1)) - numpy.nanmin(places, axis=(0, 1))
    return bool((touching[..., None] & ((boxes > whole * UNEVEN) | (boxes * UNEVEN < whole))).any())


def drawn_locally(source, place, resampling, every):
    """Warps cell by cell, each with the scale at its centre, from the level that the finest needs; and a mask of the cells."""
    dataset, size = source.dataset(), place.size
    found = local_ratios(source, place)
    first = dataset.GetRasterBand(1)
    canvas = numpy.zeros((dataset.RasterCount + (alpha_band(dataset) is None), size, size), sample_type(dataset))
    if not found:
        return canvas, None
    index = level_of(dataset, [min(ratio[0] for ratio in found.values())] * 2)
    if resampling == "average":
        return drawn_padded(source, place, index), None
    if resampling not in WEIGHTED:
        return drawn(source, place, resampling, None, named(index)), None
    level = first if index == 0 else first.GetOverview(index - 1)
    factors = numpy.array([first.XSize / level.XSize, first.YSize / level.YSize])
    west, south, east, north = place.bounds
    step = (east - west) / size
    where = numpy.full((size, size), 255, numpy.uint8)
    for (column, row), ratio in found.items():
        # On diagonals, so that all columns and rows of cells are included.
        if (column // CELL + 2 * (row // CELL)) % every != 0:
            where[row:row + CELL, column:column + CELL] = 0
            continue
        left, top = west + column * step, north - row * step
        cell = Place((left, top - CELL * step, left + CELL * step, top), CELL)
        canvas[:, row:row + CELL, column:column + CELL] = drawn(source, cell, resampling, factors / ratio, named(index))
    return canvas, where


@functools.lru_cache(maxsize=4)
def local_ratios(source, place):
    """
    Width and height of a tile pixel in source pixels around the centre of each cell, by the cell's corner; for cells whose
    centre is outside the Earth around a quarter of them. Cells that are not near the image are left out.
    """
    limits, found = source.limits(), {}
    corners = numpy.array([(column, row) for row in range(0, place.size, CELL) for column in range(0, place.size, CELL)])
    settled = numpy.zeros(len(corners), bool)
    for share in ((.5, .5), (.25, .25), (.75, .25), (.25, .75), (.75, .75)):
        centres = corners[~settled] + numpy.array(share) * CELL
        if len(centres) == 0:
            break
        around = centres[:, None] + numpy.array([[0, 0], [.5, 0], [-.5, 0], [0, .5], [0, -.5]])
        places = positions(source, place, around[..., 0], around[..., 1])
        here, steps = places[:, 0], numpy.abs(places[:, 1:] - places[:, :1])
        ratios = 2 * (numpy.fmin(steps[:, 0], steps[:, 1]) + numpy.fmin(steps[:, 2], steps[:, 3]))
        known = ~numpy.isnan(ratios).any(axis=1) & ~numpy.isnan(here).any(axis=1)
        near = ((here > -CELL * ratios) & (here < limits + CELL * ratios)).all(axis=1)
        for corner, ratio in zip(corners[~settled][known & near], ratios[known & near]):
            found[int(corner[0]), int(corner[1])] = ratio
        settled[numpy.flatnonzero(~settled)[known]] = True
    return found


def bounds_of(tile):
    side = 2 * EXTENT / 2 ** tile["z"]
    west, north = tile["x"] * side - EXTENT, EXTENT - tile["y"] * side
    return west, north - side, west + side, north


def whole_scale(source, place):
    """
    The level that gdalwarp reads by the bounding box of the tile, whether rounding noise decides it, and tile pixels per pixel
    of that level. Positions outside the Earth do not count.
    """
    places, dataset = probes(source, place), source.dataset()
    if numpy.isnan(places).all():
        return 0, False, None
    spans = numpy.nanmax(places, axis=(0, 1)) - numpy.nanmin(places, axis=(0, 1))
    level = level_of(dataset, spans / place.size)
    band = dataset.GetRasterBand(1)
    read = band if level == 0 else band.GetOverview(level - 1)
    shrunk = band.XSize / read.XSize, band.YSize / read.YSize
    scale = [rounded(place.size / (span / factor)) for span, factor in zip(spans, shrunk)]
    return level, level != level_of(dataset, spans / place.size, noise=0), scale


def rounded(scale):
    """Like gdalwarp: a reduction by nearly an integer factor is rounded to that integer."""
    whole = round(1 / scale)
    return float(1 / whole if whole > 0 and abs(1 / scale - whole) < 0.05 else scale)


def level_of(dataset, ratios, noise=1e-3):
    """
    The level that gdalwarp chooses for the size of a tile pixel in image pixels. Up to GDAL 3.6.2 it uses the width only.
    Without `noise` (a part of the ratio) the last digits of a position decide in an aligned grid.
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
    # GDAL includes pixels that alpha or a mask excludes, and reads signed bytes as unsigned.
    by_numpy = alpha is not None or signed or source.GetRasterBand(1).GetMaskFlags() == gdal.GMF_PER_DATASET
    answer = []
    for index in range(cut.RasterCount):
        band = cut.GetRasterBand(index + 1)
        values = samples[index].view(numpy.int8) if signed else samples[index]
        # A mask takes precedence over nodata, as in GetMaskBand.
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
    """The north-west corner as a plain file whose sides are multiples of a power of two."""
    path = os.path.join(folder, f"crop-{next(numbers)}.tif")
    gdal.Translate(
        path, opened(message["file"]), format="GTiff", srcWin=[0, 0, message["width"], message["height"]],
        creationOptions=["INTERLEAVE=PIXEL"])
    return {"path": path}


def overviews(message, folder):
    """The arrays of each level of GDAL's COG copy, full resolution first."""
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

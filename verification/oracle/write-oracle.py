"""Validates files of our writer with GDAL and numpy, and generates its source files.

Started by serve_commands.py: commands by name, each with a message and the folder for new files.
"""
import json
import os
import warnings

import numpy
from osgeo import gdal, ogr, osr
from osgeo_utils.gdal_pansharpen import gdal_pansharpen
from osgeo_utils.samples import validate_cloud_optimized_geotiff

gdal.UseExceptions()
gdal.PushErrorHandler("CPLQuietErrorHandler")
# Statistics must not be written next to the files (.aux.xml).
gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")
gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")

TYPES = {
    "uint8": gdal.GDT_Byte, "int8": gdal.GDT_Byte, "uint16": gdal.GDT_UInt16, "int16": gdal.GDT_Int16,
    "uint32": gdal.GDT_UInt32, "int32": gdal.GDT_Int32, "float32": gdal.GDT_Float32, "float64": gdal.GDT_Float64,
}
STATISTICS = ("MINIMUM", "MAXIMUM", "MEAN", "STDDEV")
WIDTH, HEIGHT = 704, 576


def picture(kind, bands, width=WIDTH, height=HEIGHT, seed=1):
    """Fields of different brightness with a slope and noise, so that they compress like a scene; values fit the type."""
    random = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[0:height, 0:width]
    fields = random.integers(0, 60, (height // 32 + 1, width // 32 + 1)).repeat(32, 0).repeat(32, 1)[:height, :width]
    planes = [fields + 40 + (x + y) / 40 + 20 * band + random.normal(0, 2, (height, width)) for band in range(bands)]
    samples = numpy.stack(planes)
    dtype = numpy.dtype(kind)
    if dtype.kind == "f":
        return (samples / 7).astype(dtype)
    # GDAL computes overviews of 32-bit integers as 32-bit floats, which hold 24 bits.
    factor = {1: 1, 2: 60, 4: 7_001}[dtype.itemsize]
    shift = 100 if dtype.kind == "i" else 0
    return (numpy.clip(numpy.rint(samples) - shift, -120 if shift else 1, 120 if shift else 250) * factor).astype(dtype)


def make(message, folder):
    """Generates a source file; members that the message omits have simple defaults."""
    kind, bands = message["type"], message.get("bands", 1)
    width, height = message.get("size", [WIDTH, HEIGHT])
    path = os.path.join(folder, message["name"] + ".tif")
    options = ["TILED=YES", "COMPRESS=DEFLATE", *message.get("options", [])]
    if kind == "int8":
        options.append("PIXELTYPE=SIGNEDBYTE")
    dataset = gdal.GetDriverByName("GTiff").Create(path, width, height, bands, TYPES[kind], options)
    dataset.SetGeoTransform(message.get("transform", [500_000, 10, 0, 5_000_000, 0, -10]))
    system = osr.SpatialReference()
    system.SetFromUserInput(message.get("crs", "EPSG:32633"))
    dataset.SetProjection(system.ExportToWkt())
    dataset.SetMetadataItem("SENSOR", "made")
    if message.get("point"):
        dataset.SetMetadataItem("AREA_OR_POINT", "Point")
    samples = picture(kind, bands, width, height, message.get("seed", 1))
    nodata = message.get("nodata")
    if nodata is not None:
        value = float(nodata)
        samples[:, :60, :200] = value
        samples[:, 300:420, 333:] = value
    for index in range(bands):
        band = dataset.GetRasterBand(index + 1)
        band.WriteArray(samples[index].view(numpy.uint8) if kind == "int8" else samples[index])
        band.SetDescription(f"band {index + 1}")
        if nodata is not None:
            band.SetNoDataValue(value)
        if message.get("meaning"):
            band.SetScale(0.5 + index)
            band.SetOffset(-3.25)
            band.SetUnitType("mm")
    if message.get("mask"):
        y, x = numpy.mgrid[0:height, 0:width]
        dataset.CreateMaskBand(gdal.GMF_PER_DATASET)
        dataset.GetRasterBand(1).GetMaskBand().WriteArray((((x - 300) ** 2 + (y - 250) ** 2 > 22_000) * 255).astype("uint8"))
    if message.get("alpha"):
        y, x = numpy.mgrid[0:height, 0:width]
        dataset.GetRasterBand(bands).WriteArray(numpy.where(x > y + 100, 0, 255).astype("uint8"))
    if message.get("palette"):
        table = gdal.ColorTable()
        for entry in range(256):
            table.SetColorEntry(entry, (entry, 255 - entry, entry * 7 % 256, 255))
        dataset.GetRasterBand(1).SetColorTable(table)
    return {"path": path}


def facts(message, folder):
    """All metadata that a copy must preserve."""
    dataset = gdal.Open(message["file"])
    bands = [dataset.GetRasterBand(index + 1) for index in range(dataset.RasterCount)]
    # GDAL excludes pixels by nodata or mask, but not by alpha.
    answer = {
        "size": [dataset.RasterXSize, dataset.RasterYSize],
        "transform": list(dataset.GetGeoTransform()),
        "crs": dataset.GetSpatialRef().ExportToWkt() if dataset.GetSpatialRef() else None,
        "point": dataset.GetMetadataItem("AREA_OR_POINT"),
        "sensor": dataset.GetMetadataItem("SENSOR"),
        "bands": [describe(band) for band in bands],
    }
    return answer


def describe(band):
    mask = band.GetMaskBand()
    table = band.GetColorTable()
    return {
        "type": band.DataType, "signed": band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE"),
        "checksum": band.Checksum(), "mask": [band.GetMaskFlags(), mask.Checksum()],
        "nodata": repr(band.GetNoDataValue()), "name": band.GetDescription(), "unit": band.GetUnitType(),
        "scale": band.GetScale() or 1, "offset": band.GetOffset() or 0, "colour": band.GetColorInterpretation(),
        "table": [table.GetColorEntry(entry)[:3] for entry in range(table.GetCount())] if table else None,
    }


def statistics(message, folder):
    """The largest relative difference between embedded statistics and those of GDAL, and bands without valid ones."""
    dataset = gdal.Open(message["file"])
    worst, missing = 0.0, []
    for index in range(dataset.RasterCount):
        band = dataset.GetRasterBand(index + 1)
        stored = [band.GetMetadataItem(f"STATISTICS_{name}") for name in (*STATISTICS, "VALID_PERCENT")]
        if None in stored:
            missing.append(index + 1)
            continue
        *numbers, share = measure(band)
        spread = max(abs(numbers[0]), abs(numbers[1]))
        worst = max(worst, *(abs(float(a) - b) / spread for a, b in zip(stored, numbers)))
        if abs(float(stored[4]) - share) > 0.01:
            missing.append(index + 1)
    return {"worst": worst, "missing": missing}


def measure(band):
    """Computed by GDAL, or by numpy for masks, alpha and signed bytes, which GDAL does not handle."""
    signed = band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE")
    if band.GetMaskFlags() & gdal.GMF_PER_DATASET == 0 and not signed:
        computed = band.ComputeStatistics(False)
        return *computed, float(band.GetMetadataItem("STATISTICS_VALID_PERCENT"))
    samples = band.ReadAsArray()
    samples = samples.view(numpy.int8) if signed else samples
    alpha = band.GetColorInterpretation() == gdal.GCI_AlphaBand
    valid = numpy.ones(samples.shape, bool) if alpha else band.GetMaskBand().ReadAsArray() > 0
    values = samples[valid].astype(float)
    return values.min(), values.max(), values.mean(), values.std(), 100 * valid.mean()


def validate(message, folder):
    warnings, errors, _ = validate_cloud_optimized_geotiff.validate(message["file"], full_check=True)
    return {"errors": errors, "warnings": warnings}


def same_crs(message, folder):
    """Whether GDAL reads the reference system of a code from the file, and the units of both."""
    expected = osr.SpatialReference()
    expected.ImportFromEPSG(message["epsg"])
    found = gdal.Open(message["file"]).GetSpatialRef()
    units = [system.GetLinearUnits() if system.IsProjected() else system.GetAngularUnits() for system in (expected, found)]
    return {"same": bool(expected.IsSame(found, ["IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES"])), "units": units}


def translate(message, folder):
    """GDAL's own COG copy."""
    path = os.path.join(folder, "theirs.tif")
    gdal.Translate(path, message["file"], format="COG", creationOptions=message["options"])
    return {"path": path}


def warp(message, folder):
    """gdalwarp with the exact transformer; without a grid GDAL chooses one."""
    path = os.path.join(folder, "theirs.tif")
    if os.path.exists(path):
        os.remove(path)
    places = {}
    if message.get("bounds"):
        places = {"outputBounds": message["bounds"], "width": message["size"][0], "height": message["size"][1]}
    cutline = None
    if message.get("area"):
        cutline = os.path.join(folder, "area.geojson")
        system = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:{message['areaCrs']}"}}
        feature = {"type": "Feature", "properties": {}, "geometry": message["area"]}
        with open(cutline, "w", encoding="utf-8") as file:
            json.dump({"type": "FeatureCollection", "crs": system, "features": [feature]}, file)
    gdal.Warp(
        path, message["files"], dstSRS=message.get("crs"), resampleAlg=message.get("resampling", "near"), errorThreshold=0,
        cutlineDSName=cutline, dstAlpha=message.get("alpha", False), dstNodata=message.get("nodata"),
        overviewLevel=None if message.get("overviews", False) else "NONE",
        warpOptions=["UNIFIED_SRC_NODATA=YES", *message.get("options", [])], **places)
    dataset = gdal.Open(path)
    return {"path": path, "size": [dataset.RasterXSize, dataset.RasterYSize], "transform": list(dataset.GetGeoTransform())}


def terrain(message, folder):
    """gdaldem: hillshade, slope or aspect."""
    path = os.path.join(folder, "theirs.tif")
    gdal.DEMProcessing(path, message["file"], message["measure"], **message["options"])
    return {"path": path}


def sieve(message, folder):
    """gdal_sieve of one band."""
    path = os.path.join(folder, "theirs.tif")
    gdal.Translate(path, message["file"], bandList=[message["band"] + 1])
    dataset = gdal.Open(path, gdal.GA_Update)
    band = dataset.GetRasterBand(1)
    gdal.SieveFilter(band, band.GetMaskBand(), band, message["min_pixels"], message["connectedness"])
    dataset.FlushCache()
    return {"path": path}


def pansharpen(message, folder):
    """gdal_pansharpen of all bands of a file."""
    path = os.path.join(folder, "theirs.tif")
    gdal_pansharpen(
        pan_name=message["pan"], spectral_names=[message["spectral"]], dst_filename=path, resampling="bilinear"
    )
    return {"path": path}


def reference_systems(source):
    """Longitude and latitude in degrees, and the system of a dataset, both with x before y."""
    target = osr.SpatialReference(source.GetProjection())
    degrees = osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    for system in (degrees, target):
        system.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return degrees, target


def rasterize(message, folder):
    """gdal_rasterize of areas in degrees with their values, on the grid of a file; later ones lie over earlier ones."""
    source = gdal.Open(message["file"])
    path = os.path.join(folder, "theirs.tif")
    dataset = gdal.GetDriverByName("GTiff").Create(path, source.RasterXSize, source.RasterYSize, 1, gdal.GDT_Byte)
    dataset.SetGeoTransform(source.GetGeoTransform())
    dataset.SetProjection(source.GetProjection())
    dataset.GetRasterBand(1).SetNoDataValue(0)
    degrees, target = reference_systems(source)
    layers = ogr.GetDriverByName("Memory").CreateDataSource("areas")
    for index, (area, value) in enumerate(message["areas"]):
        layer = layers.CreateLayer(f"area-{index}", target, ogr.wkbPolygon)
        feature = ogr.Feature(layer.GetLayerDefn())
        geometry = ogr.CreateGeometryFromJson(json.dumps(area))
        geometry.Transform(osr.CoordinateTransformation(degrees, target))
        feature.SetGeometry(geometry)
        layer.CreateFeature(feature)
        gdal.RasterizeLayer(dataset, [1], layer, burn_values=[value])
    dataset.FlushCache()
    return {"path": path}


def contours(message, folder):
    """Lengths of contours by level: of a GeoJSON file in degrees, and of gdal_contour."""
    source = gdal.Open(message["file"])
    degrees, target = reference_systems(source)
    layers = ogr.GetDriverByName("Memory").CreateDataSource("contours")
    layer = layers.CreateLayer("theirs", target, ogr.wkbLineString)
    layer.CreateField(ogr.FieldDefn("level", ogr.OFTReal))
    band = source.GetRasterBand(1)
    nodata = band.GetNoDataValue()
    gdal.ContourGenerate(band, message["interval"], message["base"], [], nodata is not None, nodata or 0, layer, -1, 0)
    theirs, ours = {}, {}
    for feature in layer:
        level = feature.GetField("level")
        theirs[level] = theirs.get(level, 0) + feature.GetGeometryRef().Length()
    to_target = osr.CoordinateTransformation(degrees, target)
    with open(message["ours"], encoding="utf8") as file:
        for feature in json.load(file)["features"]:
            geometry = ogr.CreateGeometryFromJson(json.dumps(feature["geometry"]))
            geometry.Transform(to_target)
            level = feature["properties"]["level"]
            ours[level] = ours.get(level, 0) + geometry.Length()
    return {"levels": [[level, ours.get(level, 0), theirs.get(level, 0)] for level in sorted(ours | theirs)]}


def polygons(message, folder):
    """Numbers and areas of polygons by value: of a GeoJSON file in degrees, and of gdal_polygonize."""
    source = gdal.Open(message["file"])
    degrees, target = reference_systems(source)
    layers = ogr.GetDriverByName("Memory").CreateDataSource("polygons")
    layer = layers.CreateLayer("theirs", target, ogr.wkbPolygon)
    layer.CreateField(ogr.FieldDefn("value", ogr.OFTReal))
    band = source.GetRasterBand(message["band"] + 1)
    options = ["8CONNECTED=8"] if message["connectedness"] == 8 else []
    gdal.Polygonize(band, band.GetMaskBand(), layer, 0, options)
    theirs, ours, invalid = {}, {}, 0

    def add(found, value, area):
        features, sum_of_areas = found.get(value, (0, 0))
        found[value] = (features + 1, sum_of_areas + area)

    for feature in layer:
        add(theirs, feature.GetField("value"), feature.GetGeometryRef().GetArea())
    to_target = osr.CoordinateTransformation(degrees, target)
    with open(message["ours"], encoding="utf8") as file:
        for feature in json.load(file)["features"]:
            geometry = ogr.CreateGeometryFromJson(json.dumps(feature["geometry"]))
            invalid += not geometry.IsValid()
            geometry.Transform(to_target)
            add(ours, feature["properties"]["value"], geometry.GetArea())
    values = [[value, ours.get(value, (0, 0)), theirs.get(value, (0, 0))] for value in sorted(ours | theirs)]
    return {"values": values, "invalid": invalid}


def median(message, folder):
    """The median of the first bands of files on one grid, computed by numpy; 0 where none has a value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        values = numpy.nanmedian(numpy.stack([values_of(path)[0] for path in message["files"]]), axis=0)
    path = os.path.join(folder, "theirs.tif")
    source = gdal.Open(message["files"][0])
    dataset = gdal.GetDriverByName("GTiff").Create(path, source.RasterXSize, source.RasterYSize, 1, gdal.GDT_UInt16)
    dataset.GetRasterBand(1).SetNoDataValue(0)
    dataset.GetRasterBand(1).WriteArray(numpy.where(numpy.isnan(values), 0, numpy.floor(values + 0.5)))
    return {"path": path}


def formula(message, folder):
    """Evaluates with numpy in 64 bits, NaN where a band has no value; `a`, `b` are the files, `a[0]` a first band."""
    names = dict(zip("ab", (values_of(path) for path in message["files"])))
    with numpy.errstate(all="ignore"):
        values = eval(message["formula"], {"numpy": numpy}, names)
    values = numpy.where(numpy.isfinite(values), values, numpy.nan).astype(numpy.float32)
    path = os.path.join(folder, "theirs.tif")
    source = gdal.Open(message["files"][0])
    dataset = gdal.GetDriverByName("GTiff").Create(path, source.RasterXSize, source.RasterYSize, 1, gdal.GDT_Float32)
    dataset.GetRasterBand(1).SetNoDataValue(numpy.nan)
    dataset.GetRasterBand(1).WriteArray(values)
    return {"path": path}


def values_of(path):
    dataset = gdal.Open(path)
    bands = []
    for index in range(dataset.RasterCount):
        band = dataset.GetRasterBand(index + 1)
        bands.append(numpy.where(band.GetMaskBand().ReadAsArray() > 0, band.ReadAsArray().astype(float), numpy.nan))
    return bands


def compare(message, folder):
    """
    Compares two files sample by sample where both are valid, on one level; `scaled` applies scale and offset, `within` is a
    file whose mask also applies to theirs.
    """
    ours, theirs = (load(message[side], message.get("level", 0), message.get("scaled")) for side in ("ours", "theirs"))
    if message.get("within"):
        theirs = theirs[0], theirs[1] & load(message["within"], 0, False)[1]
    if ours[0].shape[1:] != theirs[0].shape[1:]:
        return {"shapes": [list(ours[0].shape), list(theirs[0].shape)]}
    bands = min(len(ours[0]), len(theirs[0]))
    both = ours[1] & theirs[1]
    apart = numpy.abs(ours[0][:bands, both] - theirs[0][:bands, both])
    return {
        "shapes": None, "samples": int(apart.size), "masks": int((ours[1] != theirs[1]).sum()),
        "valid": int(both.sum()), "different": int((apart > 0).sum()), "beyond": int((apart > message["step"]).sum()),
        "largest": float(apart.max(initial=0)), "mean": float(apart.mean()) if apart.size else 0.0,
    }


def load(path, level, scaled):
    dataset = gdal.Open(path)
    bands = [dataset.GetRasterBand(index + 1) for index in range(dataset.RasterCount)]
    levels = [band.GetOverview(level - 1) if level else band for band in bands]
    samples = numpy.stack([band.ReadAsArray().astype(float) for band in levels])
    if bands[0].GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE"):
        samples = numpy.where(samples > 127, samples - 256, samples)
    if scaled:
        samples = numpy.stack([s * (b.GetScale() or 1) + (b.GetOffset() or 0) for s, b in zip(samples, bands)])
    return samples, levels[0].GetMaskBand().ReadAsArray() > 0


COMMANDS = {
    "make": make, "facts": facts, "statistics": statistics, "validate": validate, "translate": translate, "warp": warp,
    "formula": formula, "compare": compare, "same_crs": same_crs, "terrain": terrain, "sieve": sieve, "median": median,
    "pansharpen": pansharpen, "rasterize": rasterize, "contours": contours, "polygons": polygons,
}

"""Small files in given reference systems, written by GDAL, with positions computed by PROJ; see serve_commands.py."""
import math
import os
import re
import tempfile

from osgeo import gdal, osr

gdal.UseExceptions()
osr.UseExceptions()

PIXELS = 8
STEPS = 12
PROJ_FOLDERS = [os.environ.get("PROJ_DATA", ""), os.environ.get("PROJ_LIB", ""), "/usr/share/proj", "/usr/local/share/proj"]


def without_grids():
    """Lets PROJ find its database but no grid files, so that results do not depend on the machine."""
    found = [os.path.join(folder, "proj.db") for folder in PROJ_FOLDERS]
    register = next(path for path in found if os.path.exists(path))
    folder = tempfile.mkdtemp(prefix="swath-proj-")
    os.symlink(register, os.path.join(folder, "proj.db"))
    osr.SetPROJSearchPaths([folder])
    osr.SetPROJEnableNetwork(False)
    return folder


EMPTY_OF_GRIDS = without_grids()


def system(text):
    reference = osr.SpatialReference()
    reference.SetFromUserInput(text)
    reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return reference


def versions(_message, _folder):
    proj = ".".join(str(part) for part in (osr.GetPROJVersionMajor(), osr.GetPROJVersionMinor(), osr.GetPROJVersionMicro()))
    return {"text": f"GDAL {gdal.__version__}, PROJ {proj} without grids"}


def codes(message, _folder):
    """Projected systems of the EPSG register, some of every method, with positions in their area of use."""
    most = message["of_method"]
    systems = {}
    for info in osr.GetCRSInfoListFromDatabase("EPSG"):
        if info.type == osr.OSR_CRS_TYPE_PROJECTED and not info.deprecated and info.bbox_valid:
            systems.setdefault(info.projection_method, []).append(info)
    answer = []
    for method, infos in sorted(systems.items()):
        step = max(1, len(infos) / most)
        for number in range(min(len(infos), most)):
            info = infos[int(number * step)]
            points = points_of(info)
            if points:
                xs, ys = [point[0] for point in points], [point[1] for point in points]
                answer.append(
                    {
                        "name": f"{method}, EPSG:{info.code}",
                        "definition": f"EPSG:{info.code}",
                        "extent": [min(xs), min(ys), max(xs), max(ys)],
                        "points": points,
                    }
                )
    return {"systems": answer}


def points_of(info):
    """Positions in the middle half of the area of use, in units of the system: outside of it PROJ may choose another shift. None
    where PROJ does not project it."""
    west, east = info.west_lon_degree, info.east_lon_degree
    east = east + 360 if east < west else east
    south, north = info.south_lat_degree, info.north_lat_degree
    try:
        transform = osr.CoordinateTransformation(system("EPSG:4326"), system(f"EPSG:{info.code}"))
        points = [
            transform.TransformPoint(west + (east - west) * (0.25 + across / 4), south + (north - south) * (0.25 + up / 4))[:2]
            for across in range(3)
            for up in range(3)
        ]
    except RuntimeError:
        return None
    return points if all(abs(value) < 1e9 for point in points for value in point) else None


def write(message, folder):
    """Files that cover the extent, in the spelling of GDAL and of ESRI, the system as text of three kinds without its code, and
    longitude and latitude (WGS 84) of positions all over it, where they exist."""
    west, south, east, north = message["extent"]
    reference = system(message["definition"])
    paths = {}
    for spelling, options in SPELLINGS_OF_FILES.items():
        path = os.path.join(folder, f"{message['number']}-{spelling}.tif")
        dataset = gdal.GetDriverByName("GTiff").Create(path, PIXELS, PIXELS, 1, options=options)
        dataset.SetSpatialRef(reference)
        dataset.SetGeoTransform((west, (east - west) / PIXELS, 0, north, 0, (south - north) / PIXELS))
        dataset.GetRasterBand(1).Fill(7)
        del dataset
        # What the format has no words for is beside the file, which is not read here.
        if os.path.exists(path + ".aux.xml"):
            os.remove(path + ".aux.xml")
        said = gdal.Open(path).GetSpatialRef()
        if said and (said.IsProjected() or said.IsGeographic()):
            paths[spelling] = path
    texts = {}
    for spelling, form in SPELLINGS_OF_TEXTS.items():
        try:
            texts[spelling] = without_code(reference.ExportToWkt([f"FORMAT={form}"]))
        except RuntimeError:
            # Text of version 1 has no word for the method.
            continue
    said = {**{name: gdal.Open(path).GetSpatialRef() for name, path in paths.items()}, **{name: text for name, text in texts.items()}}
    points = message.get("points") or points_in(west, south, east, north)
    return {
        "paths": paths,
        "texts": texts,
        "places": places(reference, points),
        "base_places": base_places(reference, points),
        "said": {name: places(traditional(value), points) for name, value in said.items()},
    }


def traditional(value):
    """A system as PROJ reads it from a text, or as GDAL has read it from a file."""
    reference = system(value) if isinstance(value, str) else value.Clone()
    reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return reference


SPELLINGS_OF_FILES = {"keys": [], "ESRI text in keys": ["GEOTIFF_KEYS_FLAVOR=ESRI_PE"]}
SPELLINGS_OF_TEXTS = {"WKT 1": "WKT1_GDAL", "ESRI text": "WKT1_ESRI", "WKT 2": "WKT2_2019"}


def without_code(text):
    return re.sub(r',(?:AUTHORITY|ID)\["EPSG",\s*"?\d+"?\]\]$', "]", text)


def points_in(west, south, east, north):
    steps = [step / STEPS for step in range(STEPS + 1)]
    return [[west + (east - west) * across, south + (north - south) * up] for up in steps for across in steps]


def places(reference, points):
    """Longitude and latitude (WGS 84) of points; without an operation that PROJ knows, it takes the datum for WGS 84."""
    found = transformed(reference, system("EPSG:4326"), points, ballpark=False)
    return found or transformed(reference, system("EPSG:4326"), points, ballpark=True)


def base_places(reference, points):
    """Longitude and latitude of points in degrees of the datum of the system, from its own meridian."""
    if not reference.IsProjected():
        return []
    base = reference.CloneGeogCS()
    base.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    unit = math.degrees(base.GetAngularUnits())
    found = transformed(reference, base, points, ballpark=True, degrees=unit)
    return [place for place in found if abs(place[2]) < 175]


def transformed(reference, target, points, ballpark, degrees=1):
    options = osr.CoordinateTransformationOptions()
    options.SetBallparkAllowed(ballpark)
    answer = []
    try:
        transform = osr.CoordinateTransformation(reference, target, options)
    except RuntimeError:
        return answer
    for x, y in points:
        try:
            longitude, latitude, _ = transform.TransformPoint(x, y)
        except RuntimeError:
            # Outside the disc of the Earth, or another celestial body.
            continue
        longitude, latitude = longitude * degrees, latitude * degrees
        if abs(longitude) <= 360 and abs(latitude) <= 90:
            answer.append([x, y, longitude, latitude])
    return answer


def clean(_message, _folder):
    os.remove(os.path.join(EMPTY_OF_GRIDS, "proj.db"))
    os.rmdir(EMPTY_OF_GRIDS)
    return {}


COMMANDS = {"versions": versions, "codes": codes, "write": write, "clean": clean}

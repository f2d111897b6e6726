"""Small files in given reference systems, written by GDAL, with positions computed by PROJ; see serve_commands.py."""
import os
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


def write(message, folder):
    """A file that covers the extent, and longitude and latitude (WGS 84) of positions all over it, where they exist."""
    west, south, east, north = message["extent"]
    path = os.path.join(folder, f"{message['number']}.tif")
    dataset = gdal.GetDriverByName("GTiff").Create(path, PIXELS, PIXELS, 1)
    reference = system(message["definition"])
    dataset.SetSpatialRef(reference)
    dataset.SetGeoTransform((west, (east - west) / PIXELS, 0, north, 0, (south - north) / PIXELS))
    dataset.GetRasterBand(1).Fill(7)
    del dataset
    return {"path": path, "places": places(reference, west, south, east, north)}


def places(reference, west, south, east, north):
    transform = None
    answer = []
    for row in range(STEPS + 1):
        for column in range(STEPS + 1):
            x = west + (east - west) * column / STEPS
            y = south + (north - south) * row / STEPS
            try:
                transform = transform or osr.CoordinateTransformation(reference, system("EPSG:4326"))
                longitude, latitude, _ = transform.TransformPoint(x, y)
            except RuntimeError:
                # Outside the disc of the Earth, or another celestial body.
                continue
            if abs(longitude) <= 360 and abs(latitude) <= 90:
                answer.append([x, y, longitude, latitude])
    return answer


def clean(_message, _folder):
    os.remove(os.path.join(EMPTY_OF_GRIDS, "proj.db"))
    os.rmdir(EMPTY_OF_GRIDS)
    return {}


COMMANDS = {"versions": versions, "write": write, "clean": clean}

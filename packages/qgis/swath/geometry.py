"""Geometries between QGIS and GeoJSON, which is always WGS 84 in degrees."""

import json

from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsDistanceArea, QgsGeometry, QgsJsonUtils, QgsProject, QgsRectangle

from .problems import SwathError

WGS84 = "EPSG:4326"
DECIMALS = 8


def wgs84():
    return QgsCoordinateReferenceSystem(WGS84)


def to_wgs84(geometry, crs):
    """The geometry in degrees; the given one is not changed. Raises SwathError where it has none."""
    moved = QgsGeometry(geometry)
    transform = QgsCoordinateTransform(crs, wgs84(), QgsProject.instance())
    try:
        moved.transform(transform)
    except Exception as error:
        raise SwathError("The area cannot be expressed in degrees. Choose another reference system for the map.") from error
    return moved


def to_geojson(geometry):
    """A GeoJSON geometry of one in degrees."""
    return json.loads(geometry.asJson(DECIMALS))


def from_geojson(geometry):
    """A QgsGeometry of a GeoJSON geometry; an empty one of None."""
    return QgsGeometry() if geometry is None else QgsJsonUtils.geometryFromGeoJson(json.dumps(geometry))


def box_geometry(rectangle, crs):
    """The area of a rectangle in degrees, within the bounds of the world."""
    world = QgsRectangle(-180, -90, 180, 90)
    if crs == wgs84():
        return QgsGeometry.fromRect(rectangle.intersect(world))
    return to_wgs84(QgsGeometry.fromRect(rectangle).densifyByCount(8), crs).intersection(QgsGeometry.fromRect(world))


def area_km2(geometry):
    """The area on the ellipsoid of a geometry in degrees."""
    measure = QgsDistanceArea()
    measure.setSourceCrs(wgs84(), QgsProject.instance().transformContext())
    measure.setEllipsoid("WGS84")
    return measure.measureArea(geometry) / 1_000_000


def to_layer_crs(rectangle, crs):
    """A rectangle in degrees, in the reference system of a map."""
    return QgsCoordinateTransform(wgs84(), crs, QgsProject.instance()).transformBoundingBox(rectangle)

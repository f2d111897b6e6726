"""Scenes and their pictures as layers."""

import os

from osgeo import gdal
from qgis.core import QgsFeature, QgsFillSymbol, QgsProcessingUtils, QgsRasterLayer, QgsVectorLayer

from ..problems import SwathError

FIELDS = "field=id:string&field=host:string&field=collection:string&field=datetime:string&field=cloud:double&field=resolution:double&field=credits:integer"


def scenes_layer(scenes, name="Scenes"):
    """A layer with the footprints of scenes and what is known of them."""
    layer = QgsVectorLayer(f"MultiPolygon?crs=EPSG:4326&{FIELDS}", name, "memory")
    features = []
    for scene in scenes:
        feature = QgsFeature(layer.fields())
        geometry = scene.footprint
        geometry.convertToMultiType()
        feature.setGeometry(geometry)
        feature.setAttributes([scene.id, scene.host, scene.collection, scene.datetime, scene.cloud_percent, scene.resolution_m, scene.credits])
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    layer.updateExtents()
    symbol = QgsFillSymbol.createSimple({"color": "47,179,163,30", "outline_color": "15,61,76", "outline_width": "0.5"})
    layer.renderer().setSymbol(symbol)
    return layer


def quicklook_layer(scene, picture):
    """A picture of a scene over its footprint; `picture` is the bytes of a PNG. The file ends with the session of QGIS."""
    box = scene.footprint.boundingBox()
    path = os.path.join(QgsProcessingUtils.tempFolder(), f"quicklook-{abs(hash((scene.host, scene.id)))}.tif")
    source = f"/vsimem/quicklook-{os.path.basename(path)}.png"
    gdal.FileFromMemBuffer(source, picture)
    try:
        bounds = [box.xMinimum(), box.yMaximum(), box.xMaximum(), box.yMinimum()]
        written = gdal.Translate(path, source, outputBounds=bounds, outputSRS="EPSG:4326")
        if written is None:
            raise SwathError("The picture of the scene cannot be read.")
        del written
    finally:
        gdal.Unlink(source)
    return QgsRasterLayer(path, f"Quicklook {scene.datetime[:10]} {scene.collection}".strip(), "gdal")

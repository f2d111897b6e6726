"""Passes of satellites as a layer in time."""

from qgis.core import QgsFeature, QgsFillSymbol, QgsUnitTypes, QgsVectorLayer, QgsVectorLayerTemporalProperties
from qgis.PyQt.QtCore import QDateTime, Qt

from ..geometry import from_geojson

FIELDS = (
    "field=satellite:string&field=sensor:string&field=start:datetime&field=end:datetime"
    "&field=off_nadir:double&field=sun:double&field=coverage:double&field=cloud:double&field=credits:integer"
)
NUMBERS = ("offNadirAngle", "sunElevation", "coverage", "cloudCover", "creditsPrice")


def passes_layer(passes, name="Passes"):
    """A layer with what each pass sees, that the temporal controller of QGIS moves through."""
    layer = QgsVectorLayer(f"MultiPolygon?crs=EPSG:4326&{FIELDS}", name, "memory")
    features = []
    for one in passes:
        feature = QgsFeature(layer.fields())
        geometry = from_geojson(one["swath"])
        geometry.convertToMultiType()
        feature.setGeometry(geometry)
        times = [QDateTime.fromString(one[end], Qt.DateFormat.ISODateWithMs) for end in ("acquisitionStart", "acquisitionEnd")]
        feature.setAttributes([one["satellite"], one["sensor"], *times, *(one[number] for number in NUMBERS)])
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    layer.updateExtents()
    layer.renderer().setSymbol(QgsFillSymbol.createSimple({"color": "244,201,93,30", "outline_color": "15,61,76", "outline_width": "0.4"}))
    temporal = layer.temporalProperties()
    temporal.setMode(QgsVectorLayerTemporalProperties.TemporalMode.ModeFeatureDateTimeStartAndEndFromFields)
    temporal.setStartField("start")
    temporal.setEndField("end")
    temporal.setDurationUnits(QgsUnitTypes.TemporalUnit.TemporalMinutes)
    temporal.setIsActive(True)
    return layer

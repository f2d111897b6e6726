"""Statistics of polygons as attributes."""

from qgis.core import QgsFeature, QgsField, QgsFields, QgsVectorLayer, QgsWkbTypes
from qgis.PyQt.QtCore import QMetaType

from ..measure import field_columns


def statistics_fields(fields, statistics):
    """The fields of the polygons, then one for each statistic."""
    all_fields = QgsFields(fields)
    for name in field_columns(fields.names(), statistics).values():
        all_fields.append(QgsField(name, QMetaType.Type.Double))
    return all_fields


def statistics_features(features, fields, statistics):
    """Copies of the measured polygons with these fields; `statistics` is by the id of the feature as text."""
    for feature in features:
        row = statistics.get(str(feature.id()))
        if row is None:
            continue
        measured = QgsFeature(fields)
        measured.setGeometry(feature.geometry())
        # By name: the place of a field differs where a provider has left one out.
        for name in feature.fields().names():
            if fields.lookupField(name) >= 0:
                measured.setAttribute(name, feature[name])
        for statistic, name in field_columns(feature.fields().names(), statistics).items():
            measured.setAttribute(name, row.get(statistic))
        yield measured


def statistics_layer(layer, features, statistics, name):
    """A copy of polygons with their attributes and their statistics."""
    copy = QgsVectorLayer(f"{QgsWkbTypes.displayString(layer.wkbType())}?crs={layer.crs().authid()}", name, "memory")
    copy.setCrs(layer.crs())
    fields = statistics_fields(layer.fields(), statistics)
    copy.dataProvider().addAttributes(list(fields))
    copy.updateFields()
    copy.dataProvider().addFeatures(list(statistics_features(features, copy.fields(), statistics)))
    copy.updateExtents()
    return copy

"""Search, estimate and order."""

from qgis.core import (
    Qgis,
    QgsFeature,
    QgsGeometry,
    QgsProcessing,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterNumber,
)

from ..geometry import to_geojson, to_wgs84, wgs84
from ..layers.footprints import scenes_layer
from ..orders import wait_for_order
from ..problems import SwathError
from ..purchase import estimate, lock_price, place_order, to_captures
from ..search import Scene, SceneSearch, search_scenes
from ..texts import credits_text
from .base import MAX_CREDITS, SwathAlgorithm

AREA = "AREA"
SCENES = "SCENES"
OUTPUT = "OUTPUT"
POLYGONS = [QgsProcessing.SourceType.TypeVectorPolygon]


def read_area(source):
    """The union of the polygons of a source in degrees; None without a source."""
    if source is None:
        return None
    parts = [to_wgs84(feature.geometry(), source.sourceCrs()) for feature in source.getFeatures() if feature.hasGeometry()]
    if not parts:
        raise SwathError("The layer of the area has no polygons.")
    return QgsGeometry.unaryUnion(parts)


def read_scenes(source):
    """The scenes of a layer with the fields `id` and `host`, as the search makes it."""
    names = source.fields().names()
    if not {"id", "host"} <= set(names):
        raise SwathError("The layer has no scenes of a search: the fields “id” and “host” are missing.")
    scenes = []
    for feature in source.getFeatures():
        geometry = to_geojson(to_wgs84(feature.geometry(), source.sourceCrs()))
        scenes.append(Scene({"id": feature["id"], "geometry": geometry, "properties": {"host": feature["host"]}}))
    return scenes


class SearchScenes(SwathAlgorithm):
    NAME = "search"
    TITLE = "Search scenes"
    HELP = "Searches the imagery of all hosts for scenes over the polygons. The result has the footprints, with what a whole scene costs. Nothing is spent."

    def initAlgorithm(self, configuration=None):
        self.addParameter(QgsProcessingParameterFeatureSource(AREA, "Area", POLYGONS))
        self.add_optional_text("FROM", "First day (yyyy-mm-dd)")
        self.add_optional_text("TO", "Last day (yyyy-mm-dd)")
        integer = Qgis.ProcessingNumberParameterType.Integer
        self.addParameter(QgsProcessingParameterNumber("CLOUD", "Cloud at most, in percent", integer, None, True, 0, 100))
        self.addParameter(QgsProcessingParameterNumber("LIMIT", "Scenes at most", integer, 50, False, 1, 500))
        self.addParameter(QgsProcessingParameterFeatureSink(OUTPUT, "Scenes"))

    def work(self, client, parameters, context, feedback):
        area = read_area(self.parameterAsSource(parameters, AREA, context))
        days = [self.parameterAsString(parameters, name, context) or None for name in ("FROM", "TO")]
        has_cloud = parameters.get("CLOUD") is not None
        cloud = self.parameterAsInt(parameters, "CLOUD", context) if has_cloud else None
        limit = self.parameterAsInt(parameters, "LIMIT", context)
        scenes, notes = search_scenes(client, SceneSearch(area, days[0], days[1], cloud, limit), feedback)
        for note in notes:
            feedback.pushWarning(note)
        layer = scenes_layer(scenes)
        sink, target = self.parameterAsSink(parameters, OUTPUT, context, layer.fields(), layer.wkbType(), wgs84())
        for feature in layer.getFeatures():
            copy = QgsFeature(layer.fields())
            copy.setGeometry(feature.geometry())
            copy.setAttributes(feature.attributes())
            sink.addFeature(copy)
        feedback.pushInfo(f"{len(scenes)} scenes.")
        return {OUTPUT: target}


class ScenesAlgorithm(SwathAlgorithm):
    """Scenes of a search, whole or inside an area."""

    def add_scenes(self):
        self.addParameter(QgsProcessingParameterFeatureSource(SCENES, "Scenes of a search", POLYGONS))
        self.addParameter(QgsProcessingParameterFeatureSource(AREA, "Part of them", POLYGONS, None, True))

    def read_captures(self, parameters, context):
        area = read_area(self.parameterAsSource(parameters, AREA, context))
        return to_captures(read_scenes(self.parameterAsSource(parameters, SCENES, context)), area)


class EstimateScenes(ScenesAlgorithm):
    NAME = "estimate"
    TITLE = "Estimate the price of scenes"
    HELP = "What scenes of a search cost, whole or inside the polygons of an area, without what is already held. Nothing is spent."

    def initAlgorithm(self, configuration=None):
        self.add_scenes()
        self.addOutput(QgsProcessingOutputNumber("CREDITS", "Credits"))
        self.addOutput(QgsProcessingOutputNumber("AREA_KM2", "Area in km²"))

    def work(self, client, parameters, context, feedback):
        price = estimate(client, self.read_captures(parameters, context), feedback)
        feedback.pushInfo(price.sentence)
        return {"CREDITS": price.credits, "AREA_KM2": price.area_km2}


class OrderScenes(ScenesAlgorithm):
    NAME = "order"
    TITLE = "Order scenes"
    HELP = "Buys scenes of a search at a locked price, whole or inside the polygons of an area, if they cost no more than is permitted. Spends credits."

    def initAlgorithm(self, configuration=None):
        self.add_scenes()
        self.add_max_credits()
        self.add_optional_text("PROJECT", "Id of the project of the delivery")
        self.addParameter(QgsProcessingParameterBoolean("WAIT", "Wait until it is delivered", True))
        self.addOutput(QgsProcessingOutputString("ORDER", "Id of the order"))
        self.addOutput(QgsProcessingOutputNumber("CREDITS", "Credits"))

    def work(self, client, parameters, context, feedback):
        max_credits = self.parameterAsInt(parameters, MAX_CREDITS, context)
        price = lock_price(client, self.read_captures(parameters, context), feedback)
        if price.credits > max_credits:
            raise SwathError(f"It costs {credits_text(price.credits)}, more than the {max_credits} that may be spent. Nothing was ordered.")
        order = place_order(client, price, self.parameterAsString(parameters, "PROJECT", context) or None, feedback)
        feedback.pushInfo(f"Ordered {order['id']} for {credits_text(price.credits)}.")
        if self.parameterAsBool(parameters, "WAIT", context):
            wait_for_order(client, order["id"], feedback)
        return {"ORDER": order["id"], "CREDITS": price.credits}

"""Statistics of polygons."""

from qgis.core import QgsProcessingParameterEnum, QgsProcessingParameterFeatureSink, QgsProcessingParameterFeatureSource

from ..layers.statistics import statistics_fields, statistics_features
from ..measure import VALUE_KINDS, to_zones, zonal_statistics
from .base import ITEM, SwathAlgorithm
from .scenes import OUTPUT, POLYGONS

KINDS = tuple(VALUE_KINDS)


class ZonalStatistics(SwathAlgorithm):
    NAME = "zonalstatistics"
    TITLE = "Statistics of an item inside polygons"
    HELP = "The statistics of a spectral index, of bands or of an expression inside each polygon, measured at the server. Up to 1000 polygons."

    def initAlgorithm(self, configuration=None):
        self.add_item()
        self.addParameter(QgsProcessingParameterFeatureSource("POLYGONS", "Polygons", POLYGONS))
        self.addParameter(QgsProcessingParameterEnum("KIND", "Value", list(KINDS), False, 0, False, True))
        self.add_optional_text("VALUE", "Index, expression or bands, such as NDVI", "NDVI")
        self.addParameter(QgsProcessingParameterFeatureSink(OUTPUT, "Statistics"))

    def work(self, client, parameters, context, feedback):
        source = self.parameterAsSource(parameters, "POLYGONS", context)
        features = list(source.getFeatures())
        value = (self.parameterAsEnumString(parameters, "KIND", context), self.parameterAsString(parameters, "VALUE", context).strip())
        zones = to_zones(features, source.sourceCrs())
        statistics = zonal_statistics(client, self.parameterAsString(parameters, ITEM, context), zones, value, feedback)
        fields = statistics_fields(source.fields(), statistics)
        sink, target = self.parameterAsSink(parameters, OUTPUT, context, fields, source.wkbType(), source.sourceCrs())
        for feature in statistics_features(features, fields, statistics):
            sink.addFeature(feature)
        return {OUTPUT: target}

"""The algorithms, alone and in a model."""

import json
import os
from pathlib import Path

import processing
from osgeo import gdal
from processing.core.Processing import Processing
from qgis.analysis import QgsNativeAlgorithms
from qgis.core import (
    QgsApplication,
    QgsFeature,
    QgsGeometry,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildParameterSource,
    QgsProcessingModelParameter,
    QgsProcessingParameterString,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)


class ProcessingSteps:
    def __init__(self, plugin, window, request):
        self.plugin = plugin
        self.request = request
        self.expected = request["scenes"]
        Processing.initialize()
        registry = QgsApplication.processingRegistry()
        if registry.providerById("native") is None:
            registry.addProvider(QgsNativeAlgorithms(registry))
        self.folder = os.path.join(request["pictures"], "processing")

    def play(self, report):
        report.capability("search by an algorithm", self.search)
        report.capability("estimate by an algorithm", self.estimate)
        report.capability("order nothing above what may be spent, or without it", self.refuse_order)
        report.capability("order by an algorithm, and wait", self.order)
        report.capability("download an order by an algorithm, verified, once", self.download)
        report.capability("clip an item by an algorithm", self.clip)
        report.capability("compute an index by an algorithm, and open the result", self.index)
        report.capability("measure polygons by an algorithm", self.measure)
        report.capability("run any process by an algorithm", self.process)
        report.capability("use an item in a model with algorithms of QGIS", self.model)

    def run(self, name, **parameters):
        return processing.run(f"swath:{name}", parameters, feedback=QgsProcessingFeedback(False))

    def client(self):
        return self.plugin.session.client()

    def layer(self, geometry):
        layer = QgsVectorLayer("Polygon?crs=EPSG:4326&field=name:string", "area", "memory")
        feature = QgsFeature(layer.fields())
        feature.setGeometry(geometry)
        feature.setAttributes(["here"])
        layer.dataProvider().addFeatures([feature])
        QgsProject.instance().addMapLayer(layer)
        return layer

    def part(self):
        coordinates = self.expected["part"]["coordinates"][0]
        return self.layer(QgsGeometry.fromWkt(f"POLYGON(({', '.join(f'{x} {y}' for x, y in coordinates)}))"))

    def search(self):
        west, south, east, north = self.expected["bbox"]
        box = f"POLYGON(({west} {south},{east} {south},{east} {north},{west} {north},{west} {south}))"
        found = self.run("search", AREA=self.layer(QgsGeometry.fromWkt(box)), LIMIT=200, OUTPUT="TEMPORARY_OUTPUT")["OUTPUT"]
        assert {feature["id"]: feature["credits"] for feature in found.getFeatures()} == self.expected["credits"]
        found.setSubsetString(f"\"id\" = '{self.expected['second']}'")
        assert found.featureCount() == 1
        self.scenes = found

    def estimate(self):
        price = self.run("estimate", SCENES=self.scenes)
        assert price["CREDITS"] == self.expected["second_credits"] and price["AREA_KM2"] > 0, price

    def refuse_order(self):
        before = len(self.client().call("orders.list", {})["content"])
        for parameters in ({"MAX_CREDITS": self.expected["second_credits"] - 1}, {}):
            try:
                self.run("order", SCENES=self.scenes, **parameters)
            except QgsProcessingException as error:
                assert "may be spent" in str(error) or "MAX_CREDITS" in str(error) or "Incorrect parameter" in str(error), error
            else:
                raise AssertionError("it was ordered")
        assert len(self.client().call("orders.list", {})["content"]) == before

    def order(self):
        done = self.run("order", SCENES=self.scenes, MAX_CREDITS=self.expected["second_credits"], WAIT=True)
        assert done["CREDITS"] == self.expected["second_credits"]
        assert self.client().call("orders.get", {"order_id": done["ORDER"]})["status"] == "FULFILLED"
        self.order_id = done["ORDER"]

    def download(self):
        done = self.run("download", ORDER=self.order_id, FOLDER=self.folder)
        paths = json.loads(done["PATHS"])
        assert done["FILES"] == len(paths) > 0 and all(gdal.Open(path).RasterCount > 0 for path in paths if path.endswith(".tif"))
        times = [os.path.getmtime(path) for path in paths]
        damaged = Path(paths[0])
        whole = damaged.read_bytes()
        damaged.write_bytes(b"damaged" + whole[7:])
        again = json.loads(self.run("download", ORDER=self.order_id, FOLDER=self.folder)["PATHS"])
        assert again == paths and damaged.read_bytes() == whole
        assert [os.path.getmtime(path) for path in paths][1:] == times[1:]
        [self.item] = json.loads(done["ITEMS"])
        self.file = next(path for path in paths if path.endswith(".tif"))

    def inside(self):
        """A quarter of the item around its middle."""
        item = self.client().call("items.get", {"item_id": self.item})["item"]
        west, south, east, north = item["bbox"]
        middle = QgsGeometry.fromWkt(f"POINT({(west + east) / 2} {(south + north) / 2})").boundingBox()
        middle.grow(min(east - west, north - south) / 8)
        return self.layer(QgsGeometry.fromRect(middle))

    def assert_raster(self, item_id):
        raster = QgsRasterLayer(self.run("itemraster", ITEM=item_id)["RASTER"], "raster", "gdal")
        assert raster.isValid(), raster.error().summary()
        return raster

    def clip(self):
        done = self.run("clip", ITEM=self.item, AREA=self.inside(), MAX_CREDITS=1000)
        clipped, whole = self.assert_raster(done["ITEM"]), self.assert_raster(self.item)
        assert clipped.width() < whole.width() and clipped.bandCount() >= whole.bandCount(), [clipped.width(), whole.width(), clipped.bandCount()]

    def index(self):
        done = self.run("index", ITEM=self.item, INDEX="NDVI", MAX_CREDITS=1000)
        raster = self.assert_raster(done["ITEM"])
        statistics = raster.dataProvider().bandStatistics(1)
        assert -1 <= statistics.minimumValue < statistics.maximumValue <= 1, [statistics.minimumValue, statistics.maximumValue]

    def measure(self):
        result = self.run("zonalstatistics", ITEM=self.item, POLYGONS=self.inside(), KIND="index", VALUE="NDVI", OUTPUT="TEMPORARY_OUTPUT")["OUTPUT"]
        [feature] = list(result.getFeatures())
        assert "ndvi_mean" in result.fields().names(), result.fields().names()
        assert feature["name"] == "here" and -1 < feature["ndvi_mean"] < 1 and feature["ndvi_count"] > 10, feature.attributes()

    def process(self):
        inputs = {"item": self.item, "expression": "b1 * 2"}
        done = self.run("process", PROCESS="band-math", INPUTS=json.dumps(inputs), MAX_CREDITS=1000)
        rasters = [self.assert_raster(item) for item in (done["ITEM"], self.item)]
        doubled, plain = (raster.dataProvider().bandStatistics(1).mean for raster in rasters)
        assert abs(doubled - 2 * plain) < 0.05, [doubled, plain]
        try:
            self.run("process", PROCESS="band-math", INPUTS="[1", MAX_CREDITS=1)
        except QgsProcessingException as error:
            assert "not JSON" in str(error)
        else:
            raise AssertionError("it ran")

    def model(self):
        model = QgsProcessingModelAlgorithm("model", "swath")
        model.addModelParameter(QgsProcessingParameterString("item", "Item"), QgsProcessingModelParameter("item"))
        first = QgsProcessingModelChildAlgorithm("swath:itemraster")
        first.addParameterSources("ITEM", [QgsProcessingModelChildParameterSource.fromModelParameter("item")])
        first_id = model.addChildAlgorithm(first)
        second = QgsProcessingModelChildAlgorithm("native:rasterlayerproperties")
        second.addParameterSources("INPUT", [QgsProcessingModelChildParameterSource.fromChildOutput(first_id, "RASTER")])
        second.addParameterSources("BAND", [QgsProcessingModelChildParameterSource.fromStaticValue(1)])
        second_id = model.addChildAlgorithm(second)
        results = processing.run(model, {"item": self.item}, feedback=QgsProcessingFeedback(False))["CHILD_RESULTS"]
        expected = gdal.Open(self.file)
        assert results[second_id]["WIDTH_IN_PIXELS"] == expected.RasterXSize, results

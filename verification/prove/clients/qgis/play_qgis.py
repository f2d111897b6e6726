"""QGIS by its Python: layers of OGC API - Features, WMTS, tiles and cloud-optimized files, with a token that QGIS keeps.

Runs in a folder of its own system (`install.sh`); reads the request as JSON on standard input.
"""

import json
import os
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.setdefault("XDG_RUNTIME_DIR", "/tmp")

from osgeo import gdal
from qgis.core import (
    Qgis,
    QgsApplication,
    QgsAuthMethodConfig,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFeatureRequest,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor

from report import Report

gdal.UseExceptions()


class Reader:
    def __init__(self, request):
        self.request = request
        self.catalog = f"{request['address']}/assets/stac"
        self.collection = request["described"]["collection"]
        self.items = request["described"]["items"]
        self.virtual = f"project-{request['project']}"
        self.auth = self.keep_token(request["token"])

    def keep_token(self, token):
        """The id of an authentication of QGIS that sends the token as a header."""
        manager = QgsApplication.authManager()
        assert manager.setMasterPassword("of this run", True)
        config = QgsAuthMethodConfig("APIHeader")
        config.setName("token")
        config.setConfig("Authorization", f"Bearer {token}")
        assert manager.storeAuthenticationConfig(config)
        return config.id()

    def features(self, collection, more=""):
        uri = f"url='{self.catalog}' typename='{collection}' authcfg={self.auth} {more}"
        layer = QgsVectorLayer(uri, collection, "OAPIF")
        assert layer.isValid(), [layer.error().summary(), *messages[-3:]]
        return layer

    def read_features(self):
        layer = self.features(self.collection, "pageSize='3'")
        assert layer.featureCount() == len(self.items), layer.featureCount()
        found = {feature["id"] if "id" in feature.fields().names() else feature["title"] for feature in layer.getFeatures()}
        assert len(found) == len(self.items), found
        names = layer.fields().names()
        assert {"eo:cloud_cover", "datetime", "title"} <= set(names), names
        clouds = sorted(feature["eo:cloud_cover"] for feature in layer.getFeatures())
        assert clouds == [index * 5 for index in range(len(self.items))], clouds

    def find_features(self):
        layer = self.features(self.collection)
        box = QgsFeatureRequest().setFilterRect(QgsRectangle(21.5, 20.2, 23.5, 20.8))
        assert len(list(layer.getFeatures(box))) == 3
        narrow = self.features(self.collection, "restrictToRequestBBOX='1'")
        assert len(list(narrow.getFeatures(box))) == 3
        # A condition that is set later is asked for without the token (QGIS 3.40, `setSubsetString`): it is part of the layer.
        chosen = self.features(self.collection, "filter='\"eo:cloud_cover\" < 15'")
        clouds = sorted(feature["eo:cloud_cover"] for feature in chosen.getFeatures())
        assert clouds == [0, 5, 10], [clouds, *messages[-3:]]

    def read_uncollected(self):
        layer = self.features(self.virtual)
        [feature] = list(layer.getFeatures())
        assert feature.geometry().area() > 0

    def render(self, layer, size=256):
        """The colours of a layer drawn whole, as a list of rows."""
        settings = QgsMapSettings()
        settings.setLayers([layer])
        settings.setBackgroundColor(QColor(0, 0, 0, 0))
        settings.setOutputSize(QSize(size, size))
        settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
        settings.setExtent(self.place())
        job = QgsMapRendererParallelJob(settings)
        job.start()
        job.waitForFinished()
        assert not job.errors(), [error.message for error in job.errors()]
        image = job.renderedImage()
        return [[image.pixelColor(x, y) for x in range(0, size, 4)] for y in range(0, size, 4)]

    def place(self):
        """The middle of the image in Web Mercator."""
        dataset = gdal.Open(self.request["image"]["path"])
        left, width, _, top, _, height = dataset.GetGeoTransform()
        box = QgsRectangle(left, top + dataset.RasterYSize * height, left + dataset.RasterXSize * width, top)
        crs = QgsCoordinateReferenceSystem.fromWkt(dataset.GetProjection())
        transform = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem("EPSG:3857"), QgsProject.instance())
        box.scale(0.5)
        return transform.transformBoundingBox(box)

    def assert_picture(self, layer):
        assert layer.isValid(), layer.error().summary()
        colours = [colour for row in self.render(layer) for colour in row]
        seen = {colour.name() for colour in colours if colour.alpha() == 255}
        assert len(seen) > 100, f"{len(seen)} colours"
        return colours

    def draw_wmts(self):
        item = self.request["image"]["id"]
        capabilities = f"{self.request['address']}/api/v1/items/{item}/tiles/WMTSCapabilities.xml"
        uri = f"crs=EPSG:3857&format=image/png&layers={item}&styles=default&tileMatrixSet=GoogleMapsCompatible&authcfg={self.auth}&url={capabilities}"
        return self.assert_picture(QgsRasterLayer(uri, "wmts", "wms"))

    def draw_tiles(self):
        item = self.request["image"]["id"]
        template = f"{self.request['address']}/api/v1/items/{item}/tiles/%7Bz%7D/%7Bx%7D/%7By%7D.png"
        return self.assert_picture(QgsRasterLayer(f"type=xyz&url={template}&zmax=22&zmin=0&authcfg={self.auth}", "xyz", "wms"))

    def read_file(self):
        href = self.request["image"]["href"]
        headers = f"Authorization: Bearer {self.request['token']}"
        gdal.SetConfigOption("GDAL_HTTP_HEADERS", headers)
        gdal.SetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR")
        layer = QgsRasterLayer(f"/vsicurl/{href}", "file", "gdal")
        assert layer.isValid(), layer.error().summary()
        expected = gdal.Open(self.request["image"]["path"])
        provider = layer.dataProvider()
        assert (provider.xSize(), provider.ySize(), provider.bandCount()) == (expected.RasterXSize, expected.RasterYSize, expected.RasterCount)
        for band in range(1, expected.RasterCount + 1):
            block = provider.block(band, provider.extent(), provider.xSize(), provider.ySize())
            right = expected.GetRasterBand(band).ReadRaster()
            assert bytes(block.data()) == bytes(right), f"band {band} differs"

    def refuse(self):
        layer = QgsVectorLayer(f"url='{self.catalog}' typename='{self.collection}'", "without a token", "OAPIF")
        assert not layer.isValid()
        layer = QgsVectorLayer(f"url='{self.catalog}' typename='nothing' authcfg={self.auth}", "nothing", "OAPIF")
        assert not layer.isValid()


request = json.load(sys.stdin)
messages = []
application = QgsApplication([], False)
application.initQgis()
QgsApplication.messageLog().messageReceived[str, str, Qgis.MessageLevel].connect(lambda text, tag, level: messages.append(f"{tag}: {text}"))
report = Report("QGIS")
reader = Reader(request)
# First: QGIS keeps what it has read, whoever was signed in.
report.capability("refuse to read without a token, and what does not exist", reader.refuse)
report.capability("read the features of a collection, page by page (OGC API - Features)", reader.read_features)
report.capability("read features by box and by a condition", reader.find_features)
report.capability("read the items of a project that are in no collection", reader.read_uncollected)
report.capability("draw a layer of WMTS with a kept token", reader.draw_wmts)
report.capability("draw tiles of an address template with a kept token", reader.draw_tiles)
report.capability("read every sample of a cloud-optimized file", reader.read_file)
sys.stdout.flush()
# Threads of the network may outlive the application, and are ended with the process.
os._exit(0)

"""QGIS without the plugin: its own STAC client, by the browser of its data sources, and the files that the console offers.

Runs in a folder of its own system; reads the request as JSON on standard input.
"""

import ctypes
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
    QgsDataItemProvider,
    QgsLayerDefinition,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsSettings,
)
from qgis.gui import QgsManageConnectionsDialog
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QSize

from report import Report

gdal.UseExceptions()


def stac_provider():
    """The provider of the entries of STAC in the browser. The window of QGIS registers it, and its Python does not have the class: it
    is found by its name in the library, and is nothing but its table of functions."""
    registry = QgsApplication.dataItemProviderRegistry()
    providers = {provider.name(): provider for provider in registry.providers()}
    if "STAC" not in providers:
        library = ctypes.CDLL(f"libqgis_core.so.{Qgis.QGIS_VERSION.split('-')[0]}")
        functions = ctypes.addressof(ctypes.c_char.in_dll(library, "_ZTV23QgsStacDataItemProvider")) + 2 * ctypes.sizeof(ctypes.c_void_p)
        held.append(ctypes.c_void_p(functions))
        providers["STAC"] = sip.wrapinstance(ctypes.addressof(held[-1]), QgsDataItemProvider)
        assert providers["STAC"].name() == "STAC"
    return providers["STAC"]


class StacUser:
    """A person with the browser of QGIS, and a connection with a kept token."""

    def __init__(self, request):
        self.request = request
        manager = QgsApplication.authManager()
        assert manager.setMasterPassword("of this run", True)
        config = QgsAuthMethodConfig("APIHeader")
        config.setName("token")
        config.setConfig("Authorization", f"Bearer {request['token']}")
        assert manager.storeAuthenticationConfig(config)
        self.authcfg = config.id()
        for name, path in (("plain", "/assets/stac"), ("signed", "/signed/assets/stac")):
            self.connect(name, request["address"] + path)

    def connect(self, name, url):
        settings = QgsSettings()
        settings.setValue(f"connections/stac/items/{name}/url", url)
        settings.setValue(f"connections/stac/items/{name}/authcfg", self.authcfg)

    def children(self, item):
        """The children of an entry of the browser, which a person would open."""
        return [child for child in item.createChildren() if child is not None]

    def find(self, connection):
        """The entry of the item that has the file, below a connection."""
        self.held = [stac_provider().createDataItem("", None)]
        [root] = [item for item in self.children(self.held[0]) if item.name() == connection]
        self.held.append(root)
        collections = self.children(root)
        self.held += collections
        names = [collection.name() for collection in collections]
        assert names, f"the connection {connection} shows nothing"
        for collection in collections:
            items = self.children(collection)
            self.held += items
            for item in items:
                if self.request["image"]["item"] in item.path():
                    return item
        raise AssertionError(f"no item in {names}")

    def add_asset(self):
        item = self.find("signed")
        assert item.hasDragEnabled()
        uris = [uri for uri in item.mimeUris() if uri.layerType == "raster"]
        assert len(uris) == 1, [uri.uri for uri in item.mimeUris()]
        layer = QgsRasterLayer(uris[0].uri, uris[0].name, uris[0].providerKey)
        assert layer.isValid(), [layer.error().summary(), *messages[-3:]]
        expected = gdal.Open(self.request["image"]["path"])
        provider = layer.dataProvider()
        assert (provider.xSize(), provider.ySize(), provider.bandCount()) == (expected.RasterXSize, expected.RasterYSize, expected.RasterCount)
        for band in range(1, expected.RasterCount + 1):
            block = provider.block(band, provider.extent(), provider.xSize(), provider.ySize())
            assert bytes(block.data()) == bytes(expected.GetRasterBand(band).ReadRaster()), f"band {band} differs"

    def add_unsigned(self):
        """What the plain catalogue gives: QGIS 3.40 sends no header to files. Newer ones may."""
        uris = [uri for uri in self.find("plain").mimeUris() if uri.layerType == "raster"]
        layer = QgsRasterLayer(uris[0].uri, uris[0].name, uris[0].providerKey)
        assert not layer.isValid() or Qgis.QGIS_VERSION_INT >= 34200

    def open_layer_definition(self):
        project = QgsProject.instance()
        path = os.path.join(os.path.dirname(__file__), "item.qlr")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.request["qlr"])
        loaded, problem = QgsLayerDefinition.loadLayerDefinition(path, project, project.layerTreeRoot())
        assert loaded, problem
        layers = {layer.name(): layer for layer in project.mapLayers().values()}
        assert sorted(layers) == sorted(self.request["qlr_layers"]), list(layers)
        assert [group.name() for group in project.layerTreeRoot().findGroups(True)] == ["Scenes"]
        for layer in layers.values():
            assert layer.isValid(), [layer.name(), layer.error().summary(), *messages[-3:]]
        seen = colours_of(layers[self.request["qlr_layers"][0]], self.request["image"]["path"])
        assert len(seen) > 20, [len(seen), layers[self.request["qlr_layers"][0]].source(), *messages[-3:]]
        project.clear()

    def load_connections(self):
        """By the dialog that QGIS has for it, as if everything were chosen."""
        kinds = QgsManageConnectionsDialog.Type
        for kind, key in (("STAC", "stac"), ("WFS", "features")):
            path = os.path.join(os.path.dirname(__file__), f"{key}.xml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.request["connections"][key])
            dialog = QgsManageConnectionsDialog(None, QgsManageConnectionsDialog.Mode.Import, getattr(kinds, kind), path)
            dialog.selectAll()
            dialog.doExportImport()
        settings = QgsSettings()
        assert settings.value("connections/stac/items/loaded/url") == f"{self.request['address']}/signed/assets/stac", settings.allKeys()
        [url] = [settings.value(name) for name in settings.allKeys() if name.endswith("wfs/connections/items/loaded/url")]
        assert url == f"{self.request['address']}/assets/stac"
        settings.setValue("connections/stac/items/loaded/authcfg", self.authcfg)
        assert self.find("loaded").mimeUris()


def colours_of(layer, path):
    """The colours of a layer over the middle of a file."""
    dataset = gdal.Open(path)
    left, width, _, top, _, height = dataset.GetGeoTransform()
    box = QgsRectangle(left, top + dataset.RasterYSize * height, left + dataset.RasterXSize * width, top)
    target = QgsCoordinateReferenceSystem("EPSG:3857")
    transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem.fromWkt(dataset.GetProjection()), target, QgsProject.instance())
    box.scale(0.5)
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setOutputSize(QSize(128, 128))
    settings.setDestinationCrs(target)
    settings.setExtent(transform.transformBoundingBox(box))
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    assert not job.errors(), [error.message for error in job.errors()]
    image = job.renderedImage()
    return {image.pixel(x, y) for x in range(0, 128, 4) for y in range(0, 128, 4)}


request = json.load(sys.stdin)
messages = []
held = []
application = QgsApplication([], True)
application.initQgis()
QgsApplication.messageLog().messageReceived[str, str, Qgis.MessageLevel].connect(lambda text, tag, level: messages.append(f"{tag}: {text}"))
report = Report("QGIS without the plugin")
user = StacUser(request)
report.capability("add an asset of the signed catalogue as a layer: its pixels are those of the file", user.add_asset)
report.capability("refuse the same asset of the plain catalogue, which needs a header", user.add_unsigned)
report.capability("open a layer definition of the console, with its tiles", user.open_layer_definition)
report.capability("load the connections of the console", user.load_connections)
sys.stdout.flush()
os._exit(0)

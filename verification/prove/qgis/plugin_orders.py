"""Orders, their items as layers, statistics and passes."""

import math
import os
import struct
from datetime import datetime, timezone

from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsDateTimeRange,
    QgsFeature,
    QgsFeatureRequest,
    QgsGeometry,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
    QgsVectorLayerTemporalContext,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor, QImage

from fake_qgis import pump

HALF_WORLD_M = 20037508.342789244
PAST = "2020-01-01T00:00:00+00:00"


class OrderSteps:
    def __init__(self, plugin, window, request):
        self.plugin = plugin
        self.window = window
        self.request = request
        self.panel = plugin.panel.orders
        self.project = QgsProject.instance()

    def play(self, report):
        report.capability("wait for an order in the background, and tell when it is delivered", self.wait_for_order)
        report.capability("leave out of a price what is held already", self.price_rest)
        report.capability("add an item as tiles: the pixels are those of the API", self.add_tiles)
        report.capability("add an item as a file: the values are those of the download", self.add_file)
        report.capability("renew the tokens of layers while QGIS runs", self.renew)
        report.capability("renew the tokens of a project that is opened again", self.reopen)
        report.capability("write statistics of the selected polygons as attributes", self.measure)
        report.capability("add passes of satellites as a layer in time", self.add_passes)
        report.capability("tell in a sentence what a person did wrong", self.tell_mistakes)

    def client(self):
        return self.plugin.session.client()

    def wait(self):
        pump(lambda: not self.plugin.runner.is_busy)

    def wait_for_order(self):
        self.plugin.panel.tabs.setCurrentIndex(1)
        self.panel.refresh_button.click()
        pump(lambda: self.panel.table.rowCount() == 1)
        self.panel.table.selectRow(0)
        if self.panel.wait_button.isEnabled():
            self.panel.wait_button.click()
            pump(lambda: any(text.startswith("Delivered") for text in self.window.messages()))
        self.wait()
        pump(lambda: self.panel.table.item(0, 2).text() == "Delivered")
        assert self.panel.tiles_button.isEnabled() and self.panel.files_button.isEnabled()

    def price_rest(self):
        search = self.plugin.panel.search
        search.table.clearSelection()
        chosen = [row for row in range(search.table.model().rowCount()) if self.is_bought(search, row)]
        assert len(chosen) == 1
        search.table.selectRow(chosen[0])
        pump(lambda: "without the area that you hold already" in search.price.text())

    def is_bought(self, search, row):
        model = search.table.model()
        return search.model.scenes[model.mapToSource(model.index(row, 0)).row()].id == self.request["scenes"]["chosen"]

    def layer(self, kind):
        return next((layer for layer in self.project.mapLayers().values() if layer.customProperty("swath/kind") == kind), None)

    def add(self, button, kind):
        self.panel.table.selectRow(0)
        button.click()
        pump(lambda: self.layer(kind) is not None)
        layer = self.layer(kind)
        assert layer.isValid()
        return layer

    def add_tiles(self):
        layer = self.add(self.panel.tiles_button, "tiles")
        self.assert_tile(layer)
        self.window.picture(self.window.window, "orders")

    def assert_tile(self, layer):
        """The map at a tile is the tile of the API."""
        item = layer.customProperty("swath/item")
        tilejson = self.client().get_json(f"/api/v1/items/{item}/tiles/tilejson.json")
        west, south, east, north = tilejson["bounds"]
        zoom = tilejson["maxzoom"] - 1
        x, y = tile_at((west + east) / 2, (south + north) / 2, zoom)
        expected = QImage.fromData(self.client().get(f"/api/v1/items/{item}/tiles/{zoom}/{x}/{y}.png"))
        drawn = render(layer, tile_bounds(x, y, zoom), expected.width())
        differences = [abs(a - b) for at in range(0, expected.width(), 8) for a, b in zip(colours(drawn, at), colours(expected, at))]
        seen = {expected.pixel(at, row) for at in range(0, expected.width(), 8) for row in range(0, expected.height(), 8)}
        assert len(seen) > 20, f"the tile has {len(seen)} colours"
        assert sum(differences) / len(differences) < 1.0, sum(differences) / len(differences)

    def downloaded(self):
        """The file as it is downloaded through the API."""
        path = os.path.join(self.request["pictures"], "delivered.tif")
        layer = self.layer("file")
        signed = self.client().call("items.asset.download", {"item_id": layer.customProperty("swath/item"), "asset_id": layer.customProperty("swath/asset")})
        with open(path, "wb") as file:
            file.write(self.client().get(signed["url"].removeprefix(self.request["address"])))
        return gdal.Open(path)

    def add_file(self):
        layer = self.add(self.panel.files_button, "file")
        self.assert_values(layer)
        assert "Authorization" not in layer.source() and "swathasset_" in layer.source()

    def assert_values(self, layer):
        expected = self.downloaded()
        provider = layer.dataProvider()
        # QGIS shows the mask of a file as one more band.
        has_mask = expected.GetRasterBand(1).GetMaskFlags() == gdal.GMF_PER_DATASET
        shape = (expected.RasterXSize, expected.RasterYSize, expected.RasterCount + has_mask)
        assert (provider.xSize(), provider.ySize(), provider.bandCount()) == shape, [provider.xSize(), provider.ySize(), provider.bandCount(), shape]
        for band in range(1, expected.RasterCount + 1):
            block = provider.block(band, provider.extent(), provider.xSize(), provider.ySize())
            assert bytes(block.data()) == bytes(expected.GetRasterBand(band).ReadRaster()), f"band {band} differs"

    def break_tokens(self):
        """Tokens that have ended: the sources are refused, and the layers say so."""
        for kind, known in (("tiles", "swathtile_"), ("file", "swathasset_")):
            layer = self.layer(kind)
            source = layer.source()
            start = source.index(known) + len(known)
            broken = source[:start] + "ended" + source[start + 5 :]
            layer.dataProvider().setDataSourceUri(broken)
            layer.setCustomProperty("swath/expires", PAST)

    def renew(self):
        sources = {kind: self.layer(kind).source() for kind in ("tiles", "file")}
        self.layer("tiles").setCustomProperty("swath/expires", datetime.now(timezone.utc).isoformat())
        self.plugin.renewal.renew()
        self.wait()
        assert self.layer("tiles").source() != sources["tiles"] and self.layer("file").source() == sources["file"]
        self.break_tokens()
        self.plugin.renewal.renew()
        self.wait()
        for kind in ("tiles", "file"):
            assert "ended" not in self.layer(kind).source() and self.layer(kind).customProperty("swath/expires") > PAST
        self.assert_tile(self.layer("tiles"))
        self.assert_values(self.layer("file"))

    def reopen(self):
        path = os.path.join(self.request["pictures"], "project.qgz")
        tiles = self.layer("tiles")
        before = tiles.source()
        tiles.setCustomProperty("swath/expires", PAST)
        assert self.project.write(path)
        self.project.clear()
        assert self.layer("tiles") is None
        assert self.project.read(path)
        pump(lambda: self.layer("tiles") is not None and self.layer("tiles").source() != before)
        self.wait()
        self.assert_tile(self.layer("tiles"))
        assert self.layer("file").isValid()

    def measure(self):
        """Polygons along pixels, so that the mean is that of whole pixels."""
        dataset = self.downloaded()
        left, width, _, top, _, height = dataset.GetGeoTransform()
        fields = QgsVectorLayer(f"Polygon?crs=EPSG:{epsg_of(dataset)}&field=crop:string", "Fields", "memory")
        windows = ((60, 60, 12, 10), (80, 90, 8, 8), (100, 60, 10, 10))
        for index, (column, row, columns, rows) in enumerate(windows):
            feature = QgsFeature(fields.fields())
            box = QgsRectangle(left + column * width, top + (row + rows) * height, left + (column + columns) * width, top + row * height)
            feature.setGeometry(QgsGeometry.fromRect(box))
            feature.setAttributes([f"crop {index}"])
            fields.dataProvider().addFeatures([feature])
        self.project.addMapLayer(fields)
        self.window.active = fields
        fields.selectByIds([feature.id() for feature in fields.getFeatures()][:2])
        panel = self.plugin.panel.measure
        self.plugin.panel.tabs.setCurrentIndex(2)
        panel.kind.setCurrentIndex(panel.kind.findData("bands"))
        panel.text.setText("1")
        panel.button.click()
        pump(lambda: self.project.mapLayersByName("Fields: 1"))
        [result] = self.project.mapLayersByName("Fields: 1")
        measured = {feature["crop"]: feature for feature in result.getFeatures()}
        assert set(measured) == {"crop 0", "crop 1"}, set(measured)
        [mean] = [name for name in result.fields().names() if name.endswith("_mean")]
        for index in range(2):
            values = read_window(dataset, windows[index])
            assert abs(measured[f"crop {index}"][mean] - sum(values) / len(values)) < 0.01, [measured[f"crop {index}"][mean], sum(values) / len(values)]
        self.window.picture(self.window.window, "measure")

    def add_passes(self):
        panel = self.plugin.panel.passes
        self.plugin.panel.tabs.setCurrentIndex(3)
        pump(lambda: panel.product.count() > 0)
        extent = self.window.canvas.extent()
        extent.grow(0.05)
        self.window.canvas.setExtent(extent)
        panel.area.choose("canvas")
        panel.days.setValue(3)
        self.window.bar.clearWidgets()
        panel.button.click()
        pump(lambda: self.window.messages())
        assert self.window.messages()[0].endswith("passes."), self.window.messages()
        pump(lambda: [layer for layer in self.project.mapLayers().values() if layer.name().startswith("Passes")])
        [layer] = [layer for layer in self.project.mapLayers().values() if layer.name().startswith("Passes")]
        assert layer.featureCount() > 0 and layer.temporalProperties().isActive()
        now = datetime.now(timezone.utc)
        for feature in layer.getFeatures():
            start, end = feature["start"].toPyDateTime(), feature["end"].toPyDateTime()
            assert start <= end and 0 <= (start - now.replace(tzinfo=start.tzinfo)).days <= 3
            assert feature.geometry().area() > 0 and feature["satellite"]
        first = next(layer.getFeatures())
        context = QgsVectorLayerTemporalContext()
        context.setLayer(layer)
        shown = layer.temporalProperties().createFilterString(context, QgsDateTimeRange(first["start"], first["end"]))
        at_once = [feature.id() for feature in layer.getFeatures(QgsFeatureRequest().setFilterExpression(shown))]
        assert first.id() in at_once and len(at_once) < layer.featureCount(), [shown, at_once, layer.featureCount()]
        self.window.picture(self.window.window, "passes")

    def tell_mistakes(self):
        self.window.bar.clearWidgets()
        self.window.active = None
        self.plugin.panel.measure.button.click()
        assert self.window.messages()[0] == "Make the layer with the polygons the active one.", self.window.messages()
        search = self.plugin.panel.search
        search.area.choose("place")
        search.area.place.setText("Nowhere at all in this world")
        search.search_button.click()
        pump(lambda: any("No place is called" in text for text in self.window.messages()))
        assert search.search_button.isEnabled()
        assert not any("Traceback" in text or "Error(" in text for text in self.window.messages())


def tile_at(lon, lat, zoom):
    count = 2**zoom
    northing = math.asinh(math.tan(math.radians(lat)))
    return int((lon + 180) / 360 * count), int((1 - northing / math.pi) / 2 * count)


def tile_bounds(x, y, zoom):
    size = 2 * HALF_WORLD_M / 2**zoom
    return QgsRectangle(x * size - HALF_WORLD_M, HALF_WORLD_M - (y + 1) * size, (x + 1) * size - HALF_WORLD_M, HALF_WORLD_M - y * size)


def render(layer, extent, size):
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setBackgroundColor(QColor(0, 0, 0, 0))
    settings.setOutputSize(QSize(size, size))
    settings.setOutputDpi(96)
    settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    settings.setExtent(extent)
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    assert not job.errors(), [error.message for error in job.errors()]
    return job.renderedImage()


def colours(image, column):
    for row in range(0, image.height(), 8):
        colour = image.pixelColor(column, row)
        yield from (colour.red(), colour.green(), colour.blue()) if colour.alpha() else (0, 0, 0)


def epsg_of(dataset):
    return dataset.GetSpatialRef().GetAuthorityCode(None)


def read_window(dataset, window):
    """The values of band 1 in a window of whole pixels."""
    column, row, columns, rows = window
    data = dataset.GetRasterBand(1).ReadRaster(column, row, columns, rows, buf_type=gdal.GDT_Float64)
    return struct.unpack(f"{columns * rows}d", data)

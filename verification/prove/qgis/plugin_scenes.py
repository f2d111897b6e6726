"""Searching, prices and buying."""

from qgis.core import QgsPointXY, QgsProject, QgsRectangle

from fake_qgis import pump


class SceneSteps:
    def __init__(self, plugin, window, request):
        self.plugin = plugin
        self.window = window
        self.request = request
        self.panel = plugin.panel.search
        self.expected = request["scenes"]

    def play(self, report):
        report.capability("search over the map: the scenes and prices that the API has", self.search_canvas)
        report.capability("search by the name of a place", self.search_place)
        report.capability("add footprints as a layer", self.add_footprints)
        report.capability("add a quicklook as a layer over its footprint", self.add_quicklook)
        report.capability("show the price while an area is drawn", self.price_drawing)
        report.capability("buy nothing without confirmation", self.refuse_purchase)
        report.capability("buy at the locked price, once confirmed", self.buy)

    def wait(self):
        pump(lambda: not self.plugin.runner.is_busy)

    def search_canvas(self):
        self.window.canvas.setExtent(QgsRectangle(*self.expected["bbox"]))
        self.panel.area.choose("canvas")
        self.panel.date_from.clear()
        self.panel.cloud.setValue(100)
        self.panel.search_button.click()
        pump(lambda: self.panel.model.scenes)
        found = {scene.id: scene.credits for scene in self.panel.model.scenes}
        assert found == self.expected["credits"], found
        assert self.panel.table.model().rowCount() == len(found)

    def search_place(self):
        before = self.window.canvas.extent()
        self.panel.area.choose("place")
        self.panel.area.place.setText(self.expected["place"])
        self.panel.model.replace([])
        self.panel.search_button.click()
        pump(lambda: self.panel.model.scenes)
        assert self.expected["chosen"] in [scene.id for scene in self.panel.model.scenes]
        self.window.canvas.setExtent(before)
        self.search_canvas()

    def choose(self):
        model = self.panel.table.model()
        self.panel.table.clearSelection()
        for row in range(model.rowCount()):
            if self.panel.model.scenes[model.mapToSource(model.index(row, 0)).row()].id == self.expected["chosen"]:
                self.panel.table.selectRow(row)
        [scene] = self.panel.selected_scenes()
        return scene

    def add_footprints(self):
        self.panel.table.clearSelection()
        layer = self.panel.add_footprints()
        assert layer.isValid() and layer.featureCount() == len(self.expected["credits"])
        assert {feature["id"]: feature["credits"] for feature in layer.getFeatures()} == self.expected["credits"]

    def add_quicklook(self):
        scene = self.choose()
        self.panel.quicklooks.click()
        pump(lambda: [layer for layer in QgsProject.instance().mapLayers().values() if layer.name().startswith("Quicklook")])
        [layer] = [layer for layer in QgsProject.instance().mapLayers().values() if layer.name().startswith("Quicklook")]
        box = scene.footprint.boundingBox()
        assert layer.isValid() and layer.bandCount() >= 3
        assert all(abs(a - b) < 1e-6 for a, b in zip(corners(layer.extent()), corners(box))), [layer.extent().toString(), box.toString()]
        self.wait()
        self.window.picture(self.window.window, "search")

    def price_drawing(self):
        self.choose()
        self.wait()
        self.panel.area.start_drawing()
        tool = self.window.canvas.mapTool()
        corners_of_area = self.expected["part"]["coordinates"][0][:-1]
        for index, point in enumerate(corners_of_area):
            tool.add_point(QgsPointXY(*point))
            assert ("drawn" in self.panel.price.text()) == (index >= 2), self.panel.price.text()
        credits = f"{self.expected['part_credits']:,}".replace(",", "\u202f")
        pump(lambda: f"{credits} credit" in self.panel.price.text())
        assert "km²" in self.panel.price.text()
        self.window.picture(self.window.window, "drawing")
        tool._finish()
        assert self.panel.area.kind.currentData() == "drawn" and self.panel.area.known_area() is not None
        self.wait()
        self.choose()
        pump(lambda: f"{credits} credit" in self.panel.price.text())

    def orders(self):
        return self.plugin.session.client().call("orders.list", {})["content"]

    def open_purchase(self):
        self.panel.dialog = None
        self.panel.buy_button.click()
        pump(lambda: self.panel.dialog is not None and self.panel.dialog.isVisible())
        return self.panel.dialog

    def refuse_purchase(self):
        dialog = self.open_purchase()
        assert dialog.price.credits == self.expected["part_credits"], dialog.price
        assert not dialog.buy.isDefault()
        self.window.picture(dialog, "buy")
        dialog.reject()
        self.wait()
        assert self.orders() == []

    def buy(self):
        dialog = self.open_purchase()
        dialog.buy.click()
        pump(lambda: any(text.startswith("Ordered") for text in self.window.messages()))
        [order] = self.orders()
        assert order["totalCredits"] == self.expected["part_credits"]
        assert order["captures"][0]["id"] == self.expected["chosen"]


def corners(rectangle):
    return (rectangle.xMinimum(), rectangle.yMinimum(), rectangle.xMaximum(), rectangle.yMaximum())

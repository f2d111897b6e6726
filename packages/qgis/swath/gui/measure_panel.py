"""Measure: statistics of the selected polygons of a layer, inside an item of the map."""

from qgis.core import QgsProject
from qgis.PyQt.QtWidgets import QComboBox, QFormLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from ..layers.items import item_of_layer
from ..layers.statistics import statistics_layer
from ..measure import list_indices, to_zones, zonal_statistics
from ..problems import SwathError
from ..texts import plural_text
from .area_chooser import is_polygon_layer

KINDS = (("index", "A spectral index"), ("bands", "Bands"), ("expression", "An expression"))
HINTS = {"bands": "1,4 or red,nir; empty for all", "expression": "(b4-b1)/(b4+b1)"}


class MeasurePanel(QWidget):
    def __init__(self, context, parent=None):
        super().__init__(parent)
        self._context = context
        self.item = QComboBox()
        # The names of layers are long.
        self.item.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.item.setMinimumContentsLength(20)
        self.kind = QComboBox()
        for key, text in KINDS:
            self.kind.addItem(text, key)
        self.kind.currentIndexChanged.connect(self._show_kind)
        self.index = QComboBox()
        self.index.setEditable(True)
        self.index.addItem("NDVI")
        self.text = QLineEdit()
        self.button = QPushButton("Measure the selected polygons")
        self.button.clicked.connect(lambda *_: self.measure())
        note = QLabel("Select polygons of the active layer. The result is a new layer with their attributes and the statistics.")
        note.setWordWrap(True)
        form = QFormLayout()
        form.addRow("Item", self.item)
        form.addRow("Value", self.kind)
        form.addRow("Index", self.index)
        form.addRow("", self.text)
        self._form = form
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(note)
        column.addWidget(self.button)
        column.addStretch(1)
        QgsProject.instance().layersAdded.connect(self.refresh)
        QgsProject.instance().layersRemoved.connect(self.refresh)
        self._show_kind()
        self.refresh()

    def stop(self):
        QgsProject.instance().layersAdded.disconnect(self.refresh)
        QgsProject.instance().layersRemoved.disconnect(self.refresh)

    def refresh(self, *_):
        """The items of the map, each once."""
        chosen = self.item.currentData()
        self.item.clear()
        layers = QgsProject.instance().mapLayers().values()
        for item_id, name in {item_of_layer(layer): layer.name() for layer in layers if item_of_layer(layer)}.items():
            self.item.addItem(name, item_id)
        self.item.setCurrentIndex(max(0, self.item.findData(chosen)))
        self.button.setEnabled(self.item.count() > 0)
        if self.item.count() == 0:
            self.item.setPlaceholderText("Add an item of an order to the map first")
            self.item.setCurrentIndex(-1)

    def load_indices(self):
        """The names of the indices, when somebody is signed in."""

        def show(names):
            chosen = self.index.currentText()
            self.index.clear()
            self.index.addItems(names)
            self.index.setCurrentText(chosen)

        self._context.run("Read the indices", list_indices, show, key="indices")

    def _show_kind(self, *_):
        kind = self.kind.currentData()
        for field, is_shown in ((self.index, kind == "index"), (self.text, kind != "index")):
            field.setVisible(is_shown)
            label = self._form.labelForField(field)
            if label is not None:
                label.setVisible(is_shown)
        self.text.setPlaceholderText(HINTS.get(kind, ""))

    def measure(self):
        """Measures in the background; the layer is added when it is there."""
        request = self._context.attempt(self._read)
        if request is None:
            return
        layer, features, zones, item_id, value = request

        def show(statistics):
            result = statistics_layer(layer, features, statistics, f"{layer.name()}: {value[1] or 'all bands'}")
            QgsProject.instance().addMapLayer(result)
            self._context.messages.inform(f"{plural_text(result.featureCount(), 'polygon')} measured.")

        self._context.run("Measure polygons", lambda client, feedback: zonal_statistics(client, item_id, zones, value, feedback), show, key="measure")

    def _read(self):
        layer = self._context.iface.activeLayer()
        if not is_polygon_layer(layer):
            raise SwathError("Make the layer with the polygons the active one.")
        features = list(layer.getSelectedFeatures())
        kind = self.kind.currentData()
        text = self.index.currentText() if kind == "index" else self.text.text()
        if kind != "bands" and not text.strip():
            raise SwathError("Enter what is measured.")
        return layer, features, to_zones(features, layer.crs()), self.item.currentData(), (kind, text.strip())

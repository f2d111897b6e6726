"""Where to search: what the map shows, a drawn area, selected polygons, or a place by its name."""

from qgis.core import Qgis, QgsGeometry, QgsMapLayerType, QgsVectorLayer
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from ..geometry import box_geometry, to_wgs84
from ..problems import SwathError
from ..search import find_place
from .area_tool import AreaTool

CANVAS = "canvas"
DRAWN = "drawn"
SELECTION = "selection"
PLACE = "place"
KINDS = ((CANVAS, "What the map shows"), (DRAWN, "A drawn area"), (SELECTION, "Selected polygons"), (PLACE, "A place"))


class AreaChooser(QWidget):
    """`drawing` tells the area while it is drawn, in degrees; `chosen` once it is there."""

    drawing = pyqtSignal(QgsGeometry)
    chosen = pyqtSignal()

    def __init__(self, iface, parent=None):
        super().__init__(parent)
        self._iface = iface
        self._canvas = iface.mapCanvas()
        self.drawn = None
        self.tool = AreaTool(self._canvas)
        self.tool.changed.connect(self._draw)
        self.tool.finished.connect(self._finish)
        self.tool.discarded.connect(self.clear)
        self.kind = QComboBox()
        for key, text in KINDS:
            self.kind.addItem(text, key)
        self.kind.currentIndexChanged.connect(self._show_kind)
        self.place = QLineEdit()
        self.place.setPlaceholderText("Bolzano, or 46.5 11.35")
        self.place.returnPressed.connect(self.chosen)
        self.draw = QToolButton()
        self.draw.setText("Draw")
        self.draw.setToolTip("Click the corners on the map; a right click ends the area.")
        self.draw.clicked.connect(self.start_drawing)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.kind, 1)
        row.addWidget(self.draw)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.place)
        self._show_kind()

    def start_drawing(self):
        self.drawn = None
        self.choose(DRAWN)
        self._canvas.setMapTool(self.tool)

    def choose(self, kind):
        self.kind.setCurrentIndex(self.kind.findData(kind))

    def read(self):
        """A function of (client, feedback) that returns the area in degrees. Raises SwathError if there is none."""
        kind = self.kind.currentData()
        if kind == PLACE:
            name = self.place.text()
            if not name.strip():
                raise SwathError("Enter the name of a place.")
            return lambda client, feedback: find_place(client, name, feedback)[0]
        area = {CANVAS: self._canvas_area, DRAWN: self._drawn_area, SELECTION: self._selected_area}[kind]()
        return lambda client, feedback: area

    def known_area(self):
        """The part of scenes that is priced and bought, in degrees: a drawn area, also while it is drawn, or selected polygons; None for whole
        scenes. Raises SwathError without the area that was chosen: all of a scene would cost more."""
        read = {DRAWN: self._drawn_area, SELECTION: self._selected_area}.get(self.kind.currentData())
        return read() if read else None

    def clear(self):
        """Forgets the drawn area, as after it was ordered."""
        self.tool.clear()
        self.drawn = None
        if self.kind.currentData() == DRAWN:
            self.choose(CANVAS)

    def remove(self):
        self.tool.clear()
        self._canvas.unsetMapTool(self.tool)

    def _draw(self, area):
        self.drawn = self._to_degrees(area)
        self.drawing.emit(self.drawn)

    def _finish(self, area):
        self._canvas.unsetMapTool(self.tool)
        self._draw(area)
        self.chosen.emit()

    def _show_kind(self, *_):
        self.place.setVisible(self.kind.currentData() == PLACE)

    def _to_degrees(self, area):
        return to_wgs84(area, self._canvas.mapSettings().destinationCrs())

    def _canvas_area(self):
        return box_geometry(self._canvas.extent(), self._canvas.mapSettings().destinationCrs())

    def _drawn_area(self):
        if self.drawn is None:
            raise SwathError("Draw the area first.")
        return self.drawn

    def _selected_area(self):
        layer = self._iface.activeLayer()
        if not is_polygon_layer(layer) or layer.selectedFeatureCount() == 0:
            raise SwathError("Select polygons of the active layer first.")
        parts = [to_wgs84(feature.geometry(), layer.crs()) for feature in layer.getSelectedFeatures()]
        return QgsGeometry.unaryUnion(parts)


def is_polygon_layer(layer):
    is_vector = layer is not None and layer.type() == QgsMapLayerType.VectorLayer and isinstance(layer, QgsVectorLayer)
    return is_vector and layer.geometryType() == Qgis.GeometryType.Polygon

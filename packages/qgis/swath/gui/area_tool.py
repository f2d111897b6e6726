"""Drawing an area on the map."""

from qgis.core import Qgis, QgsGeometry, QgsPointXY
from qgis.gui import QgsMapTool, QgsRubberBand
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor

FILL = QColor(244, 201, 93, 60)
LINE = QColor(15, 61, 76)


class AreaTool(QgsMapTool):
    """A click adds a corner, a right click ends the area, Escape discards it. Areas are in the reference system of the map."""

    changed = pyqtSignal(QgsGeometry)
    finished = pyqtSignal(QgsGeometry)
    discarded = pyqtSignal()

    def __init__(self, canvas):
        super().__init__(canvas)
        self._points = []
        self._band = QgsRubberBand(canvas, Qgis.GeometryType.Polygon)
        self._band.setColor(LINE)
        self._band.setFillColor(FILL)
        self._band.setWidth(2)
        self.setCursor(Qt.CursorShape.CrossCursor)

    def canvasPressEvent(self, event):
        if event.button() == Qt.MouseButton.RightButton:
            self._finish()
        else:
            if self._is_done():
                self.clear()
            self.add_point(event.mapPoint())

    def canvasMoveEvent(self, event):
        if self._points and not self._is_done():
            self._draw([*self._points, event.mapPoint()])

    def keyPressEvent(self, event):
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.discarded.emit()

    def add_point(self, point):
        """A corner; the area so far is told once there are three."""
        self._points.append(QgsPointXY(point))
        self._draw(self._points)

    def show(self, geometry):
        """Shows an area that comes from elsewhere."""
        self._points = []
        self._band.setToGeometry(geometry, None)

    def clear(self):
        self._points = []
        self._band.reset(Qgis.GeometryType.Polygon)

    def _is_done(self):
        return not self._points and self._band.numberOfVertices() > 0

    def _finish(self):
        if len(self._points) >= 3:
            area = QgsGeometry.fromPolygonXY([self._points])
            self._band.setToGeometry(area, None)
            self._points = []
            self.finished.emit(area)

    def _draw(self, points):
        area = QgsGeometry.fromPolygonXY([points])
        self._band.setToGeometry(area, None)
        if len(points) >= 3:
            self.changed.emit(area)

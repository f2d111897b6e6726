"""What the map shows."""

from qgis.core import QgsRectangle

from ..geometry import to_layer_crs


def zoom_to(canvas, bbox):
    """Shows a box in degrees, with a margin; None for nothing to show."""
    if bbox is None:
        return
    crs = canvas.mapSettings().destinationCrs()
    rectangle = QgsRectangle(*bbox[:2], *bbox[-2:]) if len(bbox) == 4 else QgsRectangle(bbox[0], bbox[1], bbox[3], bbox[4])
    if crs.isValid():
        rectangle = to_layer_crs(rectangle, crs)
    rectangle.scale(1.2)
    canvas.setExtent(rectangle)
    canvas.refresh()

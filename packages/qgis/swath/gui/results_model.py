"""Scenes as rows of a table."""

from qgis.PyQt.QtCore import QAbstractTableModel, QModelIndex, Qt

from ..texts import count_text

COLUMNS = ("Date", "Collection", "Cloud", "Pixel", "Credits")


def _number(value, unit):
    return "" if value is None else f"{value:g} {unit}"


class ResultsModel(QAbstractTableModel):
    def __init__(self, parent=None):
        super().__init__(parent)
        self.scenes = []

    def replace(self, scenes):
        self.beginResetModel()
        self.scenes = list(scenes)
        self.endResetModel()

    def rowCount(self, parent=QModelIndex()):
        return 0 if parent.isValid() else len(self.scenes)

    def columnCount(self, parent=QModelIndex()):
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section, orientation, role=Qt.ItemDataRole.DisplayRole):
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        scene = self.scenes[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._texts(scene)[index.column()]
        if role == Qt.ItemDataRole.UserRole:
            return self._values(scene)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{scene.id}\n{scene.host}"
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() >= 2:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    @staticmethod
    def _texts(scene):
        credits = "" if scene.credits is None else "free" if scene.credits == 0 else count_text(scene.credits)
        return (scene.datetime[:10], scene.collection, _number(scene.cloud_percent, "%"), _number(scene.resolution_m, "m"), credits)

    @staticmethod
    def _values(scene):
        return (scene.datetime, scene.collection, *(-1 if value is None else value for value in (scene.cloud_percent, scene.resolution_m, scene.credits)))

"""Tables that fit a narrow panel."""

from qgis.PyQt.QtWidgets import QHeaderView

MIN_NAME_WIDTH = 90


def fit_columns(header, name_column):
    """Columns are as wide as their content; the one with names takes what is left, and is never too narrow to be read."""
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(name_column, QHeaderView.ResizeMode.Stretch)
    header.setMinimumSectionSize(24)

    def keep_readable(*_):
        if header.sectionSize(name_column) < MIN_NAME_WIDTH and header.sectionResizeMode(name_column) != QHeaderView.ResizeMode.Interactive:
            header.setSectionResizeMode(name_column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(name_column, MIN_NAME_WIDTH)

    header.geometriesChanged.connect(keep_readable)
    header.sectionResized.connect(keep_readable)

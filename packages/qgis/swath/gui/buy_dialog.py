"""Buying: the locked price, what it is for, and a button that says what it costs."""

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
)

from ..texts import count_text, credits_text, km2_text

COLUMNS = ("Date", "Scene", "Area", "Credits")


class BuyDialog(QDialog):
    """Accepted only by the button with the price. `project_id` is where the order is delivered."""

    def __init__(self, price, projects, parent=None):
        super().__init__(parent)
        self.setWindowTitle("Buy scenes")
        self.setMinimumSize(560, 320)
        self.price = price
        self.projects = QComboBox()
        for project_id, name in projects:
            self.projects.addItem(name, project_id)
        self.table = self._create_table()
        summary = QLabel(f"<b>{price.sentence}</b>")
        summary.setWordWrap(True)
        until = QLabel(f"The price is locked until {price.expires_at[11:16]} UTC. Credits are held now; only what is delivered is charged.")
        until.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.buy = self.buttons.addButton(f"Buy for {credits_text(price.credits)}", QDialogButtonBox.ButtonRole.AcceptRole)
        self.buy.setAutoDefault(False)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow("Deliver to", self.projects)
        column = QVBoxLayout(self)
        column.addWidget(self.table)
        column.addWidget(summary)
        column.addWidget(until)
        for note in price.notes:
            text = QLabel(note)
            text.setWordWrap(True)
            column.addWidget(text)
        column.addLayout(form)
        column.addWidget(self.buttons)

    @property
    def project_id(self):
        return self.projects.currentData()

    def _create_table(self):
        table = QTableWidget(len(self.price.lines), len(COLUMNS))
        table.setHorizontalHeaderLabels(COLUMNS)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.verticalHeader().hide()
        for row, line in enumerate(self.price.lines):
            texts = (line["datetime"][:10], line["id"], km2_text(line["area_km2"]), count_text(line["credits"]))
            for column, text in enumerate(texts):
                cell = QTableWidgetItem(text)
                if column >= 2:
                    cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                table.setItem(row, column, cell)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        return table

"""Passes: when satellites can acquire an area, as a layer in time."""

from qgis.core import QgsProject
from qgis.PyQt.QtWidgets import QComboBox, QFormLayout, QLabel, QPushButton, QSpinBox, QVBoxLayout, QWidget

from ..layers.passes import passes_layer
from ..passes import list_passes, list_products
from ..problems import SwathError
from ..texts import plural_text
from .area_chooser import AreaChooser


class PassesPanel(QWidget):
    def __init__(self, context, parent=None):
        super().__init__(parent)
        self._context = context
        self.product = QComboBox()
        self.product.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.product.setMinimumContentsLength(20)
        self.product.setPlaceholderText("Sign in to see the products")
        self.area = AreaChooser(context.iface)
        self.days = QSpinBox()
        self.days.setRange(1, 30)
        self.days.setValue(7)
        self.days.setSuffix(" days from now")
        self.button = QPushButton("Add passes")
        self.button.clicked.connect(lambda *_: self.add_passes())
        note = QLabel("Move through the passes with the temporal controller of QGIS.")
        note.setWordWrap(True)
        form = QFormLayout()
        form.addRow("Product", self.product)
        form.addRow("Where", self.area)
        form.addRow("When", self.days)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(note)
        column.addWidget(self.button)
        column.addStretch(1)

    def load_products(self):
        def show(products):
            self.product.clear()
            for product_id, title in products:
                self.product.addItem(title, product_id)
            # A combo box with a placeholder chooses nothing by itself.
            self.product.setCurrentIndex(0)

        self._context.run("Read the products", list_products, show, key="products")

    def add_passes(self):
        """Asks in the background; the layer is added when it is there."""
        read = self._context.attempt(self._read)
        if read is None:
            return
        product_id, read_area, days = read

        def find(client, feedback):
            return list_passes(client, product_id, read_area(client, feedback), days, feedback)

        self._context.run("Read the passes", find, self._show, key="passes")

    def _read(self):
        if self.product.currentData() is None:
            raise SwathError("Choose a product first.")
        return self.product.currentData(), self.area.read(), self.days.value()

    def _show(self, passes):
        if not passes:
            self._context.messages.warn("No satellite of the product passes over the area in this time. Try more days.")
            return
        QgsProject.instance().addMapLayer(passes_layer(passes, f"Passes: {self.product.currentText()}"))
        self._context.messages.inform(f"{plural_text(len(passes), 'pass', 'passes')}.")

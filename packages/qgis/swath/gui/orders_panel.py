"""Orders: where they are, and their items as layers."""

from qgis.core import QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QAbstractItemView, QHBoxLayout, QPushButton, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from ..layers.items import create_layer, file_source, tiles_source
from ..orders import ORDER_ENDS, delivered_items, each_item, list_orders, wait_for_order
from ..problems import SwathError
from ..texts import count_text, plural_text
from .map_view import zoom_to
from .tables import fit_columns

COLUMNS = ("Ordered", "Order", "Status", "Items", "Credits")
STATUS_TEXTS = {
    "CREATED": "Created",
    "BEING_PLACED": "Being placed",
    "PLACED": "Placed",
    "PLACEMENT_FAILED": "Placement failed, tried again",
    "BEING_FULFILLED": "Being delivered",
    "FULFILLED": "Delivered",
    "FAILED_PERMANENTLY": "Failed",
    "CANCELED": "Cancelled",
}


class OrdersPanel(QWidget):
    def __init__(self, context, parent=None):
        super().__init__(parent)
        self._context = context
        self.orders = []
        self.table = QTableWidget(0, len(COLUMNS))
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setAlternatingRowColors(True)
        self.table.verticalHeader().hide()
        fit_columns(self.table.horizontalHeader(), 1)
        self.table.itemSelectionChanged.connect(self._enable)
        self.refresh_button = self._button("Refresh", "Read the orders again.", self.refresh)
        self.wait_button = self._button("Wait", "Tell when the order is delivered.", self.wait)
        self.tiles_button = self._button("Add as tiles", "Tiles with the style of the server; fast on the map.", self.add_tiles)
        self.files_button = self._button("Add as file", "The values themselves, read in parts from the server (COG).", self.add_files)
        actions = QHBoxLayout()
        for button in (self.refresh_button, self.wait_button):
            actions.addWidget(button)
        actions.addStretch(1)
        for button in (self.tiles_button, self.files_button):
            actions.addWidget(button)
        column = QVBoxLayout(self)
        column.addWidget(self.table, 1)
        column.addLayout(actions)
        self._enable()

    @staticmethod
    def _button(text, tip, action):
        button = QPushButton(text)
        button.setToolTip(tip)
        button.clicked.connect(lambda *_: action())
        return button

    def refresh(self):
        self._context.run("Read the orders", lambda client, feedback: list_orders(client, feedback=feedback), self._show, key="orders")

    def _show(self, orders):
        chosen = self.selected_order()
        self.orders = orders
        self.table.setRowCount(len(orders))
        for row, order in enumerate(orders):
            name = order["displayName"] or (order["captures"][0]["id"] if order["captures"] else order["id"])
            texts = (order["createdAt"][:10], name, status_text(order), str(order["itemCount"]), count_text(order["totalCredits"]))
            for column, text in enumerate(texts):
                cell = QTableWidgetItem(text)
                cell.setToolTip(f"{order['createdAt'][:16].replace('T', ' ')} UTC\n{name}\n{order['id']}")
                if column >= 3:
                    cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, column, cell)
        ids = [order["id"] for order in orders]
        if chosen is not None and chosen["id"] in ids:
            self.table.selectRow(ids.index(chosen["id"]))
        self._enable()

    def selected_order(self):
        row = self.table.currentRow()
        return self.orders[row] if 0 <= row < len(self.orders) and self.table.selectedItems() else None

    def _enable(self):
        order = self.selected_order()
        self.wait_button.setEnabled(order is not None and order["status"] not in ORDER_ENDS)
        for button in (self.tiles_button, self.files_button):
            button.setEnabled(order is not None and order["itemCount"] > 0)

    def wait(self):
        order = self.selected_order()
        if order is None:
            return

        def tell(ended):
            self._context.messages.inform(f"Delivered: {plural_text(ended['itemCount'], 'item')} of the order of {ended['createdAt'][:10]}.")
            self.refresh()

        self._context.run("Wait for the order", lambda client, feedback: wait_for_order(client, order["id"], feedback), tell, key=f"wait-{order['id']}")

    def add_tiles(self):
        self._add(lambda client, item, feedback: tiles_source(client, item["item_id"], feedback), "tiles")

    def add_files(self):
        self._add(lambda client, item, feedback: file_source(client, item["item_id"], None, feedback), "file")

    def _add(self, read_source, what):
        order = self.selected_order()
        if order is None:
            return

        def read(client, feedback):
            items, failures = delivered_items(client, order["id"], feedback), []
            sources = each_item(items, lambda item: (name_of(order, item), item, read_source(client, item, feedback)), failures, feedback)
            return bool(items), sources, failures

        self._context.run("Add the items", read, lambda read: self._add_layers(read, what), key=f"add-{what}")

    def _add_layers(self, read, what):
        has_items, sources, failures = read
        if not has_items:
            self._context.messages.report(SwathError("The order has no item yet. Wait until it is delivered."))
        for failure in failures:
            self._context.messages.report(failure)
        for name, item, source in sources:
            layer = self._context.attempt(lambda source=source, name=name: create_layer(source, f"{name} ({what})"))
            if layer is not None:
                QgsProject.instance().addMapLayer(layer)
                zoom_to(self._context.iface.mapCanvas(), item.get("bbox"))


def name_of(order, item):
    """An item as people know it: its scene, and the day when it was taken."""
    scenes = {capture["item_id"]: capture["id"] for capture in order["captures"]}
    taken = (item["properties"].get("datetime") or "")[:10]
    return f"{scenes.get(item['item_id'], item['id'])} {taken}".strip()


def status_text(order):
    text = STATUS_TEXTS.get(order["status"], order["status"])
    return f"{text} in part" if order.get("fulfillment") == "partial" else text

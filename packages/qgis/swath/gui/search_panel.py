"""Search: scenes with prices, their footprints and pictures, and buying."""

from qgis.core import QgsProject
from qgis.gui import QgsDateEdit
from qgis.PyQt.QtCore import QDate, QSortFilterProxyModel, Qt, QTimer
from qgis.PyQt.QtWidgets import QAbstractItemView, QFormLayout, QHBoxLayout, QLabel, QPushButton, QSpinBox, QTableView, QVBoxLayout, QWidget

from ..geometry import area_km2
from ..layers.footprints import quicklook_layer, scenes_layer
from ..orders import list_projects
from ..problems import SwathError
from ..purchase import estimate, lock_price, place_order, to_captures
from ..search import SceneSearch, read_quicklook, search_scenes
from ..texts import credits_text, km2_text, plural_text
from .area_chooser import AreaChooser
from .buy_dialog import BuyDialog
from .results_model import ResultsModel
from .tables import fit_columns

PRICE_DELAY_MS = 350
ANY_CLOUD = 100


class SearchPanel(QWidget):
    def __init__(self, context, on_ordered, parent=None):
        super().__init__(parent)
        self._context = context
        self._on_ordered = on_ordered
        self.area = AreaChooser(context.iface)
        self.area.drawing.connect(self._price_drawing)
        self.area.chosen.connect(self.search)
        self.date_from = QgsDateEdit()
        self.date_to = QgsDateEdit()
        for edit in (self.date_from, self.date_to):
            edit.setAllowNull(True)
            edit.setDisplayFormat("yyyy-MM-dd")
            edit.setNullRepresentation("any day")
        self.date_from.setDate(QDate.currentDate().addYears(-2))
        self.date_to.clear()
        self.cloud = QSpinBox()
        self.cloud.setRange(0, ANY_CLOUD)
        self.cloud.setSuffix(" % cloud at most")
        self.cloud.setValue(30)
        self.search_button = QPushButton("Search")
        self.search_button.clicked.connect(self.search)
        self.model = ResultsModel(self)
        self.table = self._create_table()
        self.price = QLabel("Search, then choose scenes to see what they cost.")
        self.price.setWordWrap(True)
        self.price.setMinimumHeight(self.price.fontMetrics().height() * 2)
        self.footprints = QPushButton("Footprints")
        self.footprints.clicked.connect(self.add_footprints)
        self.quicklooks = QPushButton("Quicklooks")
        self.quicklooks.clicked.connect(self.add_quicklooks)
        self.buy_button = QPushButton("Buy…")
        self.buy_button.clicked.connect(self.buy)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PRICE_DELAY_MS)
        self._timer.timeout.connect(self.update_price)
        self._fill()
        self._enable()

    def _fill(self):
        form = QFormLayout()
        form.addRow("Where", self.area)
        days = QHBoxLayout()
        days.addWidget(self.date_from, 1)
        days.addWidget(QLabel("to"))
        days.addWidget(self.date_to, 1)
        form.addRow("Taken", days)
        sky = QHBoxLayout()
        sky.addWidget(self.cloud, 1)
        sky.addWidget(self.search_button)
        form.addRow("Sky", sky)
        actions = QHBoxLayout()
        actions.addWidget(self.footprints)
        actions.addWidget(self.quicklooks)
        actions.addStretch(1)
        actions.addWidget(self.buy_button)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.table, 1)
        column.addWidget(self.price)
        column.addLayout(actions)

    def _create_table(self):
        sorted_model = QSortFilterProxyModel(self)
        sorted_model.setSourceModel(self.model)
        sorted_model.setSortRole(Qt.ItemDataRole.UserRole)
        table = QTableView()
        table.setModel(sorted_model)
        table.setSortingEnabled(True)
        table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setAlternatingRowColors(True)
        table.verticalHeader().hide()
        fit_columns(table.horizontalHeader(), 1)
        table.selectionModel().selectionChanged.connect(self._select)
        return table

    def search(self):
        """Searches in the background; the rows are replaced when they are there."""
        read = self._context.attempt(self.area.read)
        if read is None:
            return
        days = [None if edit.isNull() else edit.date().toString("yyyy-MM-dd") for edit in (self.date_from, self.date_to)]
        cloud = None if self.cloud.value() == ANY_CLOUD else self.cloud.value()
        self.search_button.setEnabled(False)

        def find(client, feedback):
            return search_scenes(client, SceneSearch(read(client, feedback), days[0], days[1], cloud), feedback)

        if self._context.run("Search scenes", find, self._show, key="search", failed=self._fail) is None:
            self.search_button.setEnabled(True)

    def _show(self, found):
        scenes, notes = found
        self.search_button.setEnabled(True)
        self.model.replace(scenes)
        for note in notes:
            self._context.messages.warn(note)
        if scenes:
            self.price.setText(f"{plural_text(len(scenes), 'scene')}. Choose some to see what they cost.")
        else:
            self.price.setText("No scene was found. Search a larger area, other dates, or more cloud.")
        self._enable()

    def _fail(self, error):
        self.search_button.setEnabled(True)
        self._context.messages.report(error)

    def selected_scenes(self):
        rows = self.table.selectionModel().selectedRows()
        return [self.model.scenes[self.table.model().mapToSource(row).row()] for row in rows]

    def _select(self, *_):
        self._enable()
        self._timer.start()

    def _enable(self):
        has_scenes = bool(self.model.scenes)
        has_chosen = bool(self.selected_scenes())
        self.footprints.setEnabled(has_scenes)
        self.quicklooks.setEnabled(has_chosen)
        self.buy_button.setEnabled(has_chosen)

    def _price_drawing(self, area):
        """The price follows the corners: of the chosen scenes, or of the first one."""
        self.price.setText(f"{km2_text(area_km2(area))} drawn.")
        self._timer.start()

    def update_price(self):
        """Asks what the chosen scenes cost inside the area, without what is already held."""
        try:
            part = self.area.known_area()
        except SwathError as error:
            self.price.setText(error.message)
            return
        scenes = self.selected_scenes() or (self.model.scenes[:1] if part is not None else [])
        if not scenes or not self._context.session.is_signed_in:
            return

        def price(client, feedback):
            return estimate(client, to_captures(scenes, part), feedback)

        self._context.run("Read the price", price, self._show_price, key="price", failed=lambda error: self.price.setText(error.message))

    def _show_price(self, price):
        self.price.setText(f"<b>{price.sentence}</b>. {' '.join(price.notes)}")

    def add_footprints(self):
        layer = scenes_layer(self.selected_scenes() or self.model.scenes)
        QgsProject.instance().addMapLayer(layer)
        return layer

    def add_quicklooks(self):
        for scene in self.selected_scenes():
            self._context.run(
                "Read a quicklook",
                lambda client, feedback, scene=scene: read_quicklook(client, scene, feedback),
                lambda picture, scene=scene: self._context.attempt(lambda: QgsProject.instance().addMapLayer(quicklook_layer(scene, picture))),
                key=f"quicklook-{scene.host}-{scene.id}",
            )

    def buy(self):
        """Locks the price, then asks; nothing is spent before the person agrees to it."""
        scenes = self.selected_scenes()

        def start():
            # Without the polygons that it is about, nothing is locked: all of the scenes would cost more.
            part = self.area.known_area()

            def lock(client, feedback):
                return lock_price(client, to_captures(scenes, part), feedback), list_projects(client, feedback)

            self._context.run("Lock the price", lock, self._confirm, key="buy")

        self._context.attempt(start)

    def _confirm(self, locked):
        price, projects = locked
        self.dialog = BuyDialog(price, projects, self)
        self.dialog.accepted.connect(lambda: self._order(price, self.dialog.project_id))
        self.dialog.open()

    def _order(self, price, project_id):
        def order(client, feedback):
            return place_order(client, price, project_id, feedback)

        def tell(placed):
            self.area.clear()
            self._context.messages.inform(f"Ordered for {credits_text(placed['totalCredits'])}. The panel Orders shows when it is delivered.")
            self._on_ordered()

        # Cancelled, it might have spent credits without a word.
        self._context.run("Place the order", order, tell, key="order", failed=self._fail_order, can_cancel=False)

    def _fail_order(self, error):
        if error.status == 0:
            error = SwathError(f"{error.message} It is not known whether the order was placed: look at the panel Orders before you try again.")
        self._context.messages.report(error)

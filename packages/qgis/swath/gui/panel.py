"""The panel of the plugin."""

from qgis.gui import QgsDockWidget
from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QDesktopServices
from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QPushButton, QTabWidget, QVBoxLayout, QWidget

from ..session import SETTINGS, caller_name
from .measure_panel import MeasurePanel
from .orders_panel import OrdersPanel
from .passes_panel import PassesPanel
from .search_panel import SearchPanel
from .sign_in_dialog import SignInDialog

MIN_WIDTH = 440


class Panel(QgsDockWidget):
    def __init__(self, context, parent=None):
        super().__init__("Swath", parent)
        self.setObjectName(f"{SETTINGS}_panel")
        self._context = context
        self.account = QLabel()
        self.account.setWordWrap(True)
        self.sign_in = QPushButton("Sign in…")
        self.sign_in.clicked.connect(lambda *_: self.open_sign_in())
        self.sign_out = QPushButton("Sign out")
        self.sign_out.clicked.connect(lambda *_: context.attempt(context.session.sign_out))
        self.console = QPushButton("Console")
        self.console.setToolTip("Open the console of the server in the browser.")
        self.console.clicked.connect(lambda *_: QDesktopServices.openUrl(QUrl(context.session.base_url)))
        self.orders = OrdersPanel(context)
        self.search = SearchPanel(context, self.orders.refresh)
        self.measure = MeasurePanel(context)
        self.passes = PassesPanel(context)
        self.tabs = QTabWidget()
        for name, tab in (("Search", self.search), ("Orders", self.orders), ("Measure", self.measure), ("Passes", self.passes)):
            self.tabs.addTab(tab, name)
        row = QHBoxLayout()
        row.addWidget(self.account, 1)
        for button in (self.console, self.sign_out, self.sign_in):
            row.addWidget(button)
        content = QWidget()
        content.setMinimumWidth(MIN_WIDTH)
        column = QVBoxLayout(content)
        column.addLayout(row)
        column.addWidget(self.tabs, 1)
        self.setWidget(content)
        context.session.changed.connect(self.show_session)
        self.show_session()

    def show_session(self):
        """Who is signed in; what needs a session is switched off without one."""
        session = self._context.session
        signed_in = session.is_signed_in
        # What was started as somebody else is not wanted any more.
        self._context.runner.cancel_all()
        address = session.base_url.split("://")[-1]
        self.account.setText(f"{caller_name()}<br><small>{address}</small>" if signed_in else "Sign in to search, buy and measure imagery.")
        self.sign_in.setVisible(not signed_in)
        self.sign_out.setVisible(signed_in)
        self.console.setVisible(signed_in)
        self.tabs.setEnabled(signed_in)
        if signed_in:
            self.orders.refresh()
            self.measure.load_indices()
            self.passes.load_products()

    def open_sign_in(self):
        self.dialog = SignInDialog(self._context, self)
        self.dialog.open()

    def stop(self):
        self._context.session.changed.disconnect(self.show_session)
        self.search.area.remove()
        self.passes.area.remove()
        self.measure.stop()

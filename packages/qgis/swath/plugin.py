"""The plugin as QGIS loads it: a panel, a provider of Processing, and the renewal of tokens."""

import os

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import QAction

from .algorithms.provider import SwathProvider
from .session import Session

ICON = os.path.join(os.path.dirname(__file__), "icon.svg")


class SwathPlugin:
    """`iface` is None in programs without windows, such as qgis_process: then there are the algorithms alone."""

    def __init__(self, iface):
        self.iface = iface
        self.session = Session()
        self.provider = None
        self.panel = None
        self.action = None
        self.renewal = None
        self.runner = None

    def initProcessing(self):
        self.provider = SwathProvider(self.session)
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):
        from .gui.context import Context
        from .gui.messages import Messages
        from .gui.panel import Panel
        from .layers.renewal import LayerRenewal
        from .tasks import Runner

        self.initProcessing()
        messages = Messages(self.iface.messageBar())
        self.runner = Runner(messages.report)
        context = Context(self.iface, self.session, self.runner, messages)
        self.panel = Panel(context, self.iface.mainWindow())
        self.iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.panel)
        self.action = QAction(QIcon(ICON), "Swath", self.iface.mainWindow())
        self.action.setCheckable(True)
        self.panel.setToggleVisibilityAction(self.action)
        self.iface.addToolBarIcon(self.action)
        self.iface.addPluginToWebMenu("Swath", self.action)
        self.renewal = LayerRenewal(self.session, self.runner, messages)
        self.renewal.renew()

    def unload(self):
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
        if self.panel is None:
            return
        self.renewal.stop()
        self.runner.cancel_all()
        self.panel.stop()
        self.iface.removePluginWebMenu("Swath", self.action)
        self.iface.removeToolBarIcon(self.action)
        self.iface.removeDockWidget(self.panel)
        self.panel.deleteLater()
        self.panel = None

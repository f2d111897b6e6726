"""The part of QGIS's window that plugins use, with the widgets of QGIS itself."""

import os
import time

from qgis.core import QgsCoordinateReferenceSystem, QgsProject
from qgis.gui import QgsLayerTreeMapCanvasBridge, QgsMapCanvas, QgsMessageBar
from qgis.PyQt.QtCore import QCoreApplication, QEventLoop
from qgis.PyQt.QtWidgets import QMainWindow, QVBoxLayout, QWidget


class Window:
    """`iface` of a plugin. `opened` is the last one."""

    opened = None

    def __init__(self, pictures):
        self.pictures = pictures
        self.window = QMainWindow()
        self.window.resize(1280, 800)
        self.canvas = QgsMapCanvas()
        self.canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
        self.bar = QgsMessageBar()
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.bar)
        column.addWidget(self.canvas, 1)
        self.window.setCentralWidget(content)
        self.bridge = QgsLayerTreeMapCanvasBridge(QgsProject.instance().layerTreeRoot(), self.canvas)
        self.active = None
        self.docks = []
        self.actions = []
        self.window.show()
        Window.opened = self

    def mainWindow(self):
        return self.window

    def mapCanvas(self):
        return self.canvas

    def messageBar(self):
        return self.bar

    def activeLayer(self):
        return self.active

    def addDockWidget(self, area, dock):
        self.docks.append(dock)
        self.window.addDockWidget(area, dock)
        dock.show()

    def removeDockWidget(self, dock):
        self.docks.remove(dock)
        self.window.removeDockWidget(dock)

    def addToolBarIcon(self, action):
        self.actions.append(action)

    def removeToolBarIcon(self, action):
        self.actions.remove(action)

    def addPluginToWebMenu(self, menu, action):
        self.actions.append(action)

    def removePluginWebMenu(self, menu, action):
        self.actions.remove(action)

    def messages(self):
        """The texts of the message bar, the newest first."""
        return [item.text() for item in self.bar.items()]

    def picture(self, widget, name):
        pump(lambda: False, 0.5, True)
        pump(lambda: not self.canvas.isDrawing())
        widget.grab().save(os.path.join(self.pictures, f"{name}.png"))


def pump(is_done, timeout_s=150, may_end=False):
    """Lets Qt work until a condition holds."""
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)
        QCoreApplication.sendPostedEvents(None, 0)
        if is_done():
            return
        time.sleep(0.01)
    assert may_end, f"nothing happened in time; the message bar has {Window.opened.messages()}"

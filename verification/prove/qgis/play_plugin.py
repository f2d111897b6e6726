"""The plugin in QGIS's own Python, driven like a person would; its windows are saved as pictures.

Runs in a folder of its own system; reads the request as JSON on standard input. Prints the code of the sign-in for the browser.
"""

import faulthandler
import json
import os
import sys

# Where it waits, if it waits for ever.
faulthandler.dump_traceback_later(240, repeat=True)
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.setdefault("XDG_RUNTIME_DIR", "/tmp")
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "plugins"), "/usr/share/qgis/python/plugins"]

from osgeo import gdal
from qgis.core import QgsApplication
from qgis.PyQt.QtWidgets import QApplication

from fake_qgis import Window
from plugin_orders import OrderSteps
from plugin_processing import ProcessingSteps
from plugin_scenes import SceneSteps
from plugin_session import SessionSteps
from report import Report

gdal.UseExceptions()
request = json.load(sys.stdin)
os.makedirs(request["pictures"], exist_ok=True)
application = QgsApplication([], True)
application.initQgis()
QApplication.setStyle("fusion")
font = QApplication.font()
font.setPointSize(9)
QApplication.setFont(font)
assert QgsApplication.authManager().setMasterPassword("of this run", True)
report = Report("QGIS with the plugin")
window = Window(request["pictures"])

from swath import classFactory

plugin = classFactory(window)
plugin.initGui()
for steps in (SessionSteps, SceneSteps, OrderSteps, ProcessingSteps):
    steps(plugin, window, request).play(report)
last = SessionSteps(plugin, window, request)
report.capability("leave nothing behind when it is switched off", last.unload)
report.capability("have the algorithms without a window, still signed in", last.run_without_window)
sys.stdout.flush()
# Threads of the network may outlive the application, and are ended with the process.
os._exit(0)

"""The algorithms in the Processing toolbox."""

import os

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .files import DownloadOrder, ItemRaster
from .measure import ZonalStatistics
from .process import ClipItem, RunProcess, SpectralIndex
from .scenes import EstimateScenes, OrderScenes, SearchScenes

ALGORITHMS = (SearchScenes, EstimateScenes, OrderScenes, DownloadOrder, ItemRaster, ClipItem, SpectralIndex, ZonalStatistics, RunProcess)


class SwathProvider(QgsProcessingProvider):
    def __init__(self, session):
        super().__init__()
        self._session = session

    def id(self):
        return "swath"

    def name(self):
        return "Swath"

    def icon(self):
        return QIcon(os.path.join(os.path.dirname(__file__), "..", "icon.svg"))

    def loadAlgorithms(self):
        for algorithm in ALGORITHMS:
            self.addAlgorithm(algorithm(self._session))

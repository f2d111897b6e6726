"""What the plugin tells a person: sentences in the message bar of QGIS."""

from qgis.core import Qgis, QgsMessageLog

from ..problems import hide_tokens
from ..tasks import LOG

DURATION_S = 8


class Messages:
    def __init__(self, bar):
        self._bar = bar

    def inform(self, text):
        self._push(text, Qgis.MessageLevel.Success, DURATION_S)

    def warn(self, text):
        self._push(text, Qgis.MessageLevel.Warning, DURATION_S)

    def report(self, error):
        """A failure stays until it is closed: the trace id in it is what support asks for."""
        self._push(str(error), Qgis.MessageLevel.Critical, 0)

    def _push(self, text, level, duration_s):
        text = hide_tokens(text)
        QgsMessageLog.logMessage(text, LOG, level, False)
        self._bar.pushMessage("Swath", text, level, duration_s)

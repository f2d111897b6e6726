"""What the algorithms share."""

from qgis.core import (
    Qgis,
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from ..problems import SwathError

MAX_CREDITS = "MAX_CREDITS"
ITEM = "ITEM"


class SwathAlgorithm(QgsProcessingAlgorithm):
    """An algorithm that makes calls as who is signed in. Subclasses have `NAME`, `TITLE`, `HELP` and `work(client, …)`."""

    NAME = ""
    TITLE = ""
    HELP = ""

    def __init__(self, session):
        super().__init__()
        self._session = session

    def createInstance(self):
        return type(self)(self._session)

    def name(self):
        return self.NAME

    def displayName(self):
        return self.TITLE

    def shortHelpString(self):
        return self.HELP

    def processAlgorithm(self, parameters, context, feedback):
        try:
            return self.work(self._session.client(), parameters, context, feedback)
        except SwathError as error:
            raise QgsProcessingException(str(error)) from error

    def add_item(self):
        self.addParameter(QgsProcessingParameterString(ITEM, "Id of the item"))

    def add_max_credits(self):
        """What is spent must be permitted: there is no default."""
        label = "Credits that may be spent at most"
        self.addParameter(QgsProcessingParameterNumber(MAX_CREDITS, label, Qgis.ProcessingNumberParameterType.Integer, None, False, 0))

    def add_optional_text(self, name, label, default=None, is_multiline=False):
        self.addParameter(QgsProcessingParameterString(name, label, default, is_multiline, True))

    def add_advanced(self, parameter):
        parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.Flag.FlagAdvanced)
        self.addParameter(parameter)

"""Files of orders and items."""

import json
import os

from qgis.core import (
    QgsProcessingOutputNumber,
    QgsProcessingOutputRasterLayer,
    QgsProcessingOutputString,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterString,
)

from ..downloads import download_order
from ..layers.items import file_source
from ..orders import delivered_items
from .base import ITEM, SwathAlgorithm


class DownloadOrder(SwathAlgorithm):
    NAME = "download"
    TITLE = "Download an order"
    HELP = "Downloads the files of an order, verifies their checksums, and leaves out what is there already."

    def initAlgorithm(self, configuration=None):
        self.addParameter(QgsProcessingParameterString("ORDER", "Id of the order"))
        self.addParameter(QgsProcessingParameterFolderDestination("FOLDER", "Folder"))
        self.addOutput(QgsProcessingOutputNumber("FILES", "Number of files"))
        self.addOutput(QgsProcessingOutputString("PATHS", "Paths, as JSON"))
        self.addOutput(QgsProcessingOutputString("ITEMS", "Ids of the items, as JSON"))

    def work(self, client, parameters, context, feedback):
        order_id = self.parameterAsString(parameters, "ORDER", context)
        folder = self.parameterAsString(parameters, "FOLDER", context)
        paths, failures = download_order(client, order_id, folder, feedback)
        for failure in failures:
            feedback.reportError(str(failure))
        if failures and not paths:
            raise failures[0]
        items = [item["item_id"] for item in delivered_items(client, order_id, feedback)]
        for path in paths:
            feedback.pushInfo(os.path.relpath(path, folder))
        return {"FOLDER": folder, "FILES": len(paths), "PATHS": json.dumps(paths), "ITEMS": json.dumps(items)}


class ItemRaster(SwathAlgorithm):
    NAME = "itemraster"
    TITLE = "Open an item as a raster"
    HELP = "The raster of an item, read in parts from the server, as an input for other algorithms. Its address is valid for half a day."

    def initAlgorithm(self, configuration=None):
        self.add_item()
        self.add_optional_text("ASSET", "Id of the asset; by default its data")
        self.addOutput(QgsProcessingOutputRasterLayer("RASTER", "Raster"))

    def work(self, client, parameters, context, feedback):
        asset_id = self.parameterAsString(parameters, "ASSET", context) or None
        return {"RASTER": file_source(client, self.parameterAsString(parameters, ITEM, context), asset_id, feedback).source}

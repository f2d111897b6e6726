"""Processes of the server: clip, indices, and any other."""

import json

from qgis.core import QgsProcessingOutputNumber, QgsProcessingOutputString, QgsProcessingParameterFeatureSource, QgsProcessingParameterString

from ..geometry import to_geojson
from ..jobs import run_process
from ..problems import SwathError
from .base import ITEM, MAX_CREDITS, SwathAlgorithm
from .scenes import AREA, POLYGONS, read_area


class ProcessAlgorithm(SwathAlgorithm):
    """Runs a process within `MAX_CREDITS`; the results are items."""

    def add_job(self):
        self.add_max_credits()
        self.addOutput(QgsProcessingOutputString("JOB", "Id of the job"))
        self.addOutput(QgsProcessingOutputString(ITEM, "Id of the first item of the result"))
        self.addOutput(QgsProcessingOutputString("ITEMS", "Ids of the items, as JSON"))
        self.addOutput(QgsProcessingOutputNumber("CREDITS", "Credits"))

    def run_job(self, client, process_id, inputs, parameters, context, feedback, project_id=None):
        job = run_process(client, process_id, inputs, self.parameterAsInt(parameters, MAX_CREDITS, context), feedback, project_id)
        feedback.pushInfo(f"The job {job['id']} made {len(job['item_ids'])} items for {job['credits_captured']} credits.")
        items = job["item_ids"]
        return {"JOB": job["id"], ITEM: items[0] if items else "", "ITEMS": json.dumps(items), "CREDITS": job["credits_captured"]}


class ClipItem(ProcessAlgorithm):
    NAME = "clip"
    TITLE = "Clip an item"
    HELP = "Cuts the rasters of an item out along polygons, at the server. The result is a new item. Spends credits."

    def initAlgorithm(self, configuration=None):
        self.add_item()
        self.addParameter(QgsProcessingParameterFeatureSource(AREA, "Polygons", POLYGONS))
        self.add_job()

    def work(self, client, parameters, context, feedback):
        area = read_area(self.parameterAsSource(parameters, AREA, context))
        inputs = {"item": self.parameterAsString(parameters, ITEM, context), "geometry": to_geojson(area)}
        return self.run_job(client, "clip", inputs, parameters, context, feedback)


class SpectralIndex(ProcessAlgorithm):
    NAME = "index"
    TITLE = "Spectral index of an item"
    HELP = "Computes an index such as NDVI from the bands of an item, at the server. The result is a new item. Spends credits."

    def initAlgorithm(self, configuration=None):
        self.add_item()
        self.addParameter(QgsProcessingParameterString("INDEX", "Index, such as ndvi", "ndvi"))
        self.add_job()

    def work(self, client, parameters, context, feedback):
        inputs = {"item": self.parameterAsString(parameters, ITEM, context), "index": self.parameterAsString(parameters, "INDEX", context).lower()}
        return self.run_job(client, "spectral-index", inputs, parameters, context, feedback)


class RunProcess(ProcessAlgorithm):
    NAME = "process"
    TITLE = "Run a process"
    HELP = "Runs any process of the server with inputs as JSON, as the API reference describes them. Spends credits."

    def initAlgorithm(self, configuration=None):
        self.addParameter(QgsProcessingParameterString("PROCESS", "Id of the process, such as band-math"))
        self.addParameter(QgsProcessingParameterString("INPUTS", "Inputs, as JSON", "{}", True))
        self.add_optional_text("PROJECT", "Id of the project of the results; by default that of the item")
        self.add_job()

    def work(self, client, parameters, context, feedback):
        try:
            inputs = json.loads(self.parameterAsString(parameters, "INPUTS", context))
        except ValueError as error:
            raise SwathError(f"The inputs are not JSON: {error}.") from error
        if not isinstance(inputs, dict):
            raise SwathError("The inputs must be a JSON object.")
        process_id = self.parameterAsString(parameters, "PROCESS", context)
        project_id = self.parameterAsString(parameters, "PROJECT", context) or None
        return self.run_job(client, process_id, inputs, parameters, context, feedback, project_id)

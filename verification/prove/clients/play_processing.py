"""Processes: templates of the client, jobs, their results and their lists."""

import dataclasses
import inspect
import warnings

import up42
from up42 import processing, processing_templates



@dataclasses.dataclass
class Conversion(processing_templates.WorkspaceIdSingleItemTemplate):
    """A process of ours that takes what a template of the client has: a title and an item."""

    process_id = "format-conversion"


@dataclasses.dataclass
class Mosaic(processing_templates.WorkspaceIdMultiItemTemplate):
    """The same with several items."""

    process_id = "mosaic"


class ProcessingPlay:
    def __init__(self, report, storage, orders, folder):
        self.report = report
        self.storage = storage
        self.call = orders.call
        self.folder = folder

    def play(self):
        warnings.simplefilter("ignore")
        self.report.capability("construct every template", self.construct)
        self.report.capability("execute a process and read its results", self.execute)
        self.report.capability("mosaic several items", self.mosaic)
        self.report.capability("sharpen an image by its weights", self.sharpen)
        self.report.capability("list jobs by every filter", self.list_jobs)

    def construct(self):
        """Processes of others are not served: their templates say so, and none of them raises."""
        item = self.storage.item
        constructed = 0
        for name, template in inspect.getmembers(processing_templates):
            if not hasattr(template, "process_id") or not isinstance(template.process_id, str):
                continue
            parameters = inspect.signature(template).parameters
            values = {"title": "A title"}
            values.update({each: item for each in ("item", "source_item", "reference_item") if each in parameters})
            values.update({"items": [item]} if "items" in parameters else {})
            made = template(**values)
            constructed += 1
            if name != "Pansharpening":
                assert not made.is_valid and [each.name for each in made.errors] == ["ProcessNotFound"], name
                assert made.inputs["title"] == "A title"
        assert constructed > 10

    def execute(self):
        template = Conversion(title="A converted scene", item=self.storage.item)
        assert template.is_valid, template.errors
        cost = template.cost
        assert cost.credits > 0 and cost <= cost and not cost < cost and cost >= 0 and cost > -1
        self.job = template.execute()
        assert self.job.process_id == "format-conversion" and self.job.definition["inputs"]["title"] == "A converted scene"
        self.job.track(wait=1)
        job = processing.Job.get(self.job.id)
        assert job.status.value in ("captured", "successful") and job.credits == cost.credits, job
        assert job.finished >= job.started >= job.created and job.errors is None
        collection = job.collection
        assert collection.title == "A converted scene" and collection.up42.job_id == job.id
        self.storage.job_items = list(collection.get_items())
        (item,) = self.storage.job_items
        assert item.up42.job_id == job.id and item.up42.source == "PROCESSING"
        file = next(each for each in item.assets.values() if "data" in (each.roles or []))
        assert file.file.download(self.folder).stat().st_size > 1000
        invalid = Conversion(title="", item=self.storage.item)
        assert not invalid.is_valid and invalid.errors

    def sharpen(self):
        """The last band of the scene is taken for a panchromatic one."""
        item = self.storage.item
        item_id = item.properties["service:item_id"]
        assets = self.call("items.list_assets", item_id=item_id)["assets"]
        raster = next(each for each in assets if "data" in each["roles"])
        names = ["red", "green", "blue", "pan"]
        assert len(raster["band_names"]) == len(names), raster["band_names"]
        self.call("items.set_asset_band_names", item_id=item_id, asset_id=raster["id"], band_names=names)
        weights = [processing_templates.GreyWeight(band=name, weight=0.3) for name in names[:3]]
        template = processing_templates.Pansharpening(title="Sharpened", item=item, grey_weights=weights)
        assert template.is_valid, template.errors
        job = template.execute()
        job.track(wait=1)
        assert job.status.value in ("captured", "successful"), job
        (result,) = job.collection.get_items()
        assert result.properties["title"] == "Sharpened"

    def mosaic(self):
        template = Mosaic(title="A mosaic", items=[self.storage.item, *self.storage.job_items])
        assert template.is_valid, template.errors
        job = template.execute()
        job.track(wait=1)
        (self.storage.mosaic_item,) = job.collection.get_items()

    def list_jobs(self):
        job = self.job
        statuses = [processing.JobStatus.SUCCESSFUL]
        filters = {
            "process_id": (["format-conversion", "pansharpening"], ["clip"]),
            "workspace_id": (job.workspace_id, None),
            "status": (statuses, [processing.JobStatus.RELEASED]),
            "min_duration": (None, 100_000),
            "max_duration": (100_000, None),
            "ids": ([job.id], ["019cc0de-0000-7000-8000-000000000001"]),
        }
        parameters = inspect.signature(processing.Job.all).parameters
        for name, (matching, other) in filters.items():
            if name not in parameters:
                continue
            if matching is not None:
                assert job.id in [each.id for each in processing.Job.all(**{name: matching})], name
            if other is not None:
                assert job.id not in [each.id for each in processing.Job.all(**{name: other})], name
        for status in processing.JobStatus:
            list(processing.Job.all(status=[status]))
        for name, sorting in inspect.getmembers(processing.JobSorting):
            if not name.startswith("_"):
                found = [each.id for each in processing.Job.all(sort_by=sorting.asc, page_size=1)]
                assert job.id in found and len(found) == len(set(found)) > 1, name
        assert up42.Job is processing.Job

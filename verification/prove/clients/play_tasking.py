"""Acquisitions: each product is estimated and ordered with exactly what its schema says."""

import datetime
import inspect
import time

import geojson
import requests
from up42 import glossary, order, order_template, tasking

TIMEOUT_S = 60
AREA = geojson.Polygon([[(11.3, 46.4), (11.45, 46.4), (11.45, 46.52), (11.3, 46.52), (11.3, 46.4)]])


def sample(schema):
    """Values for every parameter of a JSON Schema that has no meaning of its own to the product."""
    now = datetime.datetime.now(datetime.timezone.utc)
    times = {"acquisitionStart": now, "acquisitionEnd": now + datetime.timedelta(days=7)}
    params = {}
    for name, definition in schema["properties"].items():
        if name in times:
            params[name] = times[name].strftime("%Y-%m-%dT%H:%M:%SZ")
        elif "enum" in definition:
            params[name] = definition["enum"][0]
        elif definition["type"] == "number":
            params[name] = definition.get("maximum", 90) if name != "minSunElevation" else definition.get("minimum", -90)
        elif definition["type"] == "boolean":
            params[name] = True
    return params


class TaskingPlay:
    def __init__(self, report, orders, request):
        self.report = report
        self.request = request
        self.platform = orders
        self.orders = {}

    def play(self):
        self.report.capability("estimate and order every acquisition by its schema", self.place)
        self.report.capability("decide a feasibility study", self.decide_study)
        self.report.capability("decide a quotation", self.decide_quotation)
        self.report.capability("list studies and quotations by every filter", self.list_decisions)
        if hasattr(order.Order, "cancel"):
            self.report.capability("cancel an acquisition", self.cancel)

    def place(self):
        collections = list(glossary.ProductGlossary.get_collections(collection_type=glossary.CollectionType.TASKING))
        assert len(collections) > 2
        for collection in collections:
            product = collection.data_products[0]
            template = order_template.BatchOrderTemplate(
                data_product_id=product.id,
                display_name=f"Acquisition of {product.name}",
                features=geojson.FeatureCollection([geojson.Feature(geometry=AREA)]),
                params=sample(product.schema),
                tags=["acquisition"],
            )
            (cost,) = template.estimate.items
            assert isinstance(cost, order_template.OrderCost), (product.name, cost)
            (reference,) = template.place()
            assert isinstance(reference, order_template.OrderReference), (product.name, reference)
            placed = reference.order
            assert placed.type == "TASKING" and placed.details.geometry == AREA, placed
            assert placed.details.acquisition_start < placed.details.acquisition_end
            self.orders[collection.name] = placed

    def call(self, operation, **body):
        """The side of the provider, which is an operator of the platform."""
        self.platform.call(operation, organization_id=self.request["organization"], reason="a test", **body)

    def find_order(self, sub_status):
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            for each in order.Order.all(sub_status=[sub_status]):
                return each
            time.sleep(0.5)
        raise AssertionError(f"no order is {sub_status}")

    def decide_study(self):
        waiting = self.find_order("FEASIBILITY_WAITING_UPLOAD")
        option = {"description": "Three attempts in the window.", "creditsPrice": 900}
        self.call("admin.tasking.study_upload", order_id=waiting.id, options=[option])
        (study,) = tasking.FeasibilityStudy.all(order_id=waiting.id)
        assert study.decision == "NOT_DECIDED" and study.options and study.decision_option is None
        try:
            study.save()
            raise AssertionError("a study without an option was saved")
        except tasking.FeasibilityStudy.NoDecisionOptionChosen:
            pass
        study.accept(study.options[0]["id"])
        study.save()
        assert study.decision == "ACCEPTED" and study.decision_option.description and study.decided_at
        self.expect_405(study.save)
        self.study = study

    def decide_quotation(self):
        waiting = self.find_order("QUOTATION_WAITING_UPLOAD")
        self.call("admin.tasking.quotation_upload", order_id=waiting.id, creditsPrice=700)
        (quotation,) = tasking.Quotation.all(order_id=waiting.id)
        assert quotation.decision == "NOT_DECIDED" and quotation.credits_price == 700 and quotation.decided_at is None
        quotation.accept()
        quotation.save()
        assert quotation.decision == "ACCEPTED" and quotation.decided_at
        quotation.reject()
        self.expect_405(quotation.save)
        self.quotation = quotation

    @staticmethod
    def expect_405(save):
        try:
            save()
            raise AssertionError("it was decided twice")
        except requests.HTTPError as error:
            assert error.response.status_code == 405, error.response.text

    def list_decisions(self):
        kinds = (
            (tasking.FeasibilityStudy, tasking.FeasibilityStudySorting, "study_id", self.study),
            (tasking.Quotation, tasking.QuotationSorting, "quotation_id", self.quotation),
        )
        for kind, sortings, _name, decided in kinds:
            identifier = next(name for name in inspect.signature(kind.all).parameters if name.endswith("_id"))
            filters = {
                identifier: decided.id,
                "workspace_id": decided.workspace_id,
                "order_id": decided.order_id,
                "decision": ["ACCEPTED", "NOT_DECIDED"],
            }
            for name, value in filters.items():
                assert decided.id in [each.id for each in kind.all(**{name: value})], name
            assert decided.id not in [each.id for each in kind.all(decision=["NOT_DECIDED"])]
            for name, sorting in inspect.getmembers(sortings):
                if not name.startswith("_"):
                    assert decided.id in [each.id for each in kind.all(sort_by=sorting.asc)], name

    def cancel(self):
        """One of a quotation that nobody has offered yet can be cancelled."""
        collections = glossary.ProductGlossary.get_collections(collection_type=glossary.CollectionType.TASKING)
        product = next(each for each in collections if each.name == "tasking-1m5").data_products[0]
        template = order_template.BatchOrderTemplate(
            data_product_id=product.id,
            display_name="To cancel",
            features=geojson.FeatureCollection([geojson.Feature(geometry=AREA)]),
            params={},
        )
        (reference,) = template.place()
        placed = reference.order
        assert placed.status == "CREATED", placed.status
        cancelled = placed.cancel()
        assert (cancelled.order_id, cancelled.status) == (placed.id, "CANCELED")
        try:
            placed.track(report_time=0.1)
            raise AssertionError("a cancelled order was followed to its end")
        except order.CanceledOrder:
            pass

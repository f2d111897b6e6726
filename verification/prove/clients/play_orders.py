"""Orders of archive scenes, from the estimate to the delivery, and budgets."""

import inspect

import geojson
import requests
import up42
from up42 import base, order, order_template, tasking


class OrdersPlay:
    def __init__(self, report, catalog, request):
        self.report = report
        self.request = request
        self.catalog = catalog
        self.order = None
        self.budget = None

    def play(self):
        if hasattr(up42, "Budget"):
            self.report.capability("read budgets and their usage", self.read_budgets)
        self.report.capability("estimate and place an order", self.place)
        self.report.capability("follow an order", self.follow)
        self.report.capability("list orders by every filter", self.list_orders)
        if hasattr(order.Order, "update"):
            self.report.capability("change the tags of an order", self.update)
        if hasattr(tasking, "OrderCoverage"):
            self.report.capability("read the coverage of an order", self.read_coverage)
        if hasattr(order.Order, "cancel"):
            self.report.capability("cancel an order", self.cancel)

    def call(self, operation, **body):
        """What no client has a function for."""
        response = requests.post(
            f"{self.request['address']}/v1/op/{operation}",
            json=body,
            headers={"authorization": f"Bearer {self.request['token']}"},
            timeout=60,
        )
        assert response.ok, response.text
        return response.json()

    def read_budgets(self):
        budgets = list(up42.Budget.all(include_usage=True, sort_by=up42.BudgetSorting.updated_at.desc, status=["ACTIVE"]))
        assert budgets and all(each.consumed_credits is not None for each in budgets)
        for each in budgets:
            read = up42.Budget.get(each.id, include_usage=True)
            assert (read.id, read.name, read.status) == (each.id, each.name, each.status)
            usage = each.get_usage()
            assert usage.budget_id == each.id and usage.consumed_credits >= 0
        assert up42.BudgetSettings.get().enforcement_enabled is True
        # That of a project: the others are of members.
        self.budget = next(each for each in budgets if each.validity_period is None)

    def make_template(self, features, **options):
        if self.budget is not None:
            options["budget_id"] = self.budget.id
        return order_template.BatchOrderTemplate(
            data_product_id=self.catalog.product.id,
            display_name="Order of a client",
            features=geojson.FeatureCollection(features),
            params={"id": self.catalog.scene.id},
            tags=["client"],
            **options,
        )

    def place(self):
        """One feature can be ordered, the other is a point."""
        scene = self.catalog.scene
        features = [geojson.Feature(geometry=scene.geometry), geojson.Feature(geometry=geojson.Point((1, 2)))]
        template = self.make_template(features)
        cost, refusal = template.estimate.items
        assert cost.credits > 0 and cost.unit == "SQ_KM" and cost.credits == template.estimate.credits
        assert template.estimate.size == cost.size
        assert isinstance(refusal, order_template.OrderError) and refusal.index == 1
        reference, refusal = template.place()
        assert isinstance(refusal, order_template.OrderError) and refusal.index == 1
        self.order = reference.order
        placed = self.order
        assert placed.type == "ARCHIVE" and placed.tags == ["client"] and placed.data_product_id == template.data_product_id
        assert placed.details.image_id == scene.id and placed.details.aoi["type"] == "Polygon"
        if self.budget is not None:
            assert placed.budget_id == self.budget.id == placed.workspace_id

    def follow(self):
        self.order.track(report_time=0.5)
        assert self.order.is_fulfilled and order.Order.get(self.order.id).status == "FULFILLED"

    def list_orders(self):
        """Each filter finds the order, and another value of it does not; lists have the details of orders."""
        placed = self.order
        filters = {
            "workspace_id": (base.workspace.id, None),
            "order_type": ("ARCHIVE", "TASKING"),
            "status": (["PLACED", "FULFILLED"], ["CANCELED"]),
            "sub_status": (None, ["QUOTATION_ACCEPTED"]),
            "display_name": ("of a client", "another name"),
            "tags": (["client", "none"], ["none"]),
        }
        if self.budget is not None:
            filters["budget_ids"] = ([self.budget.id], ["019cc0de-0000-7000-8000-000000000001"])
            filters["ids"] = ([placed.id], ["019cc0de-0000-7000-8000-000000000001"])
        for name, (matching, other) in filters.items():
            if matching is not None:
                found = {each.id: each for each in order.Order.all(**{name: matching})}
                assert placed.id in found, name
                assert found[placed.id].details.aoi == placed.details.aoi, name
            if other is not None:
                assert placed.id not in [each.id for each in order.Order.all(**{name: other})], name
        for name, sorting in inspect.getmembers(order.OrderSorting):
            if not name.startswith("_"):
                assert placed.id in [each.id for each in order.Order.all(sort_by=sorting.desc)], name

    def update(self):
        assert order.Order.update(self.order.id, tags=["changed"]).tags == ["changed"]
        assert order.Order.update(self.order.id).tags == ["changed"]
        if self.budget is not None:
            assert order.Order.update(self.order.id, budget_id=self.budget.id).budget_id == self.budget.id
            other = next(each for each in up42.Budget.all() if each.validity_period is not None)
            if other.id != base.workspace.id:
                raise AssertionError("the only member is the caller")
        assert order.Order.update(self.order.id, tags=["client"]).tags == ["client"]

    def read_coverage(self):
        coverage = tasking.OrderCoverage.get(self.order.id)
        assert round(coverage.covered.percentage) == 100 and coverage.covered.geometry["type"].endswith("Polygon")
        assert coverage.remainder.sq_km_area == 0

    def cancel(self):
        """An order that was delivered is not cancelled by the client; one of an acquisition is, in `play_tasking`."""
        try:
            self.order.cancel()
            raise AssertionError("a delivered order was cancelled")
        except order.OrderCannotBeCanceled:
            pass
        response = base.workspace.session.post
        try:
            response(up42.order.host.endpoint(f"/v2/orders/{self.order.id}/cancellation"))
            raise AssertionError("the server cancelled a delivered order")
        except requests.HTTPError as error:
            assert error.response.status_code == 409, error.response.text

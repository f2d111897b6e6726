"""Classes that only the second generation of the client has."""

import inspect
import pathlib
import tempfile

import geojson
import up42
from shapely import geometry
from up42 import asset, catalog, initialization, order, storage, tasking, tools, utils

from webhook_receiver import WebhookReceiver


def play(report, request, orders, stored, folder):
    report.capability("read the balance", read_balance)
    report.capability("manage a webhook", manage_webhook, request, orders)
    report.capability("list assets by every filter", list_assets, orders, stored)
    report.capability("set title and tags of an asset", update_asset, orders)
    report.capability("read the STAC items of an asset", read_stac_items, orders, stored)
    report.capability("download an asset and its files", download_asset, orders, stored, folder)
    report.capability("list assets and orders of the storage", list_storage, orders)
    report.capability("search, price and order by the catalogue class", order_by_catalog, orders, folder)
    report.capability("order and decide by the tasking class", order_by_tasking)
    report.capability("initialize objects", initialize, orders)
    report.capability("read areas", read_areas)


def read_balance():
    assert up42.get_credits_balance()["balance"] > 0


def manage_webhook(request, orders):
    receiver = WebhookReceiver(int(request["port"]))
    events = {each["name"] for each in up42.Webhook.get_webhook_events()}
    assert events == {"order.status", "job.status"}, events
    webhook = up42.Webhook(url=receiver.url, name="Orders", events=["order.status"], secret=receiver.secret)
    webhook.save()
    assert up42.Webhook.get(webhook.id) in up42.Webhook.all()
    assert not up42.Webhook.get(webhook.id).active
    tests = webhook.trigger_test_events()
    assert (tests["testsRun"], tests["testsSucceeded"]) == (1, 1), tests
    webhook.active = True
    webhook.save()
    assert up42.Webhook.get(webhook.id).active
    scene = orders.catalog.scene
    template = orders.make_template([geojson.Feature(geometry=scene.geometry)])
    (reference,) = template.place()
    assert reference.order.track_status(report_time=0.5) == "FULFILLED"
    receiver.wait_for("order.fulfilled", reference.id)
    webhook.delete()
    assert webhook.id not in [each.id for each in up42.Webhook.all()]
    receiver.close()


def find_asset(orders):
    (found,) = orders.order.get_assets()
    return found


def list_assets(orders, stored):
    found = find_asset(orders)
    assert (found.order_id, found.source, found.size > 1000) == (orders.order.id, "ARCHIVE", True)
    assert found.workspace_id == orders.order.workspace_id and found.account_id == orders.order.account_id
    assert found.collection_name == orders.catalog.collection.name and found.content_type == "application/zip"
    assert found.asset_id == found.id == stored.item.up42.asset_id
    filters = {
        "created_after": ("2000-01-01", "2100-01-01"),
        "created_before": ("2100-01-01", "2000-01-01"),
        "workspace_id": (found.workspace_id, None),
        "collection_names": ([found.collection_name, "none"], ["none"]),
        "producer_names": ([found.producer_name], ["none"]),
        "tags": (None, ["none"]),
        "sources": (["ARCHIVE", "TASKING"], ["USER"]),
        "search": (found.name[:5], "no such name"),
    }
    for name, (matching, other) in filters.items():
        if matching is not None:
            assert found.id in [each.id for each in asset.Asset.all(**{name: matching})], name
        if other is not None:
            assert found.id not in [each.id for each in asset.Asset.all(**{name: other})], name
    for name, sorting in inspect.getmembers(asset.AssetSorting):
        if not name.startswith("_"):
            assert found.id in [each.id for each in asset.Asset.all(sort_by=sorting.desc)], name


def update_asset(orders):
    found = find_asset(orders)
    info = found.update_metadata(title="A title", tags=["a", "b"])
    assert (info["title"], info["tags"]) == ("A title", ["a", "b"])
    read = asset.Asset.get(found.id)
    assert (read.title, read.tags) == ("A title", ["a", "b"])
    assert found.id in [each.id for each in asset.Asset.all(tags=["b", "c"])]
    assert found.id in [each.id for each in asset.Asset.all(search="a title")]


def read_stac_items(orders, stored):
    found = find_asset(orders)
    items = list(found.stac_items)
    assert [each.id for each in items] == [stored.item.id]
    assert items[0].up42.title == "A title" and items[0].up42.tags == ["a", "b"]
    assert found.stac_info.id == stored.item.collection_id


def download_asset(orders, stored, folder):
    found = find_asset(orders)
    assert found.file.url.startswith("http")
    unpacked = found.download(tempfile.mkdtemp(dir=folder))
    assert any(name.endswith(".tif") for name in unpacked), unpacked
    (packed,) = found.download(tempfile.mkdtemp(dir=folder), unpacking=False)
    assert pathlib.Path(packed).read_bytes()[:2] == b"PK"
    file = next(each for each in stored.item.assets.values() if "data" in each.roles)
    assert found.get_stac_asset_url(file).startswith("http")
    path = found.download_stac_asset(file, tempfile.mkdtemp(dir=folder))
    assert path.stat().st_size == file.extra_fields["file:size"]


def list_storage(orders):
    stored = storage.Storage()
    found = find_asset(orders)
    assert found.id in [each.id for each in stored.get_assets()]
    assert stored.get_assets(limit=1, sortby="size", descending=False, return_json=True)[0]["id"]
    assert orders.order.id in [each.id for each in stored.get_orders(statuses=["FULFILLED"], tags=["client"], name="client")]
    listed = stored.get_orders(workspace_orders=False, return_json=True, order_type="ARCHIVE", sortby="updatedAt", limit=3)
    assert 0 < len(listed) <= 3 and listed[0]["orderDetails"]


def order_by_catalog(orders, folder):
    searched = catalog.Catalog()
    scene, collection = orders.catalog.scene, orders.catalog.collection.name
    area = geometry.box(*scene.bbox)
    parameters = searched.construct_search_parameters(
        geometry=area, collections=[collection], start_date="2000-01-01", end_date="2030-01-01", limit=1, max_cloudcover=100
    )
    frame = searched.search(parameters)
    assert scene.id in list(frame["id"])
    assert searched.search(parameters, as_dataframe=False)["features"]
    schema = searched.get_data_product_schema(orders.catalog.product.id)
    assert "id" in schema["required"]
    wanted = searched.construct_order_parameters(
        data_product_id=orders.catalog.product.id, image_id=scene.id, aoi=scene.geometry, tags=["client"]
    )
    assert searched.estimate_order(wanted) == order.Order.estimate(wanted) > 0
    placed = searched.place_order(wanted, track_status=True, report_time=0.5)
    assert placed.is_fulfilled and placed.order_id == placed.id and placed.order_details["imageId"] == scene.id
    (quicklook,) = searched.download_quicklooks([scene.id], collection, folder)
    assert pathlib.Path(quicklook).read_bytes()[:3] == b"\xff\xd8\xff"


def order_by_tasking():
    tasked = tasking.Tasking()
    products = up42.ProductGlossary.get_collections(collection_type=up42.CollectionType.TASKING)
    product = next(each for each in products if each.name == "tasking-1m5").data_products[0]
    area = geometry.box(11.3, 46.4, 11.45, 46.52)
    wanted = tasked.construct_order_parameters(
        data_product_id=product.id,
        name="By the class",
        acquisition_start="2090-01-01",
        acquisition_end="2090-01-05",
        geometry=area,
    )
    start, end = utils.format_time("2026-12-24"), utils.format_time("2026-12-26", set_end_of_day=True)
    wanted["params"].update({"acquisitionStart": start, "acquisitionEnd": end})
    placed = tasked.place_order(wanted)
    assert placed.type == "TASKING" and placed.details.sub_status == "QUOTATION_WAITING_UPLOAD"
    assert isinstance(tasked.get_feasibility(decision=["ACCEPTED"], descending=False), list)
    assert isinstance(tasked.get_quotations(order_id=placed.id), list)
    for decide in (
        lambda: tasked.decide_quotation("019cc0de-0000-7000-8000-000000000001", "ACCEPTED"),
        lambda: tasked.choose_feasibility("019cc0de-0000-7000-8000-000000000001", "standard"),
    ):
        try:
            decide()
            raise AssertionError("an unknown id was decided")
        except Exception as error:  # pylint: disable=broad-except
            assert error.response.status_code == 404, error
    try:
        tasked.decide_quotation("any", "MAYBE")
        raise AssertionError("a decision that is none was sent")
    except tasking.InvalidDecision:
        pass


def initialize(orders):
    assert initialization.initialize_order(orders.order.id).id == orders.order.id
    assert initialization.initialize_asset(find_asset(orders).id).id
    assert isinstance(initialization.initialize_catalog(), catalog.Catalog)
    assert isinstance(initialization.initialize_tasking(), tasking.Tasking)
    assert isinstance(initialization.initialize_storage(), storage.Storage)


def read_areas():
    area = tools.get_example_aoi("Berlin")
    assert utils.any_vector_to_fc(area)["features"]
    assert len(utils.fc_to_query_geometry(area, "bbox")) == 4
    utils.validate_fc_up42_requirements(area)
    with tempfile.NamedTemporaryFile("w", suffix=".geojson") as file:
        geojson.dump(area, file)
        file.flush()
        assert tools.read_vector_file(file.name)["features"]
    tools.settings(log=False)

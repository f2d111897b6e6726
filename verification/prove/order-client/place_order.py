"""Orders a scene of a running server with up42-py: place_order.py CREDENTIALS PORT. The server may send webhooks to the port."""

import json
import pathlib
import sys
import tempfile

import geojson
import up42
from up42 import base, glossary, host, order, order_template, tasking

from webhook_receiver import WebhookReceiver


def connect(credentials):
    """The only change: where the client sends its requests."""
    address = credentials["address"]
    protocol = f"{address}/realms/public/protocol/openid-connect"
    host.endpoint = lambda path: f"{address}{path}"
    host.token_endpoint = lambda: f"{protocol}/token"
    host.user_info_endpoint = lambda: f"{protocol}/userinfo"
    up42.authenticate(username=credentials["username"], password=credentials["password"])


def find_product():
    """A data product with a price, its host and its collection."""
    collections = glossary.ProductGlossary.get_collections(
        collection_type=glossary.CollectionType.ARCHIVE, sort_by=glossary.CollectionSorting.name
    )
    collection = next(each for each in collections if each.name == "naip")
    provider = next(each for each in collection.providers if "HOST" in each.roles)
    return collection, provider, collection.data_products[0]


def find_scenes(provider, collection):
    scenes = list(
        provider.search(
            bbox=[-180, -90, 180, 90],
            collections=[collection.name],
            start_date="2000-01-01",
            end_date="2030-01-01",
            query={"cloudCoverage": {"lte": 100}},
        )
    )
    assert scenes and all(each.collection == collection.name for each in scenes)
    try:
        list(provider.search(bbox=[1, 2], collections=[collection.name]))
        raise AssertionError("an invalid search was accepted")
    except glossary.InvalidSearchRequest as refusal:
        assert "bbox" in str(refusal), refusal
    return scenes


def place(product, scene):
    """One feature can be ordered, the other is a point."""
    features = [
        geojson.Feature(geometry=scene.geometry),
        geojson.Feature(geometry=geojson.Point((1, 2))),
    ]
    template = order_template.BatchOrderTemplate(
        data_product_id=product.id,
        display_name="Order of a client",
        features=geojson.FeatureCollection(features),
        params={"id": scene.id},
        tags=["client"],
    )
    cost, refusal = template.estimate.items
    assert cost.credits > 0 and cost.unit == "SQ_KM" and cost.credits == template.estimate.credits
    assert isinstance(refusal, order_template.OrderError) and refusal.index == 1
    reference, refusal = template.place()
    assert isinstance(refusal, order_template.OrderError) and refusal.index == 1
    return reference.order


def subscribe(receiver):
    """A webhook for the orders of the workspace, by the clients that have webhooks."""
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
    return webhook


def main(credentials_path, port):
    connect(json.loads(pathlib.Path(credentials_path).read_text()))
    receiver = WebhookReceiver(int(port))
    webhook = subscribe(receiver) if hasattr(up42, "Webhook") else None
    collection, provider, product = find_product()
    scene = find_scenes(provider, collection)[0]
    with tempfile.TemporaryDirectory() as folder:
        assert scene.quicklook.download(folder).stat().st_size > 100
    assert "id" in product.schema["required"]

    placed = place(product, scene)
    assert placed.type == "ARCHIVE" and placed.tags == ["client"] and placed.data_product_id == product.id
    assert placed.details.image_id == scene.id and placed.details.aoi["type"] == "Polygon"
    placed.track(report_time=0.5)
    listed = order.Order.all(
        workspace_id=base.workspace.id, tags=["client", "none"], status=["PLACED", "FULFILLED"], sort_by=order.OrderSorting.created_at
    )
    assert placed.id in [each.id for each in listed]
    if hasattr(order.Order, "update"):
        assert order.Order.update(placed.id, tags=["changed"]).tags == ["changed"]
    if hasattr(tasking, "OrderCoverage"):
        assert round(tasking.OrderCoverage.get(placed.id).covered.percentage) == 100
    if webhook is not None:
        receiver.wait_for("order.fulfilled", placed.id)
        webhook.delete()
        assert webhook.id not in [each.id for each in up42.Webhook.all()]
        print(f"up42-py {up42.__version__} managed a webhook, which was told of the order")
    receiver.close()
    print(f"up42-py {up42.__version__} searched, estimated, ordered and followed an order")


main(*sys.argv[1:])

"""Orders a scene of a running server with up42-py: place_order.py CREDENTIALS."""

import json
import pathlib
import sys
import tempfile

import geojson
import up42
from up42 import base, glossary, host, order, order_template, tasking


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


def main(credentials_path):
    connect(json.loads(pathlib.Path(credentials_path).read_text()))
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
    print(f"up42-py {up42.__version__} searched, estimated, ordered and followed an order")


main(*sys.argv[1:])

"""A program of up42-py: up42_program.py <module> <folder>. `up42` runs it with up42-py, `swath.up42` with this package.

The platform and the user are those of SWATH_URL, SWATH_USERNAME and SWATH_PASSWORD. Prints what it found as one JSON line, without
what differs between two orders: their ids and times.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any

import geojson


def connect(name: str) -> Any:
    """The module, signed in. That of up42-py is told where its requests go."""
    os.environ["UP42_DISABLE_VERSION_CHECK"] = "true"
    up42 = importlib.import_module(name)
    url = os.environ["SWATH_URL"]
    if name == "up42":
        protocol = f"{url}/realms/public/protocol/openid-connect"
        host = importlib.import_module("up42.host")
        host.endpoint = lambda path: f"{url}{path}"  # type: ignore[attr-defined]
        host.token_endpoint = lambda: f"{protocol}/token"  # type: ignore[attr-defined]
        host.user_info_endpoint = lambda: f"{protocol}/userinfo"  # type: ignore[attr-defined]
    up42.authenticate(username=os.environ["SWATH_USERNAME"], password=os.environ["SWATH_PASSWORD"])
    return up42


def read_offers(up42: Any) -> tuple[Any, dict[str, Any]]:
    sorted_by_name = up42.CollectionSorting.name.desc
    collections = list(up42.ProductGlossary.get_collections(sort_by=sorted_by_name))
    naip = next(each for each in collections if each.name == "naip")
    provider = next(each for each in naip.providers if each.is_host)
    world = [-180, -90, 180, 90]
    scenes = list(
        provider.search(bbox=world, collections=["naip"], start_date="2000-01-01", end_date="2030-01-01",
                        query={"cloudCoverage": {"lte": 100}})
    )
    try:
        list(provider.search(bbox=[1, 2], collections=["naip"]))
        refusal = ""
    except ValueError as error:
        refusal = type(error).__name__
    found = {
        "collections": [[each.name, each.title, each.type.value, each.integrations] for each in collections],
        "products": [[each.id, each.eula_id, sorted(each.schema["properties"])] for each in naip.data_products],
        "metadata": str(naip.metadata),
        "scenes": [[each.id, each.bbox, each.datetime, each.constellation, each.cloud_coverage, each.resolution] for each in scenes],
        "refusal": refusal,
    }
    return (naip, scenes), found


def place_order(up42: Any, naip: Any, scene: Any) -> tuple[Any, dict[str, Any]]:
    features = [geojson.Feature(geometry=scene.geometry), geojson.Feature(geometry=geojson.Point((1, 2)))]
    template = up42.BatchOrderTemplate(
        data_product_id=naip.data_products[0].id,
        display_name="Order of a program",
        features=geojson.FeatureCollection(features),
        params={"id": scene.id},
        tags=["program"],
    )
    estimate = template.estimate
    reference, refused = template.place()
    order = reference.order
    order.track(report_time=0.5)
    listed = [each.id for each in up42.Order.all(tags=["program"], sort_by=up42.OrderSorting.created_at.desc)]
    changed = up42.Order.update(order.id, tags=["program", "changed"])
    try:
        order.cancel()
        cancelled = True
    except ValueError as error:
        cancelled = type(error).__name__
    return order, {
        "estimate": [estimate.credits, estimate.size, estimate.unit, [str(each) for each in estimate.items]],
        "refused": str(refused),
        "order": [order.status, order.type, order.display_name, order.tags, order.is_fulfilled, str(order.details)],
        "newest": listed[0] == order.id,
        "tags": changed.tags,
        "cancelled": cancelled,
    }


def read_storage(up42: Any, order: Any, folder: str) -> dict[str, Any]:
    condition = {"op": "=", "args": [{"property": "up42-order:id"}, order.id]}
    (item,) = up42.stac_client().search(filter=condition).items()
    item.up42.title, item.up42.tags = "A title", ["one", "two"]
    item.update()
    (read,) = up42.stac_client().search(ids=[item.id]).items()
    asset = next(each for each in item.assets.values() if "data" in each.roles)
    path = asset.file.download(folder)
    return {
        "properties": [item.up42.order_id == order.id, item.up42.source, item.up42.collection_name, item.up42.job_id],
        "title": [read.up42.title, read.up42.tags],
        "file": [path.name, path.stat().st_size == asset.extra_fields["file:size"]],
        "jobs": [each.status.value for each in up42.Job.all(sort_by=up42.JobSorting.created.desc)],
        "catalogue": sorted(each.id for each in up42.catalog_client().get_collections()),
    }


def main(name: str, folder: str) -> None:
    up42 = connect(name)
    (naip, scenes), offers = read_offers(up42)
    quicklook = scenes[0].quicklook.download(folder)
    order, ordered = place_order(up42, naip, scenes[0])
    stored = read_storage(up42, order, folder)
    picture = [quicklook.name, quicklook.read_bytes()[:3].hex()]
    print(json.dumps({**offers, "quicklook": picture, **ordered, **stored}, default=str))


main(sys.argv[1], sys.argv[2])

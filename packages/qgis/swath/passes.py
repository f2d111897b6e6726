"""When satellites can acquire an area."""

from datetime import datetime, timedelta, timezone

from .geometry import to_geojson


def list_products(client, feedback=None):
    """The products that can be acquired, as (id, title), the finest resolution first."""
    sensors = client.call("orders.tasking.sensors", feedback=feedback)["sensors"]
    products = {}
    for sensor in sorted(sensors, key=lambda one: one["gsd_m"]):
        for product in sensor["products"]:
            products.setdefault(product["id"], product["title"])
    return list(products.items())


def list_passes(client, product_id, area, days, feedback=None):
    """The passes over an area in degrees within so many days, by time."""
    start = datetime.now(timezone.utc).replace(second=0, microsecond=0) + timedelta(minutes=1)
    window = {"acquisitionStart": _format(start), "acquisitionEnd": _format(start + timedelta(days=days))}
    feature = {"type": "Feature", "properties": {}, "geometry": to_geojson(area)}
    fields = {"dataProduct": product_id, "featureCollection": {"type": "FeatureCollection", "features": [feature]}, "params": window}
    passes = client.call("orders.tasking.opportunities_list", fields, feedback=feedback)["opportunities"]
    return sorted(passes, key=lambda one: one["acquisitionStart"])


def _format(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")

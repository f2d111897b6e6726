"""Statistics of bands, of an expression or of a spectral index inside polygons."""

from .geometry import to_geojson, to_wgs84
from .problems import SwathError

MAX_ZONES = 1000
STATISTICS = ("count", "valid_percent", "mean", "min", "max", "std", "median", "sum")
VALUE_KINDS = {"index": "index_name", "expression": "expression", "bands": "bands"}


def list_indices(client, feedback=None):
    """The names of the spectral indices."""
    return [index["name"] for index in client.call("analytics.indices.list", feedback=feedback)["indices"]]


def to_zones(features, crs):
    """The areas of polygon features, with their ids as text. Raises SwathError for too many, or none."""
    zones = []
    for feature in features:
        if feature.hasGeometry():
            zones.append({"id": str(feature.id()), "geometry": to_geojson(to_wgs84(feature.geometry(), crs))})
    if not zones:
        raise SwathError("Select polygons of the active layer first.")
    if len(zones) > MAX_ZONES:
        raise SwathError(f"{len(zones)} polygons are selected; {MAX_ZONES} can be measured at once.")
    return zones


def zonal_statistics(client, item_id, zones, value, feedback=None):
    """The statistics by zone: {zone id: {"ndvi_mean": number, …}}.

    `value` is a pair of a kind of VALUE_KINDS and its text, such as ("index", "NDVI"); of ("bands", "") every band is measured.
    """
    kind, text = value
    params = {"item_id": item_id, "zones": zones}
    if text:
        params[VALUE_KINDS[kind]] = text
    result = client.call("analytics.execute", {"operation": "zonal_stats", "params": params}, feedback=feedback)["result"]
    name = {"index": text, "expression": "value"}.get(kind)
    return {zone["id"]: _flatten(zone["values"], name) for zone in result["zones"]}


def _flatten(values, name):
    """The statistics of one zone as fields: those of bands begin with the name of the band."""
    row = {}
    for value in values:
        prefix = field_prefix(name or value.get("band_name") or value["name"])
        for statistic in STATISTICS:
            row[f"{prefix}_{statistic}"] = value.get(statistic)
    return row


def field_prefix(text):
    """A text as the beginning of the name of a field."""
    return "".join(letter if letter.isalnum() else "_" for letter in str(text)).strip("_").lower()[:40] or "value"


def field_names(statistics):
    """The names of all fields, in the order of the first zone that has them."""
    return list(dict.fromkeys(name for row in statistics.values() for name in row))


def field_columns(taken, statistics):
    """The field of each statistic, as {"ndvi_mean": "ndvi_mean_2"}: one whose name is taken, in letters of either case, has a number."""
    used = {name.lower() for name in taken}
    columns = {}
    for statistic in field_names(statistics):
        name, number = statistic, 1
        while name.lower() in used:
            number += 1
            name = f"{statistic}_{number}"
        used.add(name.lower())
        columns[statistic] = name
    return columns

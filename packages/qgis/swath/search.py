"""Scenes of all hosts that can be bought, with their prices."""

from __future__ import annotations

from dataclasses import dataclass

from qgis.core import QgsRectangle

from .geometry import box_geometry, from_geojson, to_geojson, wgs84
from .problems import SwathError

MAX_SCENES = 200


@dataclass(frozen=True)
class SceneSearch:
    """What to search for: an area in degrees (QgsGeometry), days as ISO dates or None, cloud in percent or None."""

    area: object
    date_from: str | None = None
    date_to: str | None = None
    max_cloud_percent: int | None = None
    limit: int = MAX_SCENES


class Scene:
    """A scene as a search returns it."""

    def __init__(self, feature):
        self.feature = feature
        self.id = feature["id"]
        self.properties = feature.get("properties", {})
        self.host = self.properties.get("host", "")
        self.collection = feature.get("collection") or self.properties.get("collection") or ""
        self.datetime = self.properties.get("datetime") or ""
        self.cloud_percent = self.properties.get("eo:cloud_cover", self.properties.get("cloudCoverage"))
        self.resolution_m = self.properties.get("gsd", self.properties.get("resolution"))
        price = feature.get("service:price") or {}
        self.credits = price.get("credits")

    @property
    def footprint(self):
        """A QgsGeometry in degrees."""
        return from_geojson(self.feature.get("geometry"))


def search_scenes(client, search, feedback=None):
    """The scenes, and sentences about hosts that did not answer. Raises SwathError."""
    fields = {"intersects": to_geojson(search.area), "limit": search.limit}
    if search.date_from or search.date_to:
        fields["datetime"] = f"{search.date_from or '..'}/{search.date_to or '..'}"
    if search.max_cloud_percent is not None:
        fields["query"] = {"eo:cloud_cover": {"lte": search.max_cloud_percent}}
    found = client.call("catalog.federated_search", fields, feedback=feedback)
    notes = [f"{source['title']} did not answer: {source['error']}" for source in found.get("sources", []) if source.get("error")]
    return [Scene(feature) for feature in found["features"]], notes


def find_place(client, text, feedback=None):
    """The area of the best match for the name of a place, in degrees, and its name. Raises SwathError."""
    places = client.call("catalog.places.search", {"query": text.strip(), "limit": 1}, feedback=feedback)["places"]
    if not places:
        raise SwathError(f"No place is called “{text.strip()}”. Check the spelling, or draw the area.")
    place = places[0]
    bbox = place.get("bbox")
    if bbox is None:
        around = 0.1
        bbox = [place["lon"] - around, place["lat"] - around, place["lon"] + around, place["lat"] + around]
    name = ", ".join(text for text in (place["name"], place.get("country")) if text)
    return box_geometry(QgsRectangle(*bbox), wgs84()), name


def read_quicklook(client, scene, feedback=None):
    """The bytes of the picture of a scene, as PNG."""
    return client.bytes("catalog.image.quicklook", {"host_name": scene.host, "image_id": scene.id, "format": "png"}, feedback)

"""Prices of scenes, and orders at a locked price."""

from dataclasses import dataclass

from qgis.core import Qgis, QgsGeometry

from .geometry import to_geojson
from .problems import SwathError
from .texts import credits_text, km2_text


@dataclass(frozen=True)
class Price:
    """What scenes cost: `quote_id` is empty for an estimate, `lines` has one entry for each scene."""

    credits: int
    area_km2: float
    lines: tuple
    notes: tuple
    quote_id: str = ""
    expires_at: str = ""

    @property
    def sentence(self):
        left_out = any(line.get("held_licence") for line in self.lines)
        text = f"{credits_text(self.credits)} for {km2_text(self.area_km2)}"
        return text + (", without the area that you hold already" if left_out else "")


def to_captures(scenes, area=None):
    """What is ordered of scenes: all of each, or the part inside an area in degrees. Raises SwathError if nothing is."""
    captures = []
    for scene in scenes:
        part = scene.footprint if area is None else polygons_of(scene.footprint.intersection(area))
        if not part.isEmpty() and part.area() > 0:
            captures.append({"id": scene.id, "host": scene.host, "geometry": to_geojson(part)})
    if not captures:
        raise SwathError("None of the scenes covers the area. Draw it inside a footprint.")
    return captures


def polygons_of(geometry):
    """The polygons of a geometry: an intersection may have lines and points, too."""
    polygons = [part for part in geometry.asGeometryCollection() if part.type() == Qgis.GeometryType.Polygon]
    return QgsGeometry.collectGeometry(polygons) if polygons else QgsGeometry()


def estimate(client, captures, feedback=None):
    """The price now, of what is not held yet. Nothing is stored, nothing is spent."""
    return _to_price(client.call("orders.archive.estimate", {"captures": captures, "exclude_owned": True}, feedback=feedback))


def lock_price(client, captures, feedback=None):
    """The price for one order, locked for some minutes. Nothing is spent. Raises SwathError, also if a licence is not accepted."""
    quote = client.call("orders.quote", {"captures": captures, "exclude_owned": True}, feedback=feedback)
    missing = [eula["title"] for eula in quote["eulas"] if not eula["isAccepted"]]
    if missing:
        raise SwathError(f"Accept the licence first, in the console: {', '.join(missing)}.", "eula-not-accepted")
    return _to_price(quote)


def place_order(client, price, project_id=None, feedback=None):
    """Orders at a locked price, or not at all: never above it, and once however often it is called. Returns the order."""
    if not price.quote_id:
        raise SwathError("Lock the price first.")
    fields = {"quote_id": price.quote_id, "max_credits": price.credits}
    if project_id:
        fields["projectId"] = project_id
    return client.call("orders.archive.place", fields, idempotency_key=f"quote-{price.quote_id}", feedback=feedback)


def _to_price(answer):
    notes = tuple(error["message"] for error in answer.get("errors", []))
    lines = tuple(answer["lines"])
    if not lines:
        raise SwathError(" ".join(notes) or "Nothing of this can be ordered.")
    area = sum(line["area_km2"] for line in lines)
    return Price(answer["total_credits"], area, lines, notes, answer.get("quote_id", ""), answer.get("expires_at", ""))

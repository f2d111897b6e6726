"""What is offered: collections, their products and providers, and scenes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from enum import Enum
from typing import Any

from ..errors import ApiProblem
from .files import ImageFile
from .requests import SortingField, list_pages, send
from .workspace import workspace


class CollectionType(Enum):
    """Whether a collection is of past or of future acquisitions."""

    ARCHIVE = "ARCHIVE"
    TASKING = "TASKING"


class InvalidHost(ValueError):
    """The provider has no catalogue."""


class InvalidSearchRequest(ValueError):
    """The search was refused."""


@dataclass
class ResolutionValue:
    """The range of the resolution in metres."""

    minimum: float
    maximum: float | None = None


@dataclass
class CollectionMetadata:
    """The kind of a collection."""

    product_type: str | None
    resolution_class: str | None
    resolution_value: ResolutionValue | None


@dataclass
class Scene:
    """A scene of a catalogue."""

    bbox: list[float] | None
    geometry: dict[str, Any]
    id: str
    datetime: str | None
    start_datetime: str | None
    end_datetime: str | None
    constellation: str
    collection: str
    cloud_coverage: float | None
    resolution: float | None
    delivery_time: str | None
    producer: str
    quicklook: ImageFile
    provider_properties: dict[str, Any]


@dataclass
class Provider:
    """Who produces or hosts collections."""

    name: str
    title: str = ""
    description: str = ""
    roles: list[str] = field(default_factory=lambda: ["HOST"])

    @property
    def is_host(self) -> bool:
        """It has a catalogue that can be searched."""
        return "HOST" in self.roles

    def search(
        self,
        bbox: list[float] | None = None,
        intersects: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        collections: list[str] | None = None,
        start_date: str | datetime | None = None,
        end_date: str | datetime | None = None,
    ) -> Iterator[Scene]:
        """The scenes of its catalogue that match, page by page. Raises `InvalidHost` and `InvalidSearchRequest`."""
        if not self.is_host:
            raise InvalidHost("Provider does not host collections")
        members = {
            "bbox": bbox,
            "intersects": intersects,
            "datetime": _to_interval(start_date, end_date),
            "query": query,
            "collections": collections,
        }
        body = {name: value for name, value in members.items() if value}
        path: str | None = f"/catalog/hosts/{self.name}/stac/search"
        while path:
            try:
                page = send("POST", path, body)
            except ApiProblem as refusal:
                if refusal.status == 422:
                    raise InvalidSearchRequest(str(refusal)) from refusal
                raise
            yield from (self._to_scene(feature) for feature in page["features"])
            path = next((link["href"] for link in page["links"] if link["rel"] == "next"), None)

    def _to_scene(self, feature: Mapping[str, Any]) -> Scene:
        properties = feature["properties"]
        scene_id = properties["id"]
        picture = f"{workspace.client.base_url}/catalog/{self.name}/image/{scene_id}/quicklook"
        return Scene(
            bbox=feature.get("bbox"),
            geometry=feature["geometry"],
            id=scene_id,
            datetime=properties.get("datetime"),
            start_datetime=properties.get("start_datetime"),
            end_datetime=properties.get("end_datetime"),
            constellation=properties["constellation"],
            collection=properties["collection"],
            cloud_coverage=properties.get("cloudCoverage"),
            resolution=properties.get("resolution"),
            delivery_time=properties.get("deliveryTime"),
            producer=properties["producer"],
            quicklook=ImageFile(picture, f"quicklook_{scene_id}.jpg"),
            provider_properties=properties["providerProperties"],
        )


@dataclass
class DataProduct:
    """What can be ordered of a collection."""

    name: str
    title: str
    description: str
    id: str | None
    eula_id: str | None

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON Schema of the parameters of an order; None for a product that cannot be ordered."""
        return None if self.id is None else dict(send("GET", f"/orders/schema/{self.id}"))


@dataclass
class Collection:
    """A collection of a provider."""

    name: str
    title: str
    description: str
    type: CollectionType
    integrations: list[str]
    providers: list[Provider]
    data_products: list[DataProduct]
    metadata: CollectionMetadata | None


class CollectionSorting:
    """Orders of collections."""

    name = SortingField("name")
    title = SortingField("title")
    description = SortingField("description")
    type = SortingField("type")


class ProductGlossary:
    """The collections of the platform."""

    @classmethod
    def get_collections(
        cls, collection_type: CollectionType | None = None, sort_by: SortingField | None = None
    ) -> Iterator[Collection]:
        """All collections, or those of a type."""
        for row in list_pages("/v2/collections", {"sort": sort_by}):
            if collection_type is None or CollectionType(row["type"]) is collection_type:
                yield _to_collection(row)


def _to_collection(row: Mapping[str, Any]) -> Collection:
    return Collection(
        name=row["name"],
        title=row["title"],
        description=row["description"],
        type=CollectionType(row["type"]),
        integrations=row["integrations"],
        providers=[Provider(**provider) for provider in row["providers"]],
        data_products=[_to_product(product) for product in row["dataProducts"]],
        metadata=_to_metadata(row.get("metadata")),
    )


def _to_product(row: Mapping[str, Any]) -> DataProduct:
    return DataProduct(row["name"], row["title"], row["description"], row.get("id"), row.get("eulaId"))


def _to_metadata(row: Mapping[str, Any] | None) -> CollectionMetadata | None:
    if not row:
        return None
    resolution = row.get("resolutionValue")
    return CollectionMetadata(
        row.get("productType"), row.get("resolutionClass"), ResolutionValue(**resolution) if resolution else None
    )


def _to_interval(start: str | datetime | None, end: str | datetime | None) -> str | None:
    if not start and not end:
        return None
    return f"{_to_moment(start, is_end=False)}/{_to_moment(end, is_end=True)}"


def _to_moment(value: str | datetime | None, *, is_end: bool) -> str:
    """A date without a time begins or ends its day."""
    if not value:
        return ".."
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    if is_end and isinstance(value, str) and len(value) <= len("2024-01-01"):
        moment = datetime.combine(moment.date(), time(23, 59, 59))
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")

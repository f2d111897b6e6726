"""The STAC APIs, and what items and assets of pystac can do besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pystac
import pystac_client

from ..stac import open_catalog
from .files import ImageFile
from .orders import MERGE_PATCH
from .requests import send
from .workspace import workspace

if TYPE_CHECKING:
    from collections.abc import Mapping

USER_TITLE = "up42-user:title"
USER_TAGS = "up42-user:tags"

_PROPERTIES = {
    "title": USER_TITLE,
    "tags": USER_TAGS,
    "product_id": "up42-product:product_id",
    "collection_name": "up42-product:collection_name",
    "modality": "up42-product:modality",
    "order_id": "up42-order:id",
    "asset_id": "up42-system:asset_id",
    "account_id": "up42-system:account_id",
    "workspace_id": "up42-system:workspace_id",
    "job_id": "up42-system:job_id",
    "source": "up42-system:source",
    "metadata_version": "up42-system:metadata_version",
}


def stac_client() -> pystac_client.Client:
    """The STAC API of what is stored."""
    return open_catalog(workspace.client, sign=False)


def catalog_client() -> pystac_client.Client:
    """The STAC API of what is offered."""
    return open_catalog(workspace.client, sign=False, path="/v2/catalog/")


class Up42Extension:
    """The properties of the platform of an item or a collection, as attributes; `title` and `tags` can be set."""

    def __init__(self, properties: dict[str, Any]) -> None:
        object.__setattr__(self, "_properties", properties)

    def __getattr__(self, name: str) -> Any:
        if name not in _PROPERTIES:
            raise AttributeError(f"There is no property {name} of the platform.")
        return self._properties.get(_PROPERTIES[name])

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _PROPERTIES:
            raise AttributeError(f"There is no property {name} of the platform.")
        self._properties[_PROPERTIES[name]] = value


def extend_pystac() -> None:
    """Adds `up42` to items and collections of pystac, `update()` to items and `file` to assets, as up42-py does."""
    pystac.Item.up42 = property(lambda item: Up42Extension(item.properties))
    pystac.Collection.up42 = property(lambda found: Up42Extension(found.extra_fields))
    pystac.Item.update = _update_item
    pystac.Asset.file = property(_file_of)


def _update_item(item: pystac.Item) -> None:
    path = f"/v2/assets/stac/collections/{item.collection_id}/items/{item.id}"
    body = {name: item.properties.get(name) for name in (USER_TITLE, USER_TAGS)}
    stored: Mapping[str, Any] = send("PATCH", path, body, content_type=MERGE_PATCH)
    for name, value in vars(pystac.Item.from_dict(dict(stored))).items():
        setattr(item, name, value)


def _file_of(asset: pystac.Asset) -> ImageFile | None:
    """The file of an asset; None of one that is elsewhere."""
    if not asset.href.startswith(f"{workspace.client.base_url}/"):
        return None
    answer = send("POST", f"{asset.href}/download-url")
    return ImageFile(answer["url"])

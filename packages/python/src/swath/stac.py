"""The STAC API of the platform with pystac_client, signed in (extra `stac`).

    catalog = client.stac()
    for item in catalog.search(collections=[...]).items():
        rasterio.open(item.assets["data"].href)

Items that it returns have signed addresses, which GDAL opens as they are. They expire after some minutes: `sign` signs again what
was kept for longer, and `swath.analysis` reads cubes whose addresses renew themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from .errors import InvalidState
from .signing import AssetSigner, Caller

if TYPE_CHECKING:
    import pystac
    import pystac_client
    import requests

STAC_PATH = "/assets/stac"
UNSIGNED_HREF = "swath:href"
"""The member of a signed asset that keeps its permanent URL, which can be signed again."""


class TokenClient(Caller, Protocol):
    """A client that has tokens."""

    def access_token(self) -> str | None:
        """A valid token; None without a sign-in."""


def open_catalog(
    client: TokenClient, *, sign: bool = True, path: str = STAC_PATH, **options: Any
) -> pystac_client.Client:
    """The STAC API of the platform, signed in for as long as the client is: each request has a valid token.

    Args:
        client: The client of the platform.
        sign: Assets of items get signed URLs.
        path: Which API of the platform; by default that of what is stored.
        options: Options of `pystac_client.Client.open`.
    """
    import pystac_client

    modifier = Signatures(AssetSigner(client)) if sign else None

    def authorize(request: requests.Request) -> requests.Request:
        token = client.access_token()
        # Links may lead elsewhere.
        if token is not None and str(request.url).startswith(f"{client.base_url}/"):
            request.headers["authorization"] = f"Bearer {token}"
        return request

    return pystac_client.Client.open(
        f"{client.base_url}{path}", modifier=modifier, request_modifier=authorize, **options
    )


class Signatures:
    """A modifier of pystac_client, and a function for what was kept: signs the assets of an item, or of all items."""

    def __init__(self, signer: AssetSigner) -> None:
        self._signer = signer

    def __call__(self, found: pystac.Collection | pystac.Item | pystac.ItemCollection | dict[str, Any]) -> None:
        """Signs in place; what was signed before is signed again."""
        if isinstance(found, dict):
            for feature in found.get("features", [found]):
                for asset in feature.get("assets", {}).values():
                    self._sign_record(asset)
            return
        for item in found if hasattr(found, "items") and not hasattr(found, "assets") else [found]:
            for asset in item.assets.values():
                self._sign_asset(asset)

    def _sign(self, href: str) -> str:
        try:
            return self._signer.sign(href)
        except InvalidState:
            # The platform does not have the file yet, or not any more: the others of the item can be read.
            return href

    def _sign_record(self, asset: dict[str, Any]) -> None:
        href = asset.get(UNSIGNED_HREF, asset["href"])
        signed = self._sign(href)
        if signed != href:
            asset.update({"href": signed, UNSIGNED_HREF: href})

    def _sign_asset(self, asset: pystac.Asset) -> None:
        href = asset.extra_fields.get(UNSIGNED_HREF, asset.href)
        signed = self._sign(href)
        if signed != href:
            asset.extra_fields[UNSIGNED_HREF] = href
            asset.href = signed


def sign(client: Caller, found: pystac.Item | pystac.ItemCollection | dict[str, Any]) -> None:
    """Signs the assets of items in place, or again if they were kept for long."""
    Signatures(AssetSigner(client))(found)


def unsigned_href(asset: pystac.Asset) -> str:
    """The permanent URL of an asset."""
    return str(asset.extra_fields.get(UNSIGNED_HREF, asset.href))

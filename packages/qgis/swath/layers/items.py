"""Items as layers: their tiles, or their files. The URLs of both have a token that expires, so each layer knows how to get another."""

from datetime import datetime, timedelta, timezone
from urllib.parse import quote, urlsplit

from qgis.core import QgsDataProvider, QgsRasterLayer

from ..orders import raster_assets
from ..problems import SwathError

PROPERTY = "swath"
TILES = "tiles"
FILE = "file"
# A token is replaced when it ends within this time.
RENEWAL_MARGINS = {TILES: timedelta(days=1), FILE: timedelta(hours=2)}
TILE_TOKEN_S = 7 * 86_400
# The least that the server promises for the token of a file.
FILE_TOKEN = timedelta(hours=12)


class ItemSource:
    """What a layer shows, and the source that QGIS reads until `expires_at`."""

    def __init__(self, kind, server, item_id, asset_id, source, expires_at):
        self.kind = kind
        self.server = server
        self.item_id = item_id
        self.asset_id = asset_id
        self.source = source
        self.expires_at = expires_at

    @property
    def provider(self):
        return "wms" if self.kind == TILES else "gdal"


def tiles_source(client, item_id, feedback=None):
    """The tiles of an item, with a new token. Raises SwathError."""
    # First what fails for an item without tiles, so that no token is left behind.
    tilejson = client.call("items.tile.tilejson", {"item_id": item_id, "format": "png"}, feedback=feedback)
    token = client.call("items.tile.token.create", {"item_id": item_id, "name": "QGIS", "expires_in_seconds": TILE_TOKEN_S}, feedback=feedback)
    # From 0: below its smallest level QGIS would draw hundreds of tiles of that level, and the server has the others, too.
    source = f"type=xyz&zmin=0&zmax={tilejson['maxzoom']}&url={quote(token['urls']['tiles'], safe=':/?')}"
    return ItemSource(TILES, client.base_url, item_id, "", source, token["expires_at"])


def file_source(client, item_id, asset_id=None, feedback=None):
    """A file of an item, read in parts where it is; by default its data. Raises SwathError."""
    asset_id = asset_id or raster_assets(client, item_id, feedback)[0]["id"]
    item = client.call("items.get_stac", {"item_id": item_id}, feedback=feedback)
    address = next(link["href"] for link in item["links"] if link["rel"] == "self")
    path = urlsplit(address).path
    signed = client.get_json(f"/signed{path}", feedback)
    for asset in signed["assets"].values():
        if urlsplit(asset["href"]).path.endswith(f"/{asset_id}"):
            expires_at = (datetime.now(timezone.utc) + FILE_TOKEN).isoformat()
            return ItemSource(FILE, client.base_url, item_id, asset_id, f"/vsicurl/{asset['href']}", expires_at)
    raise SwathError("The item has no such file any more.")


def create_layer(source, name):
    """A layer of a source. Raises SwathError if QGIS cannot read it."""
    layer = QgsRasterLayer(source.source, name, source.provider)
    if not layer.isValid():
        reason = layer.error().summary() or "QGIS gives no reason"
        raise SwathError(f"“{name}” could not be opened: {reason}.")
    mark_layer(layer, source)
    return layer


def mark_layer(layer, source):
    """Stores in the layer, and so in the project, what its next token is for. The secret itself is in its source alone."""
    values = {"kind": source.kind, "server": source.server, "item": source.item_id, "asset": source.asset_id, "expires": source.expires_at}
    for name, value in values.items():
        layer.setCustomProperty(f"{PROPERTY}/{name}", value)


def item_of_layer(layer):
    """The id of the item that a layer shows; "" for a layer of another origin."""
    return str(layer.customProperty(f"{PROPERTY}/item", "") or "")


def needs_renewal(layer, server, now=None):
    """True for a layer of this server whose token ends soon, or has ended."""
    kind = layer.customProperty(f"{PROPERTY}/kind", "")
    if kind not in RENEWAL_MARGINS or layer.customProperty(f"{PROPERTY}/server", "") != server:
        return False
    try:
        expires = datetime.fromisoformat(str(layer.customProperty(f"{PROPERTY}/expires", "")).replace("Z", "+00:00"))
    except ValueError:
        return True
    if expires.tzinfo is None:
        expires = expires.replace(tzinfo=timezone.utc)
    return expires - (now or datetime.now(timezone.utc)) < RENEWAL_MARGINS[kind]


def renew_source(client, kind, item_id, asset_id, feedback=None):
    """The same source with a new token."""
    return tiles_source(client, item_id, feedback) if kind == TILES else file_source(client, item_id, asset_id, feedback)


def replace_source(layer, source):
    """The layer reads the new source; its name and its style stay."""
    options = QgsDataProvider.ProviderOptions()
    layer.setDataSource(source.source, layer.name(), source.provider, options, False)
    mark_layer(layer, source)
    layer.triggerRepaint()

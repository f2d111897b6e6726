"""Items as layers of web maps: folium, leafmap, ipyleaflet, or anything that takes XYZ tiles.

The URL of a layer has a token of its own, which reads the tiles of this item alone and can be revoked; that of the client is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    import folium

    from .client import Swath

WEEK_S = 604_800


@dataclass(frozen=True, slots=True)
class TileLayer:
    """Tiles of an item."""

    url: str
    """With `{z}`, `{x}` and `{y}`."""
    name: str
    attribution: str
    bounds: tuple[float, float, float, float]
    """West, south, east and north in degrees."""
    min_zoom: int
    max_zoom: int
    token_id: str
    """Revokes the URL: `client.items.tile.token.revoke(token_id=...)`."""
    expires_at: str

    def to_folium(self, **options: Any) -> folium.TileLayer:
        """As a layer of folium; the options are those of `folium.TileLayer`."""
        import folium

        chosen = {"overlay": True, "max_native_zoom": self.max_zoom, "max_zoom": 22, **options}
        return folium.TileLayer(self.url, attr=self.attribution, name=self.name, **chosen)

    def add_to(self, map: Any, **options: Any) -> Any:
        """Adds it to a map of folium or leafmap, and returns the map."""
        if hasattr(map, "add_tile_layer"):
            map.add_tile_layer(self.url, name=self.name, attribution=self.attribution, **options)
        else:
            self.to_folium(**options).add_to(map)
        return map

    def to_map(self, **options: Any) -> folium.Map:
        """A map of folium that shows it; the options are those of `folium.Map`."""
        import folium

        west, south, east, north = self.bounds
        drawn = folium.Map(location=[(south + north) / 2, (west + east) / 2], control_scale=True, **options)
        self.to_folium().add_to(drawn)
        drawn.fit_bounds([[south, west], [north, east]])
        return drawn


def tile_layer(
    client: Swath,
    item_id: str,
    *,
    expression: str | None = None,
    bands: str | None = None,
    rescale: str | None = None,
    colormap: str | None = None,
    expires_in_s: int = WEEK_S,
    name: str = "Python",
) -> TileLayer:
    """The layer of an item, with a new token.

    Args:
        client: The client.
        item_id: The item.
        expression: A formula of its bands, such as `(nir-red)/(nir+red)`.
        bands: Bands of the picture, such as `red,green,blue`.
        rescale: The values of black and white, such as `0,3000`.
        colormap: Colours of a single band or an expression (`client.cog.colormaps()`).
        expires_in_s: Lifetime of the token in seconds.
        name: Where the token is used, for the list of tokens.
    """
    token = client.items.tile.token.create(item_id=item_id, name=name, expires_in_seconds=expires_in_s)
    described = client.items.tile.tilejson(item_id=item_id)
    style = {"expression": expression, "bands": bands, "rescale": rescale, "colormap": colormap}
    named = {key: value for key, value in style.items() if value is not None}
    urls = token["urls"]
    if urls is None:
        raise ValueError("The token has no URLs: it is one of a collection.")
    west, south, east, north = described["bounds"]
    return TileLayer(
        f"{urls['tiles']}&{urlencode(named)}" if named else urls["tiles"],
        described["name"],
        described.get("attribution", ""),
        (west, south, east, north),
        described["minzoom"],
        described["maxzoom"],
        token["id"],
        token["expires_at"],
    )

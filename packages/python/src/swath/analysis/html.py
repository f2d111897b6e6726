"""How frames and items look in a notebook: pictures, prices, and a map where folium is installed."""

from __future__ import annotations

import base64
import html
import importlib.util
from typing import TYPE_CHECKING, Any

from .._problems import SwathError

if TYPE_CHECKING:
    from .items import Item
    from .scenes import Scenes

MAX_ROWS = 12
_CELL = "padding:4px 10px;text-align:left;vertical-align:middle"


def scenes_html(scenes: Scenes) -> str:
    """A table with quicklooks, the total, and a map of the footprints."""
    rows = [_row_html(scenes, position) for position in range(min(len(scenes), MAX_ROWS))]
    names = ["", "scene", "acquired", "cloud", "resolution", "cover", "held", "price"]
    head = "".join(f'<th style="{_CELL}">{name}</th>' for name in names)
    more = f"<p>and {len(scenes) - MAX_ROWS} more</p>" if len(scenes) > MAX_ROWS else ""
    total = f"{scenes.total_credits} credits ({scenes.total_aud:.2f} AUD)"
    return (
        f"<div><p><b>{len(scenes)} scenes</b>, {total} for what is not held yet</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{more}{_map_html(scenes)}</div>"
    )


def _row_html(scenes: Scenes, position: int) -> str:
    row = scenes.iloc[position]
    cells = [
        _picture_html(scenes, position),
        html.escape(f"{row['id']} ({row['host']})"),
        row["datetime"].strftime("%Y-%m-%d %H:%M"),
        _number(row["cloud_cover"], "%"),
        _number(row["resolution"], " m"),
        _number(row["cover"], "%"),
        _number(row["held_km2"], " km²"),
        html.escape(str(row["note"])) or f"{int(row['credits'])} credits",
    ]
    return "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells) + "</tr>"


def _picture_html(scenes: Scenes, position: int) -> str:
    try:
        return _image_html(scenes.quicklook(position), "jpeg", 96)
    except SwathError:
        # Some hosts have no pictures; the table is of use without.
        return ""


def _image_html(data: bytes, kind: str, width: int) -> str:
    encoded = base64.b64encode(data).decode()
    return f'<img src="data:image/{kind};base64,{encoded}" style="width:{width}px" alt="">'


def _number(value: Any, unit: str) -> str:
    return "" if value is None or value != value else f"{value:g}{unit}"  # noqa: PLR0124


def _map_html(scenes: Scenes) -> str:
    if not len(scenes) or importlib.util.find_spec("folium") is None:
        return ""
    rendered: str = scenes_map(scenes)._repr_html_()
    return rendered


def scenes_map(scenes: Scenes) -> Any:
    """The footprints and the area of a search as a map of folium."""
    import folium

    west, south, east, north = scenes.total_bounds
    drawn = folium.Map(height=320, control_scale=True)
    footprints = scenes[["id", "host", "geometry"]].set_geometry("geometry").to_json()
    folium.GeoJson(footprints, name="scenes", tooltip=folium.GeoJsonTooltip(["id", "host"])).add_to(drawn)
    style = {"color": "#c2410c", "fill": False, "weight": 2}
    if scenes.terms is not None:
        folium.GeoJson(scenes.terms.area, name="area", style_function=lambda _: style).add_to(drawn)
    drawn.fit_bounds([[south, west], [north, east]])
    return drawn


def item_html(item: Item) -> str:
    """A picture of an item with its facts."""
    try:
        picture = _image_html(item.preview(width=256, height=256), "png", 256)
    except SwathError:
        picture = ""
    facts = f"{html.escape(item.name)}, {item.datetime[:16].replace('T', ' ')}"
    return f"<div>{picture}<p><b>{facts}</b><br><code>{item.id}</code></p></div>"

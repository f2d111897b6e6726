"""Bands of assets: their names, and the physical values of what is stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .._problems import SwathError
from ..signing import Caller

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?!\w*\s*\()")


class BandError(SwathError, KeyError):
    """An asset has no such band, or there is no such index."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Band:
    """A band of a raster. Physical values are `stored * scale + offset`."""

    number: int
    name: str
    common_name: str | None
    scale: float
    offset: float
    nodata: float | None

    @property
    def is_scaled(self) -> bool:
        """Stored values are not the physical ones."""
        return (self.scale, self.offset) != (1.0, 0.0)


def read_bands(asset: Mapping[str, Any]) -> list[Band]:
    """The bands of an asset of `items.list_assets`; none of a file that is no raster."""
    metadata = asset["metadata"]
    return [
        Band(
            number,
            band.get("name") or f"b{number}",
            band.get("common_name"),
            float(band.get("scale") or 1),
            float(band.get("offset") or 0),
            metadata.get("nodata"),
        )
        for number, band in enumerate(metadata.get("bands") or [], 1)
    ]


def find_band(bands: list[Band], name: str | int) -> Band:
    """A band by its name, its common name, its number, or `b` and its number. Raises `BandError`."""
    for band in bands:
        if name in {band.name, band.number, f"b{band.number}", *({band.common_name} - {None})}:
            return band
    names = ", ".join(band.name if band.common_name is None else f"{band.name} ({band.common_name})" for band in bands)
    raise BandError(f'There is no band "{name}". The bands are {names or "none: the file is no raster"}.')


def find_formula(client: Caller, expression: str) -> str:
    """The formula of a spectral index by its name, such as `ndvi`; anything else is returned as it is. Raises `BandError` for a
    single word that is no index."""
    if not re.fullmatch(r"[A-Za-z]\w*", expression):
        return expression
    for index in client.call("analytics.indices.list")["indices"]:
        if index["name"] == expression.lower():
            return str(index["formula"])
    raise BandError(f'There is no index "{expression}": client.analytics.indices.list() has all, or write a formula.')


def to_physical(formula: str, bands: list[Band]) -> str:
    """The formula over physical values instead of the stored ones: each band that has a scale or an offset is replaced by
    `(band*scale+offset)`, because an index of numbers with an offset is another one."""

    def replace(match: re.Match[str]) -> str:
        try:
            band = find_band(bands, match[0])
        except BandError:
            return match[0]
        return f"({match[0]}*{band.scale:.12g}+({band.offset:.12g}))" if band.is_scaled else match[0]

    return _NAME.sub(replace, formula)


def is_band(bands: list[Band], name: str) -> bool:
    """True if a band has the name."""
    try:
        return find_band(bands, name) is not None
    except BandError:
        return False

"""Values of Python and of its geographic libraries as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import PurePath
from typing import Any


def to_json(value: object) -> bytes:
    """JSON of a value. Geometries of shapely and the like become GeoJSON, times RFC 3339, and numbers of NumPy plain ones. Raises
    `TypeError` for others, and `ValueError` for what JSON does not have, such as infinity."""
    return json.dumps(value, allow_nan=False, default=_convert).encode()


def _convert(value: Any) -> Any:
    if hasattr(value, "__geo_interface__"):
        return value.__geo_interface__
    if isinstance(value, datetime):
        # A time without a zone is of UTC, as everywhere on the platform.
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    if isinstance(value, date | PurePath):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    # Scalars and arrays of NumPy.
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"An input has a value of {type(value).__name__}, which is not JSON.")

"""Arguments that were given, in contrast to None, which is a value of the platform (null)."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any, Final


class Unset(enum.Enum):
    """The type of an argument that was not given."""

    UNSET = "unset"

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET


def given(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments without those that were not given."""
    return {name: value for name, value in arguments.items() if value is not UNSET}

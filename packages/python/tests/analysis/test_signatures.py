from __future__ import annotations

from typing import Any

from swath.errors import InvalidState
from swath.stac import Signatures


class Signer:
    """Signs all assets but one, whose file the platform does not have."""

    def sign(self, href: str) -> str:
        if href.endswith("/absent"):
            raise InvalidState(409, {"type": "https://swath.example/problems/invalid-state", "title": "No file"})
        return f"{href}?signed"


def test_an_asset_without_a_file_stays_unsigned_and_the_others_are_signed() -> None:
    feature: dict[str, Any] = {"assets": {"data": {"href": "/a/present"}, "late": {"href": "/a/absent"}}}
    Signatures(Signer())(feature)  # type: ignore[arg-type]
    assert [asset["href"] for asset in feature["assets"].values()] == ["/a/present?signed", "/a/absent"]

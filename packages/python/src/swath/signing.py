"""Signed URLs of assets, which programs without the token of the client can read, and which are renewed before they expire."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

RENEWAL_MARGIN_S = 120.0
"""A read that begins now may take so long."""

_ASSET_PATH = re.compile(r"/items/(?P<item_id>[^/?#]+)/assets/(?P<asset_id>[^/?#]+)$")


class Caller(Protocol):
    """What signs: a client of the platform."""

    @property
    def base_url(self) -> str: ...

    def call(self, operation: str, input: Mapping[str, Any] | None = None) -> Any: ...


class AssetAddress(NamedTuple):
    """An asset of the platform."""

    item_id: str
    asset_id: str


class SignedUrl(NamedTuple):
    """A URL that anyone can read for a while."""

    url: str
    renew_at: float
    """On the clock of the signer, in seconds."""
    size_bytes: int | None


class AssetSigner:
    """Signs the URLs of assets. Threads may share it, and processes may be sent it: each then signs with a client of its own.

    Args:
        client: The client with whose sign-in it signs.
        clock: Seconds that only grow.
    """

    def __init__(self, client: Caller, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._clock = clock
        self._signed: dict[AssetAddress, SignedUrl] = {}
        self._lock = threading.Lock()

    def find(self, href: str) -> AssetAddress | None:
        """The asset that a URL names; None for a URL of anywhere else, which needs no signature of the platform."""
        if not href.startswith(f"{self._client.base_url}/"):
            return None
        match = _ASSET_PATH.search(href)
        return AssetAddress(match["item_id"], match["asset_id"]) if match else None

    def sign(self, href: str, *, refused: str | None = None) -> str:
        """A URL that can be read now; the same as long as it is valid. URLs of anywhere else are returned unchanged.

        Args:
            href: The `href` of an asset in STAC documents of the platform.
            refused: A signed URL that was refused: another one is signed.

        Raises:
            ApiProblem: The asset cannot be read, of the class of its problem.
        """
        address = self.find(href)
        return href if address is None else self.sign_asset(address, refused=refused).url

    def sign_asset(self, address: AssetAddress, *, refused: str | None = None) -> SignedUrl:
        """The signed URL of an asset, with the size of the file in bytes. Raises as `sign` does."""
        signed = self._signed.get(address)
        if signed is not None and signed.url != refused and self._clock() < signed.renew_at:
            return signed
        # Two threads may sign the same asset at once; both URLs are valid.
        asked_at = self._clock()
        answer = self._client.call(
            "items.asset.download",
            # Readers of ranges ask often: the platform returns the URL that it counted, unless it was refused.
            {"item_id": address.item_id, "asset_id": address.asset_id, "again": refused is None},
        )
        lifetime_s = float(answer["expires_in_seconds"])
        margin_s = min(RENEWAL_MARGIN_S, lifetime_s / 4)
        signed = SignedUrl(answer["url"], asked_at + lifetime_s - margin_s, answer["size_bytes"])
        with self._lock:
            self._signed[address] = signed
        return signed

    def __reduce__(self) -> tuple[object, ...]:
        # Locks cannot be sent, and signed URLs need not be.
        return type(self), (self._client, self._clock)

    def __dask_tokenize__(self) -> tuple[str, str]:
        return type(self).__qualname__, self._client.base_url

"""Signed receipts of processing jobs, verified offline (extra `receipts`).

A receipt says which process made which files of which sources, and is signed by the platform. Keep a copy of its keys that you got
at another time: one that comes together with the receipt proves only that both come from one place.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from ._problems import SwathError

RECEIPT_TYPE = "swath-receipt+jws"
KEYS_PATH = "/.well-known/receipt-keys.json"


class InvalidReceipt(SwathError):
    """A receipt was not signed with one of the keys, or was changed."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A verified receipt."""

    document: dict[str, Any]

    @property
    def outputs(self) -> list[dict[str, Any]]:
        """The files that the job made: `item_id`, `asset_key`, `sha256`."""
        return list(self.document["outputs"])

    def find_output(self, path: str | PathLike[str]) -> dict[str, Any] | None:
        """The output that a file is, byte for byte; None if it is none of them."""
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return next((output for output in self.outputs if output["sha256"] == digest), None)


def fetch_keys(client: Any) -> dict[str, Any]:
    """The JWK set of the platform, to be kept."""
    with client.fetch(KEYS_PATH) as response:
        if not response.is_success:
            raise response.problem()
        keys: dict[str, Any] = response.json()
        return keys


def find_receipts(document: str | Mapping[str, Any]) -> list[str]:
    """The receipts of a lineage, or of a text that is one."""
    if isinstance(document, str):
        if not document.strip().startswith("{"):
            return [document.strip()]
        document = json.loads(document)
    lineage: Mapping[str, Any] = document.get("document", document)  # type: ignore[union-attr]
    records: Iterable[Mapping[str, Any]] = lineage.get("activity", {}).values()
    return [row["swath:receipt_jws"] for row in records if "swath:receipt_jws" in row]


def verify_receipt(receipt: str, keys: Mapping[str, Any]) -> Receipt:
    """The content of a receipt, a compact JWS (RFC 7515) with Ed25519. Nothing is requested.

    Args:
        receipt: The text of `swath:receipt_jws`.
        keys: The JWK set of the platform (`fetch_keys`).

    Raises:
        InvalidReceipt: It has another form, an unknown key, or was changed.
    """
    parts = receipt.split(".")
    if len(parts) != 3:
        raise InvalidReceipt("The receipt is not a compact JWS: three parts with dots between them.")
    try:
        header = json.loads(_decode(parts[0]))
        signature = _decode(parts[2])
    except ValueError as error:
        raise InvalidReceipt("The receipt cannot be read: a part of it is not base64url.") from error
    if (header.get("alg"), header.get("typ")) != ("EdDSA", RECEIPT_TYPE):
        raise InvalidReceipt(f"The receipt is of type {header.get('typ')}, signed by {header.get('alg')}.")
    key = next((key for key in keys["keys"] if key["kid"] == header.get("kid")), None)
    if key is None:
        raise InvalidReceipt(f"The receipt was signed with the key {header.get('kid')}, which is not in the JWK set.")
    _verify(key, f"{parts[0]}.{parts[1]}".encode(), signature)
    return Receipt(json.loads(_decode(parts[1])))


def _verify(key: Mapping[str, Any], message: bytes, signature: bytes) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(_decode(key["x"])).verify(signature, message)
    except InvalidSignature as error:
        raise InvalidReceipt("The signature is not that of the receipt: one of them was changed.") from error


def _decode(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)

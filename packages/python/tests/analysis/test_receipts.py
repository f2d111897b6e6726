"""Receipts that are signed, changed, and of a platform."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from swath import Swath
from swath.analysis.items import Item
from swath.receipts import RECEIPT_TYPE, InvalidReceipt, fetch_keys, find_receipts, verify_receipt

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


KEYS = {"keys": [{"kid": "k", "x": encode(KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))}]}


def sign(document: Any, **header: str) -> str:
    head = {"alg": "EdDSA", "typ": RECEIPT_TYPE, "kid": "k", **header}
    text = ".".join(encode(json.dumps(part).encode()) for part in (head, document))
    return f"{text}.{encode(KEY.sign(text.encode()))}"


def test_finds_the_file_of_a_receipt(tmp_path: Path) -> None:
    path = tmp_path / "scene.tif"
    path.write_bytes(b"pixels")
    receipt = verify_receipt(sign({"outputs": [{"sha256": "0" * 64, "item_id": "i"}]}), KEYS)
    assert receipt.find_output(path) is None
    signed = sign({"outputs": [{"sha256": hashlib.sha256(b"pixels").hexdigest(), "item_id": "i"}]})
    output = verify_receipt(signed, KEYS).find_output(path)
    assert output is not None and output["item_id"] == "i"


@pytest.mark.parametrize(
    ("receipt", "message"),
    [
        ("a.b", "compact JWS"),
        ("a.b.c", "cannot be read"),
        (sign({}, alg="none"), "signed by none"),
        (sign({}, kid="other"), "not in the JWK set"),
        (sign({"job_id": "1"}).replace(".eyJ", ".eyK", 1), "one of them was changed"),
    ],
)
def test_refuses_what_was_not_signed(receipt: str, message: str) -> None:
    with pytest.raises(InvalidReceipt, match=message):
        verify_receipt(receipt, KEYS)


def test_verifies_the_receipt_of_a_job(client: Swath, item: Item, tmp_path: Path) -> None:
    made = item.process("spectral-index", index="ndvi", max_credits=100)
    lineage = made.provenance()
    assert find_receipts(json.dumps(lineage.document)) == lineage.receipts()
    (receipt,) = lineage.verify_receipts(fetch_keys(client))
    (file,) = [each for each in made.download(tmp_path) if each.path.suffix == ".tif"]
    output = receipt.find_output(file.path)
    assert output is not None and output["item_id"] == made.id
    assert any(source.startswith("capture/open:") for source in lineage.sources())


def test_writes_a_lineage_that_prov_reads(item: Item) -> None:
    document = item.provenance().to_prov()
    kinds = {type(record).__name__ for record in document.get_records()}
    assert {"ProvEntity", "ProvActivity", "ProvAgent", "ProvGeneration", "ProvUsage"} <= kinds
    assert "wasGeneratedBy" in document.get_provn()

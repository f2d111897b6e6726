"""Exports of the journal, whole and tampered with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from swath import Swath
from swath.ledger import ZERO_HASH, verify_chunks, verify_export

ENTRY: dict[str, Any] = {
    "organization_id": "o",
    "position": 1,
    "id": "e1",
    "kind": "grant",
    "amount_credits": 500,
    "available_after_credits": 500,
    "held_after_credits": 0,
    "reference_type": None,
    "reference_id": None,
    "hold_id": None,
    "actor_kind": "human",
    "actor_id": "a",
    "operation": None,
    "request_id": None,
    "idempotency_key": None,
    "note": "Grüße, \"=1+1\" \u2028 \x7f\n",
    "created_at": "2026-01-01T00:00:00.000Z",
}
POSTINGS = [
    {"account": "wallet.available", "lot_id": "l", "amount_credits": 500},
    {"account": "revenue", "lot_id": None, "amount_credits": -500},
]


def dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def make_line(previous: str, **changes: Any) -> tuple[str, str]:
    """A line as the page of the format describes it, and its hash."""
    entry = {**ENTRY, **changes}
    postings = changes.pop("postings", POSTINGS)
    entry.pop("postings", None)
    rows = [[posting["account"], posting["lot_id"], posting["amount_credits"]] for posting in postings]
    digest = hashlib.sha256((previous + dump([*entry.values(), rows])).encode()).hexdigest()
    return dump({**entry, "previous_hash": previous, "hash": digest, "postings": postings}), digest


@pytest.fixture
def lines() -> list[str]:
    first, head = make_line(ZERO_HASH)
    second, _ = make_line(head, position=2, id="e2", available_after_credits=1000)
    return [first, second]


def verify(lines: list[str], **options: Any) -> list[str]:
    return verify_chunks([f"{line}\n".encode() for line in lines], **options).faults


def test_follows_a_whole_chain(lines: list[str]) -> None:
    found = verify_chunks(["\n".join(lines).encode()])
    assert found.is_valid and found.entries == 2 and found.accounts == {"wallet.available": 1000, "revenue": -1000}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda lines: [lines[0], lines[1].replace('"grant"', '"refund"')], "hash does not match"),
        (lambda lines: lines[:1] + lines[:1], "it follows position 1"),
        (lambda lines: lines[1:], "nothing confirms the entries before it"),
        (lambda lines: [lines[0], lines[1].replace('"o"', '"p"')], "another organization"),
        (lambda lines: [lines[0].replace("500,", "5e2,", 1)], "not in the exported form"),
        (lambda lines: [lines[0].replace('"id":"e1"', '"id":"e1","id":"e1"')], "not in the exported form"),
        (lambda lines: [lines[0][:-2]], "not JSON"),
        (lambda lines: [lines[0].replace('"note"', '"remark"')], "note is missing"),
    ],
)
def test_finds_what_was_changed(lines: list[str], change: Callable[[list[str]], list[str]], fault: str) -> None:
    assert any(fault in each for each in verify(change(lines)))


def test_finds_entries_that_do_not_add_up() -> None:
    unbalanced = [{**POSTINGS[0], "amount_credits": 700}, POSTINGS[1]]
    faults = verify([make_line(ZERO_HASH, postings=unbalanced)[0]])
    assert faults == [
        "position 1: its postings sum to 200",
        "position 1: 700 credits are available after it, not 500",
    ]


def test_knows_the_hash_that_was_stored(lines: list[str]) -> None:
    head = json.loads(lines[1])["hash"]
    known = json.loads(lines[0])["hash"]
    assert verify(lines, head=head, contains=known) == []
    assert verify(lines[1:], contains=known) == []
    assert verify(lines[:1], head=head) == [f"it does not end with the hash {head}"]
    assert verify(lines, contains="a" * 64) == [f"the hash {'a' * 64} is not in it"]


def test_verifies_the_journal_of_a_platform_in_both_forms(client: Swath, tmp_path: Path) -> None:
    verified = client.ledger.verify()
    assert verified.is_valid and verified.entries > 0
    for form in ("ndjson", "csv"):
        path = client.ledger.export(tmp_path / f"ledger.{form}", format=form)  # type: ignore[arg-type]
        assert verify_export(path, head=verified.head_hash).faults == []
        path.write_bytes(path.read_bytes().replace(b"grant_signup", b"grant_sinnup", 1))
        assert not verify_export(path).is_valid

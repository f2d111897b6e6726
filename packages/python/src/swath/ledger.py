"""The journal of an organization, verified on this machine.

Each entry has the SHA-256 of its content and of the hash before it, so that nobody can change, remove or insert one without changing
every hash after it. `client.ledger.verify()` downloads the journal and verifies it here; `verify_export(path)` does so with a file,
without a network.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ._ledger_export import HASHED_MEMBERS, POSTING_MEMBERS, Entry, UnreadableExport, read_entries, to_json
from ._part_file import open_replacement

if TYPE_CHECKING:
    from .client import Swath

ZERO_HASH = "0" * 64
_MAX_SAFE_INTEGER = 2**53 - 1
_CHUNK_BYTES = 1 << 20
_LEDGER_PATH = "/v1/op/billing.ledger.export"


@dataclass(slots=True)
class LedgerVerification:
    """What was found in an export."""

    organization_id: str | None = None
    entries: int = 0
    first_position: int | None = None
    first_previous_hash: str | None = None
    head_position: int = 0
    head_hash: str = ZERO_HASH
    known_position: int | None = None
    """The position of the hash that it should contain."""
    accounts: Counter[str] = field(default_factory=Counter)
    """The sum of the postings by account, in credits."""
    faults: list[str] = field(default_factory=list)

    @property
    def is_valid(self) -> bool:
        """Every entry follows from the one before, and it is the journal that was expected."""
        return not self.faults

    def __repr__(self) -> str:
        outcome = "valid" if self.is_valid else f"{len(self.faults)} faults"
        return f"LedgerVerification({outcome}, {self.entries} entries, head {self.head_hash[:12]}…)"


class _State(NamedTuple):
    """What the entries so far lead to."""

    organization_id: str
    position: int
    hash: str
    available: int
    held: int


class Ledger:
    """The journal of the organization of a client."""

    def __init__(self, client: Swath) -> None:
        self._client = client

    def export(self, path: str | PathLike[str], *, format: Literal["ndjson", "csv"] = "ndjson", after: int = 0) -> Path:
        """Writes the journal to a file, from the entry after a position on, and returns its path."""
        target = Path(path)
        with open_replacement(target) as file:
            for chunk in self._chunks(format, after):
                file.write(chunk)
        return target

    def verify(self, *, contains: str | None = None) -> LedgerVerification:
        """Downloads the journal and verifies it on this machine, to the last hash that the platform states.

        Args:
            contains: A hash that you stored before (`head_hash`): nothing up to it was changed since.
        """
        stated = self._client.billing.ledger.verify()
        found = verify_chunks(self._chunks("ndjson", 0), contains=contains)
        found.faults.extend(str(fault["fault"]) for fault in stated["faults"])
        # Entries may have been added while the export was read.
        heads = {stated["head"]["hash"], self._client.billing.ledger.verify()["head"]["hash"]}
        if found.head_hash not in heads:
            found.faults.append(f"it does not end with the hash {stated['head']['hash']}")
        return found

    def _chunks(self, format: str, after: int) -> Iterator[bytes]:
        body = to_json({"format": format, "after": after}).encode()
        headers = {"content-type": "application/json"}
        with self._client.fetch(_LEDGER_PATH, method="POST", headers=headers, content=body) as response:
            if not response.is_success:
                raise response.problem()
            yield from response.iter_bytes()


def verify_export(
    path: str | PathLike[str], *, head: str | None = None, contains: str | None = None, is_part: bool = False
) -> LedgerVerification:
    """Verifies a file of `billing.ledger.export`, NDJSON or CSV, without a network.

    Args:
        path: The file, as it was received.
        head: The last hash (`billing.ledger.verify`); without it a file that lacks its end looks valid.
        contains: A hash that you stored before, which must be in it.
        is_part: It may begin after the first entry, whose statements about earlier ones are trusted.
    """
    return verify_chunks(_read_chunks(Path(path)), head=head, contains=contains, is_part=is_part)


def verify_chunks(
    chunks: Iterable[bytes], *, head: str | None = None, contains: str | None = None, is_part: bool = False
) -> LedgerVerification:
    """Verifies an export as it arrives; otherwise like `verify_export`."""
    found = LedgerVerification()
    before: _State | None = None
    try:
        for entry in read_entries(chunks):
            before = before or _initial_state(entry)
            found.faults.extend(f"position {entry['position']}: {text}" for text in _faults_of(entry, before))
            before = _state_after(entry, before)
            _count(found, entry, contains)
    except UnreadableExport as error:
        found.faults.append(f"after position {found.head_position}: {error}")
    if head is not None and found.head_hash != head:
        found.faults.append(f"it does not end with the hash {head}")
    first = found.first_position
    if first not in {None, 1} and found.known_position != (first or 0) - 1 and not is_part:
        found.faults.append(f"it begins at position {first}, and nothing confirms the entries before it")
    if contains is not None and found.known_position is None:
        found.faults.append(f"the hash {contains} is not in it")
    return found


def entry_hash(previous_hash: str, entry: Mapping[str, Any]) -> str:
    """The hash that an entry must have after the previous one."""
    postings = [[posting[name] for name in POSTING_MEMBERS] for posting in entry["postings"]]
    text = to_json([*(entry[name] for name in HASHED_MEMBERS), postings])
    return hashlib.sha256(f"{previous_hash}{text}".encode()).hexdigest()


def _read_chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            yield chunk


def _sum_of(entry: Entry, account: str | None = None) -> int:
    return sum(
        posting["amount_credits"]
        for posting in entry["postings"]
        if account in {None, posting["account"]} and _is_credits(posting["amount_credits"])
    )


def _is_credits(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MAX_SAFE_INTEGER


def _initial_state(entry: Entry) -> _State:
    """The state before the first entry; of a part it is derived from the first."""
    if entry["position"] == 1:
        return _State(entry["organization_id"], 0, ZERO_HASH, 0, 0)
    return _State(
        entry["organization_id"],
        entry["position"] - 1,
        entry["previous_hash"],
        entry["available_after_credits"] - _sum_of(entry, "wallet.available"),
        entry["held_after_credits"] - _sum_of(entry, "wallet.held"),
    )


def _state_after(entry: Entry, before: _State) -> _State:
    return before._replace(
        position=entry["position"],
        hash=entry["hash"],
        available=entry["available_after_credits"],
        held=entry["held_after_credits"],
    )


def _faults_of(entry: Entry, before: _State) -> list[str]:
    available = before.available + _sum_of(entry, "wallet.available")
    held = before.held + _sum_of(entry, "wallet.held")
    amounts = [posting["amount_credits"] for posting in entry["postings"]]
    stated_available, stated_held = entry["available_after_credits"], entry["held_after_credits"]
    checks = [
        (entry["organization_id"] == before.organization_id, "it belongs to another organization"),
        (entry["position"] == before.position + 1, f"it follows position {before.position}"),
        (entry["previous_hash"] == before.hash, "previous_hash is not the hash of the previous entry"),
        (len(amounts) > 1, "it has fewer than two postings"),
        (all(_is_credits(amount) and amount != 0 for amount in amounts), "its postings are not integer credits"),
        (_sum_of(entry) == 0, f"its postings sum to {_sum_of(entry)}"),
        (stated_available == available, f"{available} credits are available after it, not {stated_available}"),
        (stated_held == held, f"{held} credits are held after it, not {stated_held}"),
        (entry["hash"] == entry_hash(before.hash, entry), "its hash does not match its content"),
    ]
    return [text for holds, text in checks if not holds]


def _count(found: LedgerVerification, entry: Entry, contains: str | None) -> None:
    for posting in entry["postings"]:
        if _is_credits(posting["amount_credits"]):
            found.accounts[str(posting["account"])] += posting["amount_credits"]
    if found.first_position is None:
        found.organization_id = entry["organization_id"]
        found.first_position, found.first_previous_hash = entry["position"], entry["previous_hash"]
        if entry["previous_hash"] == contains:
            found.known_position = entry["position"] - 1
    if entry["hash"] == contains:
        found.known_position = entry["position"]
    found.head_position, found.head_hash = entry["position"], entry["hash"]
    found.entries += 1

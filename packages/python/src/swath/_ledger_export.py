"""Exports of the journal (`billing.ledger.export`), read strictly: what is not exactly in the exported form is refused, because
another program could read it otherwise."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

HASHED_MEMBERS = (
    "organization_id",
    "position",
    "id",
    "kind",
    "amount_credits",
    "available_after_credits",
    "held_after_credits",
    "reference_type",
    "reference_id",
    "hold_id",
    "actor_kind",
    "actor_id",
    "operation",
    "request_id",
    "idempotency_key",
    "note",
    "created_at",
)
POSTING_MEMBERS = ("account", "lot_id", "amount_credits")
_HASHES = ("previous_hash", "hash")
_ENTRY_COLUMNS = (*HASHED_MEMBERS, *_HASHES)
_COLUMNS = (*_ENTRY_COLUMNS, "line", "account", "lot_id", "posting_credits")
_NUMBERS = frozenset(
    {"position", "amount_credits", "available_after_credits", "held_after_credits", "line", "posting_credits"}
)
_MAX_ROW_LENGTH = 10_000_000
_HASH = re.compile(r"[0-9a-f]{64}")
_CELL = re.compile(r'(?:"((?:[^"]|"")*)"|([^",]*))(,|$)')
_GUARDED = re.compile(r"[=+\-@'\t\r\n]")
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")

Entry = dict[str, Any]


class UnreadableExport(Exception):
    """The export cannot be parsed; everything after it would be a guess."""


class Cell(NamedTuple):
    """A cell of a row."""

    text: str
    is_quoted: bool


def to_json(value: Any) -> str:
    """A value as `JSON.stringify` writes it, which the hashes are of."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def read_entries(chunks: Iterable[bytes]) -> Iterator[Entry]:
    """The entries of an export, NDJSON or CSV, in their order. Raises `UnreadableExport`."""
    lines = _split_lines(_decode(chunks))
    first = next(lines, "")
    if first == "" or first.startswith("{"):
        yield from (_parse_line(line) for line in _prepend(first, lines) if line)
    else:
        yield from _read_csv(_prepend(first, lines))


def _prepend(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _decode(chunks: Iterable[bytes]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in chunks:
            yield decoder.decode(chunk)
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise UnreadableExport("the text is not UTF-8") from error


def _split_lines(texts: Iterable[str]) -> Iterator[str]:
    rest = ""
    for text in texts:
        *lines, rest = (rest + text).split("\n")
        yield from lines
    if rest:
        yield rest


def _parse_line(line: str) -> Entry:
    try:
        entry = json.loads(line)
    except ValueError as error:
        raise UnreadableExport("a line is not JSON") from error
    _require_members(entry, (*_ENTRY_COLUMNS, "postings"))
    if not isinstance(entry["postings"], list):
        raise UnreadableExport("the postings are not an array")
    for posting in entry["postings"]:
        _require_members(posting, POSTING_MEMBERS)
    # Another parser might use the other value of a duplicate member.
    if to_json(entry) != line:
        raise UnreadableExport("a line is not in the exported form")
    return _require_hashes(entry)


def _require_members(value: Any, names: tuple[str, ...]) -> None:
    present = set(value) if isinstance(value, dict) else set()
    for name in names:
        if name not in present:
            raise UnreadableExport(f"{name} is missing")
    for name in present - set(names):
        raise UnreadableExport(f"{name} is not an expected member")


def _require_hashes(entry: Entry) -> Entry:
    for name in _HASHES:
        if not isinstance(entry[name], str) or not _HASH.fullmatch(entry[name]):
            raise UnreadableExport(f"{name} is not a hash")
    return entry


def _read_csv(lines: Iterator[str]) -> Iterator[Entry]:
    rows = _read_rows(lines)
    header = next(rows, [])
    if tuple(cell.text for cell in header) != _COLUMNS:
        raise UnreadableExport(f"the columns are not {','.join(_COLUMNS)}")
    entry: Entry | None = None
    entry_key: tuple[Any, ...] = ()
    for cells in rows:
        if len(cells) != len(_COLUMNS):
            raise UnreadableExport(f"a row has {len(cells)} cells")
        row = {column: _parse_value(column, cell) for column, cell in zip(_COLUMNS, cells, strict=True)}
        key = tuple(row[column] for column in _ENTRY_COLUMNS)
        if row["line"] == 1:
            if entry is not None:
                yield entry
            entry = {**_require_hashes({column: row[column] for column in _ENTRY_COLUMNS}), "postings": []}
            entry_key = key
        elif entry is None or key != entry_key or row["line"] != len(entry["postings"]) + 1:
            raise UnreadableExport(
                f"line {row['line']} of position {row['position']} does not follow the rows of its entry"
            )
        entry["postings"].append(_to_posting(row))
    if entry is not None:
        yield entry


def _to_posting(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"account": row["account"], "lot_id": row["lot_id"], "amount_credits": row["posting_credits"]}


def _read_rows(lines: Iterator[str]) -> Iterator[list[Cell]]:
    """Rows of RFC 4180: lines are joined until all quotes are closed."""
    row = ""
    for line in lines:
        row += line
        if len(row) > _MAX_ROW_LENGTH:
            raise UnreadableExport("a row has no end")
        if row.count('"') % 2 == 0:
            yield _parse_cells(row.removesuffix("\r"))
            row = ""
        else:
            row += "\n"
    if row:
        raise UnreadableExport("the file ends within a cell")


def _parse_cells(row: str) -> list[Cell]:
    cells: list[Cell] = []
    at = 0
    while True:
        match = _CELL.match(row, at)
        if match is None or (match[3] == "" and match.end() != len(row)):
            raise UnreadableExport(f"a cell contains an unescaped quote: {row[:200]}")
        quoted, plain = match[1], match[2]
        cells.append(Cell(plain if quoted is None else quoted.replace('""', '"'), quoted is not None))
        if match[3] == "":
            return cells
        at = match.end()


def _parse_value(column: str, cell: Cell) -> str | int | None:
    """An empty cell is null, `""` an empty text; a leading apostrophe prevents that a text is evaluated as a formula."""
    text, is_quoted = cell
    if column in _NUMBERS:
        if not is_quoted and re.fullmatch(r"0|-?[1-9][0-9]*", text):
            return int(text)
        raise UnreadableExport(f'{column} is not an integer: "{text}"')
    if text == "":
        return "" if is_quoted else None
    if text[0] == "'" and _GUARDED.match(text, 1):
        return text[1:]
    if _GUARDED.match(text):
        raise UnreadableExport(f"{column} has a wrong number of apostrophes")
    return text

"""Names of files from names of items, which anybody may write who can write an item."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from ._generated.tables import EXTENSION_BY_MEDIA_TYPE

_RESERVED = re.compile(r"^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)", re.IGNORECASE)
"""Names of devices of Windows, whatever follows after a dot."""
_PART_NAMES = re.compile(r"\.(part(\.json(\.new)?)?)$", re.IGNORECASE)
"""Names that an unfinished download has."""
_UNSAFE_CATEGORIES = {"Cc", "Cf", "Zl", "Zp", "Cs"}
"""Control characters, and those that turn the direction of a text around."""
_MAX_NAME_BYTES = 200
"""File systems bound a name to 255 bytes; a part of it is for the names of unfinished downloads."""
_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,10}\Z")


def to_safe_name(text: str) -> str:
    """A name for a file or a folder that every system accepts and that is no path; the same for the same text."""
    plain = "".join(_safe_character(character) for character in unicodedata.normalize("NFC", text))
    # A dot in front hides a file, or is a path; Windows drops dots and spaces at the end.
    short = _trim(_truncate(_trim(plain)))
    named = _RESERVED.sub(r"\1_\2", _PART_NAMES.sub(r"_\1", short))
    return named or "_"


def assign_safe_names(texts: Mapping[str, str]) -> dict[str, str]:
    """A safe name of its own for each id, also where a system ignores case. Of equal names the one of the lowest id, which is the
    oldest, stays: so the others that come later do not change it."""
    used: set[str] = set()
    names: dict[str, str] = {}
    for id in sorted(texts):
        name = to_safe_name(texts[id])
        own = _with_id(name, id) if name.upper().lower() in used else name
        used.add(own.upper().lower())
        names[id] = own
    return names


def file_name(item_name: str, asset: Mapping[str, Any]) -> str:
    """As the platform names the files of its archives: the item, the key unless it is `data`, and an extension."""
    media_type = str(asset["media_type"]).split(";")[0].strip().lower()
    ending = f".{EXTENSION_BY_MEDIA_TYPE.get(media_type, 'bin')}"
    stem = item_name if asset["key"] == "data" else f"{item_name}-{asset['key']}"
    return stem if stem.lower().endswith(ending) else stem + ending




def _safe_character(character: str) -> str:
    is_unsafe = character in '<>:"/\\|?*' or unicodedata.category(character) in _UNSAFE_CATEGORIES
    return "_" if is_unsafe else character


def _trim(text: str) -> str:
    start, end = 0, len(text)
    while start < end and (text[start] == "." or text[start].isspace()):
        start += 1
    while end > start and (text[end - 1] == "." or text[end - 1].isspace()):
        end -= 1
    return text[start:end]


def _truncate(name: str) -> str:
    """Cuts a name between characters, before its extension."""
    if len(name.encode()) <= _MAX_NAME_BYTES:
        return name
    found = _EXTENSION.search(name)
    extension = found[0] if found else ""
    stem = name[: len(name) - len(extension)].encode()[: _MAX_NAME_BYTES - len(extension)]
    return stem.decode("utf-8", "ignore") + extension


def _with_id(name: str, id: str) -> str:
    """The id goes before the extension, and is never cut off."""
    found = _EXTENSION.search(name, 1)
    extension = found[0] if found else ""
    mark = f"~{to_safe_name(id)}"
    stem = name[: len(name) - len(extension)]
    return stem[: (_MAX_NAME_BYTES - len(mark) - len(extension)) // 4] + mark + extension

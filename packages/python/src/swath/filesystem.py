"""A file system of fsspec over what the platform stores (extra `filesystem`): `swath://project/collection/item/asset`.

    pandas.read_csv("swath://My project/Fields/yields/data")
    rasterio.open("swath://My project/Order 1/scene/data", opener=fsspec.filesystem("swath"))

Each part is a name or an id; `-` stands for items in no collection. Files are read by ranges, over signed URLs that are renewed.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote

from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

from .client import Swath
from .signing import AssetAddress, AssetSigner

NO_COLLECTION = "-"
_REFUSED = frozenset({401, 403, 404, 410})
_PART_NAMES = ("project", "collection", "item", "asset")


class SwathFileSystem(AbstractFileSystem):  # type: ignore[misc]
    """Projects, collections, items and assets as folders and files; it is read only.

    Args:
        client: A client; by default one as `Swath()` finds its platform and its sign-in.
        options: Options of `fsspec`.
    """

    protocol = "swath"
    root_marker = ""
    cachable = False

    def __init__(self, client: Swath | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._swath = client or Swath()
        self._signer = AssetSigner(self._swath)

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[Any]:
        """What is in a project, a collection or an item, or all projects; an asset is listed alone.

        Raises:
            FileNotFoundError: There is nothing of that name.
        """
        parts = self._split(path)
        entries = [self._entry_of_asset(parts)] if len(parts) == len(_PART_NAMES) else self._list(parts)
        return entries if detail else [entry["name"] for entry in entries]

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """The entry of a path: `name`, `size` in bytes, `type`, `id`; of a file also `media_type` and `checksum`."""
        parts = self._split(path)
        if not parts:
            return _folder("", {"id": ""})
        if len(parts) == len(_PART_NAMES):
            return self._entry_of_asset(parts)
        row = self._find(parts)
        return _folder(_join(parts[:-1], parts[-1]), row)

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **_: Any) -> bytes:
        """The bytes of a file, or those from `start` to `end`, which count from the end if they are negative."""
        entry = self._entry_of_asset(self._split(path))
        first, last, _step = slice(start, end).indices(entry["size"])
        return self.read_range(entry, first, last)

    def read_range(self, entry: dict[str, Any], start: int, end: int) -> bytes:
        """The bytes of a file from `start` until before `end`. An expired URL is signed again."""
        if start >= end:
            return b""
        address = AssetAddress(entry["item_id"], entry["id"])
        refused: str | None = None
        while True:
            signed = self._signer.sign_asset(address, refused=refused)
            with self._swath.fetch(signed.url, headers={"range": f"bytes={start}-{end - 1}"}) as response:
                if response.status in {200, 206}:
                    body = response.read()
                    return body if response.status == 206 else body[start:end]
                if refused is not None or response.status not in _REFUSED:
                    raise response.problem()
            refused = signed.url

    def _open(
        self, path: str, mode: str = "rb", block_size: int | None = None, cache_options: Any = None, **options: Any
    ) -> SwathFile:
        if mode != "rb":
            raise NotImplementedError("Files of the platform are read only here; client.upload(path) stores new ones.")
        entry = self._entry_of_asset(self._split(path))
        return SwathFile(
            self, path, mode, block_size or "default", cache_options=cache_options, size=entry["size"], entry=entry
        )

    def _split(self, path: str) -> list[str]:
        parts = [unquote(part) for part in self._strip_protocol(path).strip("/").split("/") if part]
        if len(parts) > len(_PART_NAMES):
            raise FileNotFoundError(f"{path} has too many parts: it is swath://project/collection/item/asset.")
        return parts

    def _list(self, parts: list[str]) -> list[dict[str, Any]]:
        rows = self._rows(parts)
        if len(parts) == len(_PART_NAMES) - 1:
            return [_file(_join(parts, row["key"]), row) for row in rows if row["ready"]]
        return [_folder(_join(parts, row["name"]), row) for row in rows]

    def _rows(self, parts: list[str]) -> list[dict[str, Any]]:
        """The rows in a folder."""
        if not parts:
            return [dict(row) for row in self._swath.projects.list()]
        parent = self._find(parts)
        if len(parts) == 1:
            collections = [dict(row) for row in self._swath.collections.list(project_id=parent["id"])["collections"]]
            return [*collections, {"id": NO_COLLECTION, "name": NO_COLLECTION, "project_id": parent["id"]}]
        if len(parts) == 2:
            wanted = None if parent["id"] == NO_COLLECTION else parent["id"]
            items = self._swath.items.list(project_id=parent["project_id"])
            return [dict(item) for item in items if item["collection_id"] == wanted]
        return [dict(asset) for asset in self._swath.items.list_assets(item_id=parent["id"])["assets"]]

    def _find(self, parts: list[str]) -> dict[str, Any]:
        """The row of the last part: by its id, else by its name if only one has it."""
        name = parts[-1]
        rows = self._rows(parts[:-1])
        by_id = [row for row in rows if row["id"] == name]
        found = by_id or [row for row in rows if name in (row.get("key", row.get("name")), row.get("stac_id"))]
        kind = _PART_NAMES[len(parts) - 1]
        if not found:
            raise FileNotFoundError(f'swath://{"/".join(parts)}: no {kind} is called "{name}".')
        if len(found) > 1:
            ids = ", ".join(row["id"] for row in found)
            raise FileNotFoundError(f'swath://{"/".join(parts)}: several have the name "{name}"; use an id: {ids}.')
        return found[0]

    def _entry_of_asset(self, parts: list[str]) -> dict[str, Any]:
        if len(parts) != len(_PART_NAMES):
            raise IsADirectoryError(f"swath://{'/'.join(parts)} is a folder.")
        return _file(_join(parts[:-1], parts[-1]), self._find(parts))


class SwathFile(AbstractBufferedFile):  # type: ignore[misc]
    """An asset as a file that can be read and sought."""

    def __init__(
        self, fs: SwathFileSystem, path: str, mode: str, block_size: int | str, *, entry: dict[str, Any], **options: Any
    ) -> None:
        super().__init__(fs, path, mode, block_size, **options)
        self._entry = entry

    def _fetch_range(self, start: int, end: int) -> bytes:
        data: bytes = self.fs.read_range(self._entry, start, end)
        return data


def _join(parts: list[str], name: str) -> str:
    return "/".join(quote(part, safe=" ,()") for part in [*parts, name])


def _folder(name: str, row: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "size": 0, "type": "directory", "id": row["id"]}


def _file(name: str, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "size": row["file_size_bytes"],
        "type": "file",
        "id": row["id"],
        "item_id": row["item_id"],
        "media_type": row["media_type"],
        "checksum": row["checksum"],
        "created": row["created_at"],
    }

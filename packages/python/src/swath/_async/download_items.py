"""Downloads the files of items, orders, collections and projects into a folder."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from .._part_file import hash_file, sha256_of_multihash
from .._problems import SwathError
from .._progress import OnProgress, ProgressBar
from .._runtime import aio as runtime
from .._safe_names import assign_safe_names, file_name
from .._transfer_errors import DownloadedFile, FolderDownloadFailed
from .download import RangeOptions, download_file, to_remote_file

if TYPE_CHECKING:
    from .client import AsyncClient

_PARALLEL_FILES = 3
_PARALLEL_LISTS = 4


class FolderDownloadOptions(TypedDict, total=False):
    """The arguments that say it."""

    verify: Literal["checksum", "size"]
    wants: Callable[[dict[str, Any]], bool]
    on_file: Callable[[DownloadedFile], object] | None
    on_progress: OnProgress | None
    progress: bool | None


@dataclass(frozen=True, slots=True)
class FolderOptions:
    """How files are chosen, checked and shown."""

    verify: Literal["checksum", "size"] = "checksum"
    """`size` trusts files of the right size that are there already."""
    wants: Callable[[dict[str, Any]], bool] = lambda asset: True
    on_file: Callable[[DownloadedFile], object] | None = None
    on_progress: OnProgress | None = None
    progress: bool | None = None


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """An asset and its place."""

    asset: dict[str, Any]
    path: Path


async def download_items(
    client: AsyncClient, names: Mapping[str, str], folder: Path, options: FolderOptions
) -> list[DownloadedFile]:
    """Downloads the files of items, whose names are given by id, into one folder each. A file that is there already is verified and
    left, one that differs is replaced, and one that was interrupted goes on. All files are tried; raises `FolderDownloadFailed` if
    some failed."""
    planned = [file async for file in _plan_files(client, names, folder, options)]
    bars = _FolderBar(planned, options)

    async def download(file: PlannedFile) -> DownloadedFile:
        return await _download_one(client, file, bars, options)

    done: list[DownloadedFile] = []
    try:
        async for result in runtime.map_ordered(planned, download, _PARALLEL_FILES):
            done.append(result)
            if options.on_file is not None:
                await runtime.resolve(options.on_file(result))
    finally:
        bars.bar.close()
    if any(file.state == "failed" for file in done):
        raise FolderDownloadFailed(done)
    return done


async def name_items(client: AsyncClient, kind: str, id: str) -> dict[str, str]:
    """The names of the items of an item, an order, a collection or a project, by id."""
    if kind == "item":
        return {id: str((await client.call("items.get", {"item_id": id}))["item"]["name"])}
    if kind == "order":
        features = (await client.call("orders.list_assets", {"order_id": id}))["features"]
        return {str(feature["item_id"]): str(feature["id"]) for feature in features}
    operation, member = {
        "collection": ("items.list_by_collection", "collection_id"),
        "project": ("items.list", "project_id"),
    }[kind]
    # Items that are created meanwhile move others to the next page: each is taken once.
    return {str(item["id"]): str(item["name"]) async for item in client.pages(operation, {member: id})}


async def _plan_files(
    client: AsyncClient, names: Mapping[str, str], folder: Path, options: FolderOptions
) -> AsyncIterator[PlannedFile]:
    folders = assign_safe_names(names)

    async def list_assets(item_id: str) -> tuple[str, list[dict[str, Any]]]:
        return item_id, (await client.call("items.list_assets", {"item_id": item_id}))["assets"]

    async for item_id, assets in runtime.map_ordered(names, list_assets, _PARALLEL_LISTS):
        files = assign_safe_names({asset["id"]: file_name(names[item_id], asset) for asset in assets})
        for asset in assets:
            if asset["ready"] and options.wants(asset):
                yield PlannedFile(asset, folder / folders[item_id] / files[asset["id"]])


async def _download_one(
    client: AsyncClient, file: PlannedFile, bars: _FolderBar, options: FolderOptions
) -> DownloadedFile:
    asset, path = file.asset, file.path
    ids = {"item_id": asset["item_id"], "asset_id": asset["id"]}
    remote = to_remote_file(client, asset)
    try:
        present = await runtime.run_blocking(_find_present, path, asset, options.verify)
        if present is not None:
            bars.tell(asset, present[0])
            return DownloadedFile(path, **ids, state="present", size_bytes=present[0], sha256=present[1])
        done = await download_file(client, remote, path, bars.of(asset), RangeOptions())
        return DownloadedFile(path, **ids, state="downloaded", size_bytes=done.size_bytes, sha256=done.sha256)
    except (SwathError, OSError) as error:
        return DownloadedFile(path, **ids, state="failed", size_bytes=0, sha256=None, error=error)


def _find_present(path: Path, asset: Mapping[str, Any], verify: str) -> tuple[int, str | None] | None:
    """Size and checksum of a file that is there and whole; None if there is none."""
    expected = sha256_of_multihash(asset.get("checksum"))
    if not path.is_file() or path.stat().st_size != asset.get("file_size_bytes"):
        return None
    size_bytes = path.stat().st_size
    if verify == "size":
        return size_bytes, expected
    digest = hash_file(path)
    return (size_bytes, digest) if expected in (None, digest) else None


class _FolderBar:
    """Adds the progress of files that are downloaded at the same time."""

    def __init__(self, planned: list[PlannedFile], options: FolderOptions) -> None:
        self.bar = ProgressBar("Downloading", show=options.progress, on_progress=options.on_progress)
        self._total_bytes = sum(file.asset.get("file_size_bytes") or 0 for file in planned)
        self._done: dict[str, int] = {}

    def tell(self, asset: Mapping[str, Any], done_bytes: int) -> None:
        self._done[asset["id"]] = done_bytes
        self.bar.update(sum(self._done.values()), self._total_bytes)

    def of(self, asset: Mapping[str, Any]) -> ProgressBar:
        """What shows the progress of one file."""
        return ProgressBar("", show=False, on_progress=lambda done_bytes, _: self.tell(asset, done_bytes))

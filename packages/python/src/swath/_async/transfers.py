"""Waits, downloads and uploads of a client."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from .._part_file import Download
from .._progress import OnProgress, ProgressBar
from .._runtime import aio as runtime
from .._safe_names import file_name, to_safe_name
from .._transfer_errors import DownloadedFile
from .._upload_parts import SourceFile
from .download import RangeOptions, download_file, to_remote_file
from .download_items import FolderDownloadOptions, FolderOptions, download_items, name_items
from .group import AsyncOperationGroup
from .upload import AsyncUpload, UploadOptions
from .wait import WaitOptions, wait_for


class AsyncTransfers(AsyncOperationGroup):
    """What takes longer than a call."""

    async def wait(
        self,
        target: Mapping[str, Any] | str,
        *,
        on_change: Callable[[dict[str, Any]], object] | None = None,
        timeout_s: float | None = None,
        until: Callable[[dict[str, Any]], bool] | None = None,
        raise_on_failure: bool = True,
    ) -> dict[str, Any]:
        """Waits until an order is fulfilled, a job completed, or an upload has become items, and returns it.

        Args:
            target: The output of the call that began it, or of one that reads it; or its id.
            on_change: Called with the first state, and with each one that differs from the one before.
            timeout_s: How long to wait; by default without an end.
            until: Ends the wait earlier, such as `swath.is_decision_pending` for a tasking order.
            raise_on_failure: False returns what ended without success, too.

        Raises:
            WaitFailed: It ended without success.
            WaitTimeout: It did not end in time; it goes on.
            LookupError: The id is one of nothing.
        """
        return await wait_for(self._client, target, WaitOptions(on_change, timeout_s, until, raise_on_failure))

    async def download(
        self,
        asset: Mapping[str, Any],
        path: str | PathLike[str],
        *,
        progress: bool | None = None,
        on_progress: OnProgress | None = None,
        parallel: int = 4,
    ) -> Download:
        """Downloads the file of an asset in parallel ranges and verifies it by the checksum of the platform. What an interrupted
        download has left (`<path>.part`) is kept.

        Args:
            asset: An asset of `assets.get` or `items.list_assets`, or an object with its `item_id` and `id`.
            path: The file to write, or a folder that exists.
            progress: Shows a bar (`pip install "swath[progress]"`); by default in terminals and notebooks.
            on_progress: Called with the bytes that are done, and with those of the file.
            parallel: Ranges that are requested at once; each has 4 MiB.

        Raises:
            ChecksumMismatch: The bytes are not those of the file.
            ApiProblem: The platform refuses the file, such as `InvalidState` for an asset without one.
        """
        known = asset
        if "file_size_bytes" not in asset or "checksum" not in asset:
            ids = {"item_id": asset["item_id"], "asset_id": asset["id"]}
            known = (await self._client.call("assets.get", ids))["asset"]
        place = Path(path)
        if await runtime.run_blocking(place.is_dir):
            place = place / to_safe_name(file_name(str(known["key"]), {**known, "key": "data"}))
        bar = ProgressBar(place.name, show=progress, on_progress=on_progress)
        try:
            remote = to_remote_file(self._client, known)
            return await download_file(self._client, remote, place, bar, RangeOptions(parallel))
        finally:
            bar.close()

    async def download_item(
        self, item: Mapping[str, Any] | str, folder: str | PathLike[str], **options: Unpack[FolderDownloadOptions]
    ) -> list[DownloadedFile]:
        """Downloads the files of an item, named by its output or its id; otherwise like `download_order`."""
        return await self._download("item", item, folder, options)

    async def download_order(
        self, order: Mapping[str, Any] | str, folder: str | PathLike[str], **options: Unpack[FolderDownloadOptions]
    ) -> list[DownloadedFile]:
        """Downloads what an order has delivered so far, into one folder for each item; called again, it adds what came since. Files that
        are there are verified and left, and interrupted ones go on.

        Args:
            order: The output of a call with the order, or its id.
            folder: Where the folders of items are made.
            verify: `size` trusts files of the right size that are there already; by default their checksums are verified.
            wants: Chooses assets; by default all that have their bytes in storage.
            on_file: Called with each file that is done.
            on_progress: Called with the bytes that are done, and with those of all files.
            progress: Shows a bar; by default in terminals and notebooks.

        Raises:
            FolderDownloadFailed: Some files failed; the others are there.
        """
        return await self._download("order", order, folder, options)

    async def download_collection(
        self, collection: Mapping[str, Any] | str, folder: str | PathLike[str], **options: Unpack[FolderDownloadOptions]
    ) -> list[DownloadedFile]:
        """Downloads the files of all items of a collection, like `download_order`."""
        return await self._download("collection", collection, folder, options)

    async def download_project(
        self, project: Mapping[str, Any] | str, folder: str | PathLike[str], **options: Unpack[FolderDownloadOptions]
    ) -> list[DownloadedFile]:
        """Downloads the files of all items of a project, like `download_order`."""
        return await self._download("project", project, folder, options)

    async def upload(
        self,
        path: str | PathLike[str],
        *,
        project_id: str,
        target_collection_id: str | None = None,
        target_item_id: str | None = None,
        asset_key: str | None = None,
        is_categorical: bool | None = None,
        name: str | None = None,
        state: str | PathLike[str] | None = None,
        progress: bool | None = None,
        on_progress: OnProgress | None = None,
        on_session: Callable[[str], object] | None = None,
    ) -> dict[str, Any]:
        """Uploads a file in parts and starts its ingestion; `wait` waits for its items. Called again after a broken connection or a
        crash, it goes on with the parts that are missing, also on another machine.

        Args:
            path: The file.
            project_id: The project of its items.
            target_collection_id: The collection of its items.
            target_item_id: The item that it becomes an asset of.
            asset_key: The key of that asset.
            is_categorical: Its values are classes, which are never mixed.
            name: How the platform lists it; by default the name of the file.
            state: A file that remembers the session; by default open sessions are searched by name and size. Uploads of files
                of one name and size at the same time need it.
            progress: Shows a bar; by default in terminals and notebooks.
            on_progress: Called with the bytes that have arrived, and with those of the file.
            on_session: Called with the id of the session as soon as there is one.

        Returns:
            The session, an `Upload`.

        Raises:
            UnreadableFile: The file changed, or cannot be read.
        """
        place = {
            "project_id": project_id,
            "target_collection_id": target_collection_id,
            "target_item_id": target_item_id,
            "asset_key": asset_key,
            "is_categorical": is_categorical,
        }
        file = await runtime.run_blocking(SourceFile, Path(path), name)
        bar = ProgressBar(file.name, show=progress, on_progress=on_progress)
        try:
            options = UploadOptions(None if state is None else Path(state), on_session)
            return await AsyncUpload(self._client, file, place, bar, options).run()
        finally:
            bar.close()

    async def _download(
        self, kind: str, target: Mapping[str, Any] | str, folder: str | PathLike[str], options: FolderDownloadOptions
    ) -> list[DownloadedFile]:
        wrapped = target if isinstance(target, str) else target.get(kind, target)
        id = wrapped if isinstance(wrapped, str) else str(wrapped["id"])
        names = await name_items(self._client, kind, id)
        return await download_items(self._client, names, Path(folder), FolderOptions(**options))

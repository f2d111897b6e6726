"""Files of items on this computer, verified."""

import hashlib
import os

from qgis.core import QgsFileDownloader
from qgis.PyQt.QtCore import QEventLoop, QTimer, QUrl

from .orders import delivered_items, each_item
from .problems import SwathError

CHUNK_BYTES = 1_048_576
# A multihash of SHA-256: its code, and the 32 bytes of its digest.
SHA256_MULTIHASH = "1220"


def download_order(client, order_id, folder, feedback):
    """Downloads every file of an order into a folder of its own for each item. Returns the paths, and the errors of files that failed."""
    os.makedirs(folder, exist_ok=True)
    items = delivered_items(client, order_id, feedback)
    if not items:
        raise SwathError("The order has no item yet. Wait until it is delivered.")
    paths, failures = [], []
    for index, item in enumerate(items):
        target = os.path.join(folder, file_name(item["id"]))
        os.makedirs(target, exist_ok=True)
        for found in each_item([item], lambda item: download_item(client, item, target, feedback), failures, feedback):
            paths.extend(found)
        feedback.setProgress(100 * (index + 1) / len(items))
    return paths, failures


def download_item(client, item, folder, feedback):
    """Downloads the files of an item into a folder. Returns their paths. Raises SwathError."""
    assets = client.call("items.list_assets", {"item_id": item["item_id"]}, feedback=feedback)["assets"]
    return [download_asset(client, item["item_id"], asset, folder, feedback) for asset in assets if asset["ready"]]


def download_asset(client, item_id, asset, folder, feedback):
    """Downloads one file, and compares its size and its SHA-256. Returns its path. Raises SwathError."""
    path = os.path.join(folder, file_name(asset["key"]) + extension_of(asset["media_type"]))
    if os.path.exists(path) and is_intact(path, asset):
        return path
    signed = client.call("items.asset.download", {"item_id": item_id, "asset_id": asset["id"]}, feedback=feedback)
    part = f"{path}.part"
    fetch_file(signed["url"], part, feedback)
    if not is_intact(part, asset):
        os.remove(part)
        raise SwathError(f"The file of “{asset['key']}” arrived damaged. Try again.")
    os.replace(part, path)
    return path


def fetch_file(url, path, feedback):
    """Writes what is at a URL to a file, by the network settings of QGIS. May be called in any thread."""
    errors = []
    loop = QEventLoop()
    downloader = QgsFileDownloader(QUrl(url), path, delayStart=True)
    downloader.downloadError.connect(errors.extend)
    downloader.downloadExited.connect(loop.quit)
    timer = QTimer()
    timer.timeout.connect(lambda: downloader.cancelDownload() if feedback.isCanceled() else None)
    timer.start(200)
    downloader.startDownload()
    loop.exec()
    timer.stop()
    if feedback.isCanceled():
        raise SwathError("Cancelled.")
    if errors or not os.path.exists(path):
        raise SwathError(f"The file could not be downloaded: {'; '.join(errors) or 'no answer'}.")


def is_intact(path, asset):
    """True if a file has the size and the checksum that the server names."""
    size = asset.get("file_size_bytes")
    if size is not None and os.path.getsize(path) != size:
        return False
    checksum = asset.get("checksum") or ""
    if not checksum.startswith(SHA256_MULTIHASH):
        return True
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest() == checksum[len(SHA256_MULTIHASH) :]


EXTENSIONS = {"image/tiff": ".tif", "application/geo+json": ".geojson", "application/json": ".json", "image/png": ".png", "image/jpeg": ".jpg"}


def extension_of(media_type):
    return EXTENSIONS.get(media_type.split(";")[0].strip(), ".bin")


def file_name(text):
    """A text as the name of a file of every system."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in text).strip(".") or "file"

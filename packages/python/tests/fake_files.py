"""Files with ranges behind signed URLs, and sessions of uploads, of a platform in this process."""

from __future__ import annotations

import hashlib
import random
import re
import threading
from typing import Any

from fake_platform import Answer, FakePlatform, Received, problem


class FakeFile:
    """A file of an asset. Its URLs are `/files/1`, `/files/2` and so on."""

    def __init__(self, platform: FakePlatform, size_bytes: int, *, seed: int = 1) -> None:
        self.platform = platform
        self.content = random.Random(seed).randbytes(size_bytes)
        self.etag = '"one"'
        self.has_ranges = True
        self.urls = 0
        self.faults: list[Answer] = []
        """Answered instead of the next ranges."""
        self.cuts: list[int] = []
        """The next responses break after so many bytes."""
        self._lock = threading.Lock()
        self.asset: dict[str, Any] = {
            "id": "asset",
            "item_id": "item",
            "key": "data",
            "media_type": "image/tiff; application=geotiff",
            "ready": True,
            "file_size_bytes": size_bytes,
            "checksum": "1220" + self.sha256,
        }
        platform.on("items.asset.download", self._issue)
        self.expire()

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    def expire(self) -> None:
        """The URLs that were issued are refused from now on."""
        for number in range(self.urls + 1):
            self.platform.on(f"/files/{number}", problem(410, "gone-expired"))

    def ranges(self) -> list[str]:
        """The ranges that were requested."""
        return [request.headers["range"] for request in self.platform.requests if request.path.startswith("/files/")]

    def _issue(self, request: Received) -> Answer:
        with self._lock:
            if self.urls == 0 or not request.json()["again"]:
                self.urls += 1
                self.platform.on(f"/files/{self.urls}", self._serve)
        return Answer({"url": f"{self.platform.url}/files/{self.urls}", "expires_in_seconds": 60})

    def _serve(self, request: Received) -> Answer:
        with self._lock:
            if self.faults:
                return self.faults.pop(0)
            cut_after = self.cuts.pop(0) if self.cuts else None
        match = re.fullmatch(r"bytes=([0-9]+)-([0-9]+)", request.headers.get("range", ""))
        is_other = request.headers.get("if-range", self.etag) != self.etag
        if match is None or is_other or not self.has_ranges:
            return Answer(self.content, 200, {"etag": self.etag}, cut_after=cut_after)
        start, end, size_bytes = int(match[1]), int(match[2]) + 1, len(self.content)
        if start >= size_bytes:
            return Answer(b"", 416, {"etag": self.etag, "content-range": f"bytes */{size_bytes}"})
        part = self.content[start:end]
        content_range = f"bytes {start}-{start + len(part) - 1}/{size_bytes}"
        return Answer(part, 206, {"etag": self.etag, "content-range": content_range}, cut_after=cut_after)


class FakeUploads:
    """The sessions of uploads."""

    def __init__(self, platform: FakePlatform) -> None:
        self.platform = platform
        self.sessions: dict[str, dict[str, Any]] = {}
        self.bytes: dict[tuple[str, int], bytes] = {}
        self.puts: list[int] = []
        self.stored = threading.Semaphore(0)
        """Released by each part that is stored."""
        self.faults: list[Answer] = []
        """Answered instead of the next parts."""
        self._lock = threading.Lock()
        platform.on("users.me", Answer({"kind": "user", "user": {"id": "me", "email": "a@example.org"}}))
        platform.on("uploads.initiate", self._initiate)
        platform.on("uploads.list", self._list)
        platform.on("uploads.get", lambda request: Answer({"upload": self.sessions[request.json()["upload_id"]]}))
        platform.on("uploads.progress", Answer({}))
        platform.on("uploads.signed_url", self._sign)
        platform.on("uploads.part_url", self._sign)
        platform.on("uploads.complete", self._complete)
        platform.on("uploads.cancel", self._cancel)

    def _initiate(self, request: Received) -> Answer:
        input = request.json()
        session = {
            "id": f"session-{len(self.sessions) + 1}",
            "status": "initiated",
            "created_by": "me",
            "files": [],
            "bytes_uploaded": 0,
            "error_message": None,
            "target_collection_id": None,
            "target_item_id": None,
            "asset_key": None,
            "is_categorical": False,
            **input,
        }
        self.sessions[str(session["id"])] = session
        return Answer(session)

    def _list(self, request: Received) -> Answer:
        found = [session for session in self.sessions.values() if session["status"] == request.json()["status"]]
        return Answer({"uploads": [{**session, "files": []} for session in found], "total": len(found)})

    def _sign(self, request: Received) -> Answer:
        input = request.json()
        number = input.get("number", 0)
        path = f"/parts/{input['upload_id']}/{number}"
        self.platform.on(path, lambda put: self._put(input, number, put))
        return Answer({"upload_url": self.platform.url + path})

    def _put(self, input: dict[str, Any], number: int, request: Received) -> Answer:
        with self._lock:
            if self.faults:
                return self.faults.pop(0)
            self.puts.append(number)
            session = self.sessions[input["upload_id"]]
            self.bytes[session["id"], number] = request.body
            if not session["files"]:
                name = input["file_name"]
                session["files"] = [{"file_name": name, "object_path": f"x/{name}", "size_bytes": None, "parts": []}]
            stored = session["files"][0]
            session["status"] = "uploading"
            if number == 0:
                stored["size_bytes"] = len(request.body)
            else:
                etag = hashlib.md5(request.body, usedforsecurity=False).hexdigest()
                stored["parts"].append({"number": number, "size_bytes": len(request.body), "etag": etag})
            self.stored.release()
        return Answer({})

    def _complete(self, request: Received) -> Answer:
        input = request.json()
        session = self.sessions[input["upload_id"]]
        received = b"".join(part for (id, _), part in sorted(self.bytes.items()) if id == session["id"])
        told = input["files"][0]
        if hashlib.sha256(received).hexdigest() != told["sha256"]:
            return problem(422, "validation", errors=[{"path": "files.0.sha256", "message": "other bytes"}])
        session["status"] = "completed"
        session["files"][0]["sha256"] = told["sha256"]
        return Answer({"upload": session, "item_ids": ["item"], "accepted_count": 1})

    def _cancel(self, request: Received) -> Answer:
        self.sessions[request.json()["upload_id"]]["status"] = "cancelled"
        return Answer({})

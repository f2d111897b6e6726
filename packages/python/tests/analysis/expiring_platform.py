"""A platform in this process whose tokens and signed URLs expire, on a clock that the test moves."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN_LIFETIME_S = 300
URL_LIFETIME_S = 900


class Clock:
    """Moves forward only when it is told to."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class ExpiringPlatform:
    """Serves one file, `data`, of one item, `i`. Every answer takes some time of its clock."""

    def __init__(self, clock: Clock, content: bytes, *, step_s: float) -> None:
        self.clock = clock
        self.content = content
        self.step_s = step_s
        self.tokens: dict[str, float] = {}
        self.answered: dict[str, int] = {}
        self.refused: list[str] = []
        self._lock = threading.Lock()
        platform = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                platform.handle(self)

            def do_GET(self) -> None:
                platform.handle(self)

            do_HEAD = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        with self._lock:
            self.clock.now += self.step_s
            path, query = urlsplit(request.path)[2:4]
            name = path.rsplit("/", 1)[-1]
            self.answered[name] = self.answered.get(name, 0) + 1
            if name == "token":
                answer = self._token()
            elif path.startswith("/v1/op/"):
                answer = self._sign(request)
            else:
                answer = self._read(request, parse_qs(query))
        status, headers, body = answer
        request.send_response(status)
        for header, value in {**headers, "content-length": str(len(body))}.items():
            request.send_header(header, value)
        request.end_headers()
        if request.command != "HEAD":
            request.wfile.write(body)

    def _token(self) -> tuple[int, dict[str, str], bytes]:
        token = f"token-{len(self.tokens)}"
        self.tokens[token] = self.clock.now + TOKEN_LIFETIME_S
        return _json(200, {"access_token": token, "refresh_token": "again", "expires_in": TOKEN_LIFETIME_S})

    def _sign(self, request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
        token = (request.headers.get("authorization") or "").removeprefix("Bearer ")
        if self.tokens.get(token, 0) <= self.clock.now:
            return _json(401, {"type": "unauthenticated", "title": "Unauthenticated", "status": 401})
        expires = self.clock.now + URL_LIFETIME_S
        url = f"{self.url}/blobs/data.tif?expires={expires:.0f}"
        return _json(200, {"url": url, "expires_in_seconds": URL_LIFETIME_S, "size_bytes": len(self.content)})

    def _read(
        self, request: BaseHTTPRequestHandler, query: dict[str, list[str]]
    ) -> tuple[int, dict[str, str], bytes]:
        if float(query["expires"][0]) <= self.clock.now:
            self.refused.append(request.path)
            return _json(403, {"type": "forbidden", "title": "The URL has expired", "status": 403})
        size = len(self.content)
        wanted = request.headers.get("range")
        if wanted is None:
            return 200, {"accept-ranges": "bytes"}, self.content
        first, _, last = wanted.removeprefix("bytes=").partition("-")
        start, end = int(first), min(int(last or size - 1), size - 1)
        return 206, {"content-range": f"bytes {start}-{end}/{size}"}, self.content[start : end + 1]


def _json(status: int, document: Any) -> tuple[int, dict[str, str], bytes]:
    return status, {"content-type": "application/json"}, json.dumps(document).encode()

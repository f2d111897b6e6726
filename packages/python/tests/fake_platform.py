"""A platform in this process that answers what a test says, and fails as it says."""

from __future__ import annotations

import json
import socket
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl


@dataclass(frozen=True)
class Received:
    """A request that arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode()))

    @property
    def token(self) -> str | None:
        """The bearer token."""
        value = self.headers.get("authorization", "")
        return value.removeprefix("Bearer ") if value else None


@dataclass(frozen=True)
class Answer:
    """A response."""

    body: Any = None
    """Bytes as they are, anything else as JSON."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    """The connection breaks after so many bytes of the body."""
    is_lost: bool = False
    """The connection breaks before the response."""
    before: Callable[[], object] | None = None
    """Called before it is sent."""

    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


LOST = Answer(is_lost=True)


def problem(status: int, name: str, *, headers: Mapping[str, str] | None = None, **members: Any) -> Answer:
    """A problem document as the platform answers it."""
    document = {
        "type": f"https://swath.example/problems/{name}",
        "title": name,
        "status": status,
        "detail": "No.",
        "trace_id": "t",
        **members,
    }
    return Answer(document, status, {"content-type": "application/problem+json", **(headers or {})})


Reply = Answer | Callable[[Received], Answer]


class FakePlatform:
    """Answers each path in turn, the last answer for ever."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self._replies: dict[str, list[Reply]] = defaultdict(list)
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def on(self, path: str, *replies: Reply) -> None:
        """What is answered to a path; an operation is named by its id."""
        self._replies[path if path.startswith("/") else f"/v1/op/{path}"] = list(replies)

    def on_token(self, *replies: Reply) -> None:
        """What is answered to sign-ins."""
        self.on("/realms/public/protocol/openid-connect/token", *replies)

    def calls(self, operation: str) -> list[Received]:
        """The requests of an operation or a path."""
        path = operation if operation.startswith("/") else f"/v1/op/{operation}"
        return [request for request in self.requests if request.path == path]

    def inputs(self, operation: str) -> list[Any]:
        return [request.json() for request in self.calls(operation)]

    def reply_to(self, request: Received) -> Answer:
        with self._lock:
            self.requests.append(request)
            replies = self._replies.get(request.path)
            if not replies:
                return problem(404, "not-found", detail=f"Nothing is answered at {request.path}.")
            reply = replies[0] if len(replies) == 1 else replies.pop(0)
        return reply if isinstance(reply, Answer) else reply(request)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler_of(platform: FakePlatform) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            body = self.rfile.read(length)
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = platform.reply_to(Received(self.command, self.path.split("?")[0], headers, body))
            if answer.before is not None:
                answer.before()
            if answer.is_lost:
                self._break()
                return
            content = answer.content()
            self.send_response(answer.status)
            for name, value in {"content-type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            # Who needs no more hangs up.
            with suppress(ConnectionError):
                self.wfile.write(content if answer.cut_after is None else content[: answer.cut_after])
            if answer.cut_after is not None:
                self._break()

        def _break(self) -> None:
            self.close_connection = True
            with suppress(OSError):
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)

        def log_message(self, *_: object) -> None:
            pass

        do_GET = do_POST = do_PUT = do_HEAD = _answer

    return Handler


def tokens(access: str, refresh: str | None = None, expires_in: float = 900) -> Answer:
    """The tokens of a sign-in."""
    members = {"access_token": access, "expires_in": expires_in}
    return Answer(members if refresh is None else {**members, "refresh_token": refresh})


def refusal(error: str, status: int = 400, **members: Any) -> Answer:
    """A refusal of OAuth."""
    return Answer({"error": error, "error_description": f"It is {error}.", **members}, status)

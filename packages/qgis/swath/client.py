"""Calls of the operations of a Swath server, through the network settings of QGIS."""

import json
from urllib.parse import urlencode

from qgis.core import QgsBlockingNetworkRequest
from qgis.PyQt.QtCore import QByteArray, QUrl
from qgis.PyQt.QtNetwork import QNetworkRequest

from .problems import SwathError, read_problem

PLUGIN_VERSION = "0.1.0"
MAX_PAGE = 100
OAUTH_PATH = "/realms/public/protocol/openid-connect"


class Client:
    """Calls operations by their id; may be used in any thread.

    `base_url` is the address of the server, `authorize` returns the token of a request, or "" for none; after a request that was
    refused it is called with the token, and the request is repeated once if it returns another.
    """

    def __init__(self, base_url, authorize=lambda refused="": ""):
        self.base_url = base_url.rstrip("/")
        self._authorize = authorize

    def call(self, operation, fields=None, idempotency_key=None, feedback=None):
        """The output of an operation as a dict. Raises SwathError."""
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        return json.loads(self._send(f"/v1/op/{operation}", fields or {}, headers, feedback) or b"{}")

    def bytes(self, operation, fields=None, feedback=None):
        """The output of an operation that returns bytes, such as a picture."""
        return self._send(f"/v1/op/{operation}", fields or {}, {}, feedback)

    def get(self, path, feedback=None):
        """The bytes at a path of the server."""
        return self._send(path, None, {}, feedback)

    def get_json(self, path, feedback=None):
        """The JSON document at a path of the server."""
        return json.loads(self.get(path, feedback))

    def pages(self, operation, fields, member, size=MAX_PAGE):
        """Every element of a list with `limit` and `offset`, page by page."""
        offset = 0
        while True:
            page = self.call(operation, {**fields, "limit": size, "offset": offset})
            yield from page[member]
            offset += size
            if len(page[member]) < size:
                return

    def post_oauth(self, endpoint, fields, feedback=None):
        """The status and the JSON document of an endpoint of OAuth, whose errors have a form of their own."""
        body = urlencode({name: value for name, value in fields.items() if value}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        status, content = self._exchange(f"{OAUTH_PATH}/{endpoint}", body, headers, feedback)
        try:
            return status, json.loads(content or b"{}")
        except ValueError:
            return status, {}

    def _send(self, path, fields, headers, feedback):
        body = None if fields is None else json.dumps(fields).encode()
        if body is not None:
            headers = {"Content-Type": "application/json", **headers}
        token = self._authorize()
        status, content = self._exchange(path, body, {**headers, **bearer(token)}, feedback)
        if status == 401 and token:
            renewed = self._authorize(token)
            if renewed:
                status, content = self._exchange(path, body, {**headers, **bearer(renewed)}, feedback)
        if status >= 400:
            raise read_problem(status, content)
        return content

    def _exchange(self, path, body, headers, feedback=None):
        """The status and the bytes of a response. Raises SwathError without one."""
        request = QNetworkRequest(QUrl(self.base_url + path))
        request.setRawHeader(b"User-Agent", f"swath-qgis/{PLUGIN_VERSION}".encode())
        for name, value in headers.items():
            request.setRawHeader(name.encode(), value.encode())
        blocking = QgsBlockingNetworkRequest()
        if body is None:
            blocking.get(request, True, feedback)
        else:
            blocking.post(request, QByteArray(body), True, feedback)
        reply = blocking.reply()
        status = reply.attribute(QNetworkRequest.Attribute.HttpStatusCodeAttribute)
        if status is None:
            if feedback is not None and feedback.isCanceled():
                raise SwathError("Cancelled.")
            reason = blocking.errorMessage() or "no connection"
            raise SwathError(f"{self.base_url} could not be reached: {reason}. Check the address, and the proxy in the options of QGIS.")
        return int(status), bytes(reply.content())


def bearer(token):
    return {"Authorization": f"Bearer {token}"} if token else {}

"""A local endpoint that verifies the signatures of webhooks with the standard library alone."""

import hashlib
import hmac
import http.server
import json
import threading
import time

timeout_s = 60


class WebhookReceiver:
    """Accepts deliveries that are signed with its secret, and refuses others."""

    secret = "a secret of the client"

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}/orders"
        self.received = []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                expected = "sha256=" + hmac.new(receiver.secret.encode(), body, hashlib.sha256).hexdigest()
                is_signed = hmac.compare_digest(expected, self.headers["X-Service-Signature"])
                if is_signed:
                    receiver.received.append(json.loads(body))
                self.send_response(204 if is_signed else 401)
                self.end_headers()

            def log_message(self, *_parts):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_for(self, event_type, entity_id):
        """Raises if the event does not arrive in time."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            if any((each["event_type"], each["entity_id"]) == (event_type, entity_id) for each in self.received):
                return
            time.sleep(0.2)
        raise AssertionError(f"{event_type} of {entity_id} did not arrive")

    def close(self):
        self.server.shutdown()
        self.server.server_close()

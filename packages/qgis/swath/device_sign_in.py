"""Sign-in with the browser (RFC 8628): QGIS shows a code, the person confirms it where they are signed in."""

import time

from .client import Client
from .problems import SwathError
from .session import CLIENT_ID, normalize_address

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
SLOW_DOWN_S = 5


class DeviceSignIn:
    """One sign-in: `start` returns what to show, `wait` the tokens. Both make requests, so both run in a task."""

    def __init__(self, base_url, sleep=time.sleep):
        self.base_url = normalize_address(base_url)
        self._client = Client(self.base_url)
        self._sleep = sleep
        self._started = {}

    def start(self):
        """The code: `user_code`, `verification_uri`, `verification_uri_complete` and `expires_in` in seconds. Raises SwathError."""
        status, answer = self._client.post_oauth("auth/device", {"client_id": CLIENT_ID})
        if status >= 400 or "device_code" not in answer:
            raise SwathError("This address has no sign-in with the browser. Is it that of a Swath server?", status=status)
        # The desktop opens it: an address of another kind would start a program.
        if not all(str(answer.get(name, "")).startswith(("http://", "https://")) for name in ("verification_uri", "verification_uri_complete")):
            raise SwathError("The server named no page on the web for the sign-in. Is the address that of a Swath server?")
        self._started = answer
        return answer

    def wait(self, feedback):
        """The tokens, after the person has confirmed the code. Raises SwathError if they refuse, or too late."""
        wait_s = self._started.get("interval", SLOW_DOWN_S)
        end = time.monotonic() + self._started["expires_in"]
        while time.monotonic() < end:
            self._pause(wait_s, feedback)
            fields = {"client_id": CLIENT_ID, "grant_type": GRANT, "device_code": self._started["device_code"]}
            status, answer = self._client.post_oauth("token", fields, feedback)
            if status < 400:
                return answer
            error = answer.get("error")
            if error == "slow_down":
                wait_s += SLOW_DOWN_S
            elif error == "access_denied":
                raise SwathError("The sign-in was refused in the browser.")
            elif error != "authorization_pending":
                break
        raise SwathError("The code has expired. Start the sign-in again.")

    def _pause(self, seconds, feedback):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if feedback.isCanceled():
                raise SwathError("Cancelled.")
            self._sleep(min(0.2, max(0.0, end - time.monotonic())))

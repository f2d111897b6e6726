"""Who is signed in, and to which server. Secrets are stored by QGIS, encrypted under its master password."""

import json
import time
from threading import Lock, RLock

from qgis.core import QgsApplication, QgsSettings
from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal

from .client import Client
from .problems import SwathError
from .tasks import Work

CLIENT_ID = "swath"
RENEWAL_MARGIN_S = 30
SETTINGS = "swath"
SECRET = f"{SETTINGS}/secret"
# What a token endpoint says (RFC 6749) when no later attempt can succeed.
FINAL_ERRORS = ("invalid_grant", "invalid_client")


class Session(QObject):
    """The sign-in of this profile of QGIS.

    What is stored is a key, or the refresh token of a sign-in with the browser, encrypted by `QgsAuthManager`; the profile has the
    address alone. The access token, which lasts for minutes, is in memory. Clients may use it in any thread, and only for as long as
    the sign-in that they were made for.
    """

    changed = pyqtSignal()
    # Tells `changed` from any thread, after the call that noticed the end.
    _ended = pyqtSignal()

    def __init__(self, parent=None):
        super().__init__(parent)
        self._ended.connect(self.changed, Qt.ConnectionType.QueuedConnection)
        # Around the state alone, never around a request: QGIS may ask for the password of a proxy in the main thread.
        self._lock = RLock()
        self._renewal = Lock()
        self._revocation = None
        # Counts the sign-ins and their ends.
        self._generation = 0
        self._secret = None
        self._access_token = ""
        self._expires_at = 0.0

    @property
    def base_url(self):
        return QgsSettings().value(f"{SETTINGS}/base_url", "", type=str)

    @property
    def is_signed_in(self):
        return bool(self.base_url) and QgsSettings().value(f"{SETTINGS}/signed_in", False, type=bool)

    def client(self):
        """A client for the server. Raises SwathError if nobody is signed in, or the secret cannot be read."""
        generation = self._generation
        base_url = self.base_url
        if not self.is_signed_in:
            raise SwathError("You are not signed in. Open the Swath panel and sign in.")
        if self._secret is None:
            # Read here: QGIS may ask for its master password, which it does in the main thread.
            secret = read_secret()
            with self._lock:
                self._require(generation)
                self._secret = self._secret or secret
        return Client(base_url, lambda refused="": self.authorize(refused, generation))

    def sign_in_with_key(self, base_url, key):
        """Stores an API key or a personal access token. Returns the caller, as `users.me` says. Raises SwathError."""
        return self._start(base_url, {"key": key.strip()})

    def sign_in_with_tokens(self, base_url, tokens):
        """Stores the tokens of a sign-in with the browser: `access_token`, `expires_in` and `refresh_token`."""
        return self._start(base_url, {"refresh_token": tokens["refresh_token"]}, tokens)

    def sign_out(self):
        """Removes what is stored, and ends the session at the server in the background."""
        base_url = self.base_url
        try:
            # As it is stored, which is newer than the one in memory if another QGIS of this profile has used that.
            secret = read_secret()
        except SwathError:
            secret = self._secret or {}
        self._forget()
        self.changed.emit()
        if "refresh_token" in secret:
            # Without a way to cancel it, or a message: the session expires by itself.
            self._revocation = Work("End the session", lambda _: revoke(base_url, secret["refresh_token"]), ignore, ignore, can_cancel=False)
            QgsApplication.taskManager().addTask(self._revocation)

    def authorize(self, refused="", generation=None):
        """The token of the next request, another one than was refused; "" if there is none.

        Raises SwathError, also if the sign-in with the number `generation` has ended: the token of the next one may be for another
        server.
        """
        if self._needs_renewal(refused, generation):
            with self._renewal:
                # Not if another thread has renewed it while this one waited.
                if self._needs_renewal(refused, generation):
                    self._renew()
        with self._lock:
            self._require(generation)
            token = (self._secret or {}).get("key") or self._access_token
            return "" if token == refused else token

    def _needs_renewal(self, refused, generation):
        with self._lock:
            self._require(generation)
            is_over = refused == self._access_token or time.time() > self._expires_at - RENEWAL_MARGIN_S
            return "refresh_token" in (self._secret or {}) and is_over

    def _require(self, generation):
        if generation is not None and generation != self._generation:
            raise SwathError("The sign-in has changed since this was started. Start it again.")

    def _start(self, base_url, secret, tokens=None):
        base_url = normalize_address(base_url)
        require_store()
        with self._lock:
            self._forget()
            QgsSettings().setValue(f"{SETTINGS}/base_url", base_url)
            self._generation += 1
            generation = self._generation
            self._secret = secret
            self._keep_tokens(tokens or {})
        settings = QgsSettings()
        try:
            caller = Client(base_url, lambda refused="": self.authorize(refused, generation)).call("users.me")
            store_secret(self._secret)
        except SwathError:
            self._forget()
            raise
        settings.setValue(f"{SETTINGS}/signed_in", True)
        settings.setValue(f"{SETTINGS}/caller", describe_caller(caller))
        self.changed.emit()
        return caller

    def _renew(self):
        with self._lock:
            generation = self._generation
            base_url = self.base_url
        # As it is stored: another QGIS of this profile may have used the one in memory, and one that is used twice ends the session.
        refresh_token = read_secret().get("refresh_token")
        if not refresh_token:
            raise SwathError("The stored sign-in is another one now. Sign in again in the Swath panel.")
        fields = {"grant_type": "refresh_token", "client_id": CLIENT_ID, "refresh_token": refresh_token}
        status, tokens = Client(base_url).post_oauth("token", fields)
        if status in (400, 401) and tokens.get("error") in FINAL_ERRORS:
            self._end(generation)
            raise SwathError("Your session has ended. Sign in again in the Swath panel.", "unauthenticated")
        if status >= 400 or not tokens.get("access_token"):
            raise SwathError(f"The sign-in could not be renewed: the server answered with status {status}. Try again in a moment.", status=status)
        secret = {"refresh_token": tokens.get("refresh_token", refresh_token)}
        with self._lock:
            is_current = generation == self._generation
            if is_current:
                self._keep_tokens(tokens)
                self._secret = secret
                store_secret(secret)
        if not is_current:
            # Who signed out meanwhile ended the one before it.
            revoke(base_url, secret["refresh_token"])

    def _end(self, generation):
        """Forgets a sign-in that the server has ended, unless there is another one already."""
        with self._lock:
            if generation != self._generation:
                return
            self._forget()
        self._ended.emit()

    def _keep_tokens(self, tokens):
        self._access_token = tokens.get("access_token", "")
        self._expires_at = time.time() + float(tokens.get("expires_in", 0))

    def _forget(self):
        with self._lock:
            # The settings first: who reads the new number must not see the sign-in before it.
            for name in ("signed_in", "caller"):
                QgsSettings().remove(f"{SETTINGS}/{name}")
            self._generation += 1
            QgsApplication.authManager().removeAuthSetting(SECRET)
            self._secret = None
            self._keep_tokens({})


def revoke(base_url, refresh_token):
    """Ends a session at the server, if it can be reached."""
    try:
        Client(base_url).post_oauth("revoke", {"client_id": CLIENT_ID, "token": refresh_token})
    except SwathError:
        pass  # It expires by itself.


def ignore(_):
    """For work whose outcome nobody waits for."""


def store_secret(secret):
    """Stores the secret encrypted. Raises SwathError."""
    if not QgsApplication.authManager().storeAuthSetting(SECRET, json.dumps(secret), True):
        raise SwathError("QGIS could not store the sign-in. Check the authentication settings of QGIS.")


def read_secret():
    """The stored secret. Raises SwathError, as after the master password of QGIS was reset."""
    require_store()
    manager = QgsApplication.authManager()
    text = manager.authSetting(SECRET, "", True) if manager.existsAuthSetting(SECRET) else ""
    try:
        return json.loads(text)
    except ValueError as error:
        raise SwathError("The stored sign-in cannot be read. Sign in again in the Swath panel.") from error


def normalize_address(text):
    """The address of a server as typed, with a scheme and without a slash at its end. Raises SwathError."""
    address = text.strip().rstrip("/")
    if not address:
        raise SwathError("Enter the address of your Swath server, such as https://swath.example.com.")
    if "://" not in address:
        is_local = address.split(":")[0] in ("localhost", "127.0.0.1")
        address = f"{'http' if is_local else 'https'}://{address}"
    if not address.startswith(("http://", "https://")):
        raise SwathError("The address must begin with https://.")
    return address


def describe_caller(caller):
    """How the panel names who is signed in."""
    user = caller.get("user") or {}
    organization = caller.get("organization") or {}
    names = [user.get("email") or user.get("name") or caller.get("name"), organization.get("name")]
    return ", ".join(name for name in names if name) or "API key"


def caller_name():
    """Who is signed in, as the panel names them."""
    return QgsSettings().value(f"{SETTINGS}/caller", "", type=str)


def require_store():
    """Raises SwathError if QGIS stores no secrets, as with its authentication switched off."""
    manager = QgsApplication.authManager()
    if manager.isDisabled():
        raise SwathError(f"QGIS cannot store secrets: {manager.disabledMessage()}")
    if not manager.setMasterPassword(True):
        raise SwathError("The master password of QGIS is needed, because the sign-in is stored under it.")

"""Signing in and out."""

import json
from pathlib import Path

from qgis.core import QgsApplication, QgsSettings
from qgis.PyQt.QtCore import QObject, QUrl, pyqtSlot
from qgis.PyQt.QtGui import QDesktopServices

from fake_qgis import pump
from swath import classFactory
from swath.session import Session

ALGORITHMS = 9
SECRET = "swath/secret"


class Browser(QObject):
    """What a browser would have opened."""

    def __init__(self):
        super().__init__()
        self.opened = []

    @pyqtSlot(QUrl)
    def open(self, url):
        self.opened.append(url)


class SessionSteps:
    def __init__(self, plugin, window, request):
        self.plugin = plugin
        self.window = window
        self.request = request
        self.session = plugin.session
        self.panel = plugin.panel

    def play(self, report):
        report.capability("offer nothing before somebody is signed in", self.show_signed_out)
        report.capability("tell what is wrong with an address, in a sentence", self.refuse_address)
        report.capability("refuse a wrong key, and stay signed out", self.refuse_key)
        report.capability("sign in by a key", self.sign_in_by_key)
        report.capability("sign out", self.sign_out)
        report.capability("sign in with the browser", self.sign_in_by_browser)
        report.capability("keep secrets encrypted, and renew what has expired", self.keep_secrets)

    def show_signed_out(self):
        assert not self.panel.tabs.isEnabled() and self.panel.sign_in.isVisible()
        self.window.picture(self.window.window, "signed-out")

    def open_dialog(self, address):
        self.panel.open_sign_in()
        self.panel.dialog.address.setText(address)
        return self.panel.dialog

    def refuse_address(self):
        dialog = self.open_dialog("http://127.0.0.1:9")
        dialog.browser.click()
        pump(lambda: any("could not be reached" in text for text in self.window.messages()))
        assert not any("Traceback" in text for text in self.window.messages())
        dialog.reject()
        self.window.bar.clearWidgets()

    def refuse_key(self):
        dialog = self.open_dialog(self.request["address"])
        dialog.key.setText("swath_wrong")
        dialog.use_key.click()
        [message] = self.window.messages()
        assert "(trace " in message and "Sign in again" in message, message
        assert not self.session.is_signed_in
        dialog.reject()
        self.window.bar.clearWidgets()

    def sign_in_by_key(self):
        dialog = self.open_dialog(self.request["address"])
        dialog.key.setText(self.request["token"])
        self.window.picture(dialog, "sign-in")
        dialog.use_key.click()
        assert self.session.is_signed_in and not dialog.isVisible()
        assert self.session.client().call("users.me")["kind"] == "api_key"

    def sign_out(self):
        self.panel.sign_out.click()
        assert not self.session.is_signed_in and not self.panel.tabs.isEnabled()
        assert not QgsApplication.authManager().existsAuthSetting(SECRET)

    def sign_in_by_browser(self):
        browser = Browser()
        QDesktopServices.setUrlHandler("http", browser.open)
        dialog = self.open_dialog(self.request["address"].split("://")[1])
        dialog.browser.click()
        pump(lambda: browser.opened)
        self.window.picture(dialog, "sign-in-code")
        code = browser.opened[0].toString().split("user_code=")[1]
        assert code in dialog.code.text()
        print(json.dumps({"user_code": code}), flush=True)
        pump(lambda: self.session.is_signed_in)
        QDesktopServices.unsetUrlHandler("http")
        assert self.session.client().call("users.me")["kind"] == "human"
        assert self.panel.tabs.isEnabled() and self.request["email"] in self.panel.account.text(), self.panel.account.text()

    def keep_secrets(self):
        refresh_token = json.loads(QgsApplication.authManager().authSetting(SECRET, "", True))["refresh_token"]
        access_token = self.session.authorize()
        stored = [path.read_bytes() for path in Path(QgsApplication.qgisSettingsDirPath()).rglob("*.db")]
        assert stored and not any(secret.encode() in content for content in stored for secret in (refresh_token, access_token))
        settings = QgsSettings()
        values = [str(settings.value(key)) for key in settings.allKeys() if key.startswith("swath/")]
        assert values and not any(access_token in value or refresh_token in value for value in values), values
        self.session._expires_at = 0.0
        assert self.session.client().call("users.me")["kind"] == "human"
        renewed = json.loads(QgsApplication.authManager().authSetting(SECRET, "", True))["refresh_token"]
        assert self.session.authorize() != access_token and renewed != refresh_token
        self.session._access_token = "refused"
        assert self.session.client().call("users.me")["kind"] == "human"
        again = Session()
        assert again.is_signed_in and again.client().call("users.me")["kind"] == "human"
        # The other one, as a second QGIS, has used the refresh token: this one goes on with what it stored.
        self.session._expires_at = 0.0
        assert self.session.client().call("users.me")["kind"] == "human"

    def unload(self):
        registry = QgsApplication.processingRegistry()
        assert len(registry.providerById("swath").algorithms()) == ALGORITHMS
        self.plugin.unload()
        assert registry.providerById("swath") is None
        assert self.window.docks == [] and self.window.actions == []

    def run_without_window(self):
        """As qgis_process loads it."""
        registry = QgsApplication.processingRegistry()
        plugin = classFactory(None)
        plugin.initProcessing()
        assert len(registry.providerById("swath").algorithms()) == ALGORITHMS
        assert registry.algorithmById("swath:search").displayName() == "Search scenes"
        assert plugin.session.client().call("users.me")["kind"] == "human"
        plugin.unload()
        assert registry.providerById("swath") is None

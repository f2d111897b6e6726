"""Signing in: with the browser, or with a key."""

from html import escape

from qgis.gui import QgsPasswordLineEdit
from qgis.PyQt.QtCore import Qt, QUrl
from qgis.PyQt.QtGui import QDesktopServices
from qgis.PyQt.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout

from ..device_sign_in import DeviceSignIn


class SignInDialog(QDialog):
    def __init__(self, context, parent=None):
        super().__init__(parent)
        self._context = context
        self.setWindowTitle("Sign in to Swath")
        self.setMinimumWidth(460)
        self.address = QLineEdit(context.session.base_url or "https://")
        self.browser = QPushButton("Sign in with the browser")
        self.browser.setDefault(True)
        self.browser.clicked.connect(self.start_browser)
        self.key = QgsPasswordLineEdit()
        self.key.setPlaceholderText("swath_…")
        self.use_key = QPushButton("Use this key")
        self.use_key.clicked.connect(self.start_key)
        self.code = QLabel()
        self.code.setTextFormat(Qt.TextFormat.RichText)
        self.code.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.code.setOpenExternalLinks(True)
        self.code.setWordWrap(True)
        self.code.hide()
        self._fill()

    def _fill(self):
        form = QFormLayout()
        form.addRow("Server", self.address)
        form.addRow("", self.browser)
        form.addRow(self.code)
        keys = QHBoxLayout()
        keys.addWidget(self.key, 1)
        keys.addWidget(self.use_key)
        form.addRow("Or an API key", keys)
        note = QLabel("QGIS stores the sign-in encrypted, under its master password.")
        note.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(note)
        column.addWidget(buttons)

    def start_browser(self):
        def start():
            sign_in = DeviceSignIn(self.address.text())
            self._wait(True)
            self._context.runner.run("Start the sign-in", lambda _: (sign_in, sign_in.start()), self._show_code, self._fail, key="sign-in")

        self._context.attempt(start)

    def _show_code(self, started):
        sign_in, code = started
        page = escape(code["verification_uri_complete"])
        self.code.setText(
            f"<p>Confirm the code <b style='font-size:large'>{escape(code['user_code'])}</b> in the browser.</p>"
            f"<p>It did not open? Go to <a href='{page}'>{escape(code['verification_uri'])}</a></p>"
        )
        self.code.show()
        self.adjustSize()
        QDesktopServices.openUrl(QUrl(code["verification_uri_complete"]))

        def finish(tokens):
            # With the server that issued them, whatever the field says.
            self._accept(lambda: self._context.session.sign_in_with_tokens(sign_in.base_url, tokens))

        self._context.runner.run("Wait for the sign-in", sign_in.wait, finish, self._fail, key="sign-in")

    def _wait(self, is_waiting):
        """While the browser is waited for, nothing else is signed in to."""
        self.browser.setText("Waiting for the browser…" if is_waiting else "Sign in with the browser")
        for widget in (self.browser, self.address, self.key, self.use_key):
            widget.setEnabled(not is_waiting)

    def start_key(self):
        self._accept(lambda: self._context.session.sign_in_with_key(self.address.text(), self.key.text()))

    def _accept(self, sign_in):
        if self._context.attempt(sign_in) is not None:
            self.accept()
        else:
            self._reset()

    def _fail(self, error):
        self._context.messages.report(error)
        self._reset()

    def _reset(self):
        self._wait(False)
        self.code.hide()
        self.adjustSize()

    def done(self, result):
        # Closing it ends the wait.
        if result == QDialog.DialogCode.Rejected:
            self._context.runner.cancel("sign-in")
        super().done(result)

"""Tests of parts of the plugin that need no server, with the unittest of QGIS's own Python."""

import os
import sys
import tempfile
import threading
import time
import unittest
from unittest.mock import patch

os.environ["QT_QPA_PLATFORM"] = "offscreen"
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "plugins"), os.path.join(HERE, "..", "..", "..", "packages", "qgis")]

from qgis.core import QgsApplication, QgsFeature, QgsFeedback, QgsField, QgsGeometry, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QCoreApplication, QMetaType, QObject, pyqtSignal

from swath import session as session_module
from swath.client import Client
from swath.device_sign_in import DeviceSignIn
from swath.downloads import download_order
from swath.gui.area_chooser import DRAWN, AreaChooser
from swath.gui.context import Context
from swath.gui.messages import Messages
from swath.gui.sign_in_dialog import SignInDialog
from swath.layers.items import tiles_source
from swath.layers.renewal import LayerRenewal
from swath.layers.statistics import statistics_layer
from swath.orders import each_item
from swath.problems import SwathError
from swath.session import Session, read_secret
from swath.tasks import Runner


class StatisticsTest(unittest.TestCase):
    def test_measures_the_result_again_beside_the_first_values(self):
        layer = QgsVectorLayer("Polygon?crs=EPSG:4326", "fields", "memory")
        layer.dataProvider().addAttributes([QgsField("name", QMetaType.Type.QString)])
        layer.updateFields()
        feature = QgsFeature(layer.fields())
        feature.setGeometry(QgsGeometry.fromWkt("POLYGON((0 0, 1 0, 1 1, 0 0))"))
        feature.setAttribute("name", "north")
        layer.dataProvider().addFeatures([feature])
        for mean in (0.25, 0.5, 0.75):
            features = list(layer.getFeatures())
            row = {"ndvi_mean": mean, "ndvi_max": mean * 2}
            layer = statistics_layer(layer, features, {str(features[0].id()): row}, "again")
        [measured] = layer.getFeatures()
        self.assertEqual(
            dict(zip(layer.fields().names(), measured.attributes())),
            {"name": "north", "ndvi_mean": 0.25, "ndvi_max": 0.5, "ndvi_mean_2": 0.5, "ndvi_max_2": 1.0, "ndvi_mean_3": 0.75, "ndvi_max_3": 1.5},
        )


class Server:
    """The token endpoint and the operations of servers; `answer` is what the first returns."""

    def __init__(self):
        self.answer = (200, {"access_token": "access-2", "expires_in": 300, "refresh_token": "refresh-2"})
        self.oauth = []
        self.sent = []
        self.before_answer = lambda: None

    def post_oauth(self, client, endpoint, fields, feedback=None):
        self.oauth.append((client.base_url, endpoint, fields.get("token") or fields.get("refresh_token")))
        self.before_answer()
        return self.answer

    def exchange(self, client, path, body, headers, feedback=None):
        self.sent.append((client.base_url, headers.get("Authorization")))
        return 200, b"{}"


class SessionTest(unittest.TestCase):
    def setUp(self):
        self.server = server = Server()
        for name, method in (("post_oauth", server.post_oauth), ("_exchange", server.exchange)):
            change = patch.object(Client, name, lambda client, *values, method=method: method(client, *values))
            change.start()
            self.addCleanup(change.stop)
        self.session = Session()
        self.changes = []
        self.session.sign_in_with_tokens("https://one.example", {"access_token": "access-1", "expires_in": 300, "refresh_token": "refresh-1"})
        self.session.changed.connect(lambda: self.changes.append(self.session.is_signed_in))

    def test_client_of_an_ended_sign_in_sends_nothing(self):
        client = self.session.client()
        self.session.sign_in_with_key("https://two.example", "swath_two")
        del self.server.sent[:]
        with self.assertRaisesRegex(SwathError, "sign-in has changed"):
            client.call("users.me")
        self.assertEqual(self.server.sent, [])
        self.session.client().call("users.me")
        self.assertEqual(self.server.sent, [("https://two.example", "Bearer swath_two")])

    def test_an_unavailable_token_endpoint_keeps_the_sign_in(self):
        for answer in ((503, {}), (429, {"error": "slow_down"}), (400, {}), (200, {})):
            self.server.answer = answer
            self.session._expires_at = 0.0
            with self.assertRaisesRegex(SwathError, "could not be renewed"):
                self.session.client().call("users.me")
            self.assertTrue(self.session.is_signed_in)
            self.assertEqual(read_secret(), {"refresh_token": "refresh-1"})

    def test_a_refused_refresh_token_ends_the_sign_in_and_tells_it_later(self):
        self.server.answer = (400, {"error": "invalid_grant"})
        self.session._expires_at = 0.0
        with self.assertRaisesRegex(SwathError, "session has ended"):
            self.session.client().call("users.me")
        self.assertFalse(self.session.is_signed_in)
        self.assertEqual(self.changes, [])
        QCoreApplication.processEvents()
        self.assertEqual(self.changes, [False])

    def test_clients_are_made_while_a_token_is_renewed_once(self):
        started, finish = threading.Event(), threading.Event()
        self.server.before_answer = lambda: (started.set(), finish.wait(10))
        self.session._expires_at = 0.0
        clients = [self.session.client() for _ in range(2)]
        threads = [threading.Thread(target=client.call, args=("users.me",)) for client in clients]
        for thread in threads:
            thread.start()
        self.assertTrue(started.wait(10))
        made = []
        maker = threading.Thread(target=lambda: made.append(self.session.client()))
        maker.start()
        maker.join(10)
        finish.set()
        for thread in threads:
            thread.join(10)
        self.assertEqual(len(made), 1)
        self.assertEqual([call[1] for call in self.server.oauth], ["token"])
        self.assertEqual(self.server.sent[-2:], [("https://one.example", "Bearer access-2")] * 2)

    def test_sign_out_during_a_renewal_leaves_no_session_at_the_server(self):
        self.server.before_answer = lambda: self.server.oauth[-1][1] == "token" and self.session._forget()
        self.session._expires_at = 0.0
        with self.assertRaisesRegex(SwathError, "sign-in has changed"):
            self.session.client().call("users.me")
        self.assertEqual(self.server.oauth[-1], ("https://one.example", "revoke", "refresh-2"))
        self.assertFalse(self.session.is_signed_in)

    def test_sign_out_revokes_what_is_stored_in_the_background(self):
        session_module.store_secret({"refresh_token": "of another QGIS"})
        threads = []
        self.server.before_answer = lambda: threads.append(threading.current_thread())
        self.session.sign_out()
        pump(lambda: threads)
        self.assertEqual(self.server.oauth, [("https://one.example", "revoke", "of another QGIS")])
        self.assertIsNot(threads[0], threading.main_thread())

    def test_sign_out_falls_back_to_what_is_in_memory(self):
        QgsApplication.authManager().removeAuthSetting(session_module.SECRET)
        self.session.sign_out()
        pump(lambda: self.server.oauth)
        self.assertEqual(self.server.oauth, [("https://one.example", "revoke", "refresh-1")])


class MessagesTest(unittest.TestCase):
    def test_texts_have_no_tokens(self):
        texts = []
        bar = type("Bar", (), {"pushMessage": lambda self, title, text, *_: texts.append(text)})()
        for address in ("/vsicurl/https://one.example/a?key=at_s3cret: 403", "url=https://one.example/%7Bz%7D?key%3Ds3cret%26format%3Dpng"):
            Messages(bar).report(SwathError(f"It could not be opened: {address}"))
            Messages(bar).warn(address)
        self.assertEqual(len(texts), 4)
        for text in texts:
            self.assertNotIn("s3cret", text)
        self.assertIn("key=…: 403", texts[0])
        self.assertIn("key%3D…%26format", texts[2])
        self.assertNotIn("s3cret", str(SwathError("?key=s3cret&a=b").args))


class SignInTest(unittest.TestCase):
    def test_the_page_must_be_on_the_web(self):
        for page, is_opened in (("https://one.example/device", True), ("file:///etc/passwd", False), ("smb://one.example", False)):
            code = {"device_code": "1", "user_code": "A", "verification_uri": page, "verification_uri_complete": page, "expires_in": 60}
            with patch.object(Client, "post_oauth", lambda *_: (200, code)):
                if is_opened:
                    self.assertEqual(DeviceSignIn("one.example").start(), code)
                else:
                    with self.assertRaisesRegex(SwathError, "no page on the web"):
                        DeviceSignIn("one.example").start()

    def test_the_tokens_go_to_the_server_that_issued_them(self):
        signed_in = []
        session = type("Signed", (), {"base_url": "", "sign_in_with_tokens": lambda self, *values: signed_in.append(values)})()
        dialog = SignInDialog(Context(None, session, Runner(self.fail), None))
        dialog.address.setText("one.example")
        page = "https://one.example/device"
        code = {"device_code": "1", "user_code": "A", "verification_uri": page, "verification_uri_complete": page, "expires_in": 60, "interval": 0}
        with patch.object(Client, "post_oauth", lambda client, endpoint, *_: (200, code if endpoint == "auth/device" else {"access_token": "1"})):
            with patch("swath.gui.sign_in_dialog.QDesktopServices.openUrl"):
                dialog.start_browser()
                self.assertFalse(dialog.address.isEnabled())
                dialog.address.setText("two.example")
                pump(lambda: signed_in)
        self.assertEqual(signed_in, [("https://one.example", {"access_token": "1"})])
        self.assertTrue(dialog.address.isEnabled())


class RunnerTest(unittest.TestCase):
    def test_what_cannot_be_cancelled_tells_its_end(self):
        go, done, failed = threading.Event(), [], []
        runner = Runner(failed.append)
        order = runner.run("Place the order", lambda feedback: go.wait(10) and not feedback.isCanceled(), done.append, key="order", can_cancel=False)
        search = runner.run("Search scenes", lambda feedback: go.wait(10), done.append, key="search")
        runner.cancel_all()
        self.assertTrue(search.isCanceled() and not order.isCanceled())
        go.set()
        pump(lambda: not runner.is_busy)
        self.assertEqual((done, failed), ([True], []))

    def test_an_order_that_is_ended_all_the_same_is_told(self):
        go, done, failed = threading.Event(), [], []
        order = Runner(self.fail).run("Place the order", lambda _: go.wait(10), done.append, failed.append, can_cancel=False)
        order.cancel()
        order.finished(False)
        go.set()
        pump(lambda: not order.isActive())
        self.assertRegex(str(failed[0]), "was ended")


class FakeClient:
    """Calls by their id, as a table of functions of the input."""

    base_url = "https://one.example"

    def __init__(self, **operations):
        self.operations = operations
        self.calls = []

    def call(self, operation, fields=None, feedback=None, **_):
        self.calls.append(operation)
        return self.operations[operation.replace(".", "_")](fields)


def refuse(fields):
    raise SwathError("The item is not a raster.", "unsupported-raster", status=422)


class ItemsTest(unittest.TestCase):
    def test_an_item_without_tiles_gets_no_token(self):
        client = FakeClient(items_tile_tilejson=refuse)
        with self.assertRaisesRegex(SwathError, "not a raster"):
            tiles_source(client, "a")
        self.assertEqual(client.calls, ["items.tile.tilejson"])

    def test_one_item_that_fails_does_not_stop_the_others(self):
        failures = []
        found = each_item([{"id": "a"}, {"id": "b"}, {"id": "c"}], lambda item: refuse(item) if item["id"] == "b" else item["id"], failures)
        self.assertEqual(found, ["a", "c"])
        self.assertEqual([str(failure) for failure in failures], ["b: The item is not a raster."])

    def test_a_download_goes_on_after_an_item_that_fails(self):
        items = [{"id": name, "item_id": name} for name in ("a", "b")]
        listed = lambda fields: refuse(fields) if fields["item_id"] == "a" else {"assets": [{"ready": True}]}
        client = FakeClient(orders_list_assets=lambda _: {"features": items}, items_list_assets=listed)
        with tempfile.TemporaryDirectory() as folder, patch("swath.downloads.download_asset", lambda client, item, *_: item):
            paths, failures = download_order(client, "order", folder, QgsFeedback())
        self.assertEqual((paths, len(failures)), (["b"], 1))


class RenewalTest(unittest.TestCase):
    def setUp(self):
        self.messages, self.renewed, self.error = [], [], None
        client = FakeClient(items_tile_tilejson=lambda fields: self.renewed.append(fields["item_id"]) or refuse(fields))
        test = self

        class SignedIn(QObject):
            changed = pyqtSignal()
            base_url = FakeClient.base_url
            is_signed_in = True

            def client(self):
                if test.error:
                    raise test.error
                return client

        self.session = SignedIn()
        messages = type("Texts", (), {"warn": lambda _, text: self.messages.append(text), "report": lambda _, error: self.messages.append(str(error))})()
        self.runner = Runner(messages.report)
        self.renewal = LayerRenewal(self.session, self.runner, messages)
        self.addCleanup(QgsProject.instance().clear)
        self.addCleanup(self.renewal.stop)
        for item in ("a", "b"):
            layer = QgsRasterLayer("type=xyz&url=https://one.example", item, "wms")
            for name, value in {"kind": "tiles", "server": client.base_url, "item": item, "expires": "damaged"}.items():
                layer.setCustomProperty(f"swath/{name}", value)
            QgsProject.instance().addMapLayer(layer)

    def renew(self, action):
        action()
        pump(lambda: not self.runner.is_busy)

    def test_what_failed_is_told_once_and_tried_again_after_a_sign_in(self):
        for _ in range(3):
            self.renew(self.renewal.renew)
        self.assertEqual(sorted(self.renewed), ["a", "b"])
        self.assertEqual(len(self.messages), 1)
        self.assertIn("and that to 1 more, could not be renewed", self.messages[0])
        self.renew(self.session.changed.emit)
        self.assertEqual(sorted(self.renewed), ["a", "a", "b", "b"])
        self.assertEqual(len(self.messages), 2)

    def test_a_sign_in_that_cannot_be_read_is_told_once(self):
        self.error = SwathError("The master password is needed.")
        for _ in range(3):
            self.renew(self.renewal.renew)
        self.assertEqual(self.messages, ["The master password is needed."])


class AreaTest(unittest.TestCase):
    def test_a_drawn_area_without_a_drawing_is_none(self):
        canvas = QgsMapCanvas()
        chooser = AreaChooser(type("Window", (), {"mapCanvas": lambda self: canvas})())
        self.assertIsNone(chooser.known_area())
        chooser.choose(DRAWN)
        with self.assertRaisesRegex(SwathError, "Draw the area first"):
            chooser.known_area()
        chooser.drawn = QgsGeometry.fromWkt("POLYGON((0 0, 1 0, 1 1, 0 0))")
        self.assertIs(chooser.known_area(), chooser.drawn)


def pump(is_done):
    """Handles events until something has happened; the test after it fails if it has not."""
    end = time.monotonic() + 10
    while not is_done() and time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.01)


if __name__ == "__main__":
    application = QgsApplication([], True)
    application.initQgis()
    assert QgsApplication.authManager().setMasterPassword("of this run", True)
    outcome = unittest.main(exit=False, verbosity=1).result
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads of the network may outlive the application, and are ended with the process.
    os._exit(0 if outcome.wasSuccessful() else 1)

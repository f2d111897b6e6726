"""Renews the tokens of layers: when a project is opened, when somebody signs in, and while QGIS runs."""

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QObject, QTimer

from ..problems import SwathError
from .items import PROPERTY, needs_renewal, renew_source, replace_source

INTERVAL_MS = 600_000


class LayerRenewal(QObject):
    def __init__(self, session, runner, messages, parent=None):
        super().__init__(parent)
        self._session = session
        self._runner = runner
        self._messages = messages
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.renew)
        # Layers that failed are tried again when somebody signs in, or opens the project again.
        self._failed = set()
        QgsProject.instance().readProject.connect(self.restart)
        session.changed.connect(self.restart)
        self._timer.start()

    def stop(self):
        self._timer.stop()
        QgsProject.instance().readProject.disconnect(self.restart)
        self._session.changed.disconnect(self.restart)

    def restart(self, *_):
        """Forgets what failed, and renews."""
        self._failed.clear()
        self.renew()

    def renew(self, *_):
        """Starts the renewal of all layers of the project that need it, except of those that failed before."""
        server = self._session.base_url
        layers = QgsProject.instance().mapLayers()
        due = [layer for layer_id, layer in layers.items() if layer_id not in self._failed and needs_renewal(layer, server)]
        if not due:
            return
        if not self._session.is_signed_in:
            self._failed.update(layer.id() for layer in due)
            self._messages.warn(f"The access to {len(due)} layers of {server} has ended. Sign in to see them again.")
            return
        try:
            client = self._session.client()
        except SwathError as error:
            self._failed.update(layer.id() for layer in due)
            self._messages.report(error)
            return
        wanted = [(layer.id(), layer.name(), *(layer.customProperty(f"{PROPERTY}/{name}", "") for name in ("kind", "item", "asset"))) for layer in due]
        self._runner.run("Renew the access to layers", lambda feedback: read_sources(client, wanted, feedback), self._replace, self._fail, key="renew-layers")

    def _replace(self, read):
        sources, failures = read
        for layer_id, source in sources:
            # The person may have removed it meanwhile.
            layer = QgsProject.instance().mapLayer(layer_id)
            if layer is not None:
                replace_source(layer, source)
        if not failures:
            return
        self._failed.update(layer_id for layer_id, _, _ in failures)
        _, name, error = failures[0]
        others = f", and that to {len(failures) - 1} more," if len(failures) > 1 else ""
        self._messages.warn(f"The access to “{name}”{others} could not be renewed: {error} It is tried again when the project is opened.")

    def _fail(self, error):
        self._messages.report(error)


def read_sources(client, wanted, feedback):
    """New sources of layers as (layer id, source), and failures as (layer id, name of the layer, error)."""
    sources, failures = [], []
    for layer_id, name, kind, item, asset in wanted:
        if feedback.isCanceled():
            break
        try:
            sources.append((layer_id, renew_source(client, kind, item, asset, feedback)))
        except SwathError as error:
            failures.append((layer_id, name, error))
    return sources, failures

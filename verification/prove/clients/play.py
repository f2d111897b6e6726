"""Plays every public function of up42-py against a running server, and reports each capability as a JSON line.

The request on standard input has the address and the credentials of the server, and a port to which it may send webhooks.
"""

import json
import os
import sys
import tempfile

os.environ["UP42_DISABLE_VERSION_CHECK"] = "true"

import requests
import up42
from up42 import host, utils

from play_catalog import CatalogPlay
from play_orders import OrdersPlay
from play_processing import ProcessingPlay
from play_storage import StoragePlay
from play_tasking import TaskingPlay
from report import CalledFunctions, Report, Requests
from rows import NEWEST, SECOND_GENERATION

# What the client runs when it is imported or installed, not when it is used.
INTERNAL = ("up42.version", "up42.http", "up42.data", "up42.constants")

# Public names that are no functions of the interface: the first makes a decorator at import, the others are called by `import up42`.
AT_IMPORT = {"up42.utils.deprecation", "up42.utils.get_logger", "up42.stac.extend", "up42.utils.get_up42_py_version"}


def check_hosts():
    """The addresses of its own that the client has for each region."""
    for region in ("eu", "sa"):
        host.REGION = region
        assert host.endpoint("/v2").endswith("/v2")
        assert host.token_endpoint().endswith("/token") and host.user_info_endpoint().endswith("/userinfo")
    host.REGION = "eu"


def connect(request):
    """The only change: where the client sends its requests."""
    address = request["address"]
    protocol = f"{address}/realms/public/protocol/openid-connect"
    host.endpoint = lambda path: f"{address}{path}"
    host.token_endpoint = lambda: f"{protocol}/token"
    host.user_info_endpoint = lambda: f"{protocol}/userinfo"
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"username": request["username"], "password": request["password"]}, file)
        file.flush()
        up42.authenticate(cfg_file=file.name)
    up42.authenticate(username=request["username"], password=request["password"])
    assert utils.read_json({"a": 1}) == {"a": 1}


def main():
    request = json.load(sys.stdin)
    newest = hasattr(up42, "Budget")
    report = Report(f"up42-py {up42.__version__}")
    recorded = Requests(request["address"], NEWEST if newest else SECOND_GENERATION)
    recorded.install(requests)
    functions = CalledFunctions(up42, INTERNAL)
    functions.start()

    report.capability("addresses", check_hosts)
    report.capability("authenticate", connect, request)
    with tempfile.TemporaryDirectory() as folder:
        catalog = CatalogPlay(report, folder)
        catalog.play()
        orders = OrdersPlay(report, catalog, request)
        orders.play()
        tasking = TaskingPlay(report, orders, request)
        tasking.play()
        storage = StoragePlay(report, orders, folder)
        storage.play()
        ProcessingPlay(report, storage, orders, folder).play()
        if not newest:
            # It imports libraries that only that generation requires.
            import second_generation  # pylint: disable=import-outside-toplevel

            second_generation.play(report, request, orders, storage, folder)
        storage.play_deletion()

    functions.stop()
    for number, (answered, good) in recorded.seen.items():
        print(json.dumps({"client": report.client, "request": number, "answered": answered, "good": good}), flush=True)
    missing = recorded.missing_rows()
    report.print("every request that it knows was answered", not missing, ", ".join(missing))
    report.print("no server error", not recorded.failures, "; ".join(recorded.failures[:5]))
    uncalled = [name for name in functions.missing() if name not in AT_IMPORT]
    report.print("every public function was called", not uncalled, ", ".join(uncalled))
    count = len(functions.public)
    print(json.dumps({"client": report.client, "functions": count, "called": count - len(uncalled)}), flush=True)


main()

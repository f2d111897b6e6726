"""Plays one reader of STAC against a running server, and reports each capability as a JSON line.

The request on standard input has the address, the name of the reader, a folder for its files, and what the server was filled with.
"""

import importlib
import json
import sys
from importlib.metadata import version

from report import Report

# The package that pip knows, by the module that plays it.
PACKAGES = {
    "pystac_client": "pystac-client",
    "eodag": "eodag",
    "odc_stac": "odc-stac",
    "stackstac": "stackstac",
    "rio_tiler": "rio-tiler",
    "owslib": "OWSLib",
}


def main():
    request = json.load(sys.stdin)
    package = PACKAGES[request["reader"]]
    report = Report(f"{package} {version(package)}")
    importlib.import_module(f"readers.play_{request['reader']}").play(report, request)


main()

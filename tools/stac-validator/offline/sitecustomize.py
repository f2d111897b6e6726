"""Serves requests for JSON Schemas from a folder laid out as host/path, so that the validators need no network.

Python imports a module of this name at start if it is on PYTHONPATH.
"""

import io
import os
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import urllib3
from urllib3.connectionpool import HTTPConnectionPool

FOLDER = Path(os.environ["SWATH_SCHEMAS"])


def stored(url):
    """The bytes of a schema, or None if there is no local file for the URL."""
    parts = urlsplit(url)
    file = FOLDER / (parts.hostname or "") / parts.path.lstrip("/")
    return file.read_bytes() if parts.hostname and file.is_file() else None


open_url = urllib.request.OpenerDirector.open
urlopen_pool = HTTPConnectionPool.urlopen


def open_stored(self, request, *args, **options):
    body = stored(request if isinstance(request, str) else request.full_url)
    return open_url(self, request, *args, **options) if body is None else io.BytesIO(body)


def urlopen_stored(self, method, url, *args, **options):
    body = stored(f"{self.scheme}://{self.host}{urlsplit(url).path}")
    if body is None:
        return urlopen_pool(self, method, url, *args, **options)
    headers = {"content-type": "application/json"}
    return urllib3.HTTPResponse(body=io.BytesIO(body), headers=headers, status=200, preload_content=False)


urllib.request.OpenerDirector.open = open_stored
HTTPConnectionPool.urlopen = urlopen_stored

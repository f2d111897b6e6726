"""Satellite imagery of a Swath platform: `Swath` calls its operations, and `AsyncSwath` does so under asyncio.

    from swath import Swath

    client = Swath()  # the sign-in of the command line, or SWATH_URL and SWATH_KEY
    for item in client.items.list():
        print(item["id"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._version import __version__

if TYPE_CHECKING:
    from ._async.swath import AsyncSwath
    from ._hooks import Hooks, Limits, RequestInfo, RequestPlan, ResponseInfo
    from ._pkce import StartedSignIn, begin_sign_in
    from ._part_file import Download
    from ._sync.wait import is_decision_pending
    from ._transfer_errors import DownloadedFile
    from .client import Swath

_MODULES = {
    "AsyncSwath": "_async.swath",
    "Download": "_part_file",
    "DownloadedFile": "_transfer_errors",
    "Hooks": "_hooks",
    "Limits": "_hooks",
    "RequestInfo": "_hooks",
    "RequestPlan": "_hooks",
    "ResponseInfo": "_hooks",
    "StartedSignIn": "_pkce",
    "Swath": "client",
    "begin_sign_in": "_pkce",
    "is_decision_pending": "_sync.wait",
}

__all__ = [
    "AsyncSwath",
    "Download",
    "DownloadedFile",
    "Hooks",
    "Limits",
    "RequestInfo",
    "RequestPlan",
    "ResponseInfo",
    "StartedSignIn",
    "Swath",
    "__version__",
    "begin_sign_in",
    "is_decision_pending",
]


def __getattr__(name: str) -> object:
    # The two clients are large, and a program needs one of them.
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__

"""Problem documents (RFC 9457) that the platform answers, and the errors of the package."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit


class SwathError(Exception):
    """Every error of this package."""


class ApiProblem(SwathError):
    """A call that the platform refused. Each problem of the platform has a class of its own in `swath.errors`; what those
    documents have besides is in attributes of the same names, with underscores, which are None if a document lacks them.

    An error of a newer platform, or of a server in front of it, is of this class itself.
    """

    status: int
    """The HTTP status."""
    problem: str
    """The type, such as `insufficient-credits`; `unknown` if the body was not a problem document."""
    document: Mapping[str, Any]
    """The whole problem document."""
    retry_after_s: float | None
    """Seconds until the call may succeed; None if the platform does not say."""

    def __init__(self, status: int, document: Mapping[str, Any], retry_after_s: float | None = None) -> None:
        super().__init__(_describe(status, document))
        self.status = status
        self.problem = name_of_problem(document)
        self.document = document
        for name, value in document.items():
            attribute = name.replace("-", "_")
            # A document cannot replace what the class defines.
            if name.isascii() and attribute not in self.__dict__ and not hasattr(type(self), attribute):
                self.__dict__[attribute] = value
        self.retry_after_s = retry_after_s

    def __getattr__(self, name: str) -> Any:
        # Declared fields that this document lacks.
        if any(name in vars(base).get("__annotations__", {}) for base in type(self).__mro__):
            return None
        raise AttributeError(f"{type(self).__name__} has no attribute {name}.")

    def __reduce__(self) -> tuple[object, ...]:
        return make_problem, (self.status, dict(self.document), self.retry_after_s)

    @property
    def trace_id(self) -> str | None:
        """Identifies the call in the log of the platform."""
        return _text_of(self.document.get("trace_id"))

    @property
    def docs_url(self) -> str | None:
        """The page that explains this type of problem."""
        return None if self.problem == "unknown" else _text_of(self.document.get("type"))

    @property
    def field_errors(self) -> list[dict[str, Any]]:
        """The invalid fields of an input, each with `path` (`captures.0.id`) and `message`."""
        errors = self.document.get("errors")
        return errors if isinstance(errors, list) else []


class ConnectionFailed(SwathError, ConnectionError):
    """The platform could not be reached, or the connection broke; the outcome of a call that was sent is unknown."""

    def __init__(self, url: str) -> None:
        super().__init__(f"{origin_of(url)} cannot be reached. Check the address and the network, then try again.")
        self.url = url

    def __reduce__(self) -> tuple[object, ...]:
        # The path and the query of a signed URL are secrets.
        return type(self), (origin_of(self.url),)


class CallTimeout(SwathError, TimeoutError):
    """A call took longer than its time limit; its outcome is unknown."""

    def __init__(self, timeout_s: float) -> None:
        super().__init__(f"The platform did not answer within {timeout_s:g} s. Try again, or allow more time by timeout_s.")
        self.timeout_s = timeout_s

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.timeout_s,)


class SignInError(ApiProblem):
    """A sign-in that the platform refused, or that is impossible here."""

    @property
    def code(self) -> str:
        """The code of OAuth (RFC 6749), such as `invalid_grant` or `access_denied`."""
        return str(self.document.get("error", "unknown"))

    @property
    def is_otp_required(self) -> bool:
        """True if the password was right, and the user has a second factor."""
        return self.document.get("otp_required") is True

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.status, dict(self.document), self.retry_after_s)


def sign_in_error(code: str, description: str) -> SignInError:
    """A sign-in that fails before the platform is asked."""
    return SignInError(401, {"error": code, "error_description": description})


def name_of_problem(document: Mapping[str, Any]) -> str:
    _, found, name = str(document.get("type", "")).partition("/problems/")
    return name if found else "unknown"


def make_problem(status: int, document: Mapping[str, Any], retry_after_s: float | None = None) -> ApiProblem:
    """The error of the class of its problem."""
    classes: dict[str, type[ApiProblem]] = importlib.import_module("swath._generated.problems").PROBLEM_CLASSES
    return classes.get(name_of_problem(document), ApiProblem)(status, document, retry_after_s)


def parse_document(body: bytes) -> dict[str, Any]:
    """The members of a body that should be a problem document; text of other servers is its `detail`."""
    text = body.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except ValueError:
        return {"detail": text[:500]}
    return value if isinstance(value, dict) else {"detail": text[:500]}


def origin_of(url: str) -> str:
    """Paths and queries of signed addresses are secrets."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}" if host else "The platform"


def _text_of(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _describe(status: int, document: Mapping[str, Any]) -> str:
    title = document.get("title") or document.get("error") or "The server refused the call"
    detail = _detail_text(document.get("detail") or document.get("error_description"))
    return f"{status} {title}" + (f": {detail}" if detail else "")


def _detail_text(detail: object) -> str:
    """The `detail` as text; with 422 it is a list of errors, each with its location."""
    if not isinstance(detail, list):
        return "" if detail is None else str(detail)
    return "; ".join(_error_text(error) for error in detail)


def _error_text(error: object) -> str:
    if not isinstance(error, dict):
        return str(error)
    place = ".".join(str(part) for part in list(error.get("loc") or [])[1:])
    return ": ".join(part for part in (place, str(error.get("msg", ""))) if part)

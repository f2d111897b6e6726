"""Asks people, where there is one to ask: never in a pipeline or a service."""

from __future__ import annotations

import sys

from ._problems import sign_in_error
from .auth import DeviceCode


def can_ask() -> bool:
    """True in a terminal and in a notebook."""
    if "ipykernel" in sys.modules:
        return True
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty())


def ask_otp(question: str) -> str | None:
    """A code of the second factor; None if nobody can be asked or nothing is entered."""
    if not can_ask():
        return None
    print(question, file=sys.stderr)
    return input("Code of the second factor: ").strip() or None


def show_code(code: DeviceCode) -> None:
    """Prints where a sign-in is confirmed. Raises `SignInError` where nobody would see it."""
    if not can_ask():
        raise sign_in_error(
            "no_terminal",
            "Nobody can confirm a sign-in here. Use an API key (SWATH_KEY), or pass on_code, which shows the code to a person.",
        )
    print(f"Open {code.verification_uri_complete}\nand compare the code: {code.user_code}", file=sys.stderr)

"""Profiles: a server and who calls it, in the files of the command line (`swath login`)."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ._private_files import config_folder, folder_lock, read_private_json, write_private_json
from ._problems import sign_in_error

SecretPlace = Literal["keychain", "file"]

_KEYCHAIN_SERVICE = "swath"


@dataclass(frozen=True, slots=True)
class Profile:
    """A server and who calls it."""

    name: str
    base_url: str
    kind: Literal["key", "session"]
    account: str
    """Who signed in, for people."""
    secret_place: SecretPlace

    def read_secret(self) -> str:
        """The API key, or the tokens of the session as JSON. Raises `SignInError` if it is not there any more."""
        secret = _read_keychain(self.name) if self.secret_place == "keychain" else _read_secrets().get(self.name)
        if secret is None:
            raise sign_in_error("signed_out", _missing_secret(self))
        return secret


def find_profile(name: str | None = None) -> Profile | None:
    """The profile of the name, or else of SWATH_PROFILE, or else the current one; None if there is none. Raises `SignInError` for
    an unknown name."""
    stored = _read_profiles()
    wanted = name or os.environ.get("SWATH_PROFILE") or stored["current"]
    if not wanted:
        return None
    members = stored["profiles"].get(wanted)
    if members is None:
        names = ", ".join(stored["profiles"])
        hint = f"There are: {names}." if names else "This makes one: swath login."
        raise sign_in_error("unknown_profile", f'There is no profile "{wanted}". {hint}')
    try:
        return Profile(
            wanted, members["address"], members["kind"], members.get("account", ""), members.get("secret_place", "file")
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise sign_in_error("profile_damaged", f'The profile "{wanted}" is damaged. Sign in again: swath login.') from error


def save_profile(
    name: str, *, base_url: str, kind: Literal["key", "session"], account: str, secret: str
) -> Profile:
    """Stores a profile with its secret and makes it the current one, also of the command line."""
    place = _save_secret(name, secret)
    members = {"address": base_url, "kind": kind, "account": account, "secret_place": place}
    _change_profiles(lambda stored: {"current": name, "profiles": {**stored["profiles"], name: members}})
    return Profile(name, base_url, kind, account, place)


def replace_secret(name: str, secret: str) -> None:
    """Stores a new secret of a profile, and where it is: a keychain may have come or gone since the sign-in."""
    place = _save_secret(name, secret)
    profile = _read_profiles()["profiles"].get(name)
    if profile is not None and profile.get("secret_place") != place:
        moved = {**profile, "secret_place": place}
        _change_profiles(lambda stored: {**stored, "profiles": {**stored["profiles"], name: moved}})


def remove_profile(name: str) -> None:
    """Removes a profile with its secret; the current one becomes the first of the others."""
    keychain = _open_keychain()
    if keychain is not None:
        try:
            keychain.delete_password(_KEYCHAIN_SERVICE, name)
        except Exception:  # Each keychain has errors of its own; it is not there any more.
            pass
    secrets = {other: secret for other, secret in _read_secrets().items() if other != name}
    write_private_json(_secrets_file(), secrets)

    def without(stored: dict[str, Any]) -> dict[str, Any]:
        rest = {other: members for other, members in stored["profiles"].items() if other != name}
        current = next(iter(rest), None) if stored["current"] == name else stored["current"]
        return {"current": current, "profiles": rest}

    _change_profiles(without)


def session_lock() -> AbstractContextManager[object]:
    """Held while the session of a profile is renewed; the command line takes the same one."""
    return folder_lock(config_folder() / "lock")


def _profiles_file() -> Path:
    return config_folder() / "profiles.json"


def _secrets_file() -> Path:
    return config_folder() / "secrets.json"


def _read_profiles() -> dict[str, Any]:
    return {"current": None, "profiles": {}} | (_read(_profiles_file()) or {})


def _read_secrets() -> Mapping[str, str]:
    return _read(_secrets_file()) or {}


def _read(path: Path) -> dict[str, Any] | None:
    try:
        return read_private_json(path)
    except ValueError as error:
        raise sign_in_error("profile_damaged", str(error)) from error


def _change_profiles(change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    write_private_json(_profiles_file(), change(_read_profiles()))


def _save_secret(name: str, secret: str) -> SecretPlace:
    """Stores a secret in the keychain if it keeps it, and returns where it is."""
    keychain = _open_keychain()
    if keychain is not None:
        try:
            keychain.set_password(_KEYCHAIN_SERVICE, name, secret)
            if keychain.get_password(_KEYCHAIN_SERVICE, name) == secret:
                return "keychain"
        except Exception:  # Each keychain has errors of its own; it is locked, or nothing answers for it.
            pass
    write_private_json(_secrets_file(), {**_read_secrets(), name: secret})
    return "file"


def _read_keychain(name: str) -> str | None:
    keychain = _open_keychain()
    try:
        secret = None if keychain is None else keychain.get_password(_KEYCHAIN_SERVICE, name)
    except Exception:  # Each keychain has errors of its own.
        return None
    return secret if isinstance(secret, str) else None


def _open_keychain() -> Any:
    """None where there is no keychain, such as on servers and in containers, or where its package is not installed."""
    if os.environ.get("SWATH_NO_KEYCHAIN"):
        return None
    try:
        keyring = importlib.import_module("keyring")
        without_keychain = importlib.import_module("keyring.backends.fail").Keyring
    except ImportError:
        return None
    return None if isinstance(keyring.get_keyring(), without_keychain) else keyring


def _missing_secret(profile: Profile) -> str:
    if profile.secret_place == "keychain" and _open_keychain() is None:
        return f'The secret of the profile "{profile.name}" is in the keychain, which needs: pip install "swath[keyring]".'
    return f'The secret of the profile "{profile.name}" is not there any more: swath login --profile {profile.name}.'



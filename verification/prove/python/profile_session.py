"""Signs in and stores a profile, or uses the stored one, and lets its access token expire: profile_session.py login|use, with the settings
in the environment. Prints who is signed in."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from swath import Swath
from swath._sessions import ProfileStore


def main(command: str) -> None:
    if command == "login":
        settings = {name: os.environ[f"PROOF_{name.upper()}"] for name in ("username", "password")}
        client = Swath.login(os.environ["PROOF_URL"], **settings)
    else:
        client = Swath()
    with client:
        user = client.users.me()["user"]
        print(user["email"] if user else "nobody")
    store = ProfileStore("default")
    tokens = store.load()
    assert tokens is not None
    # Whoever calls next has to renew it.
    store.save(replace(tokens, expires_at=0))


main(sys.argv[1])

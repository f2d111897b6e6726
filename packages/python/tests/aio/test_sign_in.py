"""Sign-ins of each kind, renewal, and the profiles of the command line."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import swath
from fake_platform import LOST, Answer, FakePlatform, Received, problem, refusal, tokens
from swath import AsyncSwath
from swath._profiles import find_profile, remove_profile, save_profile
from swath._runtime import aio as runtime
from swath.auth import ClientCredentials, Device, DeviceCode, FileStore, MemoryStore, Password, SessionTokens, SignedIn
from swath.errors import ConnectionFailed, SignInError, Unauthenticated

ME = Answer({"kind": "user", "user": {"email": "a@example.org"}, "organization": {"name": "Acme"}})


def used_tokens(platform: FakePlatform) -> list[str | None]:
    return [request.token for request in platform.calls("users.me")]


def grants(platform: FakePlatform) -> list[str]:
    return [form["grant_type"] for form in forms(platform)]


def forms(platform: FakePlatform) -> list[dict[str, str]]:
    return [request.form() for request in platform.requests if request.path.endswith("/openid-connect/token")]


async def call_at_once(client: AsyncSwath, times: int) -> None:
    async def call(_: int) -> None:
        await client.users.me()

    async for _ in runtime.map_ordered(range(times), call, times):
        pass


async def test_many_callers_share_one_sign_in_and_one_renewal(platform: FakePlatform) -> None:
    platform.on("users.me", ME)
    platform.on_token(tokens("first", "r1", 900), tokens("second", "r2"))
    store = MemoryStore()
    async with AsyncSwath(platform.url, username="a", password="b", token_store=store) as client:
        await call_at_once(client, 8)
        assert set(used_tokens(platform)) == {"first"}
        store.save(SessionTokens("first", "r1", time.time() + 900))
        client._client._tokens._held = SessionTokens("first", "r1", 0)  # type: ignore[attr-defined]
        store.save(SessionTokens("first", "r1", 0))
        await call_at_once(client, 8)
    assert set(used_tokens(platform)[8:]) == {"second"}
    assert grants(platform) == ["password", "refresh_token"]


async def test_a_token_that_was_refused_is_renewed_once_for_all(platform: FakePlatform) -> None:
    def answer(request: Received) -> Answer:
        return problem(401, "unauthenticated") if request.token == "first" else ME

    platform.on("users.me", answer)
    platform.on_token(tokens("first", "r1"), tokens("second", "r2"))
    async with AsyncSwath(platform.url, auth=ClientCredentials("agent", "s")) as client:
        await call_at_once(client, 6)
    assert [(form["grant_type"], form.get("client_secret")) for form in forms(platform)] == [
        ("client_credentials", "s"),
        ("refresh_token", "s"),
    ]


async def test_a_session_that_has_ended_begins_again(platform: FakePlatform) -> None:
    platform.on("users.me", problem(401, "unauthenticated"), ME)
    platform.on_token(tokens("first", "r1"), refusal("invalid_grant"), tokens("second"))
    async with AsyncSwath(platform.url, username="a", password="b") as client:
        await client.users.me()
    assert grants(platform) == ["password", "refresh_token", "password"]
    assert used_tokens(platform) == ["first", "second"]


async def test_an_outage_does_not_end_a_session(platform: FakePlatform, waits: list[float]) -> None:
    platform.on_token(Answer(b"starting", 503), LOST, tokens("again"))
    platform.on("users.me", ME)
    store = MemoryStore(SessionTokens("old", "r1", 0))
    device = Device(on_code=lambda _: pytest.fail("a sign-in began"))
    async with AsyncSwath(platform.url, auth=device, token_store=store) as client:
        with pytest.raises(SignInError):
            await client.users.me()
        with pytest.raises(ConnectionFailed):
            await client.users.me()
        await client.users.me()
    assert grants(platform) == ["refresh_token"] * 3


async def test_tokens_that_live_shorter_than_the_margin_are_used(platform: FakePlatform) -> None:
    platform.on("users.me", ME)
    platform.on_token(tokens("short", "r1", 20))
    async with AsyncSwath(platform.url, username="a", password="b") as client:
        await client.users.me()
        await client.users.me()
    assert grants(platform) == ["password"]


async def test_a_session_is_kept_in_a_file_of_its_owner_alone(platform: FakePlatform, tmp_path: Path) -> None:
    platform.on("users.me", ME)
    platform.on_token(tokens("first", "r1"))
    path = tmp_path / "tokens.json"
    for _ in range(2):
        async with AsyncSwath(platform.url, username="a", password="b", token_store=FileStore(path)) as client:
            await client.users.me()
    assert len(forms(platform)) == 1
    assert path.stat().st_mode & 0o777 == 0o600
    stored = FileStore(path).load()
    assert stored is not None and (stored.access_token, stored.refresh_token) == ("first", "r1")
    assert "first" not in repr(stored)


async def test_the_session_of_a_file_is_for_its_platform_and_user_alone(platform: FakePlatform, tmp_path: Path) -> None:
    platform.on("users.me", ME)
    platform.on_token(tokens("of a", "r1"), tokens("of b", "r2"), tokens("elsewhere", "r3"))
    store = FileStore(tmp_path / "tokens.json")
    for url, name in ((platform.url, "a"), (platform.url, "b"), (platform.url.replace("127.0.0.1", "localhost"), "b")):
        async with AsyncSwath(url, username=name, password="p", token_store=store) as client:
            await client.users.me()
    assert used_tokens(platform) == ["of a", "of b", "elsewhere"] and grants(platform) == ["password"] * 3


async def test_a_second_factor_is_asked_for_its_code(platform: FakePlatform) -> None:
    required = refusal("invalid_grant", otp_required=True)
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return "123456"

    platform.on("users.me", ME)
    platform.on_token(required, tokens("first"))
    async with AsyncSwath(platform.url, auth=Password("a", "b", otp=ask, scope="items:*")) as client:
        await client.users.me()
    assert asked == ["It is invalid_grant."]
    assert (forms(platform)[1]["otp"], forms(platform)[1]["scope"]) == ("123456", "items:*")
    platform.on_token(required, tokens("second"))
    async with AsyncSwath(platform.url, auth=Password("a", "b", otp="654321")) as client:
        await client.users.me()
    assert forms(platform)[-1]["otp"] == "654321"


async def test_nobody_is_asked_without_a_terminal(platform: FakePlatform) -> None:
    platform.on_token(refusal("invalid_grant", otp_required=True))
    platform.on("/realms/public/protocol/openid-connect/auth/device", DEVICE)
    async with AsyncSwath(platform.url, username="a", password="b") as client:
        with pytest.raises(SignInError) as caught:
            await client.users.me()
    assert caught.value.is_otp_required
    with pytest.raises(SignInError, match="SWATH_KEY"):
        await AsyncSwath.login(platform.url)


DEVICE = Answer(
    {
        "device_code": "d",
        "user_code": "ABCD-EFGH",
        "verification_uri": "https://swath.example/device",
        "verification_uri_complete": "https://swath.example/device?user_code=ABCD-EFGH",
        "expires_in": 600,
        "interval": 2,
    }
)


async def test_a_device_waits_until_its_code_is_allowed_and_longer_if_it_is_told_to(
    platform: FakePlatform, waits: list[float]
) -> None:
    shown: list[DeviceCode] = []
    platform.on("/realms/public/protocol/openid-connect/auth/device", DEVICE)
    platform.on_token(refusal("authorization_pending"), refusal("slow_down"), LOST, tokens("t", "r"))
    platform.on("users.me", ME)
    async with AsyncSwath(platform.url, auth=Device(shown.append, scope="items:read")) as client:
        await client.users.me()
    assert ([code.user_code for code in shown], waits) == (["ABCD-EFGH"], [2, 2, 7, 7])
    assert forms(platform)[-1]["device_code"] == "d" and forms(platform)[-1]["client_id"] == "swath"
    platform.on_token(refusal("access_denied"))
    async with AsyncSwath(platform.url, auth=Device(shown.append)) as client:
        with pytest.raises(SignInError) as caught:
            await client.users.me()
    assert caught.value.code == "access_denied"


async def test_a_function_gives_tokens_and_is_told_of_a_refused_one(platform: FakePlatform) -> None:
    asked: list[str | None] = []

    async def token(refused: str | None) -> str:
        asked.append(refused)
        return "new" if refused else "old"

    platform.on("users.me", problem(401, "unauthenticated"), ME)
    async with AsyncSwath(platform.url, token=token) as client:
        await client.users.me()
    assert (asked, used_tokens(platform)) == ([None, "old"], ["old", "new"])


async def test_a_refused_key_is_a_problem_and_not_sent_twice(platform: FakePlatform) -> None:
    platform.on("users.me", problem(401, "unauthenticated"))
    async with AsyncSwath(platform.url, key="k") as client:
        with pytest.raises(Unauthenticated):
            await client.users.me()
    assert len(platform.requests) == 1


async def test_tokens_of_before_are_renewed_by_their_client_and_end(platform: FakePlatform) -> None:
    platform.on("users.me", ME)
    platform.on_token(tokens("renewed", "r2"), refusal("invalid_grant"))
    signed_in = SignedIn(SessionTokens("old", "r1", 0), "app")
    async with AsyncSwath(platform.url, auth=signed_in) as client:
        await client.users.me()
        assert used_tokens(platform) == ["renewed"] and forms(platform)[0]["client_id"] == "app"
        platform.on("users.me", problem(401, "unauthenticated"))
        with pytest.raises(SignInError) as caught:
            await client.users.me()
    assert caught.value.code == "session_ended"


@pytest.mark.parametrize(("stored", "expected"), [(None, "given"), (300, "given"), (1200, "stored")])
async def test_tokens_that_are_given_replace_those_of_an_earlier_session_but_not_newer_ones(
    platform: FakePlatform, stored: float | None, expected: str
) -> None:
    platform.on("users.me", ME)
    now = time.time()
    store = MemoryStore(None if stored is None else SessionTokens("stored", "r", now + stored))
    given = SignedIn(SessionTokens("given", "r", now + 600), "app")
    async with AsyncSwath(platform.url, auth=given, token_store=store) as client:
        await client.users.me()
    assert used_tokens(platform) == [expected]


async def test_a_web_application_signs_in_by_a_redirect(platform: FakePlatform) -> None:
    platform.on("users.me", ME)
    platform.on_token(tokens("t", "r"))
    started = swath.begin_sign_in(platform.url, "app", "https://app.example/back", "items:read")
    query = {name: values[0] for name, values in parse_qs(urlsplit(started.url).query).items()}
    assert (query["code_challenge_method"], query["scope"], query["state"]) == ("S256", "items:read", started.state)
    back = f"https://app.example/back?state={started.state}"
    async with await AsyncSwath.finish_sign_in(platform.url, started, f"{back}&code=c") as client:
        await client.users.me()
    assert (forms(platform)[0]["code"], forms(platform)[0]["code_verifier"]) == ("c", started.code_verifier)
    for url, code in [
        ("https://app.example/back?state=other&code=c", "invalid_state"),
        (f"{back}&error=access_denied", "access_denied"),
    ]:
        with pytest.raises(SignInError) as caught:
            await AsyncSwath.finish_sign_in(platform.url, started, url)
        assert caught.value.code == code


async def test_a_login_is_a_profile_of_the_command_line(platform: FakePlatform, config_folder: Path) -> None:
    platform.on("users.me", ME)
    platform.on_token(tokens("first", "r1", 900), tokens("second", "r2", 900))
    await (await AsyncSwath.login(platform.url, username="a", password="b")).close()
    stored = json.loads((config_folder / "profiles.json").read_text())
    expected = {"address": platform.url, "kind": "session", "account": "a@example.org of Acme", "secret_place": "file"}
    assert stored == {"current": "default", "profiles": {"default": expected}}
    secret = json.loads(json.loads((config_folder / "secrets.json").read_text())["default"])
    assert set(secret) == {"accessToken", "refreshToken", "expires_at_ms"} and secret["refreshToken"] == "r1"
    for name in ("profiles.json", "secrets.json"):
        assert (config_folder / name).stat().st_mode & 0o777 == 0o600
    platform.on("users.me", problem(401, "unauthenticated"), ME)
    async with AsyncSwath() as client:
        await client.users.me()
        assert client.base_url == platform.url
    renewed = json.loads(json.loads((config_folder / "secrets.json").read_text())["default"])
    assert renewed["refreshToken"] == "r2" and forms(platform)[-1]["client_id"] == "swath"
    assert not (config_folder / "lock").exists()


async def test_a_profile_with_a_key_calls_its_own_server_alone(platform: FakePlatform, config_folder: Path) -> None:
    platform.on("users.me", ME)
    await (await AsyncSwath.login(platform.url, key="k", profile="work")).close()
    async with AsyncSwath(profile="work") as client:
        await client.users.me()
    assert used_tokens(platform) == ["k", "k"]
    with pytest.raises(SignInError, match="not of https://other.example"):
        AsyncSwath("https://other.example", profile="work")
    with pytest.raises(SignInError, match='There is no profile "home". There are: work.'):
        AsyncSwath(profile="home")
    # Without a sign-in for it, another server is called without a token.
    public = FakePlatform()
    public.on("users.me", ME)
    async with AsyncSwath(public.url) as client:
        await client.users.me()
    assert used_tokens(public) == [None]
    public.close()
    remove_profile("work")
    assert find_profile() is None


async def test_a_session_of_a_profile_that_ended_says_the_way_out(platform: FakePlatform) -> None:
    secret = json.dumps(SessionTokens("old", "r1", 0).to_json())
    save_profile("work", base_url=platform.url, kind="session", account="a", secret=secret)
    platform.on_token(refusal("invalid_grant"))
    async with AsyncSwath() as client:
        with pytest.raises(SignInError, match="swath login --profile work"):
            await client.users.me()


async def test_the_environment_signs_in(platform: FakePlatform, monkeypatch: pytest.MonkeyPatch) -> None:
    platform.on("users.me", ME)
    platform.on_token(tokens("t"))
    for environment in [
        {"SWATH_URL": platform.url, "SWATH_KEY": "k"},
        {"SWATH_ADDRESS": f"{platform.url}/", "SWATH_USERNAME": "a", "SWATH_PASSWORD": "b"},
        {"SWATH_URL": platform.url, "SWATH_CLIENT_ID": "c", "SWATH_CLIENT_SECRET": "s"},
    ]:
        with monkeypatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            async with AsyncSwath() as client:
                await client.users.me()
    assert used_tokens(platform) == ["k", "t", "t"] and grants(platform) == ["password", "client_credentials"]
    with pytest.raises(SignInError, match="Swath.login"):
        AsyncSwath()
    monkeypatch.setenv("SWATH_KEY", "k")
    with pytest.raises(SignInError, match="SWATH_URL"):
        AsyncSwath()


async def test_the_secrets_of_the_environment_are_for_its_server_alone(
    platform: FakePlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform.on("users.me", ME)
    monkeypatch.setenv("SWATH_KEY", "secret")
    monkeypatch.setenv("SWATH_ADDRESS", "https://swath.example")
    with pytest.raises(SignInError, match="environment are for https://swath.example"):
        AsyncSwath(platform.url)
    async with AsyncSwath(platform.url, key="k") as client:
        await client.users.me()
    save_profile("work", base_url=platform.url, kind="key", account="a", secret="p")
    async with AsyncSwath(platform.url) as client:
        await client.users.me()
    monkeypatch.setenv("SWATH_ADDRESS", f"{platform.url}/")
    async with AsyncSwath(platform.url) as client:
        await client.users.me()
    assert used_tokens(platform) == ["k", "p", "secret"]


async def test_two_sign_ins_and_a_wrong_url_are_mistakes() -> None:
    with pytest.raises(ValueError, match="one way"):
        AsyncSwath("https://swath.example", key="k", username="a", password="b")
    with pytest.raises(ValueError, match="both"):
        AsyncSwath("https://swath.example", username="a")
    with pytest.raises(ValueError, match="not the URL"):
        AsyncSwath("swath.example", key="k")


@contextmanager
def keychain(monkeypatch: pytest.MonkeyPatch, kept: dict[tuple[str, str], str]) -> Iterator[None]:
    """A keychain of this process."""
    import keyring
    from keyring.backend import KeyringBackend

    class Keychain(KeyringBackend):
        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            return kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            kept[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            del kept[service, username]

    before = keyring.get_keyring()
    monkeypatch.delenv("SWATH_NO_KEYCHAIN")
    keyring.set_keyring(Keychain())
    try:
        yield
    finally:
        keyring.set_keyring(before)
        monkeypatch.setenv("SWATH_NO_KEYCHAIN", "1")


async def test_a_secret_is_in_the_keychain_where_there_is_one(
    platform: FakePlatform, monkeypatch: pytest.MonkeyPatch, config_folder: Path
) -> None:
    platform.on("users.me", ME)
    kept: dict[tuple[str, str], str] = {}
    with keychain(monkeypatch, kept):
        await (await AsyncSwath.login(platform.url, key="k")).close()
        assert kept == {("swath", "default"): "k"} and not (config_folder / "secrets.json").exists()
        async with AsyncSwath() as client:
            await client.users.me()
    with pytest.raises(SignInError, match="swath\\[keyring\\]"):
        AsyncSwath()
    assert used_tokens(platform) == ["k", "k"]


async def test_the_lock_of_a_process_that_was_killed_is_removed(platform: FakePlatform, config_folder: Path) -> None:
    platform.on("users.me", ME)
    platform.on_token(tokens("t", "r"))
    secret = json.dumps(SessionTokens("old", "r1", 0).to_json())
    save_profile("work", base_url=platform.url, kind="session", account="a", secret=secret)
    lock = config_folder / "lock"
    lock.mkdir()
    os.utime(lock, (0, 0))
    async with AsyncSwath() as client:
        await client.users.me()
    assert used_tokens(platform) == ["t"] and not lock.exists()


async def test_a_client_can_be_sent_to_other_processes_without_its_connections(platform: FakePlatform) -> None:
    import pickle

    platform.on("users.me", ME)
    async with AsyncSwath(platform.url, key="k", require_price=True) as client:
        await client.users.me()
        again = pickle.loads(pickle.dumps(client))
    async with again:
        await again.users.me()
    assert used_tokens(platform) == ["k", "k"] and repr(again) == f"AsyncSwath('{platform.url}')"
    with pytest.raises(TypeError, match="profile"):
        pickle.dumps(AsyncSwath(platform.url, auth=Device()))
    session = SignedIn(SessionTokens("t", "refresh", 9e9), "swath")
    with pytest.raises(TypeError, match="profile"):
        pickle.dumps(AsyncSwath(platform.url, auth=session))


def test_a_client_is_sent_with_the_sign_in_that_it_found(platform: FakePlatform, monkeypatch: pytest.MonkeyPatch) -> None:
    import pickle

    monkeypatch.setenv("SWATH_KEY", "k")
    monkeypatch.setenv("SWATH_URL", platform.url)
    text = pickle.dumps(AsyncSwath())
    monkeypatch.delenv("SWATH_KEY")
    monkeypatch.delenv("SWATH_URL")
    again = pickle.loads(text)
    assert type(again) is AsyncSwath and again.__reduce__()[1][1].options["auth"].key == "k"


async def test_a_code_is_shown_in_a_notebook(
    platform: FakePlatform, waits: list[float], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module: Any = type(sys)("ipykernel")
    monkeypatch.setitem(sys.modules, "ipykernel", module)
    platform.on("/realms/public/protocol/openid-connect/auth/device", DEVICE)
    platform.on_token(tokens("t", "r"))
    platform.on("users.me", ME)
    await (await AsyncSwath.login(platform.url)).close()
    assert "ABCD-EFGH" in capsys.readouterr().err

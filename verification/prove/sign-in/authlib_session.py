"""Signs in with Authlib: authlib_session.py <case as JSON>; prints one line per violation.

Authlib checks state, and of each ID token the signature, issuer, audience, expiry, nonce and at_hash."""
import html
import json
import re
import sys
from urllib.parse import parse_qs, urljoin, urlparse

import requests
from authlib.integrations.base_client import BaseApp, OAuthError
from authlib.integrations.base_client.sync_app import OAuth2Mixin
from authlib.integrations.base_client.sync_openid import OpenIDMixin
from authlib.integrations.requests_client import OAuth2Session

case = json.loads(sys.argv[1])


class Framework:
    """What Authlib expects of a web framework: it is told of refreshed tokens, which are kept here by hand."""

    def update_token(self, *_tokens, **_replaced):
        pass


class Client(OAuth2Mixin, OpenIDMixin, BaseApp):
    client_cls = OAuth2Session


def expect(is_met, what):
    if not is_met:
        print(f"Authlib: {what}")


client = Client(
    Framework(),
    client_id=case["client_id"],
    server_metadata_url=case["issuer"] + "/.well-known/openid-configuration",
    client_kwargs={
        "scope": "openid",
        "code_challenge_method": "S256",
        "token_endpoint_auth_method": "none",
        "revocation_endpoint_auth_method": "none",
    },
)
browser = requests.Session()
browser.headers["accept"] = "text/html"


def follow(url, *submissions):
    """Opens a URL, posts the form of each page, and returns the URL of the redirect that follows."""
    response = browser.get(url, allow_redirects=False)
    for values in submissions:
        action = html.unescape(re.search(r'<form method="post" action="([^"]*)"', response.text)[1])
        hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', response.text)
        fields = {name: html.unescape(value) for name, value in hidden}
        response = browser.post(urljoin(url, action), data={**fields, **values}, allow_redirects=False)
    return response.headers["location"]


def authorize(*submissions, **parameters):
    """Returns the tokens and the validated claims of the ID token."""
    request = client.create_authorization_url(case["redirect_uri"], **parameters)
    answer = {name: values[0] for name, values in parse_qs(urlparse(follow(request["url"], *submissions)).query).items()}
    if "error" in answer:
        raise OAuthError(error=answer["error"])
    expect(answer["state"] == request["state"], "the state is returned")
    expect(answer["iss"] == case["issuer"], "the response names the issuer")
    token = client.fetch_access_token(case["redirect_uri"], code=answer["code"], code_verifier=request["code_verifier"])
    return token, client.parse_id_token(token, nonce=request["nonce"])


password = {"email": case["email"], "password": case["password"]}
chosen = {"new_password": case["new_password"], "new_password_again": case["new_password"]}
token, claims = authorize(password, chosen)
expect(client.userinfo(token=token)["sub"] == claims["sub"], "userinfo has the subject of the ID token")

metadata = client.load_server_metadata()
with client._get_oauth_client(**metadata) as session:
    session.token = token
    refreshed = session.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
    expect(refreshed["refresh_token"] != token["refresh_token"], "a refresh token is rotated")
    expect(client.parse_id_token(refreshed, nonce=None)["sub"] == claims["sub"], "a refreshed ID token is valid")

silent, silent_claims = authorize(prompt="none")
expect(silent_claims["auth_time"] == claims["auth_time"], "a silent renewal is the same sign-in")
again, again_claims = authorize({"email": case["email"], "password": case["new_password"]}, prompt="login")
expect(again_claims["auth_time"] >= claims["auth_time"], "the user entered the password again")

with client._get_oauth_client(**metadata) as session:
    session.revoke_token(metadata["revocation_endpoint"], token=again["refresh_token"])
    try:
        session.refresh_token(metadata["token_endpoint"], refresh_token=again["refresh_token"])
        expect(False, "a revoked token is refused")
    except OAuthError as error:
        expect(error.error == "invalid_grant", f"a revoked token is refused with {error.error}")

logout = client.create_logout_url(case["post_logout_redirect_uri"], id_token_hint=silent["id_token"], state="bye")
location = follow(logout["url"])
expect(location == case["post_logout_redirect_uri"] + "?state=bye", f"logout redirects back, not to {location}")
try:
    authorize(prompt="none")
    expect(False, "logout ends the session of the browser")
except OAuthError as error:
    expect(error.error == "login_required", f"after logout the error is login_required, not {error.error}")
status = client.get(metadata["userinfo_endpoint"], token=silent).status_code
expect(status == 401, f"after logout userinfo returns 401, not {status}")

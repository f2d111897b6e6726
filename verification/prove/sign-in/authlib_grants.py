"""Walks every grant with Authlib: authlib_grants.py <case as JSON>; prints one line per violation."""
import html
import json
import re
import sys
from urllib.parse import parse_qs, urljoin, urlparse

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url

case = json.loads(sys.argv[1])
ALL = "items:read orders:read organizations:read"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
browser = requests.Session()
browser.headers["accept"] = "text/html"


def expect(is_met, what):
    if not is_met:
        print(f"Authlib, grants: {what}")


def error_of(work):
    try:
        work()
    except OAuthError as error:
        return error.error
    return None


def scopes(token):
    return " ".join(sorted(token["scope"].split(" ")))


def submit(response, values):
    """Posts the form of a page."""
    action = html.unescape(re.search(r'<form method="post" action="([^"]*)"', response.text)[1])
    hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', response.text)
    fields = {name: html.unescape(value) for name, value in hidden}
    return browser.post(urljoin(response.url, action), data={**fields, **values}, allow_redirects=False)


def follow(url, *submissions):
    """Opens a URL, posts the form of each page, and returns the URL of the redirect that follows."""
    response = browser.get(url, allow_redirects=False)
    for values in submissions:
        response = submit(response, values)
    return response.headers["location"]


metadata = AuthorizationServerMetadata(requests.get(get_well_known_url(case["issuer"], external=True)).json())
expect(metadata["issuer"] == case["issuer"], "the document of RFC 8414 names the issuer")
password = {"email": case["email"], "password": case["password"]}
allow = {"decision": "allow"}


def create_session(client_id, client_secret=None, scope=None):
    return OAuth2Session(
        client_id,
        client_secret,
        scope=scope,
        redirect_uri=case["redirect_uri"],
        code_challenge_method="S256",
        token_endpoint_auth_method="client_secret_basic" if client_secret else "none",
        revocation_endpoint_auth_method="client_secret_basic" if client_secret else "none",
    )


def authorize(session, *submissions):
    verifier = generate_token(48)
    url, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
    location = follow(url, *submissions)
    answer = {name: values[0] for name, values in parse_qs(urlparse(location).query).items()}
    expect(answer.get("iss") == case["issuer"], f"the response names the issuer: {answer}")
    return session.fetch_token(
        metadata["token_endpoint"], authorization_response=location, code_verifier=verifier, state=state
    )


def create_program(scope=None):
    return create_session(case["client_id"], case["client_secret"], scope)


def is_active(token):
    with create_program() as session:
        return session.introspect_token(metadata["introspection_endpoint"], token=token).json()["active"]


with create_program("openid items:read") as session:
    tokens = authorize(session, password, allow)
    expect(scopes(tokens) == "items:read openid", f"a code has the scopes of its request, not {scopes(tokens)}")
    info = session.get(metadata["userinfo_endpoint"]).json()
    expect(info["email"] == case["email"], "userinfo has the email")
    id_token = tokens["id_token"]

with create_program() as session:
    whole = authorize(session, allow)
    expect(scopes(whole) == ALL, f"without a scope a code has those of the client, not {scopes(whole)}")
    narrowed = session.refresh_token(metadata["token_endpoint"], refresh_token=whole["refresh_token"], scope="orders:read")
    expect(scopes(narrowed) == "orders:read", "a refresh narrows")
    wider = lambda: session.refresh_token(  # noqa: E731
        metadata["token_endpoint"], refresh_token=narrowed["refresh_token"], scope="billing:write"
    )
    expect(error_of(wider) == "invalid_scope", "a refresh never widens")
    expect(is_active(narrowed["access_token"]), "introspection knows the token")
    session.revoke_token(metadata["revocation_endpoint"], token=narrowed["refresh_token"])
    expect(not is_active(narrowed["access_token"]), "revocation ends the session")

for scope in ("items:read", None):
    with create_program(scope) as session:
        given = session.fetch_token(metadata["token_endpoint"], grant_type="client_credentials")
        expect(scopes(given) == (scope or ALL), f"a client has {scope or ALL}, not {scopes(given)}")
    with create_session("swath", scope=scope) as session:
        given = session.fetch_token(metadata["token_endpoint"], username=case["email"], password=case["password"])
        is_expected = scopes(given) == scope if scope else "orders:*" in given["scope"]
        expect(is_expected, f"a password gives {scope or 'all that are not privileged'}, not {scopes(given)}")
    with create_program(scope) as session:
        client = (case["client_id"], case["client_secret"])
        form = {"scope": scope} if scope else {}
        codes = requests.post(metadata["device_authorization_endpoint"], auth=client, data=form).json()
        page = browser.get(codes["verification_uri_complete"])
        expect(submit(page, allow).status_code == 200, "a device is allowed")
        given = session.fetch_token(metadata["token_endpoint"], grant_type=DEVICE, device_code=codes["device_code"])
        expect(scopes(given) == (scope or ALL), f"a device has {scope or ALL}, not {scopes(given)}")

agent = {"client_name": "Agent", "redirect_uris": [case["redirect_uri"]], "token_endpoint_auth_method": "none"}
registered = requests.post(metadata["registration_endpoint"], json=agent)
expect(registered.status_code == 201, f"a program registers itself: {registered.text}")
with create_session(registered.json()["client_id"], scope="items:read") as session:
    given = authorize(session, allow)
    expect(scopes(given) == "items:read", "a program that registered itself gets what was allowed")

logout = f"{metadata['end_session_endpoint']}?id_token_hint={id_token}&post_logout_redirect_uri={case['post_logout_redirect_uri']}"
expect(follow(logout, {}) == case["post_logout_redirect_uri"], "the end of the session redirects back")
expect(not is_active(tokens["access_token"]), "and ends the tokens")

"""What the calls of schemathesis have in common: a token that is always new, existing ids in place of invented ones, so that
calls reach beyond `not-found`, and a count of the answers, which is printed at the end as one line of JSON."""

import atexit
import collections
import json
import os
import threading
import time
import zlib

import requests
import schemathesis

values = json.loads(os.environ["SWATH_VALUES"])
paths = json.loads(os.environ["SWATH_PATHS"])
login = json.loads(os.environ["SWATH_LOGIN"])
token_url = os.environ["SWATH_ROOT"] + "/realms/public/protocol/openid-connect/token"

answers = collections.Counter()
lock = threading.Lock()


def filled(value, known=values):
    """The input with the value of each known field replaced by an existing one."""
    if isinstance(value, dict):
        return {name: known.get(name, filled(part, known)) for name, part in value.items()}
    return [filled(part, known) for part in value] if isinstance(value, list) else value


def filled_mostly(value, known):
    """The same, but for one input in four, which keeps what was invented."""
    text = json.dumps(value, sort_keys=True, default=str)
    return value if zlib.crc32(text.encode("utf-8", "replace")) % 4 == 0 else filled(value, known)


def values_of(path):
    """The values for the longest beginning of a path that has some."""
    return paths[max((prefix for prefix in paths if path.startswith(prefix)), key=len)]


@schemathesis.auth(refresh_interval=200)
class Token:
    def get(self, case, context):
        form = {"grant_type": "password", **login}
        response = requests.post(token_url, data=form, timeout=30)
        if response.status_code == 429:
            # Calls with wrong passwords, such as changes of the password, count against the account for some minutes.
            time.sleep(int(response.headers["retry-after"]))
            response = requests.post(token_url, data=form, timeout=30)
        response.raise_for_status()
        return response.json()["access_token"]

    def set(self, case, data, context):
        token = values_of(case.operation.path).get("scim_token", data)
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.hook
def map_body(context, body):
    known = values_of(context.operation.path).get("body", {})
    return filled_mostly(body, {**values, **known})


@schemathesis.hook
def map_query(context, query):
    return filled_mostly(query, values_of(context.operation.path)) if query else query


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    return filled_mostly(path_parameters, values_of(context.operation.path)) if path_parameters else path_parameters


@schemathesis.hook
def before_call(context, case, kwargs):
    # The answer of the route is judged, not that of the page that it redirects to.
    kwargs["allow_redirects"] = False
    # A stream of events ends after ten minutes unless the caller asks for less.
    if case.operation.path.endswith(("events.stream", "events/stream")):
        if case.method == "POST" and isinstance(case.body, dict):
            case.body["max_seconds"] = 1
        elif case.method == "GET":
            case.query["max_seconds"] = 1


@schemathesis.hook
def after_call(context, case, response):
    with lock:
        answers[response.status_code] += 1


@atexit.register
def print_answers():
    with open(os.environ["SWATH_ANSWERS"], "a") as file:
        file.write(json.dumps(answers) + "\n")

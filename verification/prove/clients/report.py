"""What a client did: the outcome of each capability, the requests that it sent, and the functions of its that were called."""

import inspect
import json
import pkgutil
import sys
import traceback
import re
import importlib


class Report:
    """Collects outcomes, and prints them as JSON lines."""

    def __init__(self, client):
        self.client = client
        self.outcomes = {}

    def capability(self, name, play, *arguments):
        """Plays one capability; a failure is reported and does not end the others. Returns what it returned, or None."""
        try:
            result = play(*arguments)
        except BaseException as error:  # pylint: disable=broad-except
            if isinstance(error, KeyboardInterrupt):
                raise
            place = traceback.extract_tb(error.__traceback__)[-1]
            body = getattr(getattr(error, "response", None), "text", "")
            detail = f"{type(error).__name__}: {error} {body[:300]} ({place.filename.split('/')[-1]}:{place.lineno})"
            self.print(name, False, detail)
            return None
        self.print(name, True, "")
        return result

    def print(self, name, passed, detail):
        print(json.dumps({"client": self.client, "capability": name, "passed": passed, "detail": detail}), flush=True)


class Requests:
    """Every request of the client, by the template of its path."""

    def __init__(self, address, rows):
        self.address = address
        self.rows = rows
        self.seen = {}
        self.failures = []

    def record(self, response):
        request = response.request
        if not request.url.startswith(self.address):
            return
        path = request.url[len(self.address) :].split("?")[0]
        for number, (method, pattern) in self.rows.items():
            if request.method == method and re.fullmatch(pattern, path):
                answered = self.seen.setdefault(number, [0, 0])
                answered[0] += 1
                answered[1] += response.ok or response.is_redirect
        if response.status_code >= 500:
            self.failures.append(f"{request.method} {path}: {response.status_code}")

    def install(self, requests):
        """The transport itself is not changed: what it returns is looked at."""
        send = requests.Session.send
        recorder = self

        def send_and_record(session, request, **options):
            response = send(session, request, **options)
            recorder.record(response)
            return response

        requests.Session.send = send_and_record

    def missing_rows(self):
        return [number for number in self.rows if self.seen.get(number, [0, 0])[1] == 0]


class CalledFunctions:
    """The public functions and methods of a package, and which of them were called."""

    def __init__(self, package, internal):
        self.prefix = package.__path__[0]
        self.public = {}
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if any(info.name.startswith(name) for name in internal):
                continue
            self.add_module(importlib.import_module(info.name))
        self.called = set()

    def add_module(self, module):
        for name, value in vars(module).items():
            if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
                continue
            if inspect.isclass(value):
                for member_name, member in vars(value).items():
                    if not member_name.startswith("_"):
                        self.add(f"{module.__name__}.{name}.{member_name}", member)
            else:
                self.add(f"{module.__name__}.{name}", value)

    def add(self, name, value):
        if isinstance(value, property):
            value = value.fget
        if getattr(value, "__isabstractmethod__", False):
            return
        function = inspect.unwrap(getattr(value, "__func__", value))
        code = getattr(function, "__code__", None)
        if code is not None and not name.split(".")[-1].startswith("_"):
            self.public[name] = code

    def start(self):
        prefix, called = self.prefix, self.called

        def profile(frame, event, _argument):
            if event == "call" and frame.f_code.co_filename.startswith(prefix):
                called.add(frame.f_code)

        sys.setprofile(profile)

    def stop(self):
        sys.setprofile(None)

    def missing(self):
        return sorted(name for name, code in self.public.items() if code not in self.called)

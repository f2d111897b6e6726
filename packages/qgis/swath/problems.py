"""Errors that a person can act on."""

import json
import re


# The token in the address of a file or of tiles, also inside another address.
TOKEN = re.compile(r"(key(?:=|%3D))(?:(?!%26)[^\s&:\"'<>])+", re.IGNORECASE)


def hide_tokens(text):
    """A text without the tokens in its addresses: messages and logs are sent to others."""
    return TOKEN.sub(r"\1…", text)


class SwathError(Exception):
    """Something failed that a person needs to know: a sentence, and what the server said about it.

    `problem` is the kind of a problem document (RFC 9457) such as `insufficient-credits`, `trace_id` names the call in the log of the
    server, `document` is the whole of it. All three are empty for failures without an answer.
    """

    def __init__(self, message, problem="", trace_id="", document=None, status=0):
        self.message = hide_tokens(message)
        super().__init__(self.message)
        self.problem = problem
        self.trace_id = trace_id
        self.document = document or {}
        self.status = status

    def __str__(self):
        return f"{self.message} (trace {self.trace_id})" if self.trace_id else self.message


# What a person can do about a problem, after the sentence of the server.
REMEDIES = {
    "unauthenticated": "Sign in again in the Swath panel.",
    "insufficient-credits": "Add credits in the console, or choose less.",
    "not-a-member": "Ask an administrator of the project for access.",
    "insufficient-scope": "Sign in with a key that has this permission.",
    "quote-expired": "Ask for the price again.",
    "rate-limited": "Wait a moment and try again.",
    "eula-not-accepted": "Accept the licence in the console first.",
}


def end_sentence(text):
    """A text with a capital and with a full stop."""
    text = text.strip()
    return (text[:1].upper() + text[1:]).rstrip(".") + "."


def read_problem(status, body):
    """The error of a response with a status of 400 or more; `body` is bytes."""
    try:
        document = json.loads(bytes(body).decode())
    except ValueError:
        document = None
    if not isinstance(document, dict):
        return SwathError(f"The server answered with status {status} and no reason. Is the address that of a Swath server?", status=status)
    problem = str(document.get("type", "")).rsplit("/", 1)[-1]
    fields = [str(field["message"]) for field in document.get("errors") or [] if isinstance(field, dict) and field.get("message")]
    # The `detail` of an invalid input is a list, for older clients; its sentences are those of the fields.
    detail = document.get("detail")
    stated = fields[:3] or [detail if isinstance(detail, str) else document.get("title") or f"The server refused with status {status}"]
    sentences = [end_sentence(text) for text in stated] if problem != "unauthenticated" else ["You are signed out, or the key has ended."]
    if problem in REMEDIES:
        sentences.append(REMEDIES[problem])
    return SwathError(" ".join(sentences), problem, str(document.get("trace_id", "")), document, status)

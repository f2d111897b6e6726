"""Puts names of what exists into generated inputs, so that calls reach beyond `not-found`."""

import json
import os

import schemathesis

values = json.loads(os.environ["SWATH_VALUES"])


def filled(value):
    """The input with each field of a known name replaced by the value that names something."""
    if isinstance(value, dict):
        return {name: values.get(name, filled(part)) for name, part in value.items()}
    return [filled(part) for part in value] if isinstance(value, list) else value


@schemathesis.hook
def map_body(context, body):
    return filled(body)

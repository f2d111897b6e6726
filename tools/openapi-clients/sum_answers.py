"""Prints how often each status was answered by the routes of each document: sum_answers.py FILE…

Fails if a document was not called, or if there were fewer calls than SWATH_MIN_CALLS: a judge that calls nothing finds nothing."""

import collections
import json
import os
import pathlib
import sys


def main(paths):
    total = collections.Counter()
    for path in map(pathlib.Path, paths):
        answers = collections.Counter()
        for line in path.read_text().splitlines():
            answers.update(json.loads(line))
        total.update(answers)
        print(describe(path.stem, answers))
        if not answers:
            sys.exit(f"{path.stem}: no calls")
    print(describe("all documents", total))
    min_calls = int(os.environ.get("SWATH_MIN_CALLS", "1"))
    if sum(total.values()) < min_calls:
        sys.exit(f"fewer than {min_calls} calls")


def describe(name, answers):
    statuses = ", ".join(f"{count} x {status}" for status, count in sorted(answers.items()))
    return f"{name}: {sum(answers.values())} calls, {sum(n for s, n in answers.items() if s >= '500' and s != '503')} server errors ({statuses})"


main(sys.argv[1:])

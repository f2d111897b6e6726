"""Runs commands one after the other: lists of words as JSON on standard input; processor time and most memory of all as JSON."""

import json
import resource
import subprocess
import sys

for command in json.load(sys.stdin):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"cpu_ms": 1000 * (usage.ru_utime + usage.ru_stime), "rss_mib": usage.ru_maxrss / 1024}))

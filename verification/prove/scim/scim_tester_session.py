"""Judges SCIM with scim2-tester: scim_tester_session.py <case as JSON>; prints one line per violation, and its results to stderr.

The judge fills attributes by their types alone. That a user name is an address of a verified domain of the organization cannot be read
from a schema (RFC 7643 has no word for it), so such addresses are made here; everything else is as the judge has it."""
import json
import sys
import uuid
from collections import Counter

import scim2_tester.filling as filling
from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

case = json.loads(sys.argv[1])
generate = filling.generate_random_value


def generate_in_domain(context, path, *arguments, **options):
    value = generate(context, path, *arguments, **options)
    if value is not None and str(path).lower().endswith("username"):
        return f"{uuid.uuid4()}@{case['domain']}"
    return value


filling.generate_random_value = generate_in_domain
for module in list(sys.modules.values()):
    if getattr(module, "generate_random_value", None) is generate:
        module.generate_random_value = generate_in_domain

http = Client(base_url=case["base_url"], headers={"Authorization": f"Bearer {case['token']}"}, timeout=30)
results = check_server(SyncSCIMClient(http))
counts = Counter(result.status for result in results)
for result in results:
    line = f"{result.status.name} {result.resource_type or ''} {result.title}: {result.reason or ''}"
    print(line, file=sys.stderr)
    if result.status in (Status.ERROR, getattr(Status, "CRITICAL", None)):
        print(f"scim2-tester: {line}")
print(", ".join(f"{count} {status.name}" for status, count in counts.items()), file=sys.stderr)
if counts[Status.SUCCESS] < 60:
    print(f"scim2-tester: only {counts[Status.SUCCESS]} checks have passed")

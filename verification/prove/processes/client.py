"""OWSLib as a client of OGC API - Processes at a running server: a request as JSON on standard input.

Prints one JSON line with the jobs that it executed and one for each thing that was not as the standard has it.
"""

import json
import sys
import time

from owslib.ogcapi.processes import Processes

CLASSES = ["ogcapi-processes-1/1.0/conf/core", "ogcapi-processes-1/1.0/conf/job-list", "ogcapi-processes-1/1.0/conf/dismiss"]
STATUSES = {"accepted", "running", "successful", "failed", "dismissed"}

request = json.load(sys.stdin)
headers = {"authorization": f"Bearer {request['token']}"}
client = Processes(f"{request['url']}/?workspaceId={request['project']}", headers=headers)
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def wait(job_id):
    for _ in range(600):
        info = client._request(path=f"jobs/{job_id}")
        expect(info["status"] in STATUSES, f"the status {info['status']} is not one of the standard")
        if info["status"] not in ("accepted", "running"):
            return info
        time.sleep(0.2)
    raise RuntimeError(f"the job {job_id} does not end")


conformance = client.conformance()["conformsTo"]
for name in CLASSES:
    expect(any(one.endswith(name) for one in conformance), f"the class {name} is not declared")
listed = {process["id"] for process in client.processes()}
for name in request["processes"]:
    expect(name in listed, f"the process {name} is not listed")
    described = client.process(name)
    expect(described["id"] == name and described["inputs"] and described["outputs"], f"{name} is not described")

inputs = {"item": request["item"], "expression": "b1 + 1", "title": "By OWSLib"}
started = client.execute("band-math", inputs, async_=True)
expect(started["status"] in ("accepted", "running"), f"an asynchronous job is {started['status']}")
expect(client.response_headers["Location"].endswith(started["jobID"]), "Location is not that of the job")
ended = wait(started["jobID"])
expect(ended["status"] == "successful" and ended["progress"] == 100, f"the job ended as {ended['status']}")
results = client._request(path=f"jobs/{started['jobID']}/results")
expect(len(results) > 0, "the job has no results")

at_once = client.execute("band-math", {**inputs, "expression": "b1 + 2"})
expect(len(at_once) > 0 and "status" not in at_once, "a synchronous execution does not answer its results")

failing = client.execute("band-math", {**inputs, "expression": "b1 / (b1 - b1)"}, async_=True)
expect(wait(failing["jobID"])["status"] == "failed", "a formula without numbers does not fail")
for name, refused in (("band-math", {"item": request["item"]}), ("nothing", {})):
    try:
        client.execute(name, refused, async_=True)
        problems.append(f"inputs of {name} that lack something were accepted")
    except RuntimeError:
        pass

raw = client.execute("band-math", {**inputs, "expression": "b1 + 2"}, response="raw")
expect(raw["type"] == "FeatureCollection" and len(raw["features"]) == 1, "raw results are no collection of features")

dismissed = client.execute("band-math", {**inputs, "expression": "b1 + 3"}, async_=True)
info = client._request(method="DELETE", path=f"jobs/{dismissed['jobID']}")
expect(info["status"] == "dismissed", f"a dismissed job is {info['status']}")
ended = client.execute("band-math", {**inputs, "expression": "b1 + 4"}, async_=True)
expect(wait(ended["jobID"])["status"] == "successful", "a job has not ended well")
info = client._request(method="DELETE", path=f"jobs/{ended['jobID']}")
expect(info["status"] == "dismissed", f"a finished job that is dismissed is {info['status']}")
try:
    client._request(path=f"jobs/{ended['jobID']}")
    problems.append("a finished job that was dismissed is still shown")
except RuntimeError as error:
    expect("no-such-job" in str(error), f"a removed job is {error}")
jobs = client._request(path="jobs")["jobs"]
expect(started["jobID"] in {job["jobID"] for job in jobs}, "the job is not listed")
print(json.dumps({"jobs": len(jobs), "processes": len(listed), "problems": problems}))

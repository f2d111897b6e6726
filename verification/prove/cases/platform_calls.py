"""What judges of this folder share: a request as JSON on standard input (url, token, project), calls, uploads and processes."""

import hashlib
import json
import os
import sys
import tempfile
import time

import rasterio
import requests

request = json.load(sys.stdin)
folder = tempfile.TemporaryDirectory()
headers = {"authorization": f"Bearer {request['token']}"}
problems = []
counts = {"checks": 0}


def expect(condition, text):
    counts["checks"] += 1
    if not condition:
        problems.append(text)


def near(value, other, tolerance=1e-9):
    return value is not None and abs(value - other) <= tolerance


class Refused(Exception):
    pass


# What is not done by then never is.
MAX_WAIT_S = 300


def wait(read, is_done):
    """What `read` returns once it is done; it is asked again until then, for a limited time."""
    end = time.monotonic() + MAX_WAIT_S
    while not is_done(found := read()):
        if time.monotonic() > end:
            raise TimeoutError(f"not done after {MAX_WAIT_S} s: {json.dumps(found)[:500]}")
        time.sleep(0.2)
    return found


def call(operation, **body):
    response = requests.post(f"{request['url']}/v1/op/{operation}", json=body, headers=headers, timeout=120)
    if not response.ok:
        raise Refused(f"{operation}: {response.status_code} {response.text[:500]}")
    return response.json()


def upload(path, **target):
    """The item of a file, or that of the target (`target_item_id`, `asset_key`); raises `Refused` with the reason."""
    with open(path, "rb") as file:
        content = file.read()
    session = call("uploads.initiate", project_id=request["project"], transfer_method="cli", total_bytes=len(content), **target)
    place = call("uploads.signed_url", upload_id=session["id"], file_name=os.path.basename(path), size_bytes=len(content))
    requests.put(place["upload_url"], data=content, timeout=60).raise_for_status()
    files = [{"object_path": place["object_path"], "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}]
    call("uploads.complete", upload_id=session["id"], files=files)
    done = wait(
        lambda: call("uploads.get", upload_id=session["id"])["upload"],
        lambda found: found["status"] not in ("uploaded", "ingesting"),
    )
    if not done.get("item_ids"):
        raise Refused(json.dumps(done))
    return done["item_ids"][0]


def execute(process, **inputs):
    """The item that a process makes; raises `Refused` with the reason."""
    created = call("processing.execute", process_id=process, workspaceId=request["project"], inputs=inputs)["job"]
    job = wait(
        lambda: call("processing.job.get", job_id=created["id"])["job"],
        lambda found: found["status"] in ("completed", "failed", "cancelled"),
    )
    if job["status"] != "completed":
        raise Refused(json.dumps(job.get("failure")))
    return job["item_ids"][0]


def feature(item):
    return call("items.get_stac", item_id=item)


def open_item(item):
    asset = next(asset for asset in feature(item)["assets"].values() if "data" in asset.get("roles", []))
    response = requests.get(asset["href"], headers=headers, timeout=60)
    response.raise_for_status()
    handle, path = tempfile.mkstemp(suffix=".tif", dir=folder.name)
    with os.fdopen(handle, "wb") as file:
        file.write(response.content)
    return rasterio.open(path)


def point(item, lon, lat):
    """The values of the bands at a place."""
    return [band["value"] for band in call("items.tile.point", item_id=item, lon=lon, lat=lat)["values"]]


def statistics(item, **options):
    return call("items.tile.statistics", item_id=item, **options)


def report(cases):
    """Prints the number of cases and checks, and what was wrong."""
    print(json.dumps({"cases": cases, **counts, "problems": problems}))

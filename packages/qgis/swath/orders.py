"""Orders, jobs and the items that they deliver."""

import time

from .problems import SwathError

ORDER_ENDS = ("FULFILLED", "FAILED_PERMANENTLY", "CANCELED")
JOB_ENDS = ("completed", "failed", "cancelled")
POLL_S = 2.0


def list_orders(client, size=50, feedback=None):
    """The newest orders."""
    return client.call("orders.list", {"size": size, "sort": "createdAt,desc"}, feedback=feedback)["content"]


def wait_for_order(client, order_id, feedback, timeout_s=86_400, poll_s=POLL_S):
    """The order once it has ended. Raises SwathError if it failed, or if the time is over while it goes on."""
    order = _wait(lambda: client.call("orders.get", {"order_id": order_id}, feedback=feedback), ORDER_ENDS, feedback, timeout_s, poll_s)
    if order["status"] != "FULFILLED":
        reason = (order.get("failureReason") or {}).get("text")
        raise SwathError(f"The order was not delivered ({order['status']}). {reason or ''}".strip())
    return order


def wait_for_job(client, job_id, feedback, timeout_s=86_400, poll_s=POLL_S):
    """The job once it has ended. Raises SwathError like `wait_for_order`."""
    job = _wait(lambda: client.call("processing.job.get", {"job_id": job_id}, feedback=feedback)["job"], JOB_ENDS, feedback, timeout_s, poll_s)
    if job["status"] != "completed":
        reason = (job.get("failure") or {}).get("text")
        raise SwathError(f"The job has {job['status']}. {reason or ''}".strip())
    return job


def _wait(read, ends, feedback, timeout_s, poll_s):
    end = time.monotonic() + timeout_s
    while True:
        entity = read()
        if entity["status"] in ends:
            return entity
        if feedback is not None:
            feedback.setProgress(float(entity.get("progress") or 0) * 100)
        pause_end = min(end, time.monotonic() + poll_s)
        while time.monotonic() < pause_end:
            if feedback is not None and feedback.isCanceled():
                raise SwathError("Cancelled. The work goes on at the server.")
            time.sleep(0.1)
        if time.monotonic() >= end:
            raise SwathError(f"It did not end within {timeout_s} s. It goes on at the server.")


def delivered_items(client, order_id, feedback=None):
    """What an order delivered: a list of items with their assets by key."""
    return client.call("orders.list_assets", {"order_id": order_id}, feedback=feedback)["features"]


def each_item(items, read, failures, feedback=None):
    """What `read(item)` returns of each item that it can read; the errors of the others are appended to `failures`, with their items."""
    results = []
    for item in items:
        try:
            results.append(read(item))
        except SwathError as error:
            if feedback is not None and feedback.isCanceled():
                raise
            failures.append(SwathError(f"{item['id']}: {error.message}", error.problem, error.trace_id, error.document, error.status))
    return results


def list_projects(client, feedback=None):
    """The projects that can take a delivery, as (id, name)."""
    return [(project["id"], project["name"]) for project in client.call("projects.list", {"limit": 100}, feedback=feedback)["projects"]]


def raster_assets(client, item_id, feedback=None):
    """The stored rasters of an item that QGIS can open, the data first."""
    assets = client.call("items.list_assets", {"item_id": item_id}, feedback=feedback)["assets"]
    rasters = [asset for asset in assets if asset["ready"] and asset["media_type"].startswith("image/tiff")]
    if not rasters:
        raise SwathError("The item has no raster file yet. Wait until it is delivered.")
    return sorted(rasters, key=lambda asset: "data" not in asset["roles"])

"""Processes of the server, as jobs whose results are items."""

from uuid import uuid4

from .orders import wait_for_job
from .problems import SwathError


def project_of_item(client, item_id, feedback=None):
    """The id of the project of an item."""
    return client.call("items.get", {"item_id": item_id}, feedback=feedback)["item"]["project_id"]


def run_process(client, process_id, inputs, max_credits, feedback=None, project_id=None):
    """Runs a process and waits. Returns the job, with `item_ids`. Raises SwathError, also if it would cost more than `max_credits`.

    Without a project the results go to that of the item in the inputs.
    """
    if project_id is None and "item" in inputs:
        project_id = project_of_item(client, inputs["item"], feedback)
    if project_id is None:
        raise SwathError("Choose the project for the results: the inputs name no item.")
    fields = {"process_id": process_id, "workspaceId": project_id, "inputs": inputs, "max_credits": max_credits}
    started = client.call("processing.execute", fields, idempotency_key=str(uuid4()), feedback=feedback)["job"]
    return wait_for_job(client, started["id"], feedback, poll_s=0.5)

"""Runs a notebook in an empty folder and writes its figures: run_notebook.py <notebook> <folder>.

Prints one JSON line: `seconds`, `cells`, `figures` (paths) and `failure`, the end of what went wrong, or null.
"""

from __future__ import annotations

import base64
import json
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError

CELL_TIMEOUT_S = 300
MAX_FAILURE_LENGTH = 3000


def run(path: Path, folder: Path) -> dict[str, object]:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    stored = [cell for cell in notebook.cells if cell.cell_type == "code" and (cell.outputs or cell.execution_count)]
    if stored:
        return {"failure": f"{len(stored)} cells have stored outputs, which do not belong into the repository"}
    folder.mkdir(parents=True)
    began = time.monotonic()
    failure = None
    try:
        NotebookClient(notebook, timeout=CELL_TIMEOUT_S, resources={"metadata": {"path": str(folder)}}).execute()
    except (CellExecutionError, CellTimeoutError) as error:
        failure = str(error)[-MAX_FAILURE_LENGTH:]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    figures = write_figures(code, folder)
    nbformat.write(notebook, folder / path.name)
    seconds = round(time.monotonic() - began, 1)
    return {"seconds": seconds, "cells": len(code), "figures": figures, "failure": failure}


def write_figures(cells: list[nbformat.NotebookNode], folder: Path) -> list[str]:
    paths = []
    for cell in cells:
        for output in cell.outputs:
            picture = output.get("data", {}).get("image/png")
            if picture is not None:
                path = folder / f"figure-{len(paths) + 1}.png"
                path.write_bytes(base64.b64decode(picture))
                paths.append(str(path))
    return paths


print(json.dumps(run(Path(sys.argv[1]), Path(sys.argv[2]))), flush=True)

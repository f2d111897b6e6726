"""An example of a worker outside of the server: computes a hillshade with numpy, of a job that was delegated to it.

Reads the answer of `processing.job.delegate` as JSON from standard input, with the URL of the server as `server`. Its token can
register the outputs of this job and call nothing else.
"""

import hashlib
import json
import sys
import tempfile

import numpy as np
import rasterio
import requests

DEGREES = 180 / np.pi
# WGS 84: semi-major axis in metres, and the square of the first eccentricity.
AXIS_M, ECCENTRICITY_2 = 6_378_137, 0.006_694_379_990_141_316


def ground_size(source):
    """Metres of a pixel to the east and to the south, for each row but the first and the last."""
    across, down = source.transform.a, -source.transform.e
    rows = np.arange(1, source.height - 1) + 0.5
    if not source.crs.is_geographic:
        metres = source.crs.linear_units_factor[1]
        return np.full(rows.shape, across * metres), np.full(rows.shape, down * metres)
    latitudes = (source.transform.f - rows * down) / DEGREES
    w = np.sqrt(1 - ECCENTRICITY_2 * np.sin(latitudes) ** 2)
    east = AXIS_M / w * np.cos(latitudes) / DEGREES
    south = AXIS_M * (1 - ECCENTRICITY_2) / w**3 / DEGREES
    return across * east, down * south


def hillshade(heights, size, azimuth, altitude, z_factor):
    """Horn's gradient over 3 x 3 pixels; 0 where a neighbour is missing."""
    to_east, to_south = (metres[:, np.newaxis] for metres in size)
    a, b, c = heights[:-2, :-2], heights[:-2, 1:-1], heights[:-2, 2:]
    d, f = heights[1:-1, :-2], heights[1:-1, 2:]
    g, h, i = heights[2:, :-2], heights[2:, 1:-1], heights[2:, 2:]
    east = z_factor * ((c + 2 * f + i) - (a + 2 * d + g)) / (8 * to_east)
    north = z_factor * ((a + 2 * b + c) - (g + 2 * h + i)) / (8 * to_south)
    light = [
        np.sin(azimuth / DEGREES) * np.cos(altitude / DEGREES),
        np.cos(azimuth / DEGREES) * np.cos(altitude / DEGREES),
        np.sin(altitude / DEGREES),
    ]
    cosine = (light[2] - east * light[0] - north * light[1]) / np.sqrt(1 + east**2 + north**2)
    shade = np.zeros(heights.shape, "uint8")
    found = np.floor(1.5 + 254 * np.maximum(0, cosine + heights[1:-1, 1:-1] * 0))
    shade[1:-1, 1:-1] = np.where(np.isnan(found), 0, found)
    return shade


def download(source, folder):
    response = requests.get(source["url"], timeout=60)
    response.raise_for_status()
    if source["sha256"] is not None and hashlib.sha256(response.content).hexdigest() != source["sha256"]:
        raise ValueError("the source is not the one of the job")
    path = f"{folder}/source.tif"
    with open(path, "wb") as file:
        file.write(response.content)
    return path


def compute(path, target, inputs):
    with rasterio.open(path) as source:
        heights = source.read(1, masked=True).astype("float64").filled(np.nan)
        heights = heights * source.scales[0] + source.offsets[0]
        profile = {"crs": source.crs, "transform": source.transform, "width": source.width, "height": source.height}
        size = ground_size(source)
    shade = hillshade(
        heights, size, inputs.get("azimuth", 315), inputs.get("altitude", 45), inputs.get("z_factor", 1)
    )
    with rasterio.open(target, "w", driver="GTiff", count=1, dtype="uint8", nodata=0, **profile) as result:
        result.write(shade, 1)


def main():
    assigned = json.load(sys.stdin)
    job, assignment = assigned["job"], assigned["assignment"]
    with tempfile.TemporaryDirectory() as folder:
        target = f"{folder}/result.tif"
        compute(download(assignment["sources"][0], folder), target, job["input_params"])
        with open(target, "rb") as file:
            content = file.read()
    output = assignment["outputs"][0]
    uploaded = requests.put(output["upload_url"], content, headers={"content-type": "image/tiff"}, timeout=60)
    uploaded.raise_for_status()
    registered = requests.post(
        f"{assigned['server']}/v1/op/processing.job.register",
        json={
            "job_id": job["id"],
            "outputs": [
                {
                    "name": output["name"],
                    "object_path": output["object_path"],
                    "sha256": hashlib.sha256(content).hexdigest(),
                }
            ],
        },
        headers={"authorization": f"Bearer {assignment['token']}"},
        timeout=60,
    )
    registered.raise_for_status()
    print(json.dumps(registered.json()))


main()

"""Inputs that once failed, at a running server: a request as JSON on standard input (url, token, project, scripts).

Runs the scripts of a folder, each of which writes its inputs beside itself, uploads them and compares what the server makes of them
with the right values. Prints one JSON line with the number of checks and what was wrong.
"""

import math
import os
import subprocess
import sys

import numpy as np
import requests

from platform_calls import Refused, call, execute, expect, feature, folder, headers, near, open_item, point, problems, report, request, statistics, upload


def web_mercator_text(folder):
    for name in ("webmerc_ESRI_102100.tif", "webmerc_EPSG_900913.tif"):
        west, south, east, north = feature(upload(f"{folder}/{name}"))["bbox"]
        expect(near((west + east) / 2, 10, 1e-6) and near((south + north) / 2, 50, 1e-6), f"{name} lies at {west}, {south}")


def mixed_offsets(folder):
    old, new, beside = (upload(f"{folder}/s2_{name}.tif") for name in ("old_20210101", "new_20230101", "old_beside_20210105"))
    for inputs in ({"items": [new, beside], "method": "first"}, {"items": [old, new], "method": "mean"}):
        try:
            with open_item(execute("mosaic", **inputs)) as raster:
                for band, right in ((1, 0.1), (2, 0.4)):
                    values = raster.read(band, masked=True).astype("f8") * raster.scales[band - 1] + raster.offsets[band - 1]
                    expect(np.allclose(values.compressed(), right, atol=1e-6), f"mosaic {inputs['method']}: {np.unique(values)}")
        except Refused as refusal:
            expect("scale" in str(refusal) or "offset" in str(refusal), f"mosaic is refused without a reason: {refusal}")


def over_the_pole(folder):
    west, south, east, north = feature(execute("reproject", item=upload(f"{folder}/pole_3413.tif"), epsg=4326))["bbox"]
    expect(near(north, 90, 1e-6) and west <= -179.9 and east >= 179.9 and south < 77.5, f"the pole is at {west, south, east, north}")


def times(folder):
    right = {
        "offset_write.tif": ("2024-05-31T22:10:31",),
        "offset.tif": ("2024-05-31T22:10:31",),
        "fraction.tif": ("2024-06-01T10:10:31.024",),
        "leap.tif": ("2016-12-31T23:59:59", "2017-01-01T00:00:00"),
    }
    for name, starts in right.items():
        found = feature(upload(f"{folder}/{name}"))["properties"]["datetime"]
        expect(found is not None and found.startswith(starts), f"{name} was taken at {found}")


def code_pages(folder):
    right = {
        "cp850_ldid2": "Établissement à côté",
        "cp437_ldid1": "ñandú",
        "cp850_cpg": "Établissement",
        "cp852_cpg": "Łódź Kraków",
        "cp865_ldid8": "København",
    }
    for name, text in right.items():
        features = call("items.features.list", item_id=upload(f"{folder}/{name}.zip"))["features"]
        expect(features[0]["properties"]["NAME"] == text, f"{name} is {features[0]['properties']}")


def doubles(folder):
    base = np.arange(256).reshape(16, 16)
    rasters = {
        "epoch": base * 0.001 + 1705276961.123,
        "ids": base + 4000000001,
        "seconds": base + 1705276961,
        "degrees": base * 1e-9 + 51.123456789,
    }
    for name, values in rasters.items():
        item = upload(f"{folder}/{name}.tif")
        first = statistics(item, expression="b1")["statistics"]
        for key, right in (("min", values.min()), ("max", values.max()), ("mean", values.astype("f8").mean())):
            expect(near(first[key], right, 2e-6 if name == "epoch" else 1e-9), f"{name}: {key} is {first[key]!r}, not {right!r}")


def over_the_poles(folder):
    item = upload(f"{folder}/era5_grid.tif")
    expect(feature(item)["bbox"] == [-180, -90, 180, 90], f"the grid covers {feature(item)['bbox']}")
    values = point(item, 0, 0)
    expect(values == [52], f"0, 0 is {values}")


def prefixed_kml(folder):
    features = call("items.features.list", item_id=upload(f"{folder}/prefixed.kml"))["features"]
    expect(len(features) == 1 and features[0]["properties"].get("name") == "field", f"prefixed.kml is {features}")


def qualified_value(folder):
    item = upload(f"{folder}/square.tif")
    ring = [[10.05, 50.5], [10.4, 50.5], [10.4, 50.8], [10.05, 50.8], [10.05, 50.5]]
    value = {"value": {"type": "Polygon", "coordinates": [ring]}, "mediaType": "application/geo+json"}
    response = requests.post(
        f"{request['url']}/processing/processes/clip/execution?workspaceId={request['project']}",
        json={"inputs": {"item": item, "geometry": value}},
        headers=headers,
        timeout=120,
    )
    expect(response.status_code in (200, 201), f"a qualified value: {response.status_code} {response.text[:200]}")


def item_without_time(_folder):
    collection = call("collections.create", project_id=request["project"], name="Cases")["id"]
    item = {
        "type": "Feature", "stac_version": "1.0.0", "id": "no-time", "geometry": {"type": "Point", "coordinates": [1, 1]},
        "bbox": [1, 1, 1, 1], "properties": {"datetime": None}, "links": [], "assets": {},
    }
    response = requests.post(f"{request['url']}/assets/stac/collections/{collection}/items", json=item, headers=headers, timeout=60)
    expect(response.status_code in (400, 422), f"an item without time: {response.status_code} {response.text[:200]}")


def beyond_180(folder):
    with open_item(execute("reproject", item=upload(f"{folder}/pacific_200_330.tif"), epsg=3857)) as raster:
        valid = int((raster.read_masks(1) > 0).sum())
        expect(near(raster.bounds.left, -17811118.5, 1) and raster.bounds.right < -3e6, f"the Pacific lies at {raster.bounds}")
        expect(near(valid, 7998, 400), f"the Pacific has {valid} pixels")


def slope(folder):
    with open_item(execute("slope", item=upload(f"{folder}/plane_3857.tif"))) as raster:
        found = float(raster.read(1)[raster.height // 2, raster.width // 2])
        expect(near(found, math.degrees(math.atan(0.1)), 0.02), f"the slope is {found}")


def overlapping(folder):
    box = lambda a, b, c, d: [[[a, b], [c, b], [c, d], [a, d], [a, b]]]
    area = {"type": "MultiPolygon", "coordinates": [box(10.05, 50.5, 10.3, 50.8), box(10.2, 50.6, 10.5, 50.9)]}
    item = upload(f"{folder}/square.tif")
    with open_item(execute("clip", item=item, geometry=area)) as raster:
        expect(int((raster.read_masks(1) > 0).sum()) == 1450, "the clip has not 1450 pixels")


def seam(folder):
    item = upload(f"{folder}/world.tif")
    for lon, lat, right in ((180, 10, (25, 88)), (-180, 10, (25,)), (0, -90, (87,))):
        try:
            [value] = point(item, lon, lat)
            expect(value in right, f"{lon}, {lat} is {value}")
        except Refused as refusal:
            expect(False, f"{lon}, {lat}: {refusal}")


CASES = {
    "01": web_mercator_text, "02": mixed_offsets, "03": over_the_pole, "04": times, "06": code_pages, "07": doubles,
    "08": over_the_poles, "09": prefixed_kml, "14": qualified_value, "16": item_without_time, "19": beyond_180, "21": slope,
    "26": overlapping, "27": seam,
}

scripts = os.path.abspath(request["scripts"])
for script in sorted(os.listdir(scripts)):
    if script.endswith(".py"):
        subprocess.run([sys.executable, os.path.join(scripts, script)], cwd=folder.name, check=True, stdout=subprocess.DEVNULL)
for number, judge in CASES.items():
    try:
        judge(folder.name)
    except Exception as error:
        problems.append(f"case {number}: {type(error).__name__}: {error}")
report(len(CASES))

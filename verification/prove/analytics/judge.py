"""Judges the analytics: a list of cases as JSON on standard input, one JSON line for each on standard output.

Pixels are read by rasterio and measured by numpy; fractions of pixels come from exactextract, formulas from spyndex.
"""

import json
import sys

import numpy as np
import rasterio
import spyndex
from exactextract import exact_extract
from exactextract.raster import NumPyRasterSource
from rasterio.features import geometry_mask
from rasterio.warp import transform, transform_bounds, transform_geom
from rasterio.windows import Window

FUNCTIONS = {"sqrt": np.sqrt, "abs": np.abs, "log": np.log, "exp": np.exp}


def values_of(dataset, value, window=None):
    """The values of a band, or of a formula in float32 as the product computes it; NaN where there is none."""

    def read(band, scaled):
        data = dataset.read(band, window=window).astype("float64")
        valid = dataset.read_masks(band, window=window) > 0
        if scaled:
            data = data * dataset.scales[band - 1] + dataset.offsets[band - 1]
        return np.where(valid & ~np.isnan(data), data, np.nan)

    if "band" in value:
        return read(value["band"], value["scaled"])
    bands = {name: read(band, value["scaled"]) for name, band in value["names"].items()}
    with np.errstate(all="ignore"):
        result = eval(value["formula"], {"__builtins__": {}}, {**FUNCTIONS, **bands})
        result = np.asarray(result).astype("float32").astype("float64")
    return np.where(np.isfinite(result), result, np.nan)


def summarise(values, weights, case):
    """Statistics of values; percentiles are numpy's linear, or with weights its inverted distribution."""
    if values.size == 0:
        return {"count": 0}
    quantiles = np.array(case.get("percentiles", []) + [50]) / 100
    total = weights.sum()
    mean = (values * weights).sum() / total
    if case.get("weighted"):
        found = np.quantile(values, quantiles, weights=weights, method="inverted_cdf")
    else:
        found = np.quantile(values, quantiles)
    answer = {
        "count": total,
        "sum": (values * weights).sum(),
        "mean": mean,
        "min": values.min(),
        "max": values.max(),
        "std": np.sqrt((weights * (values - mean) ** 2).sum() / total),
        "percentiles": found.tolist(),
    }
    if case.get("bins"):
        counts, edges = np.histogram(values, case["bins"], weights=weights)
        answer |= {"counts": counts.tolist(), "edges": edges.tolist()}
    if case.get("categories"):
        kinds, place = np.unique(values, return_inverse=True)
        answer["categories"] = [kinds.tolist(), np.bincount(place, weights).tolist()]
    return answer


max_sliver = 1e-6


def weighted_zone(values, dataset, geometry, case):
    bounds = dataset.bounds
    source = NumPyRasterSource(values, bounds.left, bounds.bottom, bounds.right, bounds.top, nodata=np.nan)
    feature = {"type": "Feature", "properties": {}, "geometry": geometry}
    operations = ["count", "sum", "mean", "min", "max", "stdev", "values", "coverage"]
    [found] = exact_extract(source, [feature], operations)
    found = found["properties"]
    values, weights = np.asarray(found["values"]), np.asarray(found["coverage"])
    kept = ~np.isnan(values) & (weights > 0)
    answer = summarise(values[kept], weights[kept], case)
    own = {"count": "count", "sum": "sum", "mean": "mean", "min": "min", "max": "max", "std": "stdev"}
    # Rounding of positions decides whether so small a part of a pixel is inside; both are right.
    slivers = kept & (weights < max_sliver)
    wide = kept & ~slivers
    without = {"without_slivers": summarise(values[wide], weights[wide], case)} if slivers.any() else {}
    # What exactextract says itself counts; numpy adds what it has no operation for.
    return answer | without | ({name: found[other] for name, other in own.items()} if answer["count"] > 0 else {})


def judge_zones(case):
    with rasterio.open(case["path"]) as dataset:
        values = values_of(dataset, case["value"])
        answers = []
        for degrees in case["zones"]:
            geometry = transform_geom("EPSG:4326", dataset.crs, degrees)
            if case["weighted"]:
                answers.append(weighted_zone(values, dataset, geometry, case))
                continue
            inside = geometry_mask([geometry], values.shape, dataset.transform, invert=True)
            found = values[inside & ~np.isnan(values)]
            answers.append(summarise(found, np.ones(found.size), case))
    return answers


def judge_histogram(case):
    with rasterio.open(case["path"]) as dataset:
        values = values_of(dataset, case["value"])
    found = values[~np.isnan(values)]
    return summarise(found, np.ones(found.size), case)


def judge_window(case):
    with rasterio.open(case["path"]) as dataset:
        box = case["bbox"]
        degrees = [box[name] for name in ("west", "south", "east", "north")]
        left, bottom, right, top = transform_bounds("EPSG:4326", dataset.crs, *degrees, densify_pts=19)
        inverse = ~dataset.transform
        (x0, y0), (x1, y1) = inverse * (left, top), inverse * (right, bottom)
        x0, y0 = max(0, int(np.floor(x0))), max(0, int(np.floor(y0)))
        x1, y1 = min(dataset.width, int(np.ceil(x1))), min(dataset.height, int(np.ceil(y1)))
        values = values_of(dataset, case["value"], Window(x0, y0, x1 - x0, y1 - y0))
    found = values[~np.isnan(values)]
    return summarise(found, np.ones(found.size), case) | {"size": [x1 - x0, y1 - y0]}


def judge_change(case):
    with rasterio.open(case["before"]) as first, rasterio.open(case["after"]) as second:
        before, after = (values_of(one, case["value"]).astype("float32") for one in (first, second))
        geometry = transform_geom("EPSG:4326", first.crs, case["geometry"])
        inside = geometry_mask([geometry], before.shape, first.transform, invert=True)
    change = (after - before)[inside]
    found = change[~np.isnan(change)].astype("float64")
    threshold = case["threshold"]
    return summarise(found, np.ones(found.size), case) | {
        "pixels": int(inside.sum()),
        "increased": int((found >= threshold).sum()),
        "decreased": int((found <= -threshold).sum()),
    }


def judge_points(case):
    with rasterio.open(case["path"]) as dataset:
        values = values_of(dataset, case["value"])
        xs, ys = transform("EPSG:4326", dataset.crs, *zip(*case["positions"]))
        inverse = ~dataset.transform
        answers = []
        for x, y in zip(xs, ys):
            column, row = (int(np.floor(at)) for at in inverse * (x, y))
            inside = 0 <= column < dataset.width and 0 <= row < dataset.height
            value = values[row, column] if inside else np.nan
            answers.append(None if np.isnan(value) else float(value))
    return answers


def judge_indices(case):
    bands = {name: np.array(values) for name, values in case["bands"].items()}
    answers = {}
    by_lower_case = {name.lower(): name for name in spyndex.indices}
    for own, (name, constants) in case["indices"].items():
        listed = name if name in spyndex.indices else by_lower_case[name.lower()]
        index = spyndex.indices[listed]
        used = {name: bands[name] if name in bands else constants[name] for name in index.bands}
        with np.errstate(all="ignore"):
            values = np.asarray(spyndex.computeIndex(listed, used), "float64")
        answers[own] = [float(value) if np.isfinite(value) else None for value in np.atleast_1d(values)]
    return answers


def judge_sensors(_case):
    answers = {}
    for symbol in spyndex.bands:
        band = spyndex.bands[symbol]
        for name in dir(band):
            sensor = getattr(band, name)
            if hasattr(sensor, "bandwidth"):
                answers.setdefault(name, []).append([symbol, sensor.band, sensor.wavelength, sensor.bandwidth])
    return answers


JUDGES = {
    "zones": judge_zones,
    "histogram": judge_histogram,
    "window": judge_window,
    "change": judge_change,
    "points": judge_points,
    "indices": judge_indices,
    "sensors": judge_sensors,
}

for one in json.load(sys.stdin):
    print(json.dumps(JUDGES[one["kind"]](one), default=float), flush=True)

"""Processes that take several rasters, at a running server: a request as JSON on standard input (url, token, project).

Pairs of rasters that differ in scale, offset, nodata, sample type, order of bands, size or unit are written with rasterio; what each
process makes of them is compared with numpy, in the values that the samples stand for. Prints one JSON line.
"""

import os
import warnings

import numpy as np
import rasterio
from rasterio.transform import from_origin

from platform_calls import Refused, execute, expect, folder, open_item, problems, report, upload

SIZE, SHIFT, PIXEL = 24, 8, 10.0
ORIGIN = (600_000.0, 5_600_000.0)
random = np.random.default_rng(7)

# What the values of both rasters are multiples of: every encoding below stores them exactly.
STEP = 0.02


def values_of(seed, bands=2):
    """Values of two bands with holes, as a masked array: multiples of 0.02 from 0.02 to 3."""
    generator = np.random.default_rng(seed)
    values = generator.integers(1, 150, (bands, SIZE, SIZE)) * STEP
    holes = np.broadcast_to(generator.random((1, SIZE, SIZE)) < 0.1, values.shape)
    return np.ma.MaskedArray(values, holes.copy())


def write(name, values, *, dtype="uint16", scale=0.01, offset=0.0, nodata=0, names=("red", "nir"), unit=None, pixel=PIXEL, left=0, mask=False):
    """A file whose samples stand for the values. `left`: pixels of 10 m by which it lies east of the origin."""
    path = os.path.join(folder.name, f"{name}.tif")
    samples = (values.filled(0) - offset) / scale
    samples = np.round(samples) if not dtype.startswith("float") else samples
    if nodata is not None:
        samples = np.where(values.mask, nodata, samples)
    profile = {
        "driver": "GTiff", "width": values.shape[2], "height": values.shape[1], "count": values.shape[0], "dtype": dtype,
        "crs": "EPSG:32632", "transform": from_origin(ORIGIN[0] + left * PIXEL, ORIGIN[1], pixel, pixel), "nodata": nodata,
    }
    with rasterio.open(path, "w", **profile) as raster:
        raster.write(samples.astype(dtype))
        raster.scales, raster.offsets = [scale] * values.shape[0], [offset] * values.shape[0]
        raster.descriptions = list(names)[: values.shape[0]]
        if unit:
            raster.units = [unit] * values.shape[0]
        if mask:
            raster.write_mask(~values.mask[0])
        raster.update_tags(TIFFTAG_DATETIME="2024:05:01 10:00:00")
    return path


def read_physical(item):
    """The values of an item's bands by name, and its grid."""
    with open_item(item) as raster:
        samples = raster.read().astype("f8")
        valid = raster.read_masks() > 0
        names = [name or str(index) for index, name in enumerate(raster.descriptions)]
        scaled = samples * np.array(raster.scales)[:, None, None] + np.array(raster.offsets)[:, None, None]
        valid &= ~np.isnan(scaled)
        steps = [abs(scale) if np.issubdtype(np.dtype(raster.dtypes[0]), np.integer) else 0 for scale in raster.scales]
        return {name: np.ma.MaskedArray(scaled[i], ~valid[i]) for i, name in enumerate(names)}, raster.transform, dict(zip(names, steps))


def join(first, second, method):
    """The join of two rasters, the second `SHIFT` pixels east, in numpy."""
    bands, height, width = first.shape
    stack = np.ma.masked_all((2, bands, height, width + SHIFT))
    stack[0, :, :, :width] = first
    stack[1, :, :, SHIFT : SHIFT + second.shape[2]] = second
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if method in ("first", "last"):
            top, below = (stack[0], stack[1]) if method == "first" else (stack[1], stack[0])
            # A pixel is taken whole: it is valid where one of its bands is.
            has = ~np.ma.getmaskarray(top).all(axis=0)
            return np.ma.where(has[None], top, below)
        combine = {"mean": np.ma.mean, "median": np.ma.median, "lowest": np.ma.min, "highest": np.ma.max}[method]
        return combine(stack, axis=0)


def compare(label, found, right, step):
    found, right = np.ma.asarray(found), np.ma.asarray(right)
    if found.shape != right.shape:
        return expect(False, f"{label}: {found.shape}, not {right.shape}")
    same = (np.ma.getmaskarray(found) == np.ma.getmaskarray(right)).all()
    expect(same, f"{label}: other pixels are valid")
    tolerance = max(1e-6, step / 2 * 1.0001)
    difference = np.ma.abs(found - right).compressed()
    expect(difference.size > 0 and difference.max() <= tolerance, f"{label}: differs by up to {difference.max() if difference.size else 'nothing'}")


# How the second raster of a pair differs from one of uint16, scale 0.01, no offset and nodata 0; and from what the first does.
PAIRS = {
    "nothing": ({}, {}),
    "offset": ({}, {"offset": -1.0}),
    "scale": ({}, {"scale": 0.02}),
    "scale and offset": ({"offset": -1.0}, {"scale": 0.002, "offset": -0.1}),
    "one without a scale": ({"dtype": "float32", "scale": 1.0, "nodata": -9999}, {}),
    "nodata": ({}, {"nodata": 65535}),
    "nodata and a mask": ({}, {"nodata": None, "mask": True}),
    "nodata and NaN": ({}, {"dtype": "float32", "scale": 1.0, "nodata": float("nan")}),
    "signed": ({}, {"dtype": "int16", "nodata": -1}),
    "bytes": ({"dtype": "uint8", "scale": 0.02}, {}),
    "wide integers": ({}, {"dtype": "int32", "scale": 0.0001, "nodata": -2147483648}),
    "doubles": ({"dtype": "float32", "scale": 1.0, "nodata": -1}, {"dtype": "float64", "scale": 1.0, "nodata": -9999}),
    "order of bands": ({}, {"names": ("nir", "red")}),
    "larger pixels": ({}, {"pixel": 2 * PIXEL}),
}


def judge_join(name, how_first, how_second):
    first, second = values_of(1), values_of(2)
    if how_second.get("pixel"):
        second = second[:, : SIZE // 2, : SIZE // 2]
        shown = second.repeat(2, axis=1).repeat(2, axis=2)
    else:
        shown = second
    if how_second.get("names") == ("nir", "red"):
        shown = shown[::-1]
    slug = name.replace(" ", "-")
    items = [upload(write(f"{slug}-1", first, **how_first)), upload(write(f"{slug}-2", second, left=SHIFT, **how_second))]
    methods = [("mosaic", method) for method in ("first", "last", "mean", "median", "lowest", "highest")]
    for process, method in [*methods, *(("composite", method) for method in ("median", "mean", "lowest", "highest"))]:
        label = f"{process} {method}, {name}"
        try:
            period = {"period": "all"} if process == "composite" else {}
            found, _, steps = read_physical(execute(process, items=items, method=method, **period))
        except Refused as refusal:
            expect(False, f"{label}: {refusal}")
            continue
        right = join(first, shown, method)
        for index, band in enumerate(("red", "nir")):
            compare(f"{label}, {band}", found[band], right[index], steps[band])


REFUSALS = {
    "number of bands": ({}, {"count": 1}, "bands"),
    "unit": ({"unit": "K"}, {"unit": "degC"}, "unit"),
    "some bands": ({"names": ("red", "nir")}, {"names": ("red", "swir16")}, "band"),
}


def judge_refusal(name, how_first, how_second, word):
    how_second = dict(how_second)
    second = values_of(2, how_second.pop("count", 2))
    slug = name.replace(" ", "-")
    items = [upload(write(f"refused-{slug}-1", values_of(1), **how_first)), upload(write(f"refused-{slug}-2", second, left=SHIFT, **how_second))]
    for process, more in (("mosaic", {}), ("composite", {"period": "all"})):
        try:
            execute(process, items=items, **more)
            expect(False, f"{process} of another {name} is not refused")
        except Refused as refusal:
            expect(word in str(refusal), f"{process} of another {name} is refused without the reason: {refusal}")


# How the second raster of one item differs from the first.
BESIDE = {name: PAIRS[name] for name in PAIRS if name not in ("order of bands", "larger pixels")}


def judge_bands_of_one_item(name, how_first, how_second):
    """Formulas and pan-sharpening over two files of an item."""
    first, second = values_of(3), values_of(4, 1)
    slug = name.replace(" ", "-")
    item = upload(write(f"item-{slug}-1", first, **how_first))
    upload(write(f"item-{slug}-2", second, **{**how_second, "names": ("pan",)}), target_item_id=item, asset_key="pan")
    red, nir, pan = first[0], first[1], second[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        formulas = {"pan * 2 - red": pan * 2 - red, "(nir - pan) / (nir + pan)": (nir - pan) / (nir + pan)}
    for formula, right in formulas.items():
        label = f"band-math {formula}, {name}"
        try:
            found, _, _ = read_physical(execute("band-math", item=item, expression=formula))
            compare(label, next(iter(found.values())), right, 0)
        except Refused as refusal:
            expect(False, f"{label}: {refusal}")
    label = f"spectral-index NDVI, {name}"
    try:
        mapping = {"red": "red", "nir": "pan"}
        found, _, _ = read_physical(execute("spectral-index", item=item, index="ndvi", band_mapping=mapping))
        compare(label, next(iter(found.values())), (pan - red) / (pan + red), 0)
    except Refused as refusal:
        expect(False, f"{label}: {refusal}")
    label = f"pan-sharpen, {name}"
    try:
        found, _, steps = read_physical(execute("pan-sharpen", item=item, bands=["red", "nir"], resampling="nearest"))
        valid = ~(np.ma.getmaskarray(red) | np.ma.getmaskarray(nir) | np.ma.getmaskarray(pan))
        for band, values in (("red", red), ("nir", nir)):
            right = np.ma.MaskedArray(values.filled(1) * pan.filled(1) / ((red.filled(1) + nir.filled(1)) / 2), ~valid)
            judge_sharpened(f"{label}, {band}", found[band], right, steps[band], how_first)
    except Refused as refusal:
        expect(False, f"{label}: {refusal}")


def judge_sharpened(label, found, right, step, how):
    """Samples are limited to those of their type: values beyond are its ends."""
    limits = {"uint8": 255, "uint16": 65535}
    dtype = how.get("dtype", "uint16")
    if dtype in limits:
        top = limits[dtype] * how.get("scale", 0.01) + how.get("offset", 0.0)
        right = np.ma.minimum(right, top)
    compare(label, found, right, step)


def judge_cloud_mask(name, how):
    """A classification on the same or a coarser grid masks an image."""
    image = values_of(5)
    coarse = how.get("pixel") == 2 * PIXEL
    classes = random.integers(3, 11, (1, SIZE // 2, SIZE // 2) if coarse else (1, SIZE, SIZE)).astype("f8")
    shown = classes.repeat(2, axis=1).repeat(2, axis=2) if coarse else classes
    slug = name.replace(" ", "-")
    item = upload(write(f"mask-{slug}-1", image))
    written = write(f"mask-{slug}-2", np.ma.MaskedArray(classes, np.zeros(classes.shape, bool)), **{"scale": 1.0, "names": ("scl",), **how})
    upload(written, target_item_id=item, asset_key="scl")
    label = f"cloud-mask, {name}"
    try:
        found, _, steps = read_physical(execute("cloud-mask", item=item, mask_asset_key="scl", classes=[8, 9]))
    except Refused as refusal:
        return expect(False, f"{label}: {refusal}")
    hidden = np.isin(shown[0], [8, 9])
    for index, band in enumerate(("red", "nir")):
        right = np.ma.MaskedArray(image[index].filled(0), np.ma.getmaskarray(image[index]) | hidden)
        compare(f"{label}, {band}", found[band], right, steps[band])


MASKS = {
    "bytes": {"dtype": "uint8"},
    "16 bits": {"dtype": "uint16", "nodata": 65535},
    "without nodata": {"dtype": "uint8", "nodata": None},
    "larger pixels": {"dtype": "uint8", "pixel": 2 * PIXEL},
}

cases = 0
for judge, rows in ((judge_join, PAIRS), (judge_refusal, REFUSALS), (judge_bands_of_one_item, BESIDE), (judge_cloud_mask, {name: (how,) for name, how in MASKS.items()})):
    for name, row in rows.items():
        cases += 1
        try:
            judge(name, *row)
        except Exception as error:
            problems.append(f"{judge.__name__} {name}: {type(error).__name__}: {error}")
report(cases)

"""What the readers share: the server's STAC API, its files, and how rasterio reads the same."""

import os

import numpy
import rasterio

# GDAL looks for no files beside the one that it opens, as is usual for files behind HTTP.
GDAL_OPTIONS = {"GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR", "GDAL_HTTP_MAX_RETRY": "0"}


def authorization(request):
    return {"Authorization": f"Bearer {request['token']}"}


def catalog_of(request):
    return f"{request['address']}/assets/stac"


def item_url(request, file):
    return f"{catalog_of(request)}/collections/{file['collection']}/items/{file['item']}"


def let_gdal_in(request):
    """GDAL sends the key with each of its requests, in every thread of the process."""
    os.environ.update(GDAL_OPTIONS, GDAL_HTTP_HEADERS=f"Authorization: Bearer {request['token']}")


def read_uploaded(file, band=1):
    """The samples and the profile of a file as it was before its upload."""
    with rasterio.open(file["path"]) as dataset:
        return dataset.read(band), dataset.profile


def assert_same(found, expected):
    found = numpy.asarray(found)
    assert found.shape == expected.shape, (found.shape, expected.shape)
    assert expected.max() > expected.min(), "an empty image proves nothing"
    assert numpy.array_equal(found, expected), f"{numpy.mean(found != expected):.1%} of the samples differ"


def refused(errors, play, *words):
    """Fails unless a call is refused with one of the errors and a text that has the words. Returns the text."""
    try:
        play()
    except errors as error:
        text = f"{error} {getattr(getattr(error, 'response', None), 'text', '')}"
        assert all(word in text for word in words), text
        return text
    raise AssertionError("it was not refused")

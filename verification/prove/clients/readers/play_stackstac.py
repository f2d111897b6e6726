"""stackstac: a stack of the files of items as xarray, compared with the uploaded ones."""

import stackstac
from pystac_client import Client
from rasterio.transform import array_bounds

from readers.server import assert_same, authorization, catalog_of, let_gdal_in, read_uploaded


def play(report, request):
    let_gdal_in(request)
    reader = Reader(request)
    report.capability("stack items as they are served", reader.stack)
    report.capability("stack items that pystac read", reader.stack_objects)
    report.capability("stack a part, and reduce over time", reader.reduce)


class Reader:
    def __init__(self, request):
        self.files = request["bands"]
        client = Client.open(catalog_of(request), headers=authorization(request))
        self.search = client.search(collections=[self.files[0]["collection"]], sortby="+id")
        self.files.sort(key=lambda file: file["item"])

    def stack(self):
        """It reads `proj:epsg`, `proj:transform` and `proj:shape` of the assets; nothing else says where the files lie."""
        features = self.search.item_collection_as_dict()["features"]
        stack = stackstac.stack(features, assets=["data"], rescale=False, snap_bounds=False)
        assert stack.shape[:2] == (2, 1) and int(stack.epsg) == 32617
        self.compare(stack)

    def stack_objects(self):
        """pystac converts `proj:epsg` to `proj:code`, which stackstac 0.5.1 does not read (prepare.py:134): it is told the grid."""
        _, profile = read_uploaded(self.files[0])
        bounds = array_bounds(profile["height"], profile["width"], profile["transform"])
        grid = {"epsg": 32617, "bounds": bounds, "resolution": profile["transform"].a, "snap_bounds": False}
        stack = stackstac.stack(self.search.item_collection(), assets=["data"], rescale=False, **grid)
        self.compare(stack)

    def compare(self, stack):
        computed = stack.compute()
        for file in self.files:
            row = next(at for at, name in enumerate(computed["id"].values) if name == file["item"])
            assert_same(computed[row, 0], read_uploaded(file)[0])

    def reduce(self):
        features = self.search.item_collection_as_dict()["features"]
        stack = stackstac.stack(features, assets=["data"], resolution=90, bounds_latlon=features[0]["bbox"])
        mean = stack.mean("time").compute()
        assert mean.shape[0] == 1 and float(mean.max()) > float(mean.min()) > 0

"""odc-stac: loads the files of items as xarray, and compares them with the uploaded ones."""

import numpy
import odc.stac
from odc.geo.geobox import GeoBox
from pystac_client import Client

from readers.server import assert_same, authorization, catalog_of, let_gdal_in, read_uploaded


def play(report, request):
    let_gdal_in(request)
    reader = Reader(request)
    report.capability("load items as they are, with the key in a header", reader.load)
    report.capability("load the bands of one file by their names", reader.load_bands)
    report.capability("load a part at another resolution and reference system", reader.load_part)
    report.capability("load from signed addresses, without a key", reader.load_signed)


class Reader:
    def __init__(self, request):
        self.request = request
        self.client = Client.open(catalog_of(request), headers=authorization(request))

    def items(self, *files):
        return list(self.client.search(ids=[file["item"] for file in files], collections=[files[0]["collection"]]).items())

    def load(self):
        """Without any option: the grid is that of the items."""
        for file in self.request["bands"]:
            loaded = odc.stac.load(self.items(file), bands=["data"])
            expected, profile = read_uploaded(file)
            assert loaded.odc.crs.epsg == profile["crs"].to_epsg() and loaded["data"].dtype == expected.dtype
            assert_same(loaded["data"].isel(time=0), expected)

    def load_bands(self):
        image = self.request["image"]
        item = self.items(image)[0]
        names = [band["name"] for band in item.assets["data"].to_dict()["eo:bands"]]
        loaded = odc.stac.load([item], bands=[f"data.{at}" for at in range(1, len(names) + 1)])
        assert len(loaded.data_vars) == 4
        for at, name in enumerate(loaded.data_vars, 1):
            assert_same(loaded[name].isel(time=0), read_uploaded(image, at)[0])

    def load_part(self):
        file = self.request["bands"][0]
        box = GeoBox.from_bbox(self.items(file)[0].bbox, crs="EPSG:4326", shape=(64, 64))
        loaded = odc.stac.load(self.items(file), bands=["data"], geobox=box, chunks={"x": 32, "y": 32}, resampling="nearest")
        samples = loaded["data"].isel(time=0).compute()
        whole, _ = read_uploaded(file)
        assert samples.shape == (64, 64) and samples.max() > 0
        assert numpy.isin(samples, numpy.append(whole, 0)).all()

    def load_signed(self):
        """The way of catalogues with signed addresses: `patch_url` exchanges each."""
        import os

        import requests

        headers = authorization(self.request)
        del os.environ["GDAL_HTTP_HEADERS"]
        signed = []

        def sign(href):
            response = requests.post(f"{href}/download-url", headers=headers, timeout=30)
            response.raise_for_status()
            signed.append(href)
            return response.json()["url"]

        file = self.request["bands"][1]
        loaded = odc.stac.load(self.items(file), bands=["data"], patch_url=sign)
        assert_same(loaded["data"].isel(time=0), read_uploaded(file)[0])
        assert signed

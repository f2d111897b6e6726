"""rio-tiler: reads an item by its address with STACReader, and compares with the uploaded files as rasterio and rio-tiler read them."""

import numpy
from rio_tiler.io import Reader as FileReader
from rio_tiler.io import STACReader

from readers.server import assert_same, authorization, item_url, let_gdal_in, read_uploaded


def play(report, request):
    let_gdal_in(request)
    reader = TilePlay(request)
    for name in ("open", "info", "statistics", "preview", "tile", "part", "feature", "point", "expression"):
        report.capability(reader.titles[name], getattr(reader, name))


class TilePlay:
    titles = {
        "open": "open an item by its address, with the grid that it states",
        "info": "information of an asset",
        "statistics": "statistics of an asset",
        "preview": "a preview is the file",
        "tile": "a tile is that of the file",
        "part": "a part is that of the file",
        "feature": "an area is that of the file",
        "point": "the samples of a point",
        "expression": "an expression over bands",
    }

    def __init__(self, request):
        self.request = request
        self.image = request["image"]

    def reader(self, file):
        options = {"headers": authorization(self.request)}
        return STACReader(item_url(self.request, file), fetch_options=options)

    def compare(self, name, *arguments, **options):
        """The same call on the item and on the file that was uploaded."""
        for file in (self.image, self.request["bands"][0]):
            with self.reader(file) as stac, FileReader(file["path"]) as own:
                found = getattr(stac, name)(*arguments_of(own, arguments), assets=["data"], **options)
                expected = getattr(own, name)(*arguments_of(own, arguments), **options)
            assert_same(found.array.data, expected.array.data)
            assert numpy.array_equal(found.mask, expected.mask)

    def open(self):
        for file in (self.image, self.request["bands"][0]):
            with self.reader(file) as stac:
                _, profile = read_uploaded(file)
                assert stac.assets == ["data"], stac.assets
                assert stac.crs.to_epsg() == profile["crs"].to_epsg(), stac.crs
                assert (stac.width, stac.height) == (profile["width"], profile["height"])
                assert numpy.allclose(tuple(stac.transform), tuple(profile["transform"]))

    def info(self):
        with self.reader(self.image) as stac, FileReader(self.image["path"]) as own:
            info, expected = stac.info(assets=["data"])["data"], own.info()
            assert numpy.allclose(info.bounds, expected.bounds)
            assert (info.count, info.dtype, info.width, info.height) == (4, "uint8", expected.width, expected.height)

    def statistics(self):
        with self.reader(self.image) as stac, FileReader(self.image["path"]) as own:
            found, expected = stac.statistics(assets=["data"])["data"], own.statistics()
            assert [each.mean for each in found.values()] == [each.mean for each in expected.values()]
            assert [each.std for each in found.values()] == [each.std for each in expected.values()]

    def preview(self):
        self.compare("preview", max_size=None)
        for at in range(1, 5):
            with self.reader(self.image) as stac:
                assert_same(stac.preview(assets=["data"], max_size=None).array.data[at - 1], read_uploaded(self.image, at)[0])

    def tile(self):
        self.compare("tile", "tile")

    def part(self):
        self.compare("part", "part")

    def feature(self):
        self.compare("feature", "feature")

    def point(self):
        with self.reader(self.image) as stac, FileReader(self.image["path"]) as own:
            place = center_of(own)
            assert (stac.point(*place, assets=["data"]).array == own.point(*place).array).all()

    def expression(self):
        with self.reader(self.image) as stac, FileReader(self.image["path"]) as own:
            found = stac.preview(assets=["data"], expression="b1*2;b4-b1", max_size=None)
            assert_same(found.array.data, own.preview(expression="b1*2;b4-b1", max_size=None).array.data)


def center_of(own):
    west, south, east, north = own.get_geographic_bounds("EPSG:4326")
    return (west + east) / 2, (south + north) / 2


def arguments_of(own, names):
    """Where a call reads, within the file."""
    if not names:
        return ()
    west, south, east, north = own.get_geographic_bounds("EPSG:4326")
    x, y = center_of(own)
    if names[0] == "tile":
        tile = own.tms.tile(x, y, own.maxzoom)
        return (tile.x, tile.y, tile.z)
    if names[0] == "part":
        return ((west, south, x, y),)
    ring = [[west, south], [x, south], [x, y], [west, south]]
    return ({"type": "Polygon", "coordinates": [ring]},)

"""eodag: the server as one of its providers, by its settings alone; search, pages, queryables and downloads."""

import hashlib
import json
import os
from pathlib import Path

import rasterio
import yaml

from readers.server import assert_same, catalog_of, read_uploaded, refused

PROVIDER = "swath"


def play(report, request):
    reader = Reader(request)
    report.capability("a provider by its settings alone", reader.configure)
    report.capability("discover collections", reader.discover)
    report.capability("queryables of the provider and of a collection", reader.read_queryables)
    report.capability("search all pages of a collection", reader.search_all)
    report.capability("page a search by its tokens", reader.page)
    report.capability("search by time, area and cloud cover", reader.search)
    report.capability("search by id", reader.search_by_id)
    report.capability("read a saved search again", reader.read_saved)
    report.capability("download an item: its files are those that were uploaded", reader.download)
    report.capability("download one file of an item in no collection", reader.download_asset)
    report.capability("refuse a wrong key", reader.refuse)


class Reader:
    def __init__(self, request):
        self.request = request
        self.folder = Path(request["folder"])
        self.collection = request["described"]["collection"]
        self.items = request["described"]["items"]
        self.dag = None

    def settings(self, token):
        header = {
            "type": "HTTPHeaderAuth",
            "matching_url": self.request["address"],
            "headers": {"Authorization": "Bearer {apikey}"},
            "credentials": {"apikey": token},
        }
        return {
            PROVIDER: {
                "priority": 2,
                "search": {
                    "type": "StacSearch",
                    "api_endpoint": f"{catalog_of(self.request)}/search",
                    "need_auth": True,
                },
                "products": {"GENERIC_COLLECTION": {"_collection": "{collection}"}},
                "auth": header,
                "download": {
                    "type": "HTTPDownload",
                    "auth_error_code": 401,
                    "extract": False,
                    "output_dir": str(self.folder / "downloads"),
                },
            }
        }

    def open(self, token):
        # It would fetch a list of collections from its own address.
        os.environ["EODAG_EXT_COLLECTIONS_CFG_FILE"] = ""
        os.environ["EODAG_PROVIDERS_WHITELIST"] = json.dumps([PROVIDER])
        from eodag import EODataAccessGateway

        path = self.folder / "eodag.yml"
        path.write_text(yaml.safe_dump(self.settings(token)))
        return EODataAccessGateway(user_conf_file_path=str(path))

    def configure(self):
        self.dag = self.open(self.request["token"])
        assert PROVIDER in self.dag.available_providers()

    def discover(self):
        self.dag.fetch_collections_list(PROVIDER)
        listed = {each.id for each in self.dag.list_collections(PROVIDER)}
        expected = {self.collection, f"project-{self.request['project']}", self.request["bands"][0]["collection"]}
        assert expected <= listed, listed

    def read_queryables(self):
        assert "eo:cloud_cover" in {name.replace("_cloud", ":cloud") for name in self.names()}, self.names()
        assert self.names(collection=self.collection)

    def names(self, **conditions):
        return list(self.dag.list_queryables(provider=PROVIDER, **conditions))

    def ids(self, results):
        return sorted(product.properties["id"] for product in results)

    def search_all(self):
        found = self.dag.search_all(provider=PROVIDER, collection=self.collection, items_per_page=3)
        assert self.ids(found) == sorted(self.items), self.ids(found)

    def page(self):
        page = self.dag.search(provider=PROVIDER, collection=self.collection, limit=3, count=True, raise_errors=True)
        assert page.number_matched == len(self.items), page.number_matched
        found, lengths = [], []
        while page:
            found += [product.properties["id"] for product in page]
            lengths.append(len(page))
            page = next(iter(page.next_page()), None)
        assert lengths == [3, 3, 3, 2] and sorted(found) == sorted(self.items), (lengths, found)

    def search(self):
        conditions = {"provider": PROVIDER, "collection": self.collection, "raise_errors": True}
        timed = self.dag.search(start="2024-02-01", end="2024-04-01T00:00:00Z", **conditions)
        assert self.ids(timed) == self.items[1:4], self.ids(timed)
        placed = self.dag.search(geom=[21.5, 20.2, 23.5, 20.8], **conditions)
        assert self.ids(placed) == self.items[1:4], self.ids(placed)
        clear = self.dag.search(**{"eo:cloud_cover": 10}, **conditions)
        assert self.ids(clear) == self.items[:3], self.ids(clear)

    def search_by_id(self):
        found = self.dag.search(provider=PROVIDER, collection=self.collection, id=self.items[2], raise_errors=True)
        assert self.ids(found) == [self.items[2]]
        assert found[0].properties["eo:cloud_cover"] == 10

    def read_saved(self):
        found = self.dag.search(provider=PROVIDER, collection=self.collection, id=self.items[2], raise_errors=True)
        path = self.dag.serialize(found, str(self.folder / "search.geojson"))
        assert self.ids(self.dag.deserialize(path)) == [self.items[2]]

    def find(self, file):
        return self.dag.search(provider=PROVIDER, collection=file["collection"], id=file["item"], raise_errors=True)[0]

    def download(self):
        file = self.request["bands"][0]
        product = self.find(file)
        files = {each.suffix: each for each in Path(self.dag.download(product)).iterdir()}
        assert files.keys() == {".tif", ".jpg"} and len(product.assets) == 2, files
        self.compare(files[".tif"], file, product)
        assert files[".jpg"].read_bytes().startswith(b"\xff\xd8\xff")

    def download_asset(self):
        image = self.request["image"]
        product = self.find(image)
        (path,) = Path(product.assets["data"].download()).iterdir()
        self.compare(path, image, product)

    def compare(self, path, file, product):
        with rasterio.open(path) as dataset:
            assert_same(dataset.read(1), read_uploaded(file)[0])
        stated = product.assets["data"]
        data = path.read_bytes()
        assert stated["file:size"] == len(data)
        assert stated["file:checksum"] == f"1220{hashlib.sha256(data).hexdigest()}"

    def refuse(self):
        from eodag.utils.exceptions import AuthenticationError, RequestError

        dag = self.open("wrong")
        search = lambda: dag.search(provider=PROVIDER, collection=self.collection, raise_errors=True)
        refused((AuthenticationError, RequestError), search)

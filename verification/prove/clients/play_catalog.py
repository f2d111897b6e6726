"""What is sold: collections, products with their schemas, scenes and their images."""

import inspect

import geojson
import up42
from up42 import glossary

WORLD = [-180, -90, 180, 90]


class CatalogPlay:
    def __init__(self, report, folder):
        self.report = report
        self.folder = folder
        self.collections = []
        self.scene = None
        self.provider = None
        self.product = None

    def play(self):
        self.report.capability("list collections, in every order", self.list_collections)
        self.report.capability("read the schema of every product", self.read_schemas)
        self.report.capability("search scenes of a host", self.search)
        self.report.capability("refuse an invalid search", self.refuse_search)
        self.report.capability("download a quicklook", self.download_quicklook)
        if hasattr(up42, "catalog_client"):
            self.report.capability("search the catalogue as STAC API", self.search_catalog)

    def list_collections(self):
        sortings = [value for name, value in inspect.getmembers(glossary.CollectionSorting) if not name.startswith("_")]
        for sorting in sortings:
            for direction in (sorting.asc, sorting.desc):
                found = list(glossary.ProductGlossary.get_collections(sort_by=direction))
                assert len({each.name for each in found}) == len(found) > 1
        archive = list(glossary.ProductGlossary.get_collections(collection_type=glossary.CollectionType.ARCHIVE))
        tasking = list(glossary.ProductGlossary.get_collections(collection_type=glossary.CollectionType.TASKING))
        assert archive and tasking and len(archive) + len(tasking) == len(found)
        self.collections = found
        collection = next(each for each in archive if each.name == "naip")
        self.collection = collection
        self.provider = next(each for each in collection.providers if "HOST" in each.roles)
        self.product = collection.data_products[0]

    def read_schemas(self):
        products = [each for collection in self.collections for each in collection.data_products]
        assert len(products) > 3
        for product in products:
            assert product.schema["type"] == "object"
        assert "id" in self.product.schema["required"]

    def search(self):
        provider, collection = self.provider, self.collection
        assert provider.is_host
        scenes = list(
            provider.search(
                bbox=WORLD,
                collections=[collection.name],
                start_date="2000-01-01",
                end_date="2030-01-01",
                query={"cloudCoverage": {"lte": 100}},
            )
        )
        assert scenes and all(each.collection == collection.name for each in scenes)
        assert all(isinstance(each.provider_properties, dict) and each.producer for each in scenes)
        self.scene = scenes[0]
        west, south, east, north = self.scene.bbox
        area = geojson.Polygon([[(west, south), (east, south), (east, north), (west, north), (west, south)]])
        inside = list(provider.search(intersects=area, collections=[collection.name], start_date="2000-01-01"))
        assert self.scene.id in [each.id for each in inside]
        other = glossary.Provider(name="producer", roles=["PRODUCER"])
        try:
            list(other.search(bbox=WORLD))
            raise AssertionError("a producer was searched")
        except glossary.InvalidHost:
            pass

    def refuse_search(self):
        try:
            list(self.provider.search(bbox=[1, 2], collections=[self.collection.name]))
            raise AssertionError("an invalid search was accepted")
        except glossary.InvalidSearchRequest as refusal:
            assert "bbox" in str(refusal), refusal

    def download_quicklook(self):
        path = self.scene.quicklook.download(self.folder)
        data = path.read_bytes()
        assert path.suffix == ".jpg" and data[:3] == b"\xff\xd8\xff", (path.name, data[:8])

    def search_catalog(self):
        client = up42.catalog_client()
        collections = {each.id: each for each in client.get_collections()}
        assert self.collection.name in collections
        assert client.get_collection(self.collection.name).id == self.collection.name
        search = client.search(collections=[self.collection.name], bbox=WORLD, datetime="2000-01-01/2030-01-01", limit=1)
        found = [each.id for each in search.items()]
        assert len(found) == len(set(found)) and self.scene.id in found
        query = {"eo:cloud_cover": {"lte": 100}}
        queried = client.search(collections=[self.collection.name], query=query, max_items=2, method="GET")
        assert len(list(queried.items())) in (1, 2)
        items = list(client.get_collection(self.collection.name).get_items())
        assert self.scene.id in [each.id for each in items]

"""OWSLib: the STAC API as OGC API - Features."""

import json

from owslib.ogcapi.features import Features

from readers.server import authorization, catalog_of, refused


def play(report, request):
    reader = Reader(request)
    report.capability("open the landing page, conformance and description", reader.open)
    report.capability("list collections, and those of features", reader.list)
    report.capability("read a collection and its queryables", reader.read)
    report.capability("read items by box, time, limit, text, filter and order", reader.find)
    report.capability("page items by their links", reader.page)
    report.capability("read an item", reader.read_item)
    report.capability("create, replace and delete an item", reader.change)
    report.capability("refuse what does not exist, and unknown parameters", reader.refuse)


class Reader:
    def __init__(self, request):
        self.features = Features(catalog_of(request), headers=authorization(request))
        self.collection = request["described"]["collection"]
        self.items = request["described"]["items"]
        self.virtual = f"project-{request['project']}"
        self.image = request["image"]["item"]

    def open(self):
        conformance = self.features.conformance()["conformsTo"]
        for name in ("core", "geojson"):
            assert f"http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/{name}" in conformance
        paths = self.features.api()["paths"]
        assert any(path.endswith("/collections/{collection_id}/items") for path in paths), list(paths)[:9]

    def list(self):
        listed = {each["id"] for each in self.features.collections()["collections"]}
        assert {self.collection, self.virtual} <= listed
        assert set(self.features.feature_collections()) == listed

    def read(self):
        assert self.features.collection(self.collection)["id"] == self.collection
        assert self.features.collection(self.virtual)["extent"]["spatial"]["bbox"]
        assert "eo:cloud_cover" in self.features.collection_queryables(self.collection)["properties"]

    def ids(self, **conditions):
        return [each["id"] for each in self.features.collection_items(self.collection, **conditions)["features"]]

    def find(self):
        items = self.items
        assert sorted(self.ids(bbox=[21.5, 20.2, 23.5, 20.8])) == items[1:4]
        assert sorted(self.ids(datetime_="2024-02-01T00:00:00Z/2024-04-01T00:00:00Z")) == items[1:4]
        assert self.ids(limit=2, sortby=("datetime", "asc")) == items[:2]
        assert self.ids(limit=2, sortby=("datetime", "desc")) == items[:-3:-1]
        assert self.ids(q="oslo") == [items[3]]
        assert sorted(self.ids(filter="eo:cloud_cover < 15")) == items[:3]

    def page(self):
        page = self.features.collection_items(self.collection, limit=3, sortby=("datetime", "asc"))
        assert page["numberMatched"] == len(self.items) and page["numberReturned"] == 3
        found = []
        while page:
            found += [each["id"] for each in page["features"]]
            following = [link["href"] for link in page["links"] if link["rel"] == "next"]
            path = following and following[0].split("/assets/stac/")[1]
            page = self.features._request(path=path) if following else None
        assert found == self.items

    def read_item(self):
        assert self.features.collection_item(self.collection, self.items[0])["id"] == self.items[0]
        assert self.features.collection_item(self.virtual, self.image)["collection"] == self.virtual

    def change(self):
        feature = {
            "type": "Feature",
            "stac_version": "1.0.0",
            "id": "made-by-owslib",
            "geometry": {"type": "Point", "coordinates": [1, 1]},
            "properties": {"datetime": "2023-01-01T00:00:00Z", "platform": "drone"},
            "assets": {},
            "links": [],
        }
        assert self.features.collection_item_create(self.collection, feature)
        feature["properties"]["platform"] = "plane"
        assert self.features.collection_item_update(self.collection, feature["id"], json.dumps(feature))
        assert self.features.collection_item(self.collection, feature["id"])["properties"]["platform"] == "plane"
        assert self.features.collection_item_delete(self.collection, feature["id"])
        refused(RuntimeError, lambda: self.features.collection_item(self.collection, feature["id"]), "not-found")

    def refuse(self):
        refused(RuntimeError, lambda: self.features.collection_item(self.collection, "nothing"), "not-found")
        refused(RuntimeError, lambda: self.features.collection("nothing"), "404")
        refused(RuntimeError, lambda: self.features.collection_items(self.collection, surprise=1), "surprise")

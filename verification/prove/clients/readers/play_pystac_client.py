"""pystac-client: opens, searches, pages, follows links, validates, and changes items."""

import datetime
import json
import urllib.request
import warnings

import pystac
from pystac.validation import validate_dict
from pystac_client import Client
from pystac_client.exceptions import APIError

from readers.server import authorization, catalog_of, item_url, refused

# A fallback to something that the API does not declare, or a link that it lacks, is a failure.
warnings.simplefilter("error")
warnings.filterwarnings("default", category=DeprecationWarning)


def play(report, request):
    reader = Reader(request)
    report.capability("open the API without sign-in", reader.open_without_sign_in)
    report.capability("open the API with a key", reader.open)
    report.capability("refuse a catalogue that does not exist, or needs a key", reader.refuse)
    SearchPlay(reader).play(report)
    CollectionPlay(reader).play(report)
    report.capability("every link of a landing page, collection and item leads somewhere", reader.follow_links)
    report.capability("validate every item, collection and landing page as served", reader.validate_served)
    report.capability("validate every item as pystac converts it to STAC 1.1", reader.validate_converted)
    ChangePlay(reader).play(report)


class Reader:
    def __init__(self, request):
        self.request = request
        self.url = catalog_of(request)
        self.headers = authorization(request)
        self.collection = request["described"]["collection"]
        self.items = request["described"]["items"]
        self.virtual = f"project-{request['project']}"
        self.client = None

    def open_without_sign_in(self):
        client = Client.open(self.url)
        assert client.id and client.conforms_to("ITEM_SEARCH") and client.conforms_to("FILTER")
        assert client.get_queryables()["properties"]
        assert not list(client.get_child_links())

    def open(self):
        self.client = Client.open(self.url, headers=self.headers)
        for name in ("CORE", "COLLECTIONS", "FEATURES", "ITEM_SEARCH", "FIELDS", "SORT", "QUERY", "FILTER"):
            assert self.client.conforms_to(name), name
        for name in ("TRANSACTION", "COLLECTION_SEARCH", "COLLECTION_SEARCH_FREE_TEXT"):
            assert self.client.conforms_to(name), name
        assert self.client.get_search_link().href.startswith(self.url)

    def refuse(self):
        absent = f"{self.url}/collections/{'0' * 8}-0000-7000-8000-{'0' * 12}"
        refused(APIError, lambda: Client.from_file(absent, headers=self.headers), "not-found")
        refused(APIError, lambda: Client.from_file(f"{self.url}/collections"), "unauthenticated")
        refused(APIError, lambda: Client.from_file(self.url, headers={"Authorization": "Bearer wrong"}), "unauthenticated")
        refused(APIError, lambda: list(Client.open(self.url).search().items()), "unauthenticated")
        search = self.client.search(collections=[self.collection], query={"eo:cloud_cover": {"surprise": 1}})
        refused(APIError, lambda: list(search.items()), "surprise")

    def search(self, **parameters):
        """The ids that a search finds with POST, which are those that it finds with GET."""
        posted, got = (
            [item.id for item in self.client.search(method=method, **parameters).items()] for method in ("POST", "GET")
        )
        assert posted == got, (posted, got)
        return posted

    def read(self, url, media_type="*/*"):
        request = urllib.request.Request(url, headers={**self.headers, "Accept": media_type})
        with urllib.request.urlopen(request) as response:
            return response.status, response.headers.get("content-type"), response.read()

    def follow_links(self):
        seen = set()
        item = next(self.client.search(collections=[self.virtual]).items())
        objects = [self.client, self.client.get_collection(self.collection), self.client.get_collection(self.virtual), item]
        for each in objects:
            for link in each.links:
                href = link.get_absolute_href() or link.href
                if href in seen or not href.startswith(self.request["address"]) or link.extra_fields.get("method") == "POST":
                    continue
                seen.add(href)
                status, content_type, _ = self.read(href, link.media_type or "*/*")
                declared = (link.media_type or "").split(";")[0]
                assert status == 200 and (not declared or content_type.startswith(declared)), (href, declared, content_type)
        assert len(seen) > 10, seen

    def validate_served(self):
        documents = [json.loads(self.read(self.url)[2])]
        documents += json.loads(self.read(f"{self.url}/collections?limit=100")[2])["collections"]
        documents += self.client.search(limit=100).item_collection_as_dict()["features"]
        assert len(documents) > len(self.items) + 4
        for document in documents:
            validate_dict(document)

    def validate_converted(self):
        items = list(self.client.search(limit=100).items())
        assert len(items) > len(self.items)
        for item in items:
            assert all("/projection/v2" in url for url in item.validate() if "/projection/" in url), item.stac_extensions


class SearchPlay:
    """Every parameter of a search, alone and together."""

    def __init__(self, reader):
        self.reader = reader

    def play(self, report):
        for name, condition, expected in self.conditions():
            report.capability(f"search by {name}, with GET and POST", self.expect, condition, expected)
        report.capability("search with fields: what is included, without what is excluded", self.select_fields)
        report.capability("page a search of four pages whole, with GET and POST", self.page)
        report.capability("limit what a search returns", self.limit)
        report.capability("a search finds items of every collection, and those in none", self.search_everywhere)
        report.capability("the address of each item leads to it", self.resolve)

    def conditions(self):
        items = self.reader.items
        harbour = {"type": "Point", "coordinates": [23.5, 20.5]}
        low = {"op": "<=", "args": [{"property": "eo:cloud_cover"}, 10]}
        inside = {"op": "s_intersects", "args": [{"property": "geometry"}, harbour]}
        start = datetime.datetime(2024, 2, 1, tzinfo=datetime.timezone.utc)
        return [
            ("bbox", {"bbox": [21.5, 20.2, 23.5, 20.8]}, items[1:4]),
            ("intersects", {"intersects": harbour}, [items[3]]),
            ("an interval of time", {"datetime": "2024-02/2024-04"}, items[1:4]),
            ("an interval that is open", {"datetime": f"{start.isoformat()}/.."}, items[1:]),
            ("a time", {"datetime": start}, [items[1]]),
            ("ids", {"ids": [items[2], items[5]]}, [items[2], items[5]]),
            ("query", {"query": {"eo:cloud_cover": {"gte": 10, "lt": 20}}}, items[2:4]),
            ("query with a text", {"query": ["platform=landsat-8", "eo:cloud_cover<=15"]}, [items[1], items[3]]),
            ("a filter as CQL2 JSON", {"filter": low, "filter_lang": "cql2-json"}, items[:3]),
            ("a filter of geometry as CQL2 JSON", {"filter": inside, "filter_lang": "cql2-json"}, [items[3]]),
            ("the code of the reference system", {"query": {"proj:code": {"eq": "EPSG:32634"}}}, items),
        ]

    def expect(self, condition, expected):
        found = self.reader.search(collections=[self.reader.collection], sortby="+properties.datetime", **condition)
        assert found == expected, (found, expected)
        ordered = self.reader.search(
            collections=[self.reader.collection], sortby="-properties.eo:cloud_cover", limit=2, **condition
        )
        assert ordered == expected[::-1], (ordered, expected)

    def select_fields(self):
        for method in ("GET", "POST"):
            search = self.reader.client.search(
                method=method,
                collections=[self.reader.collection],
                fields=["id", "properties.platform", "geometry", "-assets"],
                limit=3,
            )
            items = list(search.items())
            assert len(items) == len(self.reader.items)
            for item in items:
                assert item.properties["platform"] and item.geometry and not item.assets, item.to_dict()
                assert "eo:cloud_cover" not in item.properties, item.properties

    def page(self):
        client, items = self.reader.client, self.reader.items
        for method in ("GET", "POST"):
            search = client.search(
                method=method,
                collections=[self.reader.collection],
                limit=3,
                sortby="+properties.datetime",
                query={"eo:cloud_cover": {"gte": 0}},
                fields=["+properties.platform"],
            )
            pages = list(search.pages())
            assert [len(page) for page in pages] == [3, 3, 3, 2], pages
            assert [item.id for page in pages for item in page] == items
            assert search.matched() == len(items)
        text = client.search(
            method="GET", collections=[self.reader.collection], limit=3, filter="eo:cloud_cover >= 0 AND platform LIKE '%-%'"
        )
        assert sorted(item.id for item in text.items()) == sorted(items)

    def limit(self):
        found = self.reader.search(collections=[self.reader.collection], limit=2, max_items=5, sortby="-datetime")
        assert found == self.reader.items[:5:-1], found
        assert len(self.reader.search(max_items=1)) == 1

    def search_everywhere(self):
        request = self.reader.request
        expected = {*self.reader.items, request["image"]["item"], *(file["item"] for file in request["bands"])}
        found = self.reader.search(limit=4)
        assert len(found) == len(expected) and set(found) == expected, found

    def resolve(self):
        found = list(self.reader.client.search(limit=100).items())
        for item in found:
            again = pystac.Item.from_file(item.get_self_href(), stac_io=self.reader.client._stac_io)
            # pystac writes the link to itself anew, as JSON.
            own, found = (each.to_dict(include_self_link=False) for each in (again, item))
            assert own == found, (own, found)
            assert item.get_collection().id == item.collection_id


class CollectionPlay:
    def __init__(self, reader):
        self.reader = reader

    def play(self, report):
        report.capability("list collections, with their items", self.list)
        report.capability("read the collection of items that are in none", self.read_virtual)
        report.capability("search collections by box, time, text and together", self.search)
        report.capability("page a list of collections", self.page)
        report.capability("queryables of the API, of collections, and merged", self.read_queryables)

    def list(self):
        client, request = self.reader.client, self.reader.request
        found = {each.id: each for each in client.get_collections()}
        assert {self.reader.collection, self.reader.virtual, request["bands"][0]["collection"]} <= found.keys()
        for name, collection in found.items():
            again = client.get_collection(name)
            assert again.to_dict() == collection.to_dict()
            for item in collection.get_items():
                assert item.collection_id == name
                assert collection.get_item(item.id).id == item.id
        named = client.get_collection(self.reader.collection)
        assert {item.id for item in named.get_items()} == set(self.reader.items)
        assert [item.id for item in named.get_items(self.reader.items[4])] == [self.reader.items[4]]
        assert named.get_item("nothing of the name") is None
        assert {item.id for item in client.get_items()} >= set(self.reader.items)

    def read_virtual(self):
        image = self.reader.request["image"]
        assert image["collection"] == self.reader.virtual
        collection = self.reader.client.get_collection(self.reader.virtual)
        assert [item.id for item in collection.get_items()] == [image["item"]]
        assert self.reader.search(collections=[self.reader.virtual]) == [image["item"]]
        item = collection.get_item(image["item"])
        assert item.get_self_href() == item_url(self.reader.request, image)
        west, south, east, north = collection.extent.spatial.bboxes[0]
        assert west <= item.bbox[0] and south <= item.bbox[1] and east >= item.bbox[2] and north >= item.bbox[3]

    def search(self):
        client, named = self.reader.client, self.reader.collection
        find = lambda **condition: [each.id for each in client.collection_search(**condition).collections()]
        assert named in find(bbox=[25, 20, 26, 21]) and named not in find(bbox=[-120, 20, -119, 21])
        assert named in find(datetime="2024-03-01T00:00:00Z/..") and named not in find(datetime="../2023-01-01T00:00:00Z")
        assert find(q="harbour") == [named] and find(q="nothing-of-the-kind") == []
        assert find(q="harbour", bbox=[25, 20, 26, 21], datetime="2024-03-01T00:00:00Z/2024-05-01T00:00:00Z") == [named]
        assert client.collection_search(q="harbour").matched() == 1

    def page(self):
        whole = [each.id for each in self.reader.client.get_collections()]
        paged = self.reader.client.collection_search(limit=1)
        assert [each.id for each in paged.collections()] == whole and len(whole) >= 3
        assert len(self.reader.client.collection_search(limit=1, max_collections=2).collection_list()) == 2

    def read_queryables(self):
        client = self.reader.client
        whole = client.get_queryables()["properties"]
        own = client.get_collection(self.reader.collection).get_queryables()["properties"]
        assert "eo:cloud_cover" in whole and "eo:cloud_cover" in own
        merged = client.get_merged_queryables([self.reader.collection, self.reader.virtual])
        assert "eo:cloud_cover" in merged["properties"]


class ChangePlay:
    """The transactions that the API declares."""

    def __init__(self, reader):
        self.reader = reader
        self.item = None

    def play(self, report):
        report.capability("create an item", self.create)
        report.capability("replace an item", self.replace)
        report.capability("change fields of an item", self.patch)
        report.capability("delete an item", self.delete)

    def collection(self):
        return self.reader.client.get_collection(self.reader.collection)

    def create(self):
        self.item = pystac.Item(
            "made by pystac",
            {"type": "Point", "coordinates": [1, 1]},
            [1, 1, 1, 1],
            datetime.datetime(2023, 1, 1, tzinfo=datetime.timezone.utc),
            {"eo:cloud_cover": 3},
        )
        self.item.add_asset("data", pystac.Asset("https://files.example/a.tif", media_type=pystac.MediaType.COG))
        created = self.collection().create_item(self.item)
        assert created.id == self.item.id and created.collection_id == self.reader.collection

    def replace(self):
        self.item.properties["eo:cloud_cover"] = 4
        self.collection().update_item(self.item)
        assert self.collection().get_item(self.item.id).properties["eo:cloud_cover"] == 4

    def patch(self):
        changed = self.collection().patch_item(self.item.id, {"properties": {"eo:cloud_cover": 5, "platform": "drone"}})
        assert changed.properties["eo:cloud_cover"] == 5 and changed.properties["platform"] == "drone"

    def delete(self):
        self.collection().delete_item(self.item.id)
        assert self.collection().get_item(self.item.id) is None

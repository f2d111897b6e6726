"""What was delivered: items and collections of the STAC API, their properties, files and deletion."""

import pathlib

import pystac
import up42
from up42 import base, stac, utils


class StoragePlay:
    def __init__(self, report, orders, folder):
        self.report = report
        self.orders = orders
        self.folder = folder
        self.item = None

    def play(self):
        self.report.capability("search items by their order", self.search)
        self.report.capability("list collections and their items", self.list_collections)
        self.report.capability("read the properties of items and collections", self.read_properties)
        self.report.capability("set and remove title and tags of an item", self.update)
        self.report.capability("download a file of an item", self.download)

    def search(self):
        client = up42.stac_client()
        order_id = self.orders.order.id
        condition = {"op": "=", "args": [{"property": "up42-order:id"}, order_id]}
        (found,) = client.search(filter=condition).items()
        (same,) = client.search(ids=[found.id], max_items=1).items()
        (other,) = client.search(ids=[found.id], method="GET").items()
        assert same.id == found.id == other.id
        self.item = found

    def list_collections(self):
        client = up42.stac_client()
        assert self.item.collection_id in [each.id for each in client.get_collections()]
        self.collection = client.get_collection(self.item.collection_id)
        assert self.item.id in [each.id for each in self.collection.get_items()]
        assert self.collection.get_item(self.item.id).id == self.item.id
        assert self.item.id in [each.id for each in client.get_items(self.item.id)]

    def read_properties(self):
        placed, of_item = self.orders.order, self.item.up42
        assert of_item.order_id == placed.id and of_item.source == "ARCHIVE" and of_item.job_id is None
        assert of_item.product_id == placed.data_product_id
        assert of_item.collection_name == self.orders.catalog.collection.name
        assert of_item.workspace_id == placed.workspace_id and of_item.account_id == placed.account_id
        assert of_item.asset_id and of_item.metadata_version and of_item.modality == "multispectral"
        assert of_item.title is None and of_item.tags is None
        of_collection = self.collection.up42
        assert of_collection.order_id == placed.id and of_collection.title == self.collection.title
        assert of_collection.workspace_id == placed.workspace_id and of_collection.account_id == placed.account_id

    def update(self):
        self.item.up42.title = "A title of a user"
        self.item.up42.tags = ["first", "second"]
        self.item.update()
        assert isinstance(self.item, pystac.Item) and self.item.assets
        (read,) = up42.stac_client().search(ids=[self.item.id]).items()
        assert read.up42.title == "A title of a user" and read.up42.tags == ["first", "second"]
        self.item.up42.title = None
        self.item.up42.tags = None
        self.item.update()
        (cleared,) = up42.stac_client().search(ids=[self.item.id]).items()
        assert cleared.up42.title is None and cleared.up42.tags is None

    def download(self):
        files = [each for each in self.item.assets.values() if "data" in each.roles]
        assert files
        for each in files:
            path = each.file.download(self.folder)
            assert path.suffix == ".tif" and path.read_bytes()[:2] in (b"II", b"MM"), path
            assert path.stat().st_size == each.extra_fields["file:size"]
        assert utils.download_file(files[0].file.url, self.folder)
        item_id = self.item.properties["service:item_id"]
        archive = self.orders.call("items.download", item_id=item_id)["url"]
        assert any(name.endswith(".tif") for name in utils.download_archive(archive, self.folder))
        utils.validate_fc_up42_requirements({"features": [{"geometry": self.orders.catalog.scene.geometry}]})
        elsewhere = pystac.Asset(href="https://example.com/elsewhere.tif")
        assert elsewhere.file is None

    def play_deletion(self):
        self.report.capability("delete a collection with its items", self.delete)

    def delete(self):
        """All items of a collection have to be named: another one is put beside the result of a job."""
        (result,) = self.job_items
        other = self.mosaic_item.properties["service:item_id"]
        self.orders.call("items.update", item_id=other, collection_id=result.collection_id)
        self.job_items = [result, self.mosaic_item]
        try:
            stac.BulkDeletion(self.job_items[0].id).delete()
            raise AssertionError("a part of a collection was deleted")
        except stac.IncompleteCollectionDeletionError:
            pass
        collection_id = self.job_items[0].collection_id
        stac.BulkDeletion(*[each.id for each in self.job_items]).delete()
        assert collection_id not in [each.id for each in up42.stac_client().get_collections()]
        assert pathlib.Path(self.folder).exists() and base.workspace.id

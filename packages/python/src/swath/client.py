"""The blocking client with what analysts do: frames of scenes, cubes of pixels, statistics, proofs. What each needs beyond the
package is named by an extra, and imported when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._sync.swath import Swath as CoreSwath
from ._sync.tree import StacOperations

if TYPE_CHECKING:
    import pystac_client

    from .analysis.areas import AreaLike
    from .analysis.collections import Collection
    from .analysis.dates import DatesLike
    from .analysis.items import Item
    from .analysis.orders import Order
    from .analysis.scenes import Scenes
    from .filesystem import SwathFileSystem
    from .ledger import Ledger
    from .signing import AssetSigner
    from .tiles import TileLayer


class Swath(CoreSwath):
    __doc__ = CoreSwath.__doc__

    def access_token(self) -> str | None:
        """A valid access token, renewed if it expires; None without a sign-in."""
        return self._client._tokens.token()

    @property
    def stac(self) -> StacAccess:
        """`client.stac()` opens the STAC API with pystac_client (extra `stac`); its members are operations, such as
        `client.stac.search(...)`."""
        return StacAccess(self)

    def signer(self) -> AssetSigner:
        """Signs URLs of assets, for programs that have no token."""
        from .signing import AssetSigner

        return AssetSigner(self)

    def filesystem(self) -> SwathFileSystem:
        """What is stored as a file system of fsspec (extra `filesystem`)."""
        from .filesystem import SwathFileSystem

        return SwathFileSystem(self)

    def search(
        self,
        where: AreaLike,
        dates: DatesLike = None,
        *,
        cloud: float | None = None,
        hosts: Sequence[str] | None = None,
        collections: Sequence[str] | None = None,
        licence: str | None = None,
        exclude_owned: bool = True,
        limit: int = 100,
    ) -> Scenes:
        """Scenes of all catalogues that cover an area, as a GeoDataFrame with what each costs there (extra `geo`).

        Args:
            where: The name of a place, `(west, south, east, north)`, GeoJSON, WKT, the path of a file, a geometry of shapely or a
                GeoDataFrame; in degrees, but for frames and files, which have a reference system.
            dates: Such as `"2024-06"`, `"2024-06-01/2024-08-31"` or `(start, end)`; both ends are included.
            cloud: The highest cloud cover in per cent.
            hosts: Only these catalogues, by id.
            collections: Only these collections of them.
            licence: The licence of the prices; by default the standard one of each scene.
            exclude_owned: Prices leave out the area that is already held.
            limit: How many scenes at most.

        Raises:
            AreaError: The place is unknown, or the area is none.
        """
        from .analysis.search import search_scenes

        return search_scenes(
            self,
            where,
            dates,
            cloud=cloud,
            hosts=hosts,
            collections=collections,
            licence=licence,
            exclude_owned=exclude_owned,
            limit=limit,
        )

    def item(self, item_id: str) -> Item:
        """An item by its id, to measure, open and process it."""
        from .analysis.items import Item

        return Item(self, self.items.get(item_id=item_id)["item"])

    def collection(self, collection_id: str, *, project_id: str | None = None) -> Collection:
        """A collection by its id: its items as a cube, and series of its measurements.

        Args:
            collection_id: Its id.
            project_id: Its project; by default all projects are asked.

        Raises:
            NotFound: There is no such collection.
        """
        from .analysis.collections import find_collection

        return find_collection(self, collection_id, project_id)

    def order(self, order_id: str) -> Order:
        """An order by its id, to wait for it and to get what it delivered."""
        from .analysis.orders import Order

        return Order(self, self.orders.get(order_id=order_id))

    def tiles(self, item_id: str, **options: Any) -> TileLayer:
        """An item as a layer of tiles for folium, leafmap and other maps; the options are those of `swath.tiles.tile_layer`."""
        from .tiles import tile_layer

        return tile_layer(self, item_id, **options)

    @property
    def ledger(self) -> Ledger:
        """The journal of the organization, to export and verify it."""
        from .ledger import Ledger

        return Ledger(self)


class StacAccess(StacOperations):
    """The operations of the STAC API, and the API itself with pystac_client."""

    def __init__(self, swath: Swath) -> None:
        super().__init__(swath._client)
        self._swath = swath

    def __call__(self, *, sign: bool = True, **options: Any) -> pystac_client.Client:
        """The STAC API, signed in for as long as this client is; `swath.stac.open_catalog` has the options."""
        from .stac import open_catalog

        return open_catalog(self._swath, sign=sign, **options)

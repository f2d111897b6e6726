"""Programs of up42-py on a Swath platform, with one changed import: `import swath.up42 as up42` (extra `stac`).

What the generations 2.6 and 4.3 of up42-py have in common works under the same names: `authenticate`, `stac_client`,
`ProductGlossary` with collections, providers, scenes and quicklooks, `BatchOrderTemplate`, `Order`, `Job`, and on items of pystac
`up42`, `update` and `file`. Of 4.3 also `catalog_client`, `Order.update` and `Order.cancel`. Not here: what 2.6 alone has
(`initialize_...`, `Storage`, `Catalog`, `Webhook`, which 4.0 removed), tasking, budgets and process templates; for these
the operations of `up42.workspace.client` are the way.

The platform is that of `authenticate(base_url=...)`, or of SWATH_URL.
"""

from .glossary import (
    Collection,
    CollectionSorting,
    CollectionType,
    DataProduct,
    InvalidHost,
    InvalidSearchRequest,
    ProductGlossary,
    Provider,
    Scene,
)
from .jobs import Job, JobSorting, JobStatus, UnfinishedJob
from .order_template import BatchOrderTemplate, Estimate, OrderCost, OrderError, OrderReference
from .orders import (
    ArchiveOrderDetails,
    CanceledOrder,
    CancelOrder,
    FailedOrder,
    Order,
    OrderCannotBeCanceled,
    OrderSorting,
    TaskingOrderDetails,
    UnfulfilledOrder,
)
from .requests import SortingField
from .stac import catalog_client, extend_pystac, stac_client
from .workspace import UserNotAuthenticated, authenticate, workspace

extend_pystac()

__all__ = [
    "ArchiveOrderDetails",
    "BatchOrderTemplate",
    "CancelOrder",
    "CanceledOrder",
    "Collection",
    "CollectionSorting",
    "CollectionType",
    "DataProduct",
    "Estimate",
    "FailedOrder",
    "InvalidHost",
    "InvalidSearchRequest",
    "Job",
    "JobSorting",
    "JobStatus",
    "Order",
    "OrderCannotBeCanceled",
    "OrderCost",
    "OrderError",
    "OrderReference",
    "OrderSorting",
    "ProductGlossary",
    "Provider",
    "Scene",
    "SortingField",
    "TaskingOrderDetails",
    "UnfinishedJob",
    "UnfulfilledOrder",
    "UserNotAuthenticated",
    "authenticate",
    "catalog_client",
    "stac_client",
    "workspace",
]

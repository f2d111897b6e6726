"""A STAPI provider on the public stapi-fastapi, for `npm run prove -- stapi`.

Two products: `optical` answers a search for opportunities at once, `radar` only asynchronously. Each request for an order
moves it to its next status; the last one links to a STAC Item. The response to the first order of each product is lost: the
order is kept and the client gets a 502.

Environment: ITEM, a STAC Item as JSON, which every order delivers.
"""

import json
import os
from datetime import UTC, datetime, timedelta
from itertools import count

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from returns.maybe import Nothing, Some
from returns.result import Success
from stapi_fastapi.models.product import Product
from stapi_fastapi.routers.root_router import RootRouter
from stapi_pydantic import (
    Link,
    Opportunity,
    OpportunityCollection,
    OpportunityProperties,
    OpportunitySearchRecord,
    OpportunitySearchStatus,
    OpportunitySearchStatusCode,
    Order,
    OrderParameters,
    OrderProperties,
    OrderSearchParameters,
    OrderStatus,
    OrderStatusCode,
    Queryables,
)

item = json.loads(os.environ["ITEM"])
ids = count(1)
orders: dict[str, Order] = {}
histories: dict[str, list[OrderStatus]] = {}
searches: dict[str, OpportunitySearchRecord] = {}
collections: dict[str, OpportunityCollection] = {}
lost: set[str] = set()

progress = [
    OrderStatusCode.accepted,
    OrderStatusCode.scheduled,
    OrderStatusCode.processing,
    OrderStatusCode.completed,
]


class ProductQueryables(Queryables):
    cloud_cover: float = Field(alias="eo:cloud_cover", ge=0, le=100, default=100)
    off_nadir: float = Field(alias="view:off_nadir", ge=0, le=45, default=45)


class Delivery(OrderParameters):
    delivery: str = "link"


class Range(BaseModel):
    minimum: float
    maximum: float


class PassProperties(OpportunityProperties):
    platform: str
    off_nadir: Range = Field(serialization_alias="view:off_nadir")


def passes(product_id: str, search) -> list[Opportunity]:
    """A pass of five minutes every twelve hours."""
    start, end = search.datetime
    first = datetime(start.year, start.month, start.day, tzinfo=UTC)
    times = (first + timedelta(hours=12 * index) for index in range(200))
    return [
        Opportunity(
            geometry=search.geometry,
            properties=PassProperties(
                datetime=(time, time + timedelta(minutes=5)),
                product_id=product_id,
                platform="PROOF-1",
                off_nadir=Range(minimum=4, maximum=8),
            ),
        )
        for time in times
        if start < time and time + timedelta(minutes=5) < end
    ]


async def search_opportunities(router, search, next, limit, request):
    found = passes(router.product.id, search)
    begin = int(next or 0)
    end = begin + limit
    return Success((found[begin:end], Some(str(end)) if end < len(found) else Nothing))


async def search_later(router, search, request):
    id = str(next(ids))
    collections[id] = OpportunityCollection(id=id, features=passes(router.product.id, search))
    searches[id] = OpportunitySearchRecord(
        id=id,
        product_id=router.product.id,
        opportunity_request=search,
        status=OpportunitySearchStatus(timestamp=datetime.now(UTC), status_code=OpportunitySearchStatusCode.received),
    )
    return Success(searches[id].model_copy(deep=True))


async def get_search(id, request):
    record = searches.get(id)
    if record is None:
        return Success(Nothing)
    answer = record.model_copy(deep=True)
    href = request.url_for("root:radar:get-opportunity-collection", opportunity_collection_id=id)
    if record.status.status_code == OpportunitySearchStatusCode.completed:
        answer.links.append(Link(rel="opportunities", href=href))
    record.status.status_code = OpportunitySearchStatusCode.completed
    return Success(Some(answer))


async def get_searches(next, limit, request):
    return Success((list(searches.values()), Nothing))


async def get_collection(router, id, request):
    found = collections.get(id)
    return Success(Some(found) if found else Nothing)


async def create_order(router, payload, request):
    id = str(next(ids))
    status = OrderStatus.new(OrderStatusCode.received)
    orders[id] = Order(
        id=id,
        geometry=payload.geometry,
        properties=OrderProperties(
            product_id=router.product.id,
            created=datetime.now(UTC),
            status=status,
            search_parameters=OrderSearchParameters(
                datetime=payload.datetime, geometry=payload.geometry, filter=payload.filter
            ),
            opportunity_properties={"datetime": "", "product_id": router.product.id},
            order_parameters=payload.order_parameters.model_dump(),
        ),
    )
    histories[id] = [status]
    return Success(orders[id].model_copy(deep=True))


async def get_orders(next, limit, request):
    found = list(orders.values())
    begin = int(next or 0)
    end = begin + limit
    page = [order.model_copy(deep=True) for order in found[begin:end]]
    return Success((page, Some(str(end)) if end < len(found) else Nothing, Some(len(found))))


async def get_order(id, request):
    order = orders.get(id)
    if order is None:
        return Success(Nothing)
    history = histories[id]
    if len(history) <= len(progress):
        status = OrderStatus.new(progress[len(history) - 1])
        if status.status_code == OrderStatusCode.completed:
            status.links.append(Link(rel="item", href=f"{request.base_url}items/{id}", type="application/geo+json"))
        history.append(status)
        order.properties.status = status
    return Success(Some(order.model_copy(deep=True)))


async def get_statuses(id, next, limit, request):
    return Success(Some((histories[id], Nothing)) if id in histories else Nothing)


def product(id: str, **search) -> Product:
    return Product(
        id=id,
        title=id.capitalize(),
        description=f"The product {id} of the proof.",
        license="proprietary",
        conformsTo=["https://geojson.org/schema/Polygon.json"],
        create_order=create_order,
        queryables=ProductQueryables,
        opportunity_properties=PassProperties,
        order_parameters=Delivery,
        **search,
    )


root = RootRouter(
    get_orders=get_orders,
    get_order=get_order,
    get_order_statuses=get_statuses,
    get_opportunity_search_records=get_searches,
    get_opportunity_search_record=get_search,
)
root.add_product(product("optical", search_opportunities=search_opportunities))
root.add_product(
    product("radar", search_opportunities_async=search_later, get_opportunity_collection=get_collection)
)
app = FastAPI()
app.include_router(root)


@app.get("/items/{id}")
async def get_item(id: str) -> JSONResponse:
    return JSONResponse({**item, "id": f"acquired-{id}"})


@app.middleware("http")
async def lose_first_response(request: Request, call_next):
    response = await call_next(request)
    path = request.url.path
    if request.method == "POST" and path.endswith("/orders") and response.status_code == 201 and path not in lost:
        lost.add(path)
        return JSONResponse({"detail": "The response is lost."}, status_code=502)
    return response

"""Walks a STAPI interface by its links and validates every answer with the models of stapi-pydantic.

Prints one line for each violation. The argument is JSON: url, token, area, products (titles to buy), rejections.
"""

import json
import sys
import time
from datetime import UTC, datetime, timedelta

import httpx
from stapi_pydantic import (
    Conformance,
    Opportunity,
    OpportunityCollection,
    Order,
    OrderCollection,
    OrderStatus,
    OrderStatuses,
    Product,
    ProductsCollection,
    RootResponse,
)

task = json.loads(sys.argv[1])
client = httpx.Client(headers={"authorization": f"Bearer {task['token']}"}, timeout=60)
answers = 0


def check(condition: bool, message: str) -> None:
    if not condition:
        print(message)


def ask(model, url: str, method: str = "GET", body=None, status: int = 200):
    """The answer as it is, and validated."""
    global answers
    response = client.request(method, url, json=body)
    answers += 1
    check(response.status_code == status, f"{method} {url}: {response.status_code} {response.text[:500]}")
    document = response.json()
    return document, model.model_validate(document) if model else None


def link(document: dict, rel: str) -> dict:
    return next(each for each in document["links"] if each["rel"] == rel)


def pages(model, url: str, member: str, method: str = "GET", body=None):
    """All entries over all pages."""
    while True:
        document, _ = ask(model, url, method, body)
        yield from document[member]
        following = next((each for each in document["links"] if each["rel"] == "next"), None)
        if following is None:
            return
        url, method, body = following["href"], following.get("method", "GET"), following.get("body")


def buy(product: dict, area: dict) -> str:
    """Buys the third opportunity of a product; the URL of the order."""
    begin = datetime.now(UTC)
    search = {"datetime": f"{begin.isoformat()}/{(begin + timedelta(days=9)).isoformat()}", "geometry": area}
    url = link(product, "opportunities")["href"]
    bounded = {"op": "<=", "args": [{"property": "eo:cloud_cover"}, 80]}
    body = {**search, "filter": bounded, "limit": 4}
    found = [Opportunity.model_validate(each) for each in pages(OpportunityCollection, url, "features", "POST", body)]
    check(len(found) > 10, f"{product['title']}: only {len(found)} opportunities")
    check(len({each.id for each in found}) == len(found), f"{product['title']}: an opportunity twice")
    chosen = next(each for each in found[2].links if each.rel == "create-order")
    document, order = ask(Order, str(chosen.href), chosen.method, chosen.body, 201)
    check(order.properties.product_id == product["id"], f"{product['title']}: another product was ordered")
    check(order.properties.search_parameters.filter == bounded, f"{product['title']}: the filter was changed")
    return link(document, "self")["href"]


def follow(url: str, title: str) -> None:
    """Waits for the delivery and reads its items."""
    for _ in range(240):
        document, order = ask(Order, url)
        if order.properties.status.status_code not in ("received", "accepted", "scheduled", "tasked", "processing"):
            break
        time.sleep(1)
    code = order.properties.status.status_code
    check(code == "completed", f"{title}: the order ended as {code} {order.properties.status.reason_text}")
    history, _ = ask(OrderStatuses[OrderStatus], link(document, "monitor")["href"])
    codes = [each["status_code"] for each in history["statuses"]]
    check(codes[0] == "received" and codes[-1] == "completed" and "accepted" in codes, f"{title}: statuses {codes}")
    items, _ = ask(None, link(document["properties"]["status"], "items")["href"])
    check(len(items["features"]) == 1, f"{title}: {len(items['features'])} items")
    check(all("href" in asset for each in items["features"] for asset in each["assets"].values()), "no assets")


def main() -> None:
    landing, root = ask(RootResponse, task["url"])
    conformance, _ = ask(Conformance, link(landing, "conformance")["href"])
    check(conformance["conformsTo"] == root.conformsTo, "two lists of conformance classes")
    products = list(pages(ProductsCollection, f"{link(landing, 'products')['href']}?limit=1", "products"))
    for product in products:
        ask(Product, link(product, "self")["href"])
        ask(Conformance, link(product, "conformance")["href"])
        for rel in ("queryables", "order-parameters"):
            schema, _ = ask(None, link(product, rel)["href"])
            check(schema.get("type") == "object" and bool(schema.get("properties")), f"{rel} is empty")
    wanted = [next(each for each in products if each["title"] == title) for title in task["products"]]
    placed = [(buy(product, task["area"]), product["title"]) for product in wanted]
    for url, title in placed:
        follow(url, title)
    orders = list(pages(OrderCollection[OrderStatus], f"{link(landing, 'orders')['href']}?limit=1", "features"))
    check(len(orders) == len(placed), f"{len(orders)} orders are listed")
    for path, status in (("products/none", 404), ("orders/none", 404), ("orders/none/statuses", 404)):
        ask(None, f"{task['url']}/{path}", status=status)
    ask(None, link(wanted[0], "opportunities")["href"], "POST", {"datetime": "now", "geometry": task["area"]}, 422)
    print(f"answers {answers}")


main()

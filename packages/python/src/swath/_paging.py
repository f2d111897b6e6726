"""Where the next page of a list is, in each of the four conventions of the platform."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

Page = Mapping[str, Any]


def rows_of(page: Page) -> list[Any]:
    """The rows of a page: `features`, or the only list that it has."""
    features = page.get("features")
    if isinstance(features, list):
        return features
    return next((value for value in page.values() if isinstance(value, list)), [])


def next_page_input(convention: str, input: Mapping[str, Any], page: Page) -> dict[str, Any] | None:
    """The input of the page after this one; None after the last."""
    members = _CONVENTIONS[convention](page, input, len(rows_of(page)))
    return None if members is None else {**input, **members}


def _next_offset(page: Page, input: Mapping[str, Any], row_count: int) -> dict[str, Any] | None:
    if "next_offset" in page:
        return None if page["next_offset"] is None else {"offset": page["next_offset"]}
    end = _number(input.get("offset")) + row_count
    total = page.get("total", page.get("numberMatched", 0))
    return {"offset": end} if row_count > 0 and end < total else None


def _next_numbered(page: Page, input: Mapping[str, Any], _: int) -> dict[str, Any] | None:
    return {"page": _number(input.get("page")) + 1} if page.get("last") is False else None


def _next_of_search(page: Page, input: Mapping[str, Any], row_count: int) -> dict[str, Any] | None:
    number = _number(input.get("page"))
    if "links" not in page:
        is_more = row_count > 0 and (number + 1) * page.get("limit", 0) < page.get("total", 0)
        return {"page": number + 1} if is_more else None
    link = _next_link(page)
    # A link of the method GET is one of the STAC API; the operation counts pages.
    return None if link is None else link.get("body", {"page": number + 1})


def _next_by_token(page: Page, input: Mapping[str, Any], row_count: int) -> dict[str, Any] | None:
    token = page.get("next")
    if token:
        # A list that can be continued later says where also when it has no more rows.
        return None if row_count == 0 and token == input.get("next") else {"next": token}
    link = _next_link(page)
    if link is None:
        return None
    body = link.get("body")
    return {"next": body["next"] if body else parse_qs(urlsplit(link["href"]).query).get("next", [None])[0]}


def _next_link(page: Page) -> Mapping[str, Any] | None:
    return next((link for link in page.get("links", []) if link.get("rel") == "next"), None)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


_CONVENTIONS: Mapping[str, Callable[[Page, Mapping[str, Any], int], dict[str, Any] | None]] = {
    "offset": _next_offset,
    "page": _next_numbered,
    "search": _next_of_search,
    "token": _next_by_token,
}

"""Lists that are read page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar, cast

from .._paging import next_page_input, rows_of

PageType = TypeVar("PageType")
RowType = TypeVar("RowType")


class AsyncPages(Generic[PageType, RowType]):
    """The rows of a list. Nothing is requested before they are iterated, and each page when its first row is needed; every
    iteration begins anew."""

    def __init__(
        self, request: Callable[[dict[str, Any]], Awaitable[PageType]], input: Mapping[str, Any], convention: str
    ) -> None:
        self._request = request
        self._input = dict(input)
        self._convention = convention

    async def first_page(self) -> PageType:
        """The first page as the platform sends it, with its counts."""
        return await self._request(self._input)

    async def pages(self) -> AsyncIterator[PageType]:
        """The pages as the platform sends them."""
        input: dict[str, Any] | None = self._input
        while input is not None:
            page = await self._request(input)
            yield page
            input = next_page_input(self._convention, input, cast(Mapping[str, Any], page))

    async def __aiter__(self) -> AsyncIterator[RowType]:
        async for page in self.pages():
            for row in rows_of(cast(Mapping[str, Any], page)):
                yield row

    async def all(self, max: int | None = None) -> list[RowType]:
        """All rows, or the first `max` of them."""
        rows: list[RowType] = []
        if max is not None and max <= 0:
            return rows
        async for row in self:
            rows.append(row)
            if len(rows) == max:
                break
        return rows

"""A platform that runs: `npm run prove -- notebooks` starts one and names it in the environment."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from places import EXETER
from swath import Swath
from swath.analysis.items import Item
from swath.analysis.orders import Order
from swath.analysis.scenes import Scenes


@pytest.fixture(scope="session")
def client() -> Iterator[Swath]:
    """Signed in as SWATH_URL, SWATH_USERNAME and SWATH_PASSWORD say; without these it fails."""
    with Swath() as swath:
        yield swath


@pytest.fixture(scope="session")
def scenes(client: Swath) -> Scenes:
    """Three scenes of one season, with different clouds."""
    return client.search(EXETER, "2024", collections=["sentinel-2-l2a"], exclude_owned=False)


@pytest.fixture(scope="session")
def order(scenes: Scenes) -> Order:
    """The scenes, delivered."""
    return scenes.buy(max_credits=0).wait(timeout_s=120)


@pytest.fixture(scope="session")
def item(order: Order) -> Item:
    """The scene without clouds."""
    return order.items()[0]

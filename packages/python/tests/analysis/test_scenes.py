"""Searches, prices and purchases."""

from __future__ import annotations

import geopandas
import pandas
import pytest
import shapely

from places import EXETER
from swath import Swath
from swath.analysis.orders import Order
from swath.analysis.scenes import Scenes
from swath.errors import SpendLimitExceeded

NAIP = (-77.9995, 36.6210, -77.9972, 36.6230)


def test_is_a_frame_with_prices_and_cover(scenes: Scenes) -> None:
    assert isinstance(scenes, geopandas.GeoDataFrame) and len(scenes) == 3
    assert list(scenes["id"]) == ["s2-exe-20240826", "s2-exe-20240801", "s2-exe-20240602"]
    assert list(scenes["cover"]) == [100.0, 100.0, 100.0] and scenes.crs.to_epsg() == 4326
    assert scenes["cover_km2"].iloc[0] == pytest.approx(9.43, abs=0.01)
    assert str(scenes["datetime"].dtype).endswith("UTC]") and scenes.total_credits == 0


def test_parts_of_the_frame_are_scenes_until_they_lack_what_is_bought(scenes: Scenes) -> None:
    clear = scenes[scenes["cloud_cover"] < 10]
    assert isinstance(clear, Scenes) and len(clear) == 2
    assert [capture["id"] for capture in clear.captures()] == ["s2-exe-20240801", "s2-exe-20240602"]
    assert clear.estimate().total_credits == 0
    assert not isinstance(scenes[["id", "credits"]], Scenes)


def test_filters_by_clouds_dates_and_hosts(client: Swath) -> None:
    found = client.search(EXETER, ("2024-07-01", None), cloud=20, hosts=["open"])
    assert list(found["id"]) == ["s2-exe-20240801"]
    assert len(client.search(EXETER, "1999")) == 0


def test_finds_by_the_name_of_a_place(client: Swath) -> None:
    assert "s2-exe-20240602" in set(client.search("Exeter", "2024-06")["id"])


def test_shows_pictures_prices_and_a_map(scenes: Scenes) -> None:
    html = scenes._repr_html_()
    assert html.count("data:image/jpeg;base64,") == 3 and "s2-exe-20240826 (open)" in html
    assert "leaflet" in html and scenes.quicklook(0)[:3] == b"\xff\xd8\xff"


def test_buys_within_a_bound_and_leaves_out_what_is_held(client: Swath) -> None:
    found = client.search(NAIP, hosts=["commercial"])
    chosen = found[found["id"] == "naip-va-17n"]
    assert chosen.total_credits == 1750 and chosen["held_km2"].iloc[0] == 0
    with pytest.raises(SpendLimitExceeded):
        chosen.buy(max_credits=1749)
    tried = chosen.buy(max_credits=1750, dry_run=True)
    assert tried.is_dry_run and tried.credits == 1750
    available = client.billing.credits.balance()["available_credits"]
    order = chosen.buy(max_credits=1750).wait(timeout_s=120)
    assert order.status == "FULFILLED" and client.billing.credits.balance()["available_credits"] == available - 1750
    again = client.search(NAIP, hosts=["commercial"])
    held = again[again["id"] == "naip-va-17n"].iloc[0]
    assert (held["credits"], held["note"]) == (0, "already-held")
    assert held["held_km2"] == pytest.approx(held["cover_km2"])
    with pytest.raises(ValueError, match="nothing to buy"):
        again[again["id"] == "naip-va-17n"].buy(max_credits=1750)


def test_delivers_items_in_the_order_of_their_time(order: Order) -> None:
    items = order.items()
    assert [item.name for item in items] == ["s2-exe-20240602", "s2-exe-20240801", "s2-exe-20240826"]
    assert shapely.geometry.shape(items[0].geometry).bounds == pytest.approx(EXETER, abs=1e-6)
    assert isinstance(pandas.Timestamp(items[0].datetime), pandas.Timestamp)

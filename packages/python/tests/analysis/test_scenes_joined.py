"""Frames that are made of the scenes of several searches."""

from __future__ import annotations

from typing import Any, cast

import pandas
import pytest

from swath import Swath
from swath.analysis.prices import SearchTerms
from swath.analysis.scenes import Scenes


def search(client: Swath, scene_id: str, west: float) -> Scenes:
    ring = [[west, 0], [west + 1, 0], [west + 1, 1], [west, 1], [west, 0]]
    area = {"type": "Polygon", "coordinates": [ring]}
    feature = {
        "id": scene_id,
        "geometry": area,
        "properties": {"host": "open", "datetime": "2024-06-01T00:00:00Z"},
    }
    return Scenes.from_features(client, SearchTerms(area), [feature], [{"credits": 5, "aud": 1.0}])


def test_scenes_of_searches_for_different_areas_are_not_bought_for_the_first() -> None:
    client = Swath("http://localhost:1", key="k")
    east, west = search(client, "e", 10), search(client, "w", -10)
    both = pandas.concat([east, west])
    for buy in (both.captures, both.estimate, lambda: both[both["id"] == "w"].buy(max_credits=1)):
        with pytest.raises(ValueError, match="not of one search"):
            cast(Any, buy)()
    assert both.total_credits == 10
    same = pandas.concat([east, search(client, "f", 10)])
    assert [capture["geometry"] for capture in same.captures()] == [cast(SearchTerms, east.terms).area] * 2
    other_client = search(Swath("http://localhost:2", key="k"), "e", 10)
    with pytest.raises(ValueError, match="not of one search"):
        pandas.concat([east, other_client]).captures()

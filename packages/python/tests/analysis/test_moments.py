"""Times of series and of searches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas
import pytest

from swath.analysis.collections import Collection
from swath.up42.glossary import _to_moment


def test_tiles_of_one_pass_complete_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def tile(values: list[float | None]) -> Any:
        frame = pandas.DataFrame({"ndvi_mean": pandas.Series(values, dtype=float)})
        return SimpleNamespace(datetime="2024-06-01T10:00:00Z", zonal=lambda *_, **__: frame)

    monkeypatch.setattr(Collection, "items", lambda *_, **__: [tile([0.5, None]), tile([None, 0.25])])
    series = Collection(None, {}).zonal(None, "ndvi")  # type: ignore[arg-type]
    assert series.values.tolist() == [[0.5, 0.25]]


def test_a_time_of_another_zone_is_sent_in_utc() -> None:
    assert _to_moment("2024-06-01T02:00:00+10:00", is_end=False) == "2024-05-31T16:00:00Z"
    assert _to_moment("2024-06-01", is_end=True) == "2024-06-01T23:59:59Z"

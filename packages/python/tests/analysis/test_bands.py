"""Names of bands, and formulas over physical values."""

from __future__ import annotations

from typing import Any

import pytest

from swath.analysis.bands import BandError, find_band, find_formula, read_bands, to_physical

ASSET: dict[str, Any] = {
    "metadata": {
        "nodata": 0,
        "bands": [
            {"name": "B04", "common_name": "red", "scale": 0.0001, "offset": -0.1},
            {"name": "B08", "common_name": "nir", "scale": 0.0001, "offset": -0.1},
            {"name": "SCL", "common_name": None, "scale": 1, "offset": 0},
        ],
    }
}
BANDS = read_bands(ASSET)


class Indices:
    base_url = "https://platform.example"

    def call(self, operation: str, input: Any = None) -> Any:
        return {"indices": [{"name": "ndvi", "formula": "(nir - red) / (nir + red)"}]}


@pytest.mark.parametrize("name", ["B08", "nir", "b2", 2])
def test_finds_a_band_by_each_of_its_names(name: str | int) -> None:
    assert find_band(BANDS, name).number == 2


def test_names_the_bands_that_there_are() -> None:
    with pytest.raises(BandError, match=r'no band "blue".*B04 \(red\), B08 \(nir\), SCL'):
        find_band(BANDS, "blue")


def test_replaces_scaled_bands_alone() -> None:
    physical = to_physical("sqrt(nir - red) / (SCL + 1e3)", BANDS)
    assert physical == "sqrt((nir*0.0001+(-0.1)) - (red*0.0001+(-0.1))) / (SCL + 1e3)"


def test_leaves_a_formula_of_physical_numbers_as_it_is() -> None:
    plain = read_bands({"metadata": {"bands": [{"name": "red"}, {"name": "nir"}]}})
    assert to_physical("nir / red", plain) == "nir / red"


def test_reads_an_index_by_its_name() -> None:
    assert find_formula(Indices(), "NDVI") == "(nir - red) / (nir + red)"
    assert find_formula(Indices(), "nir / red") == "nir / red"
    with pytest.raises(BandError, match='no index "evi3"'):
        find_formula(Indices(), "evi3")

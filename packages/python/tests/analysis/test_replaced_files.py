from __future__ import annotations

from pathlib import Path

import pytest

from swath._part_file import open_replacement


def test_a_file_is_replaced_when_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "ledger.ndjson"
    path.write_bytes(b"of last year")
    with pytest.raises(ConnectionError), open_replacement(path) as file:
        file.write(b"half")
        raise ConnectionError
    assert path.read_bytes() == b"of last year"
    with open_replacement(path) as file:
        file.write(b"whole")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("ledger.ndjson", b"whole")]

"""Names of files, waits, parts, and bars."""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import ModuleType
from typing import Any

import pytest

from swath._part_file import sha256_of_multihash
from swath._progress import ProgressBar
from swath._retries import backoff_s, read_retry_after
from swath._safe_names import assign_safe_names, file_name, to_safe_name
from swath._upload_parts import FilePart, is_sent_whole, list_missing_parts, list_parts


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("scene.tif", "scene.tif"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("a/b\\c:d", "a_b_c_d"),
        (" .hidden. ", "hidden"),
        ("con", "con_"),
        ("COM1.tif", "COM1_.tif"),
        ("x.part", "x_part"),
        ("x.part.json", "x_part.json"),
        ("evil\u202etxt.exe", "evil_txt.exe"),
        ("", "_"),
        ("...", "_"),
        ("Übung", "Übung"),
    ],
)
def test_a_name_is_safe_on_every_system(text: str, name: str) -> None:
    assert to_safe_name(text) == name


def test_a_long_name_keeps_its_extension() -> None:
    name = to_safe_name("ü" * 300 + ".tif")
    assert len(name.encode()) <= 200 and name.endswith("ü.tif")


def test_any_text_becomes_a_name_that_is_no_path() -> None:
    source = random.Random(7)
    for _ in range(2000):
        text = "".join(chr(source.choice([source.randrange(32, 127), source.randrange(0xD7FF)])) for _ in range(12))
        name = to_safe_name(text)
        assert name and not set(name) & set('/\\:*?"<>|\0') and not name.startswith(".") and not name.endswith((".", " "))
        assert to_safe_name(name) == name


def test_equal_names_get_the_id_except_the_oldest() -> None:
    names = assign_safe_names({"2": "Scene.tif", "1": "scene.tif", "3": "other"})
    assert names == {"1": "scene.tif", "2": "Scene~2.tif", "3": "other"}


@pytest.mark.parametrize(
    ("key", "media_type", "name"),
    [
        ("data", "image/tiff; application=geotiff; profile=cloud-optimized", "Scene.tif"),
        ("thumbnail", "image/jpeg", "Scene-thumbnail.jpg"),
        ("x", "of/tomorrow", "Scene-x.bin"),
    ],
)
def test_a_file_is_named_by_its_item_and_its_key(key: str, media_type: str, name: str) -> None:
    assert file_name("Scene", {"key": key, "media_type": media_type}) == name


def test_waits_are_read_from_headers() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    in_date = read_retry_after({"retry-after": later})
    assert in_date is not None and 80 < in_date <= 90
    assert read_retry_after({"retry-after": "7"}) == 7
    assert read_retry_after({"retry-after": "soon"}) is None
    assert read_retry_after({"retry-after": "-7"}) is None
    assert read_retry_after({"ratelimit": '"calls";r=0;t=3'}) == 3
    assert read_retry_after({"ratelimit": '"calls";r=5;t=3'}) is None
    assert all(0 <= backoff_s(attempt) <= 20 for attempt in range(1, 40))


def test_parts_cover_a_file_and_are_the_same_every_time() -> None:
    mebibyte = 2**20
    for size_bytes in (8 * mebibyte + 1, 20 * mebibyte, 90_000 * mebibyte):
        parts = list_parts(size_bytes)
        assert parts[0].start == 0 and parts[-1].end == size_bytes and len(parts) <= 10_000
        assert all(one.end == other.start for one, other in zip(parts, parts[1:], strict=False))
    assert is_sent_whole(8 * mebibyte) and not is_sent_whole(8 * mebibyte + 1)
    received = [{"number": 1, "size_bytes": 8 * mebibyte}, {"number": 2, "size_bytes": 5}]
    assert list_missing_parts(17 * mebibyte, received) == [
        FilePart(2, 8 * mebibyte, 16 * mebibyte),
        FilePart(3, 16 * mebibyte, 17 * mebibyte),
    ]


def test_only_a_sha256_is_compared() -> None:
    digest = "ab" * 32
    assert sha256_of_multihash("1220" + digest.upper()) == digest
    assert [sha256_of_multihash(value) for value in (None, "1220ab", "1114" + digest, "1220" + "zz" * 32, 5)] == [None] * 5


class Bar:
    """What is recorded of a bar of tqdm."""

    def __init__(self, **options: Any) -> None:
        self.options = options
        self.n = 0
        self.total: int | None = None
        self.is_closed = False
        BARS.append(self)

    def update(self, count: int) -> None:
        self.n += count

    def close(self) -> None:
        self.is_closed = True


BARS: list[Bar] = []


def test_a_bar_is_shown_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("tqdm.auto")
    module.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    BARS.clear()
    told: list[tuple[int, int | None]] = []
    bar = ProgressBar("x", show=True, on_progress=lambda *at: told.append(at))
    bar.update(3, 10)
    bar.update(10, 10)
    bar.close()
    assert [(shown.n, shown.total, shown.is_closed) for shown in BARS] == [(10, 10, True)]
    assert told == [(3, 10), (10, 10)]
    ProgressBar("x", show=None).update(1, 1)
    assert len(BARS) == 1, "without a terminal nothing is shown"


def test_without_tqdm_nothing_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    bar = ProgressBar("x", show=True)
    bar.update(1, 2)
    bar.close()
    assert capsys.readouterr() == ("", "")


def test_the_bar_of_tqdm_counts_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    bar = ProgressBar("scene.tif", show=True)
    bar.update(2**20, 2**20)
    bar.close()
    assert "scene.tif: 100%" in capsys.readouterr().err

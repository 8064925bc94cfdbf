"""Photos are kept up to a limit; the oldest give way."""

import os

import pytest

from firmware.history.photo_ring import PhotoRing


@pytest.fixture
def ring(tmp_path):
    return PhotoRing(tmp_path / "photos", photos_max=3, bytes_max=1000)


def test_it_begins_empty(ring):
    assert ring.names() == []
    ring.tidy()
    assert not ring.folder.exists()


def test_so_many_photos(ring):
    names = [ring.add(bytes([number])) for number in range(5)]
    assert names == [f"00000{number}.jpg" for number in range(1, 6)]
    assert ring.names() == names[2:]
    assert ring.path_of(names[0]) is None
    assert ring.path_of(names[4]).read_bytes() == b"\4"


def test_so_many_bytes(ring):
    for size in (400, 400, 400):
        ring.add(bytes(size))
    assert ring.names() == ["000002.jpg", "000003.jpg"]
    ring.add(bytes(1000))
    assert ring.names() == ["000004.jpg"]


def test_a_photo_that_is_too_large_alone_is_not_kept(ring):
    ring.add(b"1")
    assert ring.add(bytes(1001)) is None
    assert ring.names() == ["000001.jpg"]


def test_no_photos_at_all(tmp_path):
    ring = PhotoRing(tmp_path / "photos", 0, 1000)
    assert ring.add(b"1") is None
    assert not ring.folder.exists()


def test_the_number_counts_and_not_the_clock(ring):
    for number in range(3):
        name = ring.add(b"1")
        os.utime(ring.folder / name, (2e9 - number * 1e9, 2e9 - number * 1e9))
    ring.add(b"1")
    assert ring.names() == ["000002.jpg", "000003.jpg", "000004.jpg"]


def test_after_a_name_that_may_have_been_given(ring):
    assert ring.add(b"1", after="000041.jpg") == "000042.jpg"
    assert ring.add(b"1", after="000007.jpg") == "000043.jpg"
    assert ring.add(b"1", after="no photo") == "000044.jpg"


def test_the_order_holds_beyond_six_digits(ring):
    ring.add(b"1", after="999998.jpg")
    names = [ring.add(b"1") for _ in range(3)]
    assert names == ["1000000.jpg", "1000001.jpg", "1000002.jpg"]
    assert ring.names() == names


def test_other_files_are_not_touched(ring):
    ring.folder.mkdir()
    others = ["holiday.jpg", "1.jpg", "000001.png", ".hidden"]
    for name in others:
        (ring.folder / name).write_bytes(bytes(2000))
    for _ in range(5):
        ring.add(b"1")
    ring.tidy()
    assert set(others) < {path.name for path in ring.folder.iterdir()}
    assert ring.path_of("holiday.jpg") is None
    assert ring.path_of("../photos/000005.jpg") is None


def test_smaller_limits_hold_at_once(ring):
    for _ in range(3):
        ring.add(bytes(300))
    PhotoRing(ring.folder, 10, 650).tidy()
    assert ring.names() == ["000002.jpg", "000003.jpg"]
    PhotoRing(ring.folder, 1, 650).tidy()
    assert ring.names() == ["000003.jpg"]
    PhotoRing(ring.folder, 0, 650).tidy()
    assert ring.names() == []


def test_removing(ring):
    names = [ring.add(b"1") for _ in range(2)]
    ring.remove(names[0])
    ring.remove(names[0])
    ring.remove("../secret")
    assert ring.names() == names[1:]
    assert ring.drop_oldest()
    assert not ring.drop_oldest()

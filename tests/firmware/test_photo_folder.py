"""Photos are kept up to a limit; the oldest give way."""

from dataclasses import replace

import pytest

from firmware.history.photo_folder import PhotoFolder


@pytest.fixture
def ring(tmp_path):
    return PhotoFolder(tmp_path / "photos", photos_max=3, bytes_max=1000)


def kept(ring):
    return [path.name for path in sorted(ring.folder.glob("*"), key=lambda path: int(path.stem))]


def add(ring, *sizes):
    return [ring.add(bytes(size)) for size in sizes]


def test_folder_of_photos_is_made_with_the_first_photo(ring):
    ring.tidy()
    assert not ring.drop_oldest()
    assert replace(ring, photos_max=0).add(b"1") is None
    assert not ring.folder.exists()


def test_oldest_photos_beyond_the_number_go(ring):
    names = [ring.add(bytes([number])) for number in range(5)]
    assert names == [f"00000{number}.jpg" for number in range(1, 6)]
    assert kept(ring) == names[2:]
    assert ring.path_of(names[0]) is None
    assert ring.path_of(names[4]).read_bytes() == b"\4"


def test_oldest_photos_beyond_the_size_go(ring):
    add(ring, 400, 400, 400)
    assert kept(ring) == ["000002.jpg", "000003.jpg"]
    assert add(ring, 1001, 1000) == [None, "000004.jpg"]
    assert kept(ring) == ["000004.jpg"]


@pytest.mark.parametrize(
    ("after", "name"),
    [
        ("000041.jpg", "000042.jpg"), ("000000.jpg", "000002.jpg"), ("no photo", "000002.jpg"),
        ("999998.jpg", "999999.jpg"), ("999999.jpg", "1000000.jpg"),
    ],
)  # fmt: skip
def test_numbers_count_on_after_a_name_that_may_have_been_given(ring, after, name):
    add(ring, 1)
    assert ring.add(b"1", after=after) == name
    assert kept(ring) == ["000001.jpg", name]


def test_other_files_are_not_touched(ring):
    ring.folder.mkdir()
    others = ["holiday.jpg", "1.jpg", "000001.png", ".hidden"]
    for name in others:
        (ring.folder / name).write_bytes(bytes(2000))
    add(ring, *[1] * 5)
    ring.tidy()
    assert set(others) < {path.name for path in ring.folder.iterdir()}
    assert ring.path_of("holiday.jpg") is ring.path_of("../photos/000005.jpg") is None


def test_smaller_limits_hold_at_once(ring):
    add(ring, 300, 300, 300)
    for photos_max, bytes_max, left in ((10, 650, [2, 3]), (1, 650, [3]), (0, 650, [])):
        replace(ring, photos_max=photos_max, bytes_max=bytes_max).tidy()
        assert kept(ring) == [f"00000{number}.jpg" for number in left]


def test_removing_a_photo_spares_all_others(ring):
    names = add(ring, 1, 1)
    for name in (names[0], names[0], "../secret"):
        ring.remove(name)
    assert kept(ring) == names[1:]
    assert ring.drop_oldest()
    assert not ring.drop_oldest()

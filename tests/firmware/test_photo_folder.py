"""Photos are kept up to a limit; the oldest give way."""

from dataclasses import replace

import pytest

from firmware.history.photo_folder import PhotoFolder


@pytest.fixture
def photos(tmp_path):
    return PhotoFolder(tmp_path / "photos", photos_max=3, bytes_max=1000)


def kept(photos):
    return [path.name for path in sorted(photos.folder.glob("*"), key=lambda path: int(path.stem))]


def add(photos, *sizes):
    return [photos.add(bytes(size)) for size in sizes]


def test_folder_of_photos_is_made_with_the_first_photo(photos):
    photos.tidy()
    assert not photos.drop_oldest()
    assert replace(photos, photos_max=0).add(b"1") is None
    assert not photos.folder.exists()


def test_oldest_photos_beyond_the_number_go(photos):
    names = [photos.add(bytes([number])) for number in range(5)]
    assert names == [f"00000{number}.jpg" for number in range(1, 6)]
    assert kept(photos) == names[2:]
    assert photos.path_of(names[0]) is None
    assert photos.path_of(names[4]).read_bytes() == b"\4"


def test_oldest_photos_beyond_the_size_go(photos):
    add(photos, 400, 400, 400)
    assert kept(photos) == ["000002.jpg", "000003.jpg"]
    assert add(photos, 1001, 1000) == [None, "000004.jpg"]
    assert kept(photos) == ["000004.jpg"]


@pytest.mark.parametrize(
    ("after", "name"),
    [
        ("000041.jpg", "000042.jpg"), ("000000.jpg", "000002.jpg"), ("no photo", "000002.jpg"),
        ("999998.jpg", "999999.jpg"), ("999999.jpg", "1000000.jpg"),
    ],
)  # fmt: skip
def test_numbers_count_on_after_a_name_that_may_have_been_given(photos, after, name):
    add(photos, 1)
    assert photos.add(b"1", after=after) == name
    assert kept(photos) == ["000001.jpg", name]


def test_other_files_are_not_touched(photos):
    photos.folder.mkdir()
    others = ["holiday.jpg", "1.jpg", "000001.png", ".hidden"]
    for name in others:
        (photos.folder / name).write_bytes(bytes(2000))
    add(photos, *[1] * 5)
    photos.tidy()
    assert set(others) < {path.name for path in photos.folder.iterdir()}
    assert photos.path_of("holiday.jpg") is photos.path_of("../photos/000005.jpg") is None


def test_smaller_limits_hold_at_once(photos):
    add(photos, 300, 300, 300)
    for photos_max, bytes_max, left in ((10, 650, [2, 3]), (1, 650, [3]), (0, 650, [])):
        replace(photos, photos_max=photos_max, bytes_max=bytes_max).tidy()
        assert kept(photos) == [f"00000{number}.jpg" for number in left]


def test_removing_a_photo_spares_all_others(photos):
    names = add(photos, 1, 1)
    for name in (names[0], names[0], "../secret"):
        photos.remove(name)
    assert kept(photos) == names[1:]
    assert photos.drop_oldest()
    assert not photos.drop_oldest()

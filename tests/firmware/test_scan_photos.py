"""``stadtblick scan`` of several photos of one table."""

import json
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest

from firmware.games.between_two_cities import GAME
from firmware.history.stored_reading import decode_reading
from firmware.report.text import teaching_command
from firmware.scan.city_order import apply_order, unite_cities
from firmware.scan.corrections import Correction, parse_correction
from firmware.scan.json_output import reading_json
from firmware.scan.make_scan import make_scan, make_unscored_scan
from firmware.scan.read_photos import PhotoSource, read_photos
from firmware.wording.notes import ScanNote
from scoring.games.between_two_cities.notation import parse_city
from tests.firmware.commanded import command, refusal
from tests.firmware.fake_eye import EXAMPLE
from tests.firmware.samples import BTC, ring_reading
from vision.editions.description import TileTurns
from vision.editions.folder import built_in_edition
from vision.photo.load import load_photo
from vision.reading import Note, NoteCode, Place, PlaceKind, Reading

STANDARD = built_in_edition("between-two-cities")
RING = replace(
    ring_reading(4, grids=[parse_city(text).grid for text in EXAMPLE[:4]], size_wh=(960, 720)),
    edition="standard",
)
"""Table of cities of 56, 57, 62 and 62 points."""
TURNABLE = replace(BTC, tile_turns=TileTurns.ANY)
"""Description of tiles that may lie in any turn."""


@pytest.fixture
def photos(tmp_path):
    """Paths of five photos of different greys."""
    paths = []
    for number in range(5):
        path = tmp_path / f"{number}.jpg"
        grey = np.full((720, 960, 3), 60 + 20 * number, np.uint8)
        path.write_bytes(cv2.imencode(".jpg", grey)[1].tobytes())
        paths.append(path)
    return paths


def showing(*shown):
    """Return an eye that sees these cities of the table in each photo, by the photo's number."""

    def eye(photo, _edition):
        cities = shown[int(photo.name[-5])]
        grids = tuple(RING.grids[city] for city in cities)
        return replace(RING, photo_name=photo.name, grids=grids)

    return eye


def scanned(capsys, photos, *cities, **options):
    code = command("scan", *photos, reader=showing(*cities), json=True, **options)
    return code, json.loads(capsys.readouterr().out)


def test_overlapping_photos_make_one_table(photos, capsys):
    code, sheet = scanned(capsys, photos[:2], [0, 1, 2], [2, 3, 0])
    assert (code, [city["total"] for city in sheet["cities"]]) == (0, [56, 57, 62, 62])
    assert (sheet["order"], sheet["order_certain"]) == (["A", "B", "C", "D"], True)


def test_sheet_names_photos_of_cities(photos, capsys):
    _code, sheet = scanned(capsys, photos[:2], [0, 1, 2], [2, 3, 0])
    assert [each["shows"] for each in sheet["photos"]] == [["A", "B", "C"], ["A", "C", "D"]]
    assert sorted(each for photo in sheet["photos"] for each in photo["counts"]) == list("ABCD")


def test_order_of_single_cities_is_asked(photos, capsys):
    code, sheet = scanned(capsys, photos[:4], [0], [2], [1], [3])
    assert (code, sheet["order_certain"]) == (1, False)
    assert [each["code"] for each in sheet["note_codes"]] == [ScanNote.ORDER_ASSUMED]


def test_said_order_seats_the_players(photos, capsys):
    code, sheet = scanned(capsys, photos[:4], [0], [2], [1], [3], order="A,C,B,D")
    assert (code, sheet["order"]) == (0, ["A", "C", "B", "D"])
    assert [player["cities"] for player in sheet["players"]] == [[0, 3], [2, 0], [1, 2], [3, 1]]


def test_terminal_says_what_the_order_decides(photos, capsys):
    command("scan", *photos[:4], reader=showing([0], [2], [1], [3]))
    text = capsys.readouterr().out
    assert "--order A,B,C,D" in text
    assert "B+D: 62 points, in 4 of 6 orders" in text


@pytest.mark.parametrize("order", ["A,B", "A,B,C,D,E", "A,A,B,C", "0,1,2,3", "A=B=C=D=", ""])
def test_malformed_order_is_refused(photos, order):
    run = partial(command, reader=showing([0], [2], [1], [3]), order=order or " ")
    assert refusal(run, "scan", *photos[:4]) == "order-malformed"


def test_order_of_a_game_without_seats_is_refused(photos):
    run = partial(command, reader=showing([0]), game="cities", order="A")
    assert refusal(run, "scan", photos[0]) == "usage"


def test_photo_of_nothing_leaves_the_others(photos, capsys):
    code, sheet = scanned(capsys, photos[:3], [0, 1, 2, 3], [], [1])
    assert (code, len(sheet["cities"])) == (1, 4)
    assert [(each["code"], each["photo"]) for each in sheet["note_codes"]] == [
        (ScanNote.PHOTO_EMPTY, str(photos[1]))
    ]


def test_same_photo_twice_counts_once(photos, capsys):
    photos[1].write_bytes(photos[0].read_bytes())
    code, sheet = scanned(capsys, photos[:2], [0, 1, 2, 3], [])
    assert code == 0
    assert [each["code"] for each in sheet["note_codes"]] == [ScanNote.PHOTO_REPEATED]


def test_unusable_photo_leaves_the_others(photos, capsys):
    photos[1].write_bytes(b"no photo")
    code, sheet = scanned(capsys, photos[:3], [0, 1, 2, 3], [], [1])
    assert code == 1
    assert sheet["notes"][0].startswith(f"{photos[1]}: this photo was left out, ")


def test_photos_of_nothing_are_refused(photos):
    assert refusal(partial(command, reader=showing([], [])), "scan", *photos[:2]) == "no-city"


def test_unusable_photos_are_refused(photos):
    for path in photos[:2]:
        path.write_bytes(b"no photo")
    run = partial(command, reader=showing([], []))
    assert refusal(run, "scan", *photos[:2]) == "photo-not-an-image"


def test_too_many_photos_are_refused(photos):
    assert (
        refusal(partial(command, reader=showing()), "scan", *photos, *photos) == "too-many-photos"
    )


def test_correction_counts_in_a_joined_table(photos, capsys):
    was = scanned(capsys, photos[:2], [0, 1, 2], [2, 3, 0])[1]["cities"][3]["total"]
    _code, sheet = scanned(capsys, photos[:2], [0, 1, 2], [2, 3, 0], set="D:1,1=park")
    assert sheet["cities"][3]["total"] != was


def test_folder_gets_each_annotated_photo(photos, tmp_path, capsys):
    scanned(capsys, photos[:2], [0, 1, 2], [2, 3, 0], out=tmp_path / "out")
    shapes = [load_photo(tmp_path / "out" / f"annotated-{n}.jpg").size_wh for n in (1, 2)]
    assert shapes == [(960, 720), (960, 720)]


def test_fewer_photos_leave_no_annotated_ones_behind(photos, tmp_path, capsys):
    scanned(capsys, photos[:2], [0, 1, 2], [2, 3, 0], out=tmp_path / "out")
    scanned(capsys, photos[:1], [0, 1, 2, 3], out=tmp_path / "out")
    assert not list((tmp_path / "out").glob("annotated-*.jpg"))


def joined(photos, *cities) -> Reading:
    sources = [PhotoSource(path.name, partial(load_photo, path)) for path in photos]
    return read_photos(sources, STANDARD, showing(*cities))[1]


def test_joined_reading_survives_the_history(photos):
    reading = joined(photos[:3], [0, 1, 2], [2, 3, 0], [1])
    stored = json.loads(json.dumps(reading_json(make_unscored_scan(reading, BTC))))
    assert decode_reading(stored).join == rounded(reading).join


def rounded(reading):
    """Return a reading with the digits that are stored."""
    return reading.transformed(lambda points: [(round(x, 2), round(y, 2)) for x, y in points],
                               reading.size_wh)  # fmt: skip


def with_twin(reading):
    """Return a joined reading whose city C may be city A again."""
    twin = replace(reading.grids[0], unsure=((0, 0),))
    grids = (*reading.grids[:2], twin, *reading.grids[2:])
    join = replace(reading.join, order=tuple(range(len(grids))), perhaps_same=((0, 2),))
    return replace(reading, grids=grids, join=join)


def test_cities_that_may_be_one_are_asked(photos):
    scan = make_scan(with_twin(joined(photos[:2], [0, 1, 2], [2, 3, 0])), BTC)
    codes = [each.note.code for each in scan.findings]
    assert codes == [ScanNote.PERHAPS_SAME]
    assert dict(scan.findings[0].note.values)["same"] == "A=C,B,D,E"


def test_order_unites_cities_and_moves_corrections(photos):
    reading = with_twin(joined(photos[:2], [0, 1, 2], [2, 3, 0]))
    given = [parse_correction(text, BTC) for text in ("C:1,2=park", "E:2,2=shop")]
    found = apply_order("A=C,B,D,E", reading, given, BTC)
    places = [(each.place.grid, each.place.cell) for each in found.corrections]
    assert places == [(0, (0, 1)), (3, (1, 1))]
    assert (found.order, len(found.reading.grids)) == ((0, 1, 2, 3), 4)


@pytest.mark.parametrize("quarters", range(4))
def test_correction_turns_with_its_city_when_united(photos, quarters):
    reading = with_twin(joined(photos[:2], [0, 1, 2], [2, 3, 0]))
    grids = list(reading.grids)
    grids[2] = grids[2].turned(quarters)
    place = Place(PlaceKind.TILE, 0, (0, 1))
    row, column = place.turned((4, 4), quarters).cell
    given = [parse_correction(f"C:{row + 1},{column + 1}=park", BTC)]
    found = apply_order("A=C,B,D,E", replace(reading, grids=tuple(grids)), given, TURNABLE)
    assert [each.place for each in found.corrections] == [place]


@pytest.mark.parametrize("quarters", range(4))
def test_picture_of_a_corrected_tile_turns_with_its_city_when_united(photos, quarters):
    reading = with_twin(joined(photos[:2], [0, 1, 2], [2, 3, 0]))
    grids = list(reading.grids)
    grids[2] = grids[2].turned(quarters)
    place = Place(PlaceKind.TILE, 0, (0, 1))
    seen = replace(place.turned((4, 4), quarters), grid=2)
    picture = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    united = unite_cities(
        replace(reading, grids=tuple(grids)),
        [Correction(seen, "park")],
        0,
        2,
        TURNABLE,
        {seen: np.rot90(picture, -quarters)},
    )
    assert np.array_equal(united.patches[place], picture)


def test_two_named_cities_are_no_longer_asked(photos):
    reading = with_twin(joined(photos[:2], [0, 1, 2], [2, 3, 0]))
    found = apply_order("A,B,C,D,E", reading, (), BTC)
    assert found.reading.join.perhaps_same == ()


def test_notes_of_a_photo_name_it(photos):
    dark = Note(NoteCode.DARK, values=(("photo", "2"),))
    reading = replace(joined(photos[:2], [0, 1, 2], [2, 3, 0]), notes=(dark,))
    assert (
        make_unscored_scan(reading, BTC).note_sentences[0].startswith("photo 2: the photo is dark")
    )


def test_only_seats_make_the_order_matter():
    assert GAME.seats_matter(make_unscored_scan(RING, BTC).options)


def test_teaching_command_names_one_photo(photos):
    named = photos[0].rename(photos[0].with_name("my 0.jpg"))
    sources = [PhotoSource(str(path), partial(load_photo, path)) for path in (named, photos[1])]
    _picture, reading = read_photos(sources, STANDARD, showing([0], [1]))
    command = f"stadtblick teach '{named}' --edition NAME --groups"
    assert teaching_command(STANDARD.description, reading) == command
    assert teaching_command(STANDARD.description, replace(RING, photo_name=str(named))) == command

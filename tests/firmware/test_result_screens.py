"""The views of a result, of every game: who has won, what to check, players, map.

How they look is shown by the pictures that ``test_screens.py`` compares with.
"""

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest

from firmware.base.language import LANGUAGES
from firmware.games.between_two_cities.signs import BUILDING_TYPE_SIGNS
from firmware.games.registry import game_or_unscored, games
from firmware.games.scan import Scan
from firmware.report.place_pictures import place_bitmap
from firmware.report.scan_views import remark_views, scan_screens, scan_views
from firmware.scan.make_scan import make_scan
from firmware.screens.draw_result import note_parts
from firmware.screens.render import render
from firmware.screens.result_views import (
    MapView,
    NoteView,
    ScoreView,
    SignsView,
    UnreadView,
    WinnerView,
)
from firmware.screens.view import TableMap
from firmware.wording.notes import ScanNote
from scoring.faces import Face, Side
from scoring.games import GAMES
from scoring.games.between_two_cities.score_sheet import TieBreaker
from scoring.ranking import TieBreak
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    EMPTY_ROW,
    FULL_BOARD,
    blocks,
    city,
    piece,
    reading,
)
from tests.firmware.samples import (
    example,
    ring_reading,
    scored,
    square,
    three_winners,
    with_sheet,
)
from tests.firmware.scan_samples import LONGEST, SCANS, blocks_scan, stretched
from tests.firmware.screen_looks import assert_all_is_said, body, by_name, lit, shown, speaking
from tests.firmware.test_ranges import open_at
from tests.firmware.view_samples import checkerboard
from vision.photo.load import Photo
from vision.reading import Note, NoteCode, Unread, note

UNREAD = Unread(square((1152, 648), 300, 0), Note(NoteCode.CITY_UNREADABLE))
KITE = "a kite hangs over the table and hides all that is below it: take the kite down, please"

NO_FACTORY, FOUR_FACTORIES, ONE_FACTORY = (
    "SSPP/SSPP/EBMD/HHHH",
    "PPHH/SSPP/FFFF/FHBB",
    "SSSF/EBMD/OOPP/HHHH",
)
WITH_A_GAP = "SSSF/EBMD/OOPP/HHH."

UNREAD_CITY = example(unread=(UNREAD,))


def views_of(scan: Scan) -> dict:
    return by_name(scan_screens(scan))


EVERY = [*SCANS.values(), *LONGEST.values(), *map(stretched, [*TieBreaker, None])]


@pytest.mark.parametrize("samples", [[*SCANS.values(), example()], LONGEST.values()])
def test_every_game_is_tried(samples):
    without = set(GAMES) - {scan.reading.game for scan in samples}
    assert not without, "each game of GAMES needs a scan in SCANS and one in LONGEST"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scan", EVERY)
def test_every_page_of_every_game_says_all_of_it(scan, language):
    with speaking(language):
        screens = scan_screens(scan)
    for screen in screens:
        assert_all_is_said(screen)
    assert len({screen.name for screen in screens}) == len(screens)


@pytest.mark.parametrize(("language", "word"), [("de", "Sieger"), ("hu", "Győztes")])
def test_page_is_in_language_of_the_moment_it_is_drawn(language, word):
    first = scan_views(example())[0]
    with speaking(language):
        assert shown(render(first))[0] == word


class TestWinner:
    @pytest.mark.parametrize(
        ("scan", "expected"),
        [
            (SCANS["cities"], ["Winner?", "1/16", "14?", "Blue"]),
            (SCANS["collected"], ["Winner", "1/13", "$12", "Red"]),
            (SCANS["dice"], ["Winner", "1/6", "76", "Red"]),
            (
                blocks_scan(piece("row", 0, 7), text="bH1 bH2 bH3 bS2 bS3 rC" + EMPTY_ROW * 4),
                ["Leads so far", "1/9", "$7", "Blue"],
            ),
        ],
        ids=["cities", "city-blocks", "dice-board", "unfinished"],
    )
    def test_of_each_game_comes_first(self, scan, expected):
        assert isinstance(scan_views(scan)[0], WinnerView)
        assert shown(scan_screens(scan)[0])[: len(expected)] == expected

    def test_of_a_game_without_rules_is_what_was_read(self):
        first = scan_screens(SCANS["reading-only"])[0]
        assert shown(first)[:1] == ["Read, no score"]
        assert body(first) == "dominoes 5 pieces read 1 empty place"


class TestWhatToCheck:
    def test_weightiest_doubts_come_first(self):
        cities = ("SSSS/PPHP/HOOO/HOO.", "HHHP/PPSE/FPFF/FFPP", *["SSSS/FFOO/OOEB/OOMD"] * 2)
        dark = Note(NoteCode.DARK)
        scan = scored(
            *cities, unsure={1: ((0, 0),)}, unread=(UNREAD,), notes=(dark,), owners_known=False
        )
        views = scan_screens(scan)
        names = [view.name for view in views][:7]
        assert names == [
            "winner",
            "standings",
            "unread-1",
            "where-1",
            "note-1",
            "owners",
            "check-1",
        ]
        assert "check (5)" in shown(views[0])

    def test_many_tiles_take_more_pages_and_none_is_left_out(self):
        everywhere = tuple(itertools.product(range(4), repeat=2))
        views = scan_screens(example(unsure=dict.fromkeys(range(6), everywhere)))
        place = re.compile(r"[A-F], row \d, column \d\?")
        listed = [text for view in views for text in shown(view) if place.fullmatch(text)]
        assert len(listed) == len(set(listed)) == 96
        views = views_of(scored(NO_FACTORY, FOUR_FACTORIES, WITH_A_GAP, unsure={2: ((3, 3),)}))
        assert "check (1)" in shown(views["winner"])
        assert "C, row 4, column 4?" in shown(views["check-1"])

    def test_is_listed_by_kind(self):
        views = views_of(SCANS["cities"])
        checks = {name: view for name, view in views.items() if name.startswith("check")}
        titles = dict.fromkeys(shown(view)[0] for view in checks.values())
        assert list(titles) == ["Check 8 fields", "Check 2 figures", "8 fields missing"]
        assert "A, row 8, column 1?" in shown(views["check-1"])
        assert "B, row 1, column 1" in shown(views["check-5"])
        with speaking("de"):
            assert "Reihe 2?" in shown(views_of(SCANS["blocks"])["check-1"])


class TestWhatWasNotRead:
    def test_is_shown_with_its_picture_its_place_and_what_to_do(self):
        scan = UNREAD_CITY
        views = scan_views(scan, {UNREAD.corners_px: checkerboard()}.get)
        (view,) = [view for view in views if isinstance(view, UnreadView)]
        assert view.crop == checkerboard()
        view = render(view)
        assert shown(view)[:2] == ["More light,", "hands away"]
        assert lit(view, 5, 0), "the picture"
        assert lit(view, 85, 13), "the middle of the table, filled"

    def test_has_a_picture_by_its_corners(self):
        photo = Photo(np.full((1296, 2304, 3), 90, np.uint8), "table.jpg", (2304, 1296))
        assert (
            place_bitmap(photo, UNREAD_CITY.reading, UNREAD_CITY.description, UNREAD.corners_px)
            is not None
        )


class TestRemarks:
    def with_notes(self, *notes, **further):
        return example(notes=notes, **further)

    def test_on_the_photo_say_that_they_are(self):
        (view,) = remark_views(self.with_notes(Note(NoteCode.OTHER_EDITION)))
        assert shown(render(view))[0] == "About the photo"
        assert body(render(view)) == "These tiles look different: teach them in the menu"
        gone = Note(NoteCode.CITY_GONE, values=(("letter", "C"),))
        with speaking("de"):
            (view,) = remark_views(self.with_notes(gone))
            assert body(render(view)).startswith("Stadt C von vorhin")

    def test_on_another_look_name_the_phone_where_the_menu_cannot_teach(self):
        scan = self.with_notes(Note(NoteCode.OTHER_EDITION))
        (view,) = remark_views(replace(scan, game=game_or_unscored("city-blocks")))
        assert body(render(view)) == "These tiles look different: teach them on the phone"

    def test_on_cities_stand_under_their_letters_and_are_said_once(self):
        glare, other = note(NoteCode.GLARE, (0, 1), (2, 3)), note(NoteCode.GLARE, (3, 3))
        edge = note(NoteCode.OVER_THE_EDGE, edges="left top")
        notes = {1: (glare,), 2: (other,), 3: (edge,), 5: (glare,)}
        views = remark_views(self.with_notes(city_notes=notes))
        assert [shown(render(view))[0] for view in views] == ["Cities B C F", "City D"]
        codes = (NoteCode.UPSIDE_DOWN, NoteCode.NO_TILE, NoteCode.HIDDEN, NoteCode.OVER_SUPPLY)
        notes = tuple(note(code, (0, 1), face="shop") for code in codes)
        assert remark_views(self.with_notes(city_notes={0: notes})) == ()

    def test_make_the_winner_provisional_but_for_those_on_the_calibration(self):
        for code, title in (
            (NoteCode.MUCH_LIGHT, "Winner?"),
            (NoteCode.CALIBRATION_MOVED, "Winner"),
            (NoteCode.CALIBRATION_OTHER_SIZE, "Winner"),
        ):
            assert shown(scan_screens(self.with_notes(Note(code)))[0])[0] == title

    def test_notes_without_short_words_are_told_in_full(self, monkeypatch):
        monkeypatch.setattr("firmware.wording.notes._TEXTS", {"kite": KITE})
        views = remark_views(self.with_notes(Note("kite")))
        assert len(views) == note_parts(KITE) == 2
        assert [view.name for view in views] == ["note-1", "note-2"]
        assert " ".join(body(render(view)) for view in views) == KITE

    def test_of_the_rules_have_a_page_each(self):
        views = [view for view in remark_views(SCANS["cities"]) if isinstance(view, NoteView)]
        texts = [(shown(render(view))[0], body(render(view))) for view in views]
        assert texts == [
            ("1 city not read", "this looks like a city but cannot be read"),
            ("City A", "A tourist on water does not count: check it"),
        ]
        (alone,) = remark_views(SCANS["reading-only"])
        assert shown(render(alone))[0] == "About the rules"

    def test_reasons_of_what_was_not_read_are_told_once_each(self):
        lit = Note(NoteCode.LIGHT_HIDES)
        unread = (UNREAD, Unread(UNREAD.corners_px, lit), UNREAD)
        views = remark_views(example(unread=unread))[:2]
        assert [shown(render(view))[0] for view in views] == ["3 cities not read"] * 2
        assert body(render(views[1])) == "too much light: move the lamp or give shade"

    def test_of_a_board_that_was_not_read(self):
        seen = reading(CITY_BLOCKS, unread=[Note(NoteCode.GRID_UNREADABLE)])
        view, where = remark_views(Scan(seen, CITY_BLOCKS, games()[CITY_BLOCKS.game]))
        assert shown(render(view))[0] == "Board not read"
        assert isinstance(where, UnreadView)
        two = reading(CITY_BLOCKS, blocks(FULL_BOARD), blocks(FULL_BOARD))
        views = remark_views(make_scan(two, CITY_BLOCKS))
        assert shown(render(views[0]))[0] == "About the rules"
        assert ScanNote.MORE_BOARDS in {
            each.note.code for each in make_scan(two, CITY_BLOCKS).findings
        }


def totals(scan: Scan) -> list[str]:
    """Return the total on the view of each city."""
    return [shown(view)[2] for view in scan_screens(scan) if view.name.startswith("city-")]


class TestMarks:
    @pytest.mark.parametrize(
        ("cities", "doubts", "expected"),
        [
            ((NO_FACTORY,), {"unsure": {1: ((2, 0),)}}, ["52", "50–52", "63", "52"]),
            ((), {"unread": (UNREAD,)}, ["52", "52?", "63?"]),
        ],
        ids=["an unsure tile", "an unread city"],
    )
    def test_a_city_in_doubt_and_all_with_factories_may_change(self, cities, doubts, expected):
        table = (NO_FACTORY, FOUR_FACTORIES, ONE_FACTORY, *cities)
        assert totals(scored(*table, **doubts)) == expected

    def test_a_page_of_a_player_marks_the_same_cities_and_all_players(self):
        cities = (NO_FACTORY, FOUR_FACTORIES, ONE_FACTORY, NO_FACTORY)
        views = views_of(scored(*cities, unsure={1: ((2, 0),)}))
        assert shown(views["player-3"]) == [
            *("2–3. Player 3", "5/14", "50–52", "C left", "63", "►", "B right", "50–52"),
            *("Tie: shops 5:7?", "again", "►", "check (1)"),
        ]
        sure, unsure = city(), city(unsure=((2, 3),), position=1)
        unread = [Note(NoteCode.CITY_UNREADABLE)]
        views = views_of(make_scan(reading(CITIES, sure, unsure, unread=unread), CITIES))
        finals = [shown(views[f"player-{n}"])[2] for n in (1, 2)]
        assert [final.endswith("?") for final in finals] == [True, True]


def test_ranges_of_parts_fit_beside_a_total_with_a_question_mark():
    entries = tuple((sign, "16–18") for sign in BUILDING_TYPE_SIGNS.values())
    city_view = SignsView(name="city-A", title="City A", entries=entries, points="54–56?")
    assert_all_is_said(city_view)


def test_page_of_a_player_marks_no_city_while_that_is_open():
    scan = open_at(example(), {(0, (1, 2)): tuple(Face)})
    scan = make_scan(scan.reading, scan.description)
    assert list(map(str, scan.ranges.cities[:2])) == ["54–58", "57"]
    view = next(view for view in scan_views(scan) if getattr(view, "name", "") == "player-2")
    assert [row.counts for row in view.rows[:2]] == [False, False]


class TestTies:
    """Pages say in words what players of the same points were compared by."""

    @pytest.mark.parametrize(
        ("tie", "expected"),
        [
            (TieBreak((1,), 1, 4, 3), "best tourist 4:3?"),
            (TieBreak((1,), 2, 3, 4), "Tie: 2nd tourist 3:4?"),
            (TieBreak((1,)), "Tie: rank is shared"),
        ],
    )
    def test_tourists_of_cities(self, tie, expected):
        scan = SCANS["cities"]
        players = tuple(replace(each, tie_break=tie) for each in scan.sheet.players)
        view = views_of(with_sheet(scan, players=players))["player-1"]
        assert {"City A, tourists:", expected} <= set(shown(view))

    @pytest.mark.parametrize(
        ("to_check", "expected"), [(1, "Same sum so far"), (0, "Same sum: both win")]
    )
    def test_sums_of_city_blocks(self, monkeypatch, to_check, expected):
        level = with_sheet(SCANS["collected"], winners=tuple(Side))
        monkeypatch.setattr(Scan, "doubt_count", to_check)
        assert expected in shown(views_of(level)["player-1"])


class TestStandings:
    def test_a_player_without_a_name_is_told_by_the_cities_beside(self):
        assert "1. Player 3 (B C)" in shown(views_of(three_winners())["player-3"])
        scan = SCANS["cities"]
        players = (replace(scan.sheet.players[0], name="P1"), *scan.sheet.players[1:])
        views = views_of(replace(scan, sheet=replace(scan.sheet, players=players)))
        assert "Player 1 (A)" in shown(views["standings"])

    @pytest.mark.parametrize("case", ["cities", "collected", "dice"])
    def test_every_game_has_them(self, case):
        standings = scan_views(SCANS[case])[1].standings
        assert [standing.rank for standing in standings] == [1, 2]


class TestPlayers:
    @pytest.mark.parametrize(
        ("tie", "wording"),
        [
            (TieBreak((1,), TieBreaker.HIGHER_CITY, 62, 57), "Tie: other city 62:57"),
            (TieBreak((1,), TieBreaker.HIGHER_CITY, 162, 157), "other city 162:157"),
            (TieBreak((1,), TieBreaker.FACTORY_COUNT, 12, 11), "Tie: factories 12:11"),
            (TieBreak((1,)), "Tie: rank is shared"),
        ],
    )
    def test_a_tie_is_explained(self, tie, wording):
        scan = example()
        players = (replace(scan.sheet.players[0], tie_break=tie), *scan.sheet.players[1:])
        view = views_of(replace(scan, sheet=replace(scan.sheet, players=players)))["player-1"]
        assert wording in shown(view)

    @pytest.mark.parametrize("case", ["cities", "blocks", "collected"])
    def test_parts_are_listed_best_first_and_add_up(self, case):
        views = [view for view in scan_views(SCANS[case]) if isinstance(view, ScoreView)]
        players = [view for view in views if view.name.startswith("player-")]
        assert len(players) == 2
        for view in players:
            parts = [int(part) for part in str(view.text).split() if part != "none"]
            assert parts == sorted(parts, reverse=True)
            assert sum(parts) in [int(each) for each in re.findall(r"\d+", str(view.points[0]))]

    def test_of_tiles_collected_it_is_not_said_where_they_lay(self):
        views = [view for name, view in views_of(SCANS["collected"]).items() if "streets" in name]
        assert views
        assert not any("$" in text for view in views for text in shown(view))


class TestMap:
    @pytest.mark.parametrize("count", range(2, 8))
    def test_letters_lie_to_each_other_as_the_cities_on_the_photo(self, count):
        reading = ring_reading(count)
        view = render(MapView(table=TableMap.of(reading)))
        middles = {
            text.shown: ((text.box[0] + text.box[2]) / 2, (text.box[1] + text.box[3]) / 2)
            for text in view.texts
            if text.shown.isalpha() and len(text.shown) == 1
        }
        assert list(middles) == [chr(ord("A") + index) for index in range(count)]
        letters = zip(reading.grids, middles.values(), strict=True)
        for (one, at), (other, to) in itertools.combinations(letters, 2):
            for axis in (0, 1):
                on_photo = one.centre_px[axis] - other.centre_px[axis]
                if abs(on_photo) > 100:
                    assert on_photo * (at[axis] - to[axis]) > 0

    @pytest.mark.parametrize("turn", [0, 17, 45, 80])
    def test_a_letter_touches_no_edge_of_its_city(self, turn):
        reading = ring_reading(6)
        small = replace(reading.grids[0], corners_px=square((1152, 648), 60, turn))
        table = TableMap.of(replace(reading, grids=(small, *reading.grids[1:])))
        view = render(MapView(table=table))
        left, top, right, bottom = next(text.box for text in view.texts if text.shown == "A")
        round_about = [(x, y) for x in range(left - 1, right + 1) for y in (top - 1, bottom)]
        round_about += [(x, y) for x in (left - 1, right) for y in range(top, bottom)]
        assert not any(lit(view, x, y) for x, y in round_about if 0 <= y < 64)

    def test_unread_region_is_a_question_mark_on_the_map(self):
        view = views_of(UNREAD_CITY)["map"]
        mark, a, d = (next(t.box for t in view.texts if t.shown == each) for each in "?AD")
        assert a[1] > mark[1] > d[1]
        render(MapView(table=TableMap.of(replace(ring_reading(3), grids=()))))

    @pytest.mark.parametrize("case", SCANS)
    def test_is_there_where_there_is_more_than_one(self, case):
        scan = SCANS[case]
        maps = [view for view in scan_views(scan) if isinstance(view, MapView)]
        several = len(scan.reading.grids) + len(scan.reading.unread) > 1
        assert len(maps) == several

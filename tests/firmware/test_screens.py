import io
import itertools
import re
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from firmware.screens import (
    Screen,
    error_screens,
    hold_still_screen,
    message_screens,
    ready_screen,
    result_screens,
    save_screens,
    texts,
    typeset,
)
from scoring.sheet import TieBreak, TieBreaker
from tests import regenerate_golden
from tests.firmware import golden_screens
from tests.firmware.samples import (
    LONG_NAMES,
    example_sheet,
    one_long_winner_sheet,
    ring_reading,
    seven_long_names_sheet,
    square,
    three_winners_sheet,
    two_player_sheet,
)
from vision.reading import Unread

CASES = golden_screens.cases()
ALL_SCREENS = [
    pytest.param(screen, id=f"{case}/{screen.name}")
    for case, screens in CASES.items()
    for screen in screens
]


def shown(screen: Screen) -> list[str]:
    return [text.shown for text in screen.texts]


def by_name(screens: tuple[Screen, ...]) -> dict[str, Screen]:
    return {screen.name: screen for screen in screens}


def lit(screen: Screen, x: int, y: int) -> bool:
    return bool(screen.image.getpixel((x, y)))


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.logical_xor(one, other).getbbox() is None


def assert_nothing_is_cut_off(screen: Screen) -> None:
    assert screen.image.mode == "1"
    assert screen.image.size == (128, 64)
    for text in screen.texts:
        left, top, right, bottom = text.box
        assert 0 <= left < right <= 128, text
        assert 0 <= top < bottom <= 64, text
        if text.shown.endswith("…"):
            assert text.whole.startswith(text.shown[:-1]), text
    for one, other in itertools.combinations(screen.texts, 2):
        apart_x = one.box[2] <= other.box[0] or other.box[2] <= one.box[0]
        apart_y = one.box[3] <= other.box[1] or other.box[3] <= one.box[1]
        assert apart_x or apart_y, (one, other)


class TestEveryScreen:
    @pytest.mark.parametrize("screen", ALL_SCREENS)
    def test_cuts_nothing_off_and_lays_no_text_over_another(self, screen):
        assert_nothing_is_cut_off(screen)

    @pytest.mark.parametrize("screen", ALL_SCREENS)
    def test_says_its_words_in_pixels_at_the_stated_places(self, screen):
        for text in screen.texts:
            pixels = screen.image.crop(text.box)
            letters = [
                typeset.glyphs(text.shown, size).crop(typeset.ink_box(text.shown, size))
                for size in typeset.SIZES
            ]
            written = [each for each in letters if each.size == pixels.size]
            assert any(
                same(pixels, each) or same(pixels, ImageChops.invert(each)) for each in written
            ), text

    @pytest.mark.parametrize("case", CASES)
    def test_has_a_name_of_its_own_that_is_fit_for_a_file(self, case):
        names = [screen.name for screen in CASES[case]]
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(r"[A-Za-z0-9-]+", name) for name in names)

    @pytest.mark.parametrize("case", [case for case in CASES if case != "messages"])
    def test_of_a_result_says_which_page_it_is_and_what_the_button_does(self, case):
        count = len(CASES[case])
        for number, screen in enumerate(CASES[case], start=1):
            assert f"{number}/{count}" in shown(screen)
            assert "next ►" in shown(screen)

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.text(max_size=60), min_size=6, max_size=6))
    def test_takes_any_names(self, names):
        sheet = example_sheet()
        players = tuple(
            replace(player, name=name, rank=1)
            for player, name in zip(sheet.players, names, strict=True)
        )
        for winners in ((3,), (0, 1), (0, 1, 2), (0, 1, 2, 3, 4, 5)):
            for screen in result_screens(replace(sheet, players=players, winners=winners)):
                assert_nothing_is_cut_off(screen)


class TestWinner:
    def test_is_named_with_the_points_in_large_digits(self):
        winner = result_screens(example_sheet())[0]
        assert shown(winner)[0] == "Winner"
        assert {"Emily", "62"} <= set(shown(winner))
        digits = next(text for text in winner.texts if text.shown == "62")
        assert digits.box[3] - digits.box[1] == 20

    def test_three_share_a_victory(self):
        winner = result_screens(three_winners_sheet())[0]
        assert shown(winner)[:5] == ["Shared victory", "62", "Ben", "Emily", "P3"]

    def test_more_winners_than_lines_are_counted(self):
        winner = result_screens(seven_long_names_sheet())[0]
        assert "+5 more" in shown(winner)

    def test_a_long_name_takes_three_lines_before_it_is_shortened(self):
        winner = result_screens(one_long_winner_sheet())[0]
        assert shown(winner)[2:5] == ["The", "Lighthouse", "Keepers of…"]


class TestPlayer:
    def test_shows_rank_both_cities_and_which_one_counts(self):
        ben = by_name(result_screens(example_sheet()))["player-3"]
        assert shown(ben)[:6] == ["2. Ben", "57", "C left", "62", "►", "B right"]
        assert "Lower city B counts" in shown(ben)

    def test_the_mark_stands_in_the_row_of_the_city_that_counts(self):
        ben = by_name(result_screens(example_sheet()))["player-3"]
        mark, counts, other = (
            next(text.box for text in ben.texts if text.shown == each)
            for each in ("►", "B right", "C left")
        )
        assert mark[1] >= other[3]
        assert counts[1] <= mark[1] < mark[3] <= counts[3]

    def test_equal_cities_both_count(self):
        emily = by_name(result_screens(example_sheet()))["player-4"]
        assert shown(emily).count("►") == 2
        assert "Both cities are equal" in shown(emily)

    def test_of_two_the_cities_are_added(self):
        ben = by_name(result_screens(two_player_sheet()))["player-1"]
        assert {"118", "56", "62", "Both cities together"} <= set(shown(ben))
        assert shown(ben).count("►") == 2

    @pytest.mark.parametrize(
        ("tie", "wording"),
        [
            (TieBreak(TieBreaker.HIGHER_CITY, (1,), 62, 57), "Tie: best city 62:57"),
            (TieBreak(TieBreaker.HIGHER_CITY, (1,), 162, 157), "best city 162:157"),
            (TieBreak(TieBreaker.FACTORY_COUNT, (1,), 11, 9), "Tie: factories 11:9"),
            (TieBreak(TieBreaker.FACTORY_COUNT, (1,), 12, 11), "Tie: factories 12:11"),
            (TieBreak(TieBreaker.SHARED, (1,)), "Tie: rank is shared"),
        ],
    )
    def test_a_tie_is_explained(self, tie, wording):
        sheet = example_sheet()
        players = (replace(sheet.players[0], tie_break=tie), *sheet.players[1:])
        page = by_name(result_screens(replace(sheet, players=players)))["player-1"]
        assert wording in shown(page)

    @pytest.mark.parametrize("breaker", TieBreaker)
    def test_every_tie_break_has_words_that_fit(self, breaker):
        numbers = (None, None) if breaker is TieBreaker.SHARED else (32, 31)
        sheet = example_sheet()
        tie = TieBreak(breaker, (1,), *numbers)
        players = (replace(sheet.players[0], tie_break=tie), *sheet.players[1:])
        page = by_name(result_screens(replace(sheet, players=players)))["player-1"]
        assert not any(text.endswith("…") for text in shown(page))

    def test_a_player_without_a_name_is_named_by_the_seat(self):
        page = by_name(result_screens(seven_long_names_sheet()))["player-6"]
        assert shown(page)[0] == "1. Player 6"

    def test_letters_that_the_font_lacks_are_replaced_visibly(self):
        page = by_name(result_screens(seven_long_names_sheet()))["player-4"]
        assert shown(page)[0] == "1. ������"


class TestCity:
    def test_shows_six_categories_and_the_total(self):
        page = by_name(result_screens(example_sheet()))["city-A"]
        assert shown(page)[:14] == [
            *("56 points", "City A"),
            *("Shop", "16", "Factory", "0", "Tavern", "1"),
            *("Office", "17", "Park", "10", "House", "12"),
        ]

    def test_no_category_is_shortened_with_two_digits(self):
        page = by_name(result_screens(seven_long_names_sheet()))["city-B"]
        assert {"Factory", "64", "168 points"} <= set(shown(page))

    def test_a_total_that_may_change_has_a_question_mark(self):
        reading = ring_reading(6, unsure={1: ((2, 3),)})
        pages = by_name(result_screens(example_sheet(), reading))
        assert shown(pages["city-A"])[0] == "56 points"
        assert shown(pages["city-B"])[0] == "57 points?"


class TestMap:
    def test_is_there_only_with_a_reading(self):
        assert "map" not in by_name(result_screens(example_sheet()))
        assert "map" in by_name(result_screens(example_sheet(), ring_reading(6)))

    @pytest.mark.parametrize("count", [1, 3, 4, 5, 6, 7])
    def test_letters_lie_to_each_other_as_the_cities_on_the_photo(self, count):
        reading = ring_reading(count)
        page = by_name(result_screens(example_sheet(), reading))["map"]
        middles = {
            text.shown: ((text.box[0] + text.box[2]) / 2, (text.box[1] + text.box[3]) / 2)
            for text in page.texts
            if len(text.shown) == 1
        }
        assert list(middles) == [chr(ord("A") + index) for index in range(count)]
        for one, other in itertools.combinations(range(count), 2):
            for axis in (0, 1):
                on_photo = (
                    reading.cities[one].centre_px[axis] - reading.cities[other].centre_px[axis]
                )
                on_map = middles[chr(ord("A") + one)][axis] - middles[chr(ord("A") + other)][axis]
                if abs(on_photo) > 100:
                    assert on_photo * on_map > 0

    @pytest.mark.parametrize("turn", [0, 17, 45, 80])
    def test_a_letter_touches_no_edge_of_its_city(self, turn):
        reading = ring_reading(6)
        small = replace(reading.cities[0], corners_px=square((1000, 100), 60, turn))
        page = by_name(
            result_screens(example_sheet(), replace(reading, cities=(small, *reading.cities[1:])))
        )["map"]
        left, top, right, bottom = next(text.box for text in page.texts if text.shown == "A")
        round_about = [(x, y) for x in range(left - 1, right + 1) for y in (top - 1, bottom)]
        round_about += [(x, y) for x in (left - 1, right) for y in range(top, bottom)]
        assert not any(lit(page, x, y) for x, y in round_about if 0 <= y < 64)

    def test_what_was_not_read_is_a_question_mark_at_its_place(self):
        unread = Unread(square((1152, 648), 300, 10), "too dark")
        page = by_name(result_screens(example_sheet(), ring_reading(6, unread=(unread,))))["map"]
        mark = next(text.box for text in page.texts if text.shown == "?")
        a, d = (next(t.box for t in page.texts if t.shown == each) for each in "AD")
        assert a[1] > mark[1] > d[1]

    def test_nothing_found_is_an_empty_map(self):
        reading = replace(ring_reading(3), cities=())
        assert "map" in by_name(result_screens(example_sheet(), reading))


class TestWhatToCheck:
    def test_a_sure_result_has_no_such_page(self):
        names = by_name(result_screens(example_sheet(), ring_reading(6)))
        assert not [name for name in names if name.startswith(("unsure", "missing", "unread"))]
        assert not any("check" in text for page in names.values() for text in shown(page))

    def test_unsure_tiles_are_counted_and_listed_right_after_the_winner(self):
        reading = ring_reading(6, unsure={0: ((2, 3),), 5: ((0, 0), (3, 1))})
        pages = result_screens(example_sheet(), reading)
        assert pages[1].name == "unsure-1"
        assert shown(pages[1])[:4] == ["Check 3 tiles", "A 2,3?", "F 0,0?", "F 3,1?"]

    def test_every_page_says_that_something_is_to_be_checked(self):
        pages = result_screens(example_sheet(), ring_reading(6, unsure={0: ((2, 3),)}))
        assert all({"check 1", "1?"} & set(shown(page)) for page in pages)

    def test_many_tiles_take_more_pages_and_none_is_left_out(self):
        everywhere = tuple((row, column) for row in range(4) for column in range(4))
        reading = ring_reading(6, unsure=dict.fromkeys(range(6), everywhere))
        pages = result_screens(example_sheet(), reading)
        listed = [t for page in pages for t in shown(page) if re.fullmatch(r"[A-F] \d,\d\?", t)]
        assert len(listed) == len(set(listed)) == 96

    def test_confirmed_tiles_are_not_asked_for_again(self):
        reading = ring_reading(6, unsure={0: ((2, 3),)})
        names = by_name(result_screens(example_sheet(), reading, unsure=()))
        assert "unsure-1" not in names

    def test_missing_tiles_are_listed(self):
        page = by_name(result_screens(seven_long_names_sheet()))["missing-1"]
        assert shown(page)[:3] == ["2 tiles missing", "A 3,3", "G 0,0"]

    def test_the_reason_of_what_was_not_read_is_given_in_full(self):
        why = "something dark covers more than half of this city: take it away, photograph again"
        unread = (Unread(square((1152, 648), 300, 0), why),) * 2
        pages = result_screens(example_sheet(), ring_reading(6, unread=unread))
        reason_pages = [page for page in pages if page.name.startswith("unread")]
        assert shown(reason_pages[0])[0] == "2 cities not read"
        told = " ".join(
            text for page in reason_pages for text in shown(page)[1:] if "/" not in text
        )
        assert [word for word in why.split() if word not in told.split()] == []


class TestMessages:
    def test_ready_says_what_the_button_does(self):
        assert shown(ready_screen()) == ["Stadtblick", "Ready", "press to scan"]

    def test_hold_still(self):
        assert "Hold still" in shown(hold_still_screen())

    def test_a_short_error_is_one_page(self):
        (page,) = error_screens("the camera does not answer: check its ribbon cable")
        assert shown(page) == [
            "Problem",
            "the camera does not",
            "answer: check its",
            "ribbon cable",
        ]

    def test_a_long_error_is_told_to_its_last_word(self):
        message = " ".join(f"word{number}" for number in range(60))
        told = " ".join(text for page in error_screens(message) for text in shown(page))
        assert all(f"word{number}" in told.split() for number in range(60))

    def test_no_text_at_all(self):
        (page,) = message_screens("note", "Note", " \n")
        assert shown(page) == ["Note"]

    @settings(max_examples=60, deadline=None)
    @given(st.text(max_size=300), st.text(max_size=60))
    def test_any_text_fits(self, message, title):
        for screen in message_screens("note", title, message):
            assert_nothing_is_cut_off(screen)


class TestTypesetting:
    @pytest.mark.parametrize("size", typeset.SIZES)
    def test_every_size_of_the_font_has_the_letters_of_three_languages(self, size):
        missing = typeset.glyphs(typeset.NO_CHARACTER, size).tobytes()
        for letter in "áéíóöőúüűÁÉÍÓÖŐÚÜŰäöüßÄÖÜ0123456789…►?�":
            assert typeset.glyphs(letter, size).tobytes() != missing, letter

    def test_the_smallest_letters_are_as_wide_as_stated(self):
        assert typeset.cell_width(typeset.SMALLEST) == typeset.SMALLEST_WIDTH

    @pytest.mark.parametrize(
        ("text", "readable"),
        [
            ("Árvíztűrő", "Árvíztűrő"),
            ("o\N{COMBINING DOUBLE ACUTE ACCENT}", "ő"),
            (" two\n\twords ", "two words"),
            ("山a", "�a"),
            ("x\N{ZERO WIDTH JOINER}y\0", "xy"),
            ("", ""),
        ],
    )
    def test_printable(self, text, readable):
        assert typeset.printable(text) == readable

    @pytest.mark.parametrize(
        ("text", "letters", "expected"),
        [("Emily", 5, "Emily"), ("Emily", 4, "Emi…"), ("Em ily", 4, "Em…"), ("Emily", 0, "")],
    )
    def test_shorten(self, text, letters, expected):
        assert typeset.shorten(text, letters) == expected

    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("", ()),
            ("one two three", ("one two", "three")),
            ("unbreakable", ("unbreak", "able")),
            ("a unbreakable b", ("a", "unbreak", "able b")),
        ],
    )
    def test_wrap(self, text, lines):
        assert typeset.wrap(text, 7) == lines

    def test_names_of_the_long_table_need_what_the_tests_mean_to_show(self):
        assert max(map(len, LONG_NAMES)) > 40
        assert not any(typeset.printable(name).isascii() for name in LONG_NAMES[1:2])
        assert texts.seat(6) == "Player 6"


class TestSaving:
    def test_writes_each_screen_plain_and_enlarged(self, tmp_path):
        screens = result_screens(example_sheet(), ring_reading(6))
        written = save_screens(screens, tmp_path / "new" / "folder")
        assert len(written) == 2 * len(screens)
        assert all(path.is_file() for path in written)
        with Image.open(tmp_path / "new" / "folder" / "winner.png") as plain:
            assert plain.mode == "1"
            assert ImageChops.logical_xor(plain, screens[0].image).getbbox() is None

    def test_the_enlarged_one_is_eight_times_as_large_inside_a_frame(self, tmp_path):
        save_screens([ready_screen()], tmp_path)
        with Image.open(tmp_path / "ready@8x.png") as large:
            grey = large.convert("L")
        margin = (grey.width - 128 * 8) // 2
        assert grey.size == (128 * 8 + 2 * margin, 64 * 8 + 2 * margin)
        assert margin > 0
        for x, y in itertools.product(range(0, 128, 5), range(0, 64, 3)):
            bright = grey.getpixel((margin + 8 * x + 4, margin + 8 * y + 4)) > 128
            assert bright == lit(ready_screen(), x, y)


class TestGolden:
    @pytest.mark.parametrize("case", CASES)
    def test_screens_look_as_they_did(self, case):
        """After a change that is meant: look, then ``python -m tests.regenerate_golden``."""
        for screen in CASES[case]:
            with Image.open(golden_screens.golden_file(case, screen)) as golden:
                difference = ImageChops.logical_xor(golden.convert("1"), screen.image)
            assert difference.getbbox() is None, f"{case}/{screen.name} differs"

    def test_no_picture_is_left_over(self):
        wanted = {
            golden_screens.golden_file(case, screen)
            for case, screens in CASES.items()
            for screen in screens
        }
        assert set(golden_screens.FOLDER.rglob("*.png")) == wanted

    def test_the_tool_refuses_to_write_unattended(self, tmp_path, monkeypatch, capsys):
        monkeypatch.setattr(golden_screens, "FOLDER", tmp_path)
        monkeypatch.setattr(regenerate_golden, "FOLDER", tmp_path)
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        assert regenerate_golden.main([]) == 1
        assert "nothing written" in capsys.readouterr().err
        assert not list(tmp_path.rglob("*.png"))
        assert regenerate_golden.main(["--yes"]) == 0
        assert (tmp_path / "example" / "winner.png").is_file()
        assert regenerate_golden.main([]) == 0

import io
import re
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from firmware.screens import (
    error_screens,
    hold_still_screen,
    message_screens,
    ready_screen,
    result_screens,
    typeset,
)
from scoring.games.between_two_cities.sheet import Points, TieBreak, TieBreaker
from tests import regenerate_golden
from tests.firmware import golden_screens
from tests.firmware.samples import example, two_player
from tests.firmware.screen_looks import assert_nothing_is_cut_off, by_name, lit, same, shown

CASES = golden_screens.cases()
ALL_SCREENS = [
    pytest.param(screen, id=f"{case}/{screen.name}")
    for case, screens in CASES.items()
    for screen in screens
]


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

    @pytest.mark.parametrize("case", golden_screens.results())
    def test_of_a_result_says_which_page_it_is_and_what_the_buttons_do(self, case):
        count = len(CASES[case])
        for number, screen in enumerate(CASES[case], start=1):
            solid = [x for x in range(127) if lit(screen, x, 51) and lit(screen, x + 1, 51)]
            assert solid
            start, end = ((number + shift) * 128 / count for shift in (-1, 0))
            # A dot of the line may stand directly beside
            assert start - 2 <= min(solid) <= max(solid) <= end + 1
            assert {"again", "next"} <= set(shown(screen)[-3:])

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.text(max_size=60), min_size=6, max_size=6))
    def test_takes_any_names(self, names):
        sheet, reading = example()
        players = tuple(
            replace(player, name=name, rank=1)
            for player, name in zip(sheet.players, names, strict=True)
        )
        for winners in ((3,), (0, 1), (0, 1, 2), (0, 1, 2, 3, 4, 5)):
            named = replace(sheet, players=players, winners=winners)
            for screen in result_screens(named, reading):
                assert_nothing_is_cut_off(screen)

    @settings(max_examples=30, deadline=None)
    @given(st.tuples(st.text(max_size=60), st.text(max_size=60)))
    def test_takes_any_names_of_two_whose_cities_are_not_known(self, names):
        sheet, reading = two_player()
        players = tuple(
            replace(player, name=name) for player, name in zip(sheet.players, names, strict=True)
        )
        for screen in result_screens(replace(sheet, players=players), reading, owners_known=False):
            assert_nothing_is_cut_off(screen)

    @pytest.mark.parametrize("unsure", [{}, {0: ((0, 0),)}], ids=["sure", "unsure"])
    def test_takes_larger_numbers_than_a_game_gives(self, unsure):
        sheet, reading = example(unsure=unsure)
        cities = tuple(
            replace(city, points=Points(25, 64, 17, 22, 15, 25)) for city in sheet.cities
        )
        tie = TieBreak(TieBreaker.HIGHER_CITY, (1,), 168, 167)
        players = tuple(replace(each, final=168, tie_break=tie) for each in sheet.players)
        large = replace(sheet, cities=cities, players=players)
        pages = by_name(result_screens(large, reading))
        for screen in pages.values():
            assert_nothing_is_cut_off(screen)
            assert not any(text.endswith("…") for text in shown(screen))
        mark = "?" if unsure else ""
        assert {"64", f"168{mark}"} <= set(shown(pages["city-B"]))
        assert f"168{mark}" in shown(pages["player-1"])


class TestMessages:
    def test_ready_says_what_the_button_does(self):
        said = shown(ready_screen())
        assert said == ["Between Two Cities", "Ready", "hold SCAN: menu", "scan"]

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

"""Invariants of all screens: nothing cut off, buttons explained, pictures unchanged."""

import io
import re
import sys
import tempfile
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from firmware.base.language import LANGUAGES
from firmware.report.scan_views import scan_views
from firmware.screens import typeset
from firmware.screens.device_views import MenuView, ProblemView, ReadyView
from firmware.screens.render import render, split_view
from firmware.screens.result_views import ResultView
from firmware.screens.view import View
from firmware.screens.words import Hint
from tests import regenerate_golden
from tests.firmware import golden_screens
from tests.firmware.golden_screens import screens_of
from tests.firmware.samples import example, two_player
from tests.firmware.screen_looks import (
    assert_all_is_said,
    assert_nothing_is_cut_off,
    lit,
    same,
    shown,
    speaking,
)
from tests.firmware.view_samples import CASES as SAMPLES

every_case = pytest.mark.parametrize("case", golden_screens.CASES)
NAMES_CUT = {"seven-long-names", "long-winner"}
"""Results with names that are too long for any display."""


@every_case
class TestEveryScreen:
    def test_says_all_of_it_and_lays_no_text_over_another(self, case):
        check = assert_nothing_is_cut_off if case in NAMES_CUT else assert_all_is_said
        for screen in screens_of(case):
            check(screen)
        names = [screen.name for screen in screens_of(case)]
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(r"[A-Za-z0-9-]+", name) for name in names)

    def test_says_its_words_in_pixels_at_the_stated_places(self, case):
        for screen in screens_of(case):
            for text in screen.texts:
                pixels = screen.image.crop(text.box)
                letters = [
                    typeset.glyphs(text.shown, size).crop(typeset.ink_box(text.shown, size))
                    for size in typeset.SIZES
                ]
                written = [each for each in letters if each.size == pixels.size]
                assert any(
                    same(pixels, each) or same(pixels, ImageChops.invert(each)) for each in written
                ), (screen.name, text)

    def test_looks_as_it_did(self, case):
        """After a change that is meant: look, then ``python -m tests.regenerate_golden``."""
        for screen in screens_of(case):
            file = golden_screens.golden_file(case, screen)
            assert file.exists(), "look, then run python -m tests.regenerate_golden"
            with Image.open(file) as golden:
                assert same(golden.convert("1"), screen.image), f"{case}/{screen.name} differs"


def view_classes(base: type[View] = View) -> set[str]:
    return {base.__name__}.union(*(view_classes(each) for each in base.__subclasses__()))


def test_every_kind_of_view_has_a_sample():
    views = [view for case in SAMPLES.values() for view in case.values()]
    views += scan_views(example())
    sampled = {type(view).__name__ for view in views}
    without = view_classes() - sampled - {View.__name__, ResultView.__name__}
    assert not without, "each view needs a sample in view_samples.py"


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_stand_in_the_bottom_row_from_left_to_right(language):
    with speaking(language):
        for case, views in SAMPLES.items():
            for screen, view in zip(screens_of(f"{language}/{case}"), views.values(), strict=True):
                row = [text for text in screen.texts if text.box[1] >= 52]
                assert [text.box for text in row] == sorted(text.box for text in row)
                hints = (view.hints.scan, view.hints.next, view.hints.ok)
                words = [str(hint) for hint in hints]
                # Where many are to check there is room for their number alone
                texts = [text.shown for text in row if not re.fullmatch(r"\d+\?", text.shown)]
                without_counts = [re.sub(r" \(\d+\)$", "", text) for text in texts]
                assert [word for word in words if word in without_counts] == without_counts


@pytest.mark.parametrize("case", golden_screens.RESULTS)
def test_result_page_shows_its_number_and_button_hints(case):
    count = len(screens_of(case))
    for number, screen in enumerate(screens_of(case), start=1):
        solid = [x for x in range(127) if lit(screen, x, 51) and lit(screen, x + 1, 51)]
        assert solid
        start, end = ((number + shift) * 128 / count for shift in (-1, 0))
        # A dot of the line may stand directly beside
        assert start - 2 <= min(solid) <= max(solid) <= end + 1
        assert {"again", "►"} <= set(shown(screen)[-3:])


class TestAnyTable:
    @settings(max_examples=15, deadline=None)
    @given(st.lists(st.text(max_size=60), min_size=6, max_size=6))
    def test_takes_any_names(self, names):
        scan = example()
        players = tuple(
            replace(player, name=name, rank=1)
            for player, name in zip(scan.sheet.players, names, strict=True)
        )
        views = []
        for winners in ((3,), (0, 1), (0, 1, 2), (0, 1, 2, 3, 4, 5)):
            sheet = replace(scan.sheet, players=players, winners=winners)
            views += scan_views(replace(scan, sheet=sheet))[: 1 if views else 7]
        for view in views:
            assert_nothing_is_cut_off(render(view))

    @settings(max_examples=15, deadline=None)
    @given(st.tuples(st.text(max_size=60), st.text(max_size=60)))
    def test_takes_any_names_of_two_whose_cities_are_not_known(self, names):
        scan = two_player(owners_known=False)
        players = tuple(
            replace(player, name=name)
            for player, name in zip(scan.sheet.players, names, strict=True)
        )
        sheet = replace(scan.sheet, players=players)
        for view in scan_views(replace(scan, sheet=sheet))[:4]:
            assert_nothing_is_cut_off(render(view))


class TestPaging:
    def test_a_long_text_is_told_to_its_last_word(self):
        words = [f"word{number}" for number in range(60)]
        pages = split_view(ProblemView(code="x", detail=" ".join(words)))
        texts = " ".join(text for page in pages for text in shown(render(page)))
        assert set(words) <= set(texts.split())
        view = ProblemView(code="x", detail="word " * 40)
        first, again = (render(replace(view, part=part)) for part in (0, len(split_view(view))))
        assert first == again
        for view in (MenuView(title="x", entries=(), selected=0), ReadyView(game="x")):
            assert split_view(view) == (view,)

    @pytest.mark.parametrize(("count", "is_offered"), [(1, False), (40, True)])
    def test_more_is_offered_only_where_there_is_more(self, count, is_offered):
        text = shown(render(ProblemView(code="x", detail="word " * count)))
        assert (str(Hint.MORE) in text) is is_offered

    @settings(max_examples=30, deadline=None)
    @given(st.text(max_size=300))
    def test_any_text_fits(self, message):
        for page in split_view(ProblemView(code="x", detail=message)):
            assert_nothing_is_cut_off(render(page))


class TestGoldenPictures:
    def test_none_is_left_over(self):
        wanted = {
            golden_screens.golden_file(case, screen)
            for case in golden_screens.CASES
            for screen in screens_of(case)
        }
        kept = set(golden_screens.FOLDER.rglob("*.png"))
        assert kept == wanted, "look, then run python -m tests.regenerate_golden"

    def test_the_tool_refuses_to_write_unattended(self, tmp_path, monkeypatch, capsys):
        golden = tmp_path / "golden"
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        monkeypatch.setattr(golden_screens, "FOLDER", golden)
        monkeypatch.setattr(regenerate_golden, "FOLDER", golden)
        monkeypatch.setattr(regenerate_golden, "cases", lambda: {"example": screens_of("example")})
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        assert regenerate_golden.main([]) == 1
        assert "nothing written" in capsys.readouterr().err
        assert not golden.exists()
        assert regenerate_golden.main(["--yes"]) == 0
        assert (golden / "example" / "winner.png").is_file()
        assert regenerate_golden.main([]) == 0

"""A second scan says what is other than at the first."""

from dataclasses import replace

import pytest

from firmware.screens import change_views, render
from firmware.screens.changes import changes_between
from firmware.screens.views import (
    CityCountChange,
    FinalChange,
    Seat,
    TileChange,
    TotalChange,
    WinnerChange,
)
from scoring.faces import Face
from tests.firmware.samples import LONG_NAMES, example, scored
from tests.firmware.screen_looks import assert_nothing_is_cut_off, shown

THREE = ("SSSS/FFOO/OOEB/OOMD", "PPHH/SSPP/FFFF/FHBB", "SSPP/SSPP/EBMD/HHHH")
NAMES = ("Ben", "Emily", "P3")


def other_tile(city: int, text: str):
    """The three cities with one of them laid otherwise."""
    cities = list(THREE)
    cities[city] = text
    return scored(*cities, names=NAMES)


class TestChanges:
    def test_the_same_table_has_not_changed(self):
        assert changes_between(example(), example()) == ()
        (page,) = change_views(example(), example())
        assert page.changes == ()
        assert shown(render(page, "en"))[:3] == ["Since the last scan", "Nothing has", "changed"]

    def test_a_tile_changes_its_city_and_the_players_beside_it(self):
        before, after = scored(*THREE, names=NAMES), other_tile(2, "SSPP/SSPP/EBMD/HHHP")
        changes = changes_between(before, after)
        assert changes[-1] == TileChange((2, (3, 3)), Face.HOUSE, Face.PARK)
        totals = [change for change in changes if isinstance(change, TotalChange)]
        old, new = before[0].cities[2].total, after[0].cities[2].total
        assert totals == [TotalChange("C", old, new)]
        finals = [change for change in changes if isinstance(change, FinalChange)]
        assert finals == [
            FinalChange(Seat(seat, name), was.final, now.final)
            for seat, name, was, now in zip(
                (1, 2, 3), NAMES, before[0].players, after[0].players, strict=True
            )
            if was.final != now.final
        ]

    def test_a_tile_put_into_a_gap_and_one_taken_away(self):
        full, gap = scored(*THREE), other_tile(0, "SSSS/FFOO/OOEB/OOM.")
        assert changes_between(gap, full)[-1] == TileChange((0, (3, 3)), None, Face.TAVERN_DRINK)
        assert changes_between(full, gap)[-1] == TileChange((0, (3, 3)), Face.TAVERN_DRINK, None)

    def test_other_winners_come_first(self):
        sheet, reading = example()
        other = replace(sheet, winners=(0, 2))
        (change,) = changes_between((sheet, reading), (other, reading))
        assert change == WinnerChange((Seat(4, "Emily"),), (Seat(1, "P1"), Seat(3, "Ben")))

    def test_a_city_more_is_all_that_is_said_of_cities_and_players(self):
        four = scored(*THREE, THREE[0], names=NAMES)
        changes = changes_between(scored(*THREE, names=NAMES), four)
        assert CityCountChange(3, 4) in changes
        assert {type(change) for change in changes} <= {CityCountChange, WinnerChange}


class TestPages:
    def test_name_the_change_with_both_values(self):
        pages = change_views(scored(*THREE, names=NAMES), other_tile(2, "SSPP/SSPP/EBMD/HHHP"))
        said = [text for page in pages for text in shown(render(page, "de"))]
        assert {"C 3,3", "Haus►Park", "Stadt C"} <= set(said)

    @pytest.mark.parametrize("language", ["en", "de", "hu"])
    def test_everything_changed_is_told_on_as_many_as_it_needs(self, language):
        before = scored(*["SSSF/EBMD/OOOF/PPP."] * 7, names=LONG_NAMES)
        after = scored(*["PSHF/DMBE/OOOO/HHHF"] * 7, names=LONG_NAMES)
        after = (replace(after[0], winners=(0, 1, 2)), after[1])
        pages = change_views(before, after)
        told = [change for page in pages for change in page.changes]
        assert tuple(told) == changes_between(before, after)
        assert [page.page.number for page in pages] == list(range(1, len(pages) + 1))
        for page in pages:
            screen = render(page, language)
            assert_nothing_is_cut_off(screen)
            assert all(text.box[3] <= 52 or text.box[1] >= 52 for text in screen.texts)

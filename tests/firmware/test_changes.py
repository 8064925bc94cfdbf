"""A second scan says what is other than at the first."""

import pytest

from firmware.base.language import LANGUAGES
from firmware.games.between_two_cities.views import change_views, changes_between, player_labels
from firmware.screens.render import render
from tests.firmware.samples import LONG_NAMES, example, scored, with_sheet
from tests.firmware.screen_looks import assert_nothing_is_cut_off, body, shown, speaking

THREE = ("SSSS/FFOO/OOEB/OOMD", "PPHH/SSPP/FFFF/FHBB", "SSPP/SSPP/EBMD/HHHH")
NAMES = ("Ben", "Emily", "P3")


def other_tile(city: int, text: str):
    """The three cities with one of them laid otherwise."""
    cities = list(THREE)
    cities[city] = text
    return scored(*cities, names=NAMES)


def change_rows(before, after):
    """The rows of each change, label and value."""
    return [
        [(str(row.label[0]), str(row.value)) for row in rows]
        for rows in changes_between(before, after)
    ]


def test_the_same_table_has_not_changed():
    assert change_rows(example(), example()) == []
    (view,) = change_views(example(), example())
    assert shown(render(view))[:3] == ["Since the last scan", "Nothing has", "changed"]
    changes = change_rows(scored(*THREE, names=NAMES), scored(*THREE, THREE[0], names=NAMES))
    assert changes[-1] == [("Cities", "3►4")]
    assert {rows[0][0] for rows in changes[:-1]} <= {"Winner now:"}


def test_a_tile_changes_its_city_and_the_players_beside_it():
    before, after = scored(*THREE, names=NAMES), other_tile(2, "SSPP/SSPP/EBMD/HHHP")
    changes = change_rows(before, after)
    assert changes[-1] == [("C, row 4, column 4", ""), ("", "house►park")]
    old, new = before.sheet.cities[2].total, after.sheet.cities[2].total
    finals = [
        [(str(name), f"{was.final}►{now.final}")]
        for name, was, now in zip(
            player_labels(after.sheet), before.sheet.players, after.sheet.players, strict=True
        )
        if was.final != now.final
    ]
    assert finals
    names = [str(seat) for seat in player_labels(after.sheet)]
    assert [change for change in changes if change[0][0] in names] == finals
    assert changes[-2] == [("City C", f"{old}►{new}")]


def test_a_tile_put_into_a_gap_and_one_taken_away():
    full, gap = scored(*THREE), other_tile(0, "SSSS/FFOO/OOEB/OOM.")
    assert change_rows(gap, full)[-1] == [("A, row 4, column 4", ""), ("", "–►drink")]
    assert change_rows(full, gap)[-1] == [("A, row 4, column 4", ""), ("", "drink►–")]


@pytest.mark.parametrize(
    ("winners", "rows"),
    [
        ((1,), [("Winner now:", ""), ("Player 2 (A B)", "")]),
        ((0, 2), [("2 share the victory", ""), ("Player 1 (A F), Ben", "")]),
    ],
)
def test_other_winners_come_first(winners, rows):
    scan = example()
    assert change_rows(scan, with_sheet(scan, winners=winners)) == [rows]


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_changed_is_told_on_as_many_pages_as_it_needs(language):
    before = scored(*["SSSF/EBMD/OOOF/PPP."] * 7, names=LONG_NAMES)
    after = scored(*["PSHF/DMBE/OOOO/HHHF"] * 7, names=LONG_NAMES)
    after = with_sheet(after, winners=(0, 1, 2))
    with speaking(language):
        views = change_views(before, after)
        rows = [row for view in views for row in view.rows]
        assert rows == [row for change in changes_between(before, after) for row in change]
        assert [view.view_number.number for view in views] == list(range(1, len(views) + 1))
        for view in views:
            screen = render(view)
            assert_nothing_is_cut_off(screen)
            assert all(text.box[3] <= 52 or text.box[1] >= 52 for text in screen.texts)
        assert {"en": "house", "de": "Haus", "hu": "ház"}[language] in " ".join(
            body(render(view)) for view in views
        )

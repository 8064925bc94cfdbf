"""The picture of a game to send says no more than is sure."""

import re

import pytest
from PIL import ImageDraw

from firmware.games.game import Scan
from firmware.report.share_picture import share_picture
from firmware.scan.scan import score
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    EMPTY_ROW,
    blocks,
    city,
    piece,
    reading,
)
from tests.firmware.samples import example, scored, two_player
from vision.reading import Note, NoteCode


@pytest.fixture
def said(monkeypatch):
    """All texts of the picture of a scan."""

    def texts(scan: Scan) -> list[str]:
        drawn = []
        draw = ImageDraw.ImageDraw.text

        def spy(self, at, text, *more, **named):
            drawn.append(text)
            return draw(self, at, text, *more, **named)

        with monkeypatch.context() as patched:
            patched.setattr(ImageDraw.ImageDraw, "text", spy)
            assert share_picture(scan, None, "") is not None
        return drawn

    return texts


def players(texts):
    """Rank and points of each."""
    start = next(n for n, text in enumerate(texts) if re.fullmatch(r"\d[.?]", text))
    rows = [texts[n : n + 3] for n in range(start, len(texts) - 2, 3)]
    return [(rank, points) for rank, _name, points in rows if re.fullmatch(r"\d[.?]", rank)]


def test_nothing_is_marked_that_is_sure(said):
    assert not [text for text in said(example()) if "?" in text]


def test_cities_are_marked_as_on_the_photo(said):
    scan = example(unsure={1: ((1, 2),)})
    told = said(scan)
    letters = [badge.split() for badge in scan.game.badges(scan)]
    assert {total[-1] == "?" for _letter, total in letters} == {True, False}
    assert [f"City {letter}: {total}" for letter, total in letters] == told[-8:-2]


def test_the_edition_is_named(said):
    assert "Edition: printed" in said(example())


@pytest.mark.parametrize(
    "scan",
    [
        example(unsure={1: ((1, 2),)}),
        example(notes=(Note(NoteCode.DARK),)),
        scored(*["SSSF/EBMD/OOOF/PPP."] * 3),
        two_player(owners_known=False),
    ],
    ids=["unsure", "dark", "missing", "owners"],
)
def test_winner_ranks_and_players_are_marked_as_on_the_display(said, scan):
    told = said(scan)
    by_rank = sorted(scan.sheet.players, key=lambda player: player.rank)
    headline = " ".join(told[:2])  # the names may take a line
    assert f"with {by_rank[0].final}?" in headline
    assert players(told) == [(f"{one.rank}?", f"{one.final}?") for one in by_rank]


def test_all_points_may_change_while_a_city_is_to_check(said):
    sure, unsure = city(), city(unsure=((2, 3),))
    told = said(score(reading(CITIES, sure, unsure), CITIES))
    assert [(rank[-1], points[-1]) for rank, points in players(told)] == [("?", "?")] * 2


def test_dollars_of_city_blocks(said):
    def told(**doubt):
        board = blocks("bH1 -- -- -- -- --" + EMPTY_ROW * 4, piece("row", 1, 3), **doubt)
        return said(score(reading(CITY_BLOCKS, board), CITY_BLOCKS))

    assert not [text for text in told() if "?" in text]
    unsure = told(unsure=((0, 0),))
    assert "?" in unsure[0]
    assert all(rank[-1] == points[-1] == "?" for rank, points in players(unsure))
    assert len(players(unsure)) == 2

"""The picture of a game to send says no more than is sure."""

import re

import pytest
from PIL import ImageDraw

from firmware.games.scan import Scan
from firmware.report.share_picture import share_picture
from firmware.scan.make_scan import make_scan
from tests.firmware.board_samples import (
    CITY_BLOCKS,
    EMPTY_ROW,
    blocks,
    piece,
    reading,
)
from tests.firmware.samples import example, scored, two_player
from vision.reading import Note, NoteCode


@pytest.fixture
def picture_texts(monkeypatch):
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
    starts = [n for n, text in enumerate(texts) if re.fullmatch(r"\d(–\d)?[.?]", text)]
    return [(texts[n], texts[n + 2]) for n in starts]


def test_nothing_is_marked_that_is_sure(picture_texts):
    assert not [text for text in picture_texts(example()) if "?" in text]


def test_cities_are_marked_as_on_the_photo(picture_texts):
    scan = example(unsure={5: ((1, 2),)})
    texts = picture_texts(scan)
    letters = [badge.split() for badge in scan.game.badges(scan)]
    assert {"–" in total for _letter, total in letters} == {True, False}
    assert [f"City {letter}: {total}" for letter, total in letters] == texts[-8:-2]


def test_the_edition_is_named(picture_texts):
    assert "Edition: printed" in picture_texts(example())


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
def test_winner_ranks_and_players_are_marked_as_on_the_display(picture_texts, scan):
    shown = sorted(
        ((player.rank, seat) for seat, player in enumerate(scan.sheet.players)),
    )
    numbers = scan.shown_numbers
    expected = [
        (numbers.rank(seat, rank), numbers.final(seat, scan.sheet.players[seat].final))
        for rank, seat in shown
    ]
    assert [
        (rank.removesuffix("."), points) for rank, points in players(picture_texts(scan))
    ] == expected


def test_picture_has_both_cities_and_tie_break_of_each_player(picture_texts):
    texts = picture_texts(example())
    after = texts[texts.index("Player 5") + 2 :]
    assert after[:2] == ["E 52, D 62", "number of shops: 6 (Player 6: 5)"]


def test_dollars_of_city_blocks(picture_texts):
    def texts_with(**doubt):
        board = blocks("bH1 -- -- -- -- --" + EMPTY_ROW * 4, piece("row", 1, 3), **doubt)
        return picture_texts(make_scan(reading(CITY_BLOCKS, board), CITY_BLOCKS))

    assert not [text for text in texts_with() if "?" in text]
    assert len(players(texts_with(unsure=((0, 0),)))) == 2

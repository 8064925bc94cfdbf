"""Views of the questions about a result, and of those answered with yes or no."""

from dataclasses import dataclass
from enum import StrEnum

from firmware.screens.view import Bitmap, Hints, MenuLabel, Piece, PlayerLabel, TableMap, Text, View
from firmware.screens.words import Hint, Question
from scoring.faces import Cell
from vision.reading import Point

DOUBT_HINTS = Hints(Hint.BACK, Hint.OTHER, Hint.YES)


class SpecialAnswer(StrEnum):
    """Answers about a place other than a face."""

    NO_TILE = "no-tile"
    """Nothing lies or stands there."""
    LATER = "later"
    """Left undecided for now."""


@dataclass(frozen=True, slots=True)
class FaceGroup:
    """Group of faces that may lie at a place; a person is asked next for the face.

    Attributes:
        name: Identifier, as ``firmware.games.game.Game.group_of`` gives it.
    """

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PickView(View):
    """Choice of a place, on the map of the table and then in its grid.

    Attributes:
        table: Map of the grids.
        grid: Index of the marked grid.
        pieces: Rows of what lies on its cells, None on empty ones; empty while the grid is still
            being chosen.
        marked: Marked cells.
        labels: Words for what is marked, a line or more each.
    """

    table: TableMap
    grid: int
    pieces: tuple[tuple[Piece | None, ...], ...] = ()
    marked: tuple[Cell, ...] = ()
    labels: tuple[MenuLabel, ...] = ()
    hints: Hints = Hints(Hint.BACK, Hint.NEXT, Hint.CHOOSE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtView(View):
    """Question about a place, or about tiles that look alike.

    Attributes:
        number: Number of this question, from 1.
        count: Number of all questions.
        place: Words for the place; None if tiles that look alike are meant.
        guess: Answer that is offered.
        is_group: Whether the guess is a group of faces, of which one is asked next.
        table: Map of the grids.
        grid: Index of the grid with the place; None if no place is meant.
        tile_centres_px: Centres of all tiles, in pixels of the photo; empty unless tiles that look
            alike are meant.
        pictured: Index in ``tile_centres_px`` of the tile in the picture.
        option: Number of the guess among all answers, from 1.
        options: Number of all answers.
        crop: Picture of the place in the photo; None if there is none.
        turn: Quarter turns clockwise in which the guess was read and counts, whose upper edge is
            marked; None if it is not known or plays no part.
    """

    number: int
    count: int
    place: Text | None = None
    guess: Piece
    is_group: bool = False
    table: TableMap = TableMap(())
    grid: int | None = None
    tile_centres_px: tuple[Point, ...] = ()
    pictured: int = 0
    option: int = 1
    options: int = 1
    crop: Bitmap | None = None
    turn: int | None = None
    hints: Hints = DOUBT_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnersQuestionView(View):
    """Question about the owners of the cities; NEXT offers another way to share them.

    Attributes:
        owners: Letters of the cities of each player, as offered.
        table: Map of the cities.
        option: Number of the offered way, from 1.
        options: Number of all ways.
    """

    owners: tuple[tuple[tuple[str, ...], PlayerLabel], ...]
    table: TableMap
    option: int = 1
    options: int = 1
    hints: Hints = DOUBT_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmView(View):
    """Question to be answered with yes or no."""

    question: Question
    hints: Hints = Hints(Hint.NO, Hint.NOTHING, Hint.YES)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesWithoutEffectView(View):
    """Question whether to review places that change no rank.

    Attributes:
        count: Number of these places.
    """

    count: int
    hints: Hints = Hints(Hint.NO, Hint.NOTHING, Hint.YES)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtfulTileView(View):
    """Question whether a corrected tile is learned that looks like another face.

    Attributes:
        place: Words for the place of the tile.
        seen: Words for the face that the eye takes it for.
        answer: Words for the face that the person chose.
    """

    place: Text
    seen: Text
    answer: Text
    hints: Hints = Hints(Hint.NO, Hint.NOTHING, Hint.YES)

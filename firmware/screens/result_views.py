"""What the screens of a result say, as data.

``firmware.screens.result_views`` makes them of a sheet and its reading.
"""

from dataclasses import dataclass

from firmware.screens.device_views import Alert
from firmware.screens.hints import RESULT_HINTS, Hints
from firmware.screens.view import View
from scoring.faces import Place
from scoring.games.between_two_cities.sheet import Points, TieBreak
from vision.reading import Quad


@dataclass(frozen=True, slots=True)
class Page:
    """Which page of a result this is.

    Attributes:
        number: from 1.
        count: of all pages.
    """

    number: int
    count: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A player.

    Attributes:
        number: of the seat, from 1.
        name: empty: the player is called by the seat.
    """

    number: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class TableMap:
    """Where the cities lie.

    Attributes:
        cities: corners of each city as read upright, in pixels of the photo.
        unread: corners of what looks like a city but was not read.
    """

    cities: tuple[Quad, ...]
    unread: tuple[Quad, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView(View):
    """A page of a result.

    Attributes:
        page: which one.
        to_check: how many things a person has to look at before the result is sure.
        unsaved: whether the result could not be written.
    """

    page: Page = Page(1, 1)
    to_check: int = 0
    unsaved: bool = False
    hints: Hints = RESULT_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerView(ResultView):
    """Who has won.

    Attributes:
        winners: one, or several who share the victory.
        points: final points of each of them.
        alerts: what a person should know beside that, what weighs most first.
    """

    winners: tuple[Seat, ...]
    points: int
    alerts: tuple[Alert, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadListView(ResultView):
    """Why something like a city was not read.

    Attributes:
        count: how many there are.
        why: the reason as the eye gives it; known ones are worded in the language.
        part: which three lines of a reason of more lines, from 0.
        number: of this page among those of what was not read, from 1.
        is_board: whether it is a board and no city.
    """

    count: int
    why: str
    part: int = 0
    number: int = 1
    is_board: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView(ResultView):
    """Something that the eye says of the photo or of cities.

    Attributes:
        note: as the eye says it; known ones are worded in the language.
        cities: the letters of those that it is about; none: it is about the photo.
        part: which three lines of a note of more lines, from 0.
        number: of this page among those of the notes, from 1.
    """

    note: str
    cities: tuple[str, ...] = ()
    part: int = 0
    number: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnersView(ResultView):
    """Two players, and the cities do not show whose they are: what is taken for granted.

    Attributes:
        owners: the letters of the cities of each player.
    """

    owners: tuple[tuple[tuple[str, ...], Seat], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsureListView(ResultView):
    """Tiles that a person must look at, at most nine.

    Attributes:
        count: how many there are on all such pages.
        places: those of this page.
        number: of this page among them, from 1.
    """

    count: int
    places: tuple[Place, ...]
    number: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingListView(ResultView):
    """Places scored without a tile, at most nine.

    Attributes:
        count: how many there are on all such pages.
        places: those of this page.
        number: of this page among them, from 1.
    """

    count: int
    places: tuple[Place, ...]
    number: int = 1


@dataclass(frozen=True, slots=True)
class CityTotal:
    """What a city is worth to a player.

    Attributes:
        letter: its name.
        total: points.
        counts: whether it makes the player's final points.
        may_change: whether a person may still change the total.
    """

    letter: str
    total: int
    counts: bool
    may_change: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView(ResultView):
    """What a player has achieved.

    Attributes:
        player: who.
        rank: 1 is best.
        final: points.
        cities: the left and the right city.
        are_added: whether the final points are the sum of both cities, as with two players.
        tie_break: how they stand to players of the same final points; None: there are none.
    """

    player: Seat
    rank: int
    final: int
    cities: tuple[CityTotal, CityTotal]
    are_added: bool = False
    tie_break: TieBreak | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MapView(ResultView):
    """Where each city lies, so that its letter is known."""

    table: TableMap


@dataclass(frozen=True, slots=True, kw_only=True)
class LegendView(ResultView):
    """The signs of the building types."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CityView(ResultView):
    """Points of a city.

    Attributes:
        letter: its name.
        points: by building type.
        may_change: whether a person may still change them.
    """

    letter: str
    points: Points
    may_change: bool = False

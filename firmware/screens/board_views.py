"""What the screens of a result say, as data, for the games that are known by pictures."""

from dataclasses import dataclass
from enum import StrEnum

from firmware.board_games.remarks import RemarkKind
from firmware.board_games.spots import Spot
from firmware.screens.device_views import Alert
from firmware.screens.doubt_views import Bitmap, Other
from firmware.screens.hints import DOUBT_HINTS, Hints
from firmware.screens.result_views import ResultView, Seat, TableMap
from firmware.screens.view import View
from scoring.faces import Side
from scoring.games.city_blocks.sheet import StreetLine


class Parts(StrEnum):
    """What adds up to the points of a player."""

    TOURISTS = "tourists"
    VALUE_TILES = "value-tiles"


class CheckKind(StrEnum):
    """What a person must look at."""

    TILES = "tiles"
    FIELDS = "fields"
    FIGURES = "figures"
    PIECES = "pieces"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class SidesWinnerView(ResultView):
    """Who has won or leads, of players who are called by their colours.

    Attributes:
        winners: one, or both if they are level.
        points: of each of them.
        is_finished: whether nothing is left to be awarded.
        alerts: what a person should know beside that, what weighs most first.
    """

    winners: tuple[Side, ...]
    points: int
    is_finished: bool = True
    alerts: tuple[Alert, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadView(ResultView):
    """What was read of a game without rules.

    Attributes:
        edition: that says what the game looks like.
        pieces: how many lie there.
        empty: how many places have nothing on them.
    """

    edition: str
    pieces: int
    empty: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsureSpotView(View):
    """One place that a person must look at.

    Attributes:
        number: of this one among all that are not sure, from 1.
        count: of all that are not sure.
        spot: which place.
        lettered: whether it needs the letter of its city.
        guess: what is offered: a face or kind of figure by its identifier, or something else.
        option: number of what is offered, from 1.
        options: how many there are to choose from.
        crop: what the photo shows there; None: it is not known where the place is.
        table: where the cities lie; None: there is only one, or a board.
    """

    number: int
    count: int
    spot: Spot
    lettered: bool
    guess: str | Other
    option: int = 1
    options: int = 1
    crop: Bitmap | None = None
    table: TableMap | None = None
    hints: Hints = DOUBT_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarkView(ResultView):
    """What the rules say about the reading.

    Attributes:
        kind: what is odd.
        letters: of the cities that it is about; none: of the board or all.
        number: of this page among those of the remarks, from 1.
    """

    kind: RemarkKind
    letters: tuple[str, ...] = ()
    number: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCheckView(ResultView):
    """Places that a person must look at, at most six.

    Attributes:
        kind: what lies there.
        count: how many there are on all such pages.
        spots: those of this page.
        lettered: whether they need the letter of their city.
        number: of this page among those of all kinds, from 1.
    """

    kind: CheckKind
    count: int
    spots: tuple[Spot, ...]
    lettered: bool
    number: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PartsView(ResultView):
    """What a player has achieved, and what adds up to it.

    Attributes:
        player: who; a side is called by its colour.
        rank: 1 is best.
        final: points.
        kind: what adds up.
        parts: their points.
        may_change: whether a person may still change the points.
        tie: points of this player's and the others' tourist that decided a tie; None: no tie, or
            it is shared.
        is_shared: whether the rank is shared after all.
        number: of the player, from 1.
    """

    player: Seat | Side
    rank: int
    final: int
    kind: Parts
    parts: tuple[int, ...]
    may_change: bool = False
    tie: tuple[int, int] | None = None
    is_shared: bool = False
    number: int = 1


@dataclass(frozen=True, slots=True)
class StreetRow:
    """One street.

    Attributes:
        index: of the row or column.
        blue: sum of the blue buildings.
        red: sum of the red buildings.
        winner: who has the higher sum in a full street; None: nobody.
        full: whether every plot is built on.
        bonus: what is awarded; None: it is not known which value tile lay there.
    """

    index: int
    blue: int
    red: int
    winner: Side | None
    full: bool
    bonus: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetsView(ResultView):
    """Some rows or columns of a board, at most three.

    Attributes:
        line: rows or columns.
        streets: those of this page.
        number: of this page among those of streets, from 1.
    """

    line: StreetLine
    streets: tuple[StreetRow, ...]
    number: int = 1


@dataclass(frozen=True, slots=True)
class CompanyRow:
    """One company of a player.

    Attributes:
        name: of the company.
        points: 0 unless it is complete.
        cards: that lie on the board.
        complete: whether all are.
    """

    name: str
    points: int
    cards: int
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CompaniesView(ResultView):
    """What a player has achieved with some companies, at most three.

    Attributes:
        player: who.
        rank: 1 is best.
        final: points.
        companies: those of this page.
        may_change: whether a person may still change the points.
        number: of this page among those of all players, from 1.
    """

    player: Seat
    rank: int
    final: int
    companies: tuple[CompanyRow, ...]
    may_change: bool = False
    number: int = 1

"""Types of the views of a result; ``firmware.report.scan_views`` makes these views."""

from dataclasses import dataclass, replace

from firmware.screens.view import Bitmap, Hints, PlayerLabel, TableMap, Text, View
from firmware.screens.words import Alert, Hint, rank_and_name
from firmware.wording.ranges import RANGE_SIGN

RESULT_HINTS = Hints(Hint.AGAIN, Hint.NEXT, Hint.CHECK)


@dataclass(frozen=True, slots=True)
class ViewNumber:
    """Number of a view among those of a result.

    Attributes:
        number: Number, from 1.
        count: Number of all views.
    """

    number: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView(View):
    """View of a result.

    Attributes:
        view_number: Number of the view.
        to_check: Number of things a person has to look at before the result is sure:
            ``Scan.doubt_count``, or ``Result.question_count`` if the table cannot be scored.
        unsaved: Whether the result could not be written.
    """

    view_number: ViewNumber = ViewNumber(1, 1)
    to_check: int = 0
    unsaved: bool = False
    hints: Hints = RESULT_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerView(ResultView):
    """Winner of the game.

    Attributes:
        winners: One, or several who share the victory; while that is open, all who can win, or
            those who win as read if the ranges do not tell (``RangeQuality.UNBOUNDED``).
        points: Points of each of them as shown, wordings best first.
        open_points: Points of each who can win as shown, wordings best first; empty unless it is
            open who wins and the ranges tell who can.
        wins_anyway: Whether something is open and they win whatever lies there; False if nothing
            is open.
        title: Title; None for the default, that they have won.
        tie: Reason why they won among players with the same points, wordings best first; empty
            without a tie, or if they share the victory.
        news: Changes since the last scan, or that nothing changed; empty at the first scan.
        max_letter_height_px: Greatest height of the letters of their names.
        alerts: Further things a person should know, the most important first.
    """

    winners: tuple[Text, ...]
    points: tuple[Text, ...]
    open_points: tuple[tuple[Text, ...], ...] = ()
    wins_anyway: bool = False
    title: Text | None = None
    tie: tuple[Text, ...] = ()
    news: Text = ""
    max_letter_height_px: int = 24
    alerts: tuple[Alert, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """Row of a view.

    Attributes:
        label: Text at the left, wordings best first.
        value: Text at the right end.
        columns: Further texts, each with its left edge in pixels.
        counts: Whether the row is marked as the one that counts; None if such rows have no marks.
    """

    label: tuple[Text, ...]
    value: Text = ""
    columns: tuple[tuple[int, Text], ...] = ()
    counts: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreView(ResultView):
    """Title, large points at the right, and up to three rows.

    Attributes:
        name: Name of the screen.
        title: Wordings of the title, best first.
        rows: Rows of this view.
        text: Text in the rows that are left; the first of them ends before the points.
        points: Wordings of the points, best first; empty if the view has none.
        points_rows: Height of the points in rows; what is below has the whole width.
        statement: Statement in large letters instead of rows.
    """

    name: str
    title: tuple[Text, ...]
    rows: tuple[Row, ...] = ()
    text: Text = ""
    points: tuple[Text, ...] = ()
    points_rows: int = 3
    statement: Text = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """Player in the standings.

    Attributes:
        rank: Rank, 1 is best; players who share one leave out the next ones: 1, 1, 3.
        shown_rank: Rank as shown: ``2``, ``1–3`` or ``2?``.
        name: Name of the player.
        views: Views of what the player has achieved, all of them with the points.
    """

    rank: int
    shown_rank: str
    name: Text
    views: tuple[ScoreView, ...]


def ranked_title(rank: str, name: Text) -> tuple[Text, ...]:
    """Return wordings of the title of a player's view: rank and name; an open rank may be left out.

    Args:
        rank: Rank as shown: ``2``, ``1–3`` or ``2?``.
        name: Player.
    """
    title = rank_and_name(rank, name)
    if RANGE_SIGN not in rank:
        return (title,)
    alone = replace(name, cities=()) if isinstance(name, PlayerLabel) else name
    return title, rank_and_name(rank, alone), name


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsView(ResultView):
    """Players with their points, the best first.

    Attributes:
        name: Name of the screen.
        standings: At most four, or eight whose names are short.
    """

    name: str = "standings"
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignsView(ResultView):
    """Signs in two columns of three, each with a text beside it.

    Attributes:
        name: Name of the screen.
        title: Title of the view.
        entries: Sign and text of each entry; at most six.
        points: Points, large at the right beside short texts; empty gives the texts the whole
            width.
    """

    name: str
    title: Text
    entries: tuple[tuple[Bitmap, Text], ...]
    points: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView(ResultView):
    """Note on the photo, on cities, or by the rules.

    Attributes:
        name: Name of the screen.
        title: Subject of the note, wordings best first.
        text: Text of the note.
        part: Index of the three lines shown of a longer text, from 0.
    """

    name: str
    title: tuple[Text, ...]
    text: Text
    part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadView(ResultView):
    """Region that was not read: its place, its look, and what to do.

    Attributes:
        name: Name of the screen.
        table: Map of the cities with the region.
        index: Index of the region in ``table.unread``.
        remedy: Advice in two rows of twelve letters.
        crop: Picture of the region in the photo; None if there is none.
    """

    name: str
    table: TableMap
    index: int
    remedy: Text
    crop: Bitmap | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesView(ResultView):
    """Places that a person must look at, or that were scored without what should lie there.

    Attributes:
        title: Title with the number of places on all such views.
        places: Words for the places of this view.
        unsure: Whether they get a question mark.
        columns: Number of columns in which they stand.
        number: Number of this view among all that list places, from 1.
    """

    title: Text
    places: tuple[Text, ...]
    unsure: bool = True
    columns: int = 1
    number: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MapView(ResultView):
    """Map with the letter of each city."""

    table: TableMap

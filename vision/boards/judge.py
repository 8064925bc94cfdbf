"""From distances to answers: what lies in each place, and whether that is certain."""

import itertools
import math
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.boards.evened import NOTHING_ALIKE
from vision.boards.known import KnownFaces

ALIKE = 0.55
"""A tile further from the most similar picture than this may be something else."""
CLEAR_LEAD = 0.12
"""A tile must be nearer by so much to its picture than to any other answer's."""
PLAINLY_ALIKE = 0.3
LEAD_SLOPE = 1.7
"""Tiles further from their picture than the former need so much more of a lead."""
DRAWING_ALIKE = 0.6
DRAWING_LEAD = 0.12
PLAINLY_DRAWN = 0.35
DRAWING_SLOPE = 0.5
"""The same for drawings compared on their own; of those that have nothing in common 99 in 100 are
further apart than 0.64, and hardly one leads by 0.1."""
AS_OTHERS = 0.85
"""A drawing this near to its picture, as a share of how near that of another face comes, may be of
a face that nobody knows."""
PLAINLY_SAME, STRANGE = 0.6, 0.7
"""The share where the tile is further than the latter from every picture."""
EVEN_ODDS_DISTANCE, EVEN_ODDS_LEAD = 0.66, 0.07
"""At either of these the drawing is as often that of another face."""
EVEN_ODDS_CLOSE_LEAD = 0.05
"""With such a lead the drawing, looked at closely, is as often that of another face."""
PLAIN_CLOSE_LEAD = 0.1
"""With such a lead it hardly ever is; of 253 tiles it was never."""
NOT_BARE = 0.07
"""The table has no such lead by chance: what was taken for it is a tile of which little is seen."""
LIKELIER_BY_DRAWING = 0.04
"""With such a lead a drawing says what a tile shows, but is not sure."""
NOTHING = 0.95
"""Where free tiles lie, a place further than this from every picture has no tile."""
LIKELIER = 0.45
"""Answers so little further away are offered as alternatives."""
MOST_ALTERNATIVES = 4
MOST_OPTIONS = 12
"""Of all answers the nearest that are weighed."""
_LAST_STEP = 700.0
"""Further out a logistic function is smaller than any float."""

Option = tuple[int | None, int]
"""A face by its number (None: nothing lies there), and quarters by which it is turned."""


class CloseLook(NamedTuple):
    """What a close look at a place tells.

    Attributes:
        distances: (n,) to the pictures of the faces of the grid.
        empty: to what the board shows there; None: no board.
        is_burnt: whether light has burnt out much of it.
    """

    distances: NDArray[np.float32]
    empty: float | None
    is_burnt: bool


class JudgedBy(Enum):
    """What was compared of a place."""

    LOOKS = auto()
    """Texture and colour, in the light that is usual on the grid."""
    DRAWING = auto()
    """The drawing alone, whatever the light."""
    CLOSE_LOOK = auto()
    """The drawing alone, twice as closely."""


class _TwoNearest(NamedTuple):
    """The answer whose picture is nearest to a place, and how far it is to the next one.

    Attributes:
        distance: to the nearest picture.
        face: that it shows.
        turn: quarters by which it is turned.
        next_distance: to the nearest picture of another answer; infinite if there is none.
    """

    distance: float
    face: int
    turn: int
    next_distance: float

    def with_board(self, empty: float | None) -> tuple[tuple[float, Option], float]:
        """Distance of the nearest answer, which it is, and its lead, if the board is so far."""
        own, next_distance = (self.distance, (self.face, self.turn)), self.next_distance
        if empty is None:
            return own, next_distance - self.distance if next_distance < np.inf else 2.0
        if empty < self.distance:
            return (empty, (None, 0)), self.distance - empty
        return own, min(empty, next_distance) - self.distance


@dataclass(frozen=True, slots=True)
class Answer:
    """What lies in one place.

    Attributes:
        face: number of the face, None: nothing.
        turn: quarters by which it is turned clockwise.
        distance: to the most similar picture.
        lead: how much further away the next answer is.
        is_sure: whether nobody needs to look.
        alternatives: other answers, likeliest first.
        judged_by: what distance and lead are those of.
    """

    face: int | None
    turn: int
    distance: float
    lead: float
    is_sure: bool
    alternatives: tuple[Option, ...] = ()
    judged_by: JudgedBy = JudgedBy.LOOKS

    @property
    def tells_of_a_grid(self) -> bool:
        """Whether there is hardly any doubt that this tile lies here."""
        if self.judged_by is JudgedBy.CLOSE_LOOK:
            return self.face is not None and self.lead >= PLAIN_CLOSE_LEAD
        return self.is_sure

    @property
    def confidence(self) -> float:
        """How plainly the face is right, 0 to 1; how often, tells ``vision.boards.confidence``."""
        if self.judged_by is JudgedBy.CLOSE_LOOK:
            return min(_rising((self.lead - EVEN_ODDS_CLOSE_LEAD) * 60), 0.999)
        if self.judged_by is JudgedBy.DRAWING:
            alike = _rising((EVEN_ODDS_DISTANCE - self.distance) * 40)
            return min(alike * _rising((self.lead - EVEN_ODDS_LEAD) * 50), 0.999)
        fit = _rising((ALIKE - self.distance) * 8)
        clear = _rising((self.lead - needed_lead(self.distance)) * 25)
        return min(fit * clear * 1.05, 0.999)


def _rising(steps: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-steps)) if steps > -_LAST_STEP else 0.0


def answers_for(
    table: NDArray[np.float32], known: KnownFaces, empty: NDArray[np.float32] | None
) -> list[Answer]:
    """What lies in several places.

    Args:
        table: (places, n) distances to the pictures of ``known``.
        known: the pictures.
        empty: (places,) distances to what the board shows there; None: no board.
    """
    at_board = [None] * len(table) if empty is None else empty.tolist()
    return [
        _answer(distances, known, two, distance)
        for distances, two, distance in zip(
            table, _two_nearest(table, known), at_board, strict=True
        )
    ]


def answer_for(
    distances: NDArray[np.float32],
    known: KnownFaces,
    *,
    empty: float | None,
) -> Answer:
    """What lies in a place.

    Args:
        distances: (n,) to the pictures of ``known``.
        known: the pictures.
        empty: distance to what the board shows there; None: no board.
    """
    (two,) = _two_nearest(distances[None], known)
    return _answer(distances, known, two, empty)


def _answer(
    distances: NDArray[np.float32], known: KnownFaces, two: _TwoNearest, empty: float | None
) -> Answer:
    if empty is not None and empty <= ALIKE and two.distance - empty >= CLEAR_LEAD:
        return Answer(None, 0, empty, two.distance - empty, is_sure=True)
    (nearest, (face, turn)), lead = two.with_board(empty)
    if nearest <= ALIKE and lead >= (CLEAR_LEAD if face is None else needed_lead(nearest)):
        return Answer(face, turn, nearest, lead, is_sure=True)
    options = _options(distances, known)
    if empty is not None:
        options.append((empty, (None, 0)))
    options.sort(key=lambda option: option[0])
    others = tuple(option for distance, option in options[1:] if distance - nearest < LIKELIER)[
        :MOST_ALTERNATIVES
    ]
    if empty is None and nearest > NOTHING:
        others = ((face, turn), *others)[:MOST_ALTERNATIVES]
        face, turn = None, 0
    return Answer(face, turn, nearest, lead, is_sure=False, alternatives=others)


def needed_lead(distance: float) -> float:
    """By how much an answer must be nearer than the next: the more, the less it is alike itself."""
    return CLEAR_LEAD + LEAD_SLOPE * max(distance - PLAINLY_ALIKE, 0.0)


def answer_by_drawing(
    answer: Answer,
    distances: NDArray[np.float32],
    known: KnownFaces,
    nearest_others: NDArray[np.float32],
    *,
    empty: float | None,
) -> Answer:
    """A doubtful answer, made sure if the drawing alone says clearly what lies there.

    Args:
        answer: by texture and colour in the light that is usual on the grid.
        distances: (n,) to the pictures of ``known`` whatever the light, see ``local_contrast``.
        known: the pictures.
        nearest_others: (faces,) the same between each face and that which is most alike.
        empty: the same to what the board shows there; None: no board.
    """
    (two,) = _two_nearest(distances[None], known)
    (nearest, (face, turn)), lead = two.with_board(empty)
    if face is None or nearest > DRAWING_ALIKE or lead < LIKELIER_BY_DRAWING:
        return answer
    needed = DRAWING_LEAD + DRAWING_SLOPE * max(nearest - PLAINLY_DRAWN, 0.0)
    most = PLAINLY_SAME if answer.distance > STRANGE else AS_OTHERS
    if lead >= needed and nearest <= most * nearest_others[face]:
        return Answer(face, turn, nearest, lead, is_sure=True, judged_by=JudgedBy.DRAWING)
    if (answer.face, answer.turn) == (face, turn):
        return answer
    others = _others_than((face, turn), answer)
    return Answer(
        face, turn, nearest, lead, is_sure=False, alternatives=others, judged_by=JudgedBy.DRAWING
    )


def answer_looked_at_closely(answer: Answer, look: CloseLook, known: KnownFaces) -> Answer:
    """A doubtful answer, exchanged for what a closer look tells; it stays doubtful.

    Args:
        answer: before.
        look: at the place.
        known: the pictures.
    """
    (two,) = _two_nearest(look.distances[None], known)
    (nearest, option), lead = two.with_board(look.empty)
    if answer.face is None and look.empty is None:
        needed = NOT_BARE
    else:
        needed = 0.0 if look.is_burnt else LIKELIER_BY_DRAWING
    if nearest >= NOTHING_ALIKE or lead < needed:
        return answer
    others = _others_than(option, answer)
    return Answer(
        *option, nearest, lead, is_sure=False, alternatives=others, judged_by=JudgedBy.CLOSE_LOOK
    )


def _others_than(option: Option, answer: Answer) -> tuple[Option, ...]:
    """What else a place may show that is taken for this option, by what was thought before."""
    others = dict.fromkeys(((answer.face, answer.turn), *answer.alternatives))
    return tuple(other for other in others if other != option)[:MOST_ALTERNATIVES]


def _two_nearest(table: NDArray[np.float32], known: KnownFaces) -> list[_TwoNearest]:
    """For each place, of (places, n) distances to pictures."""
    first = table.argmin(axis=1)
    nearest = table[np.arange(len(table)), first]
    is_same = known.meanings == known.meanings[first][:, None]
    next_nearest = np.where(is_same, np.inf, table).min(axis=1, initial=np.inf)
    faces, turns = known.faces[first].tolist(), known.turns[first].tolist()
    return [
        _TwoNearest(*each)
        for each in zip(nearest.tolist(), faces, turns, next_nearest.tolist(), strict=True)
    ]


def _options(distances: NDArray[np.float32], known: KnownFaces) -> list[tuple[float, Option]]:
    """The nearest picture of each answer, of the nearest answers."""
    # Among so many pictures are those of enough answers, however many there are of each
    enough = min(MOST_OPTIONS * int(np.bincount(known.meanings).max()), len(distances))
    near = np.flatnonzero(distances <= np.partition(distances, enough - 1)[enough - 1])
    pictures = near[np.argsort(distances[near], kind="stable")]
    nearest: dict[int, int] = {}
    for meaning, picture in zip(known.meanings[pictures].tolist(), pictures.tolist(), strict=True):
        nearest.setdefault(meaning, picture)
    chosen = list(itertools.islice(nearest.values(), MOST_OPTIONS))
    answers = zip(known.faces[chosen].tolist(), known.turns[chosen].tolist(), strict=True)
    return list(zip(distances[chosen].tolist(), answers, strict=True))

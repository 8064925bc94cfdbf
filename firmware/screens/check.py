"""The pages of what a person has to look at before the result is sure."""

from collections.abc import Sequence
from functools import partial

from firmware.doubts import Doubts
from firmware.screens import texts, typeset
from firmware.screens.canvas import BODY_ROWS, ROW_LETTERS, WIDTH, Canvas, Draft, body_row
from scoring.faces import Place, city_name
from scoring.games.between_two_cities.sheet import PlayerScore
from vision.reading import Unread

PLACES_PER_ROW = 3
PLACES_PER_PAGE = PLACES_PER_ROW * BODY_ROWS


def check_drafts(
    doubts: Doubts, players: Sequence[PlayerScore], names: Sequence[str]
) -> tuple[Draft, ...]:
    """All pages of what is not sure, what weighs most first; none if all is sure.

    Args:
        doubts: about the result.
        players: in seat order.
        names: of the players as the display shows them.
    """
    return (
        *_unread_drafts(doubts.unread),
        *(() if doubts.owners_known else (_owners_draft(players, names),)),
        *_place_drafts("unsure", texts.unsure(len(doubts.unsure)), doubts.unsure, unsure=True),
        *_place_drafts("missing", texts.missing(len(doubts.missing)), doubts.missing, unsure=False),
    )


def _place_drafts(
    name: str, title: str, places: tuple[Place, ...], *, unsure: bool
) -> tuple[Draft, ...]:
    labels = [
        texts.place(city_name(city), row, column, provisional=unsure)
        for city, (row, column) in places
    ]
    return tuple(
        Draft(
            f"{name}-{number}",
            partial(_draw_places, title=title, labels=labels[start : start + PLACES_PER_PAGE]),
        )
        for number, start in enumerate(range(0, len(labels), PLACES_PER_PAGE), start=1)
    )


def _unread_drafts(unread: tuple[Unread, ...]) -> tuple[Draft, ...]:
    reasons = dict.fromkeys(typeset.printable(each.why) for each in unread)
    lines = [line for reason in reasons for line in typeset.wrap(reason, ROW_LETTERS)]
    starts = range(0, max(len(lines), 1), BODY_ROWS) if unread else ()
    return tuple(
        Draft(
            f"unread-{number}",
            partial(
                _draw_lines, title=texts.unread(len(unread)), lines=lines[start : start + BODY_ROWS]
            ),
        )
        for number, start in enumerate(starts, start=1)
    )


def _owners_draft(players: Sequence[PlayerScore], names: Sequence[str]) -> Draft:
    lines = [
        texts.owner([city_name(city) for city in sorted(player.cities)], name)
        for player, name in zip(players, names, strict=True)
    ]
    lines.append(texts.OWNERS_GUESSED)
    return Draft("owners", partial(_draw_lines, title=texts.OWNERS, lines=lines))


def _draw_places(canvas: Canvas, *, title: str, labels: list[str]) -> None:
    canvas.header((title,))
    width = WIDTH // PLACES_PER_ROW
    for number, label in enumerate(labels):
        row, column = divmod(number, PLACES_PER_ROW)
        canvas.text(body_row(row, column * width, (column + 1) * width), label)
    if len(labels) <= PLACES_PER_PAGE - PLACES_PER_ROW:
        canvas.text(body_row(BODY_ROWS - 1), texts.PLACE_LEGEND)


def _draw_lines(canvas: Canvas, *, title: str, lines: list[str]) -> None:
    canvas.header((title,))
    for row, line in enumerate(lines):
        canvas.text(body_row(row), line)

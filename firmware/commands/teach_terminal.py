"""Questions and the report of ``stadtblick teach`` on the terminal."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from firmware.base.errors import UsageError, suggest_name
from firmware.base.language import _, _n
from firmware.base.terminal import confirm, print_lines
from firmware.wording.problem_text import translate
from vision.editions.edition import Edition, EditionError
from vision.editions.learning import model_of
from vision.eye.confusable_faces import list_confusable_faces
from vision.message import Message, list_names
from vision.teaching.learn_layout import LearnedLayout, list_untaught_faces
from vision.teaching.orientation import TopSide

T = TypeVar("T")


def ask_if_doubtful(use: Callable[..., T], *, confirmed: bool) -> T:
    """Use a photo to teach; if it does not seem to fit the layout or names, ask whether it does.

    Args:
        use: Function that groups or learns the tiles; it takes ``confirmed``, whether a person has
            confirmed that the photo fits.
        confirmed: Whether the options confirm it, so that nobody is asked.

    Raises:
        UsageError: ``teach-doubtful``; nobody confirms.
    """
    try:
        return use(confirmed=confirmed)
    except EditionError as error:
        if error.code != "teach-doubtful":
            raise
        refusal = UsageError(
            error.code,
            "the photo does not seem to match the names given, {doubts}: correct these, or learn "
            "it all the same with --sure",
            error.where,
            **error.values,
        )
    question = _("Is all of this right? Then type yes to learn it.")
    doubts = refusal.values["doubts"]
    message = translate(doubts) if isinstance(doubts, Message) else str(doubts)
    if not confirm(f"{refusal.where}: {message}\n{question}", refusal):
        raise refusal
    return use(confirmed=True)


def can_ask() -> bool:
    """Return whether a person sits at the terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def parse_top_side(options: argparse.Namespace) -> TopSide | None:
    """Return the side that ``--up`` names, if it is given."""
    return None if options.up is None else TopSide[options.up.upper()]


def ask_top_side() -> TopSide:
    """Ask where the tops of the tiles are; an empty line means the top."""
    sides = {side.name.lower(): side for side in TopSide}
    while True:
        try:
            answer = input(
                _("Where are the tops of these tiles? {sides} [top]: ").format(
                    sides=", ".join(sides)
                )
            ).strip()
        except EOFError:
            return TopSide.TOP
        if not answer or answer in sides:
            return sides[answer or "top"]
        print_lines(translate(suggest_name(answer, list(sides))))


def report_lines(
    edition: Edition,
    learned_layouts: Sequence[LearnedLayout],
    built_in_parts: Sequence[str],
    contact_sheet: Path,
) -> list[str]:
    """Report what an edition knows now.

    Args:
        edition: Stored edition.
        learned_layouts: Results of learning each photo, if these show layouts.
        built_in_parts: Names of what still looks as in the built-in edition.
        contact_sheet: Path of the contact sheet.
    """
    if not any(edition.pictures.values()):
        message = _(
            "The board of edition {name} is learned. It knows no tile yet: teach photos of "
            "tiles with --add, each with a --layout that says what lies where."
        )
        return [message.format(name=edition.name)]
    lines = [
        _n(
            "Learned edition {name}: {kinds}, {n} picture.",
            "Learned edition {name}: {kinds}, {n} pictures.",
            sum(map(len, edition.pictures.values())),
            name=edition.name,
            kinds=_n("{n} kind", "{n} kinds", sum(map(bool, edition.pictures.values()))),
        ),
        *_quality_lines(learned_layouts),
    ]
    if similar := list_confusable_faces(model_of(edition)):
        message = _(
            "So alike that they are asked about unless a photo shows them clearly: {groups}."
        )
        lines.append(message.format(groups="; ".join(" / ".join(group) for group in similar)))
    if missing := list_untaught_faces(edition):
        message = _("No photo shows {faces}: tiles like these will be asked about.")
        lines.append(message.format(faces=translate(list_names(missing))))
    if built_in_parts:
        message = _("Not taught yet, still as built in: {faces}")
        lines.append(message.format(faces=translate(list_names(built_in_parts))))
    if not all(each.way_up_known for each in learned_layouts):
        lines.append(
            _(
                "The look is new, so the way up cannot be read: the tops of the tiles were taken "
                "to lie at the top of the photo. If they do not, teach it again with --replace "
                "and --up left, --up bottom or --up right."
            )
        )
    return [
        *lines,
        _("The look is known, so the order of the tiles was checked.")
        if learned_layouts and all(each.all_checked for each in learned_layouts)
        else _("Check in the tile overview that each tile has its name."),
        _("Tile overview: {path}").format(path=contact_sheet),
        _("Use it with --edition {name}.").format(name=edition.name),
    ]


def _quality_lines(learned_layouts: Sequence[LearnedLayout]) -> Iterator[str]:
    """Report the size of the tiles in the photos, and the faces that look most alike."""
    if not learned_layouts:
        return
    smallest = min(each.tile_px for each in learned_layouts)
    yield _("The smallest tile is {pixels} pixels wide.").format(pixels=round(smallest))
    alike = [each.most_similar_faces for each in learned_layouts if each.most_similar_faces]
    if alike:
        first, second, share = max(alike, key=lambda each: each[2])
        yield _("Most alike are {first} and {second}: {percent}%.").format(
            first=first, second=second, percent=round(100 * share)
        )

"""Learn from photos of layouts, and cut out the empty board, for ``stadtblick teach``."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from firmware.base.errors import UsageError, suggest_name
from firmware.commands.teach_terminal import (
    ask_if_doubtful,
    ask_top_side,
    can_ask,
    parse_top_side,
)
from firmware.games.registry import game_or_unscored
from firmware.teaching.session import TeachingSession
from vision.arrays import Image, floats
from vision.editions.description import Description
from vision.editions.edition import BETWEEN_TWO_CITIES, Edition
from vision.editions.folder import make_file_reader
from vision.photo.load import load_photo
from vision.teaching.layout import MAX_LAYOUT_BYTES, Layout, parse_layout
from vision.teaching.learn_layout import LayoutPhoto, LearnedLayout, learn_layout
from vision.teaching.reference_grid import PhotoCorner
from vision.teaching.tile_pictures import cut_board


def learn_from_layouts(
    session: TeachingSession, options: argparse.Namespace
) -> list[LearnedLayout]:
    """Learn photos of layouts or arrangements one after the other, each beside those before."""
    description, shop_at = session.description, options.shop_at
    game = game_or_unscored(description.game)
    is_reference = game.taught_on_device and not options.layout
    if shop_at is not None and not is_reference:
        raise UsageError(
            "usage",
            "--shop-at is only for the reference grid of {game}: leave it out",
            "--shop-at",
            game=BETWEEN_TWO_CITIES,
        )
    learned_layouts: list[LearnedLayout] = []
    layouts = _choose_layouts(options, description)
    up = parse_top_side(options)
    for number, (path, layout) in enumerate(zip(options.photos, layouts, strict=True)):
        earlier = learned_layouts[-1].edition if learned_layouts else session.learned
        layout_photo = LayoutPhoto(
            load_photo(path),
            layout,
            floats(options.corners[number]) if options.corners else None,
            is_reference=is_reference,
            first_face_corner=None if shop_at is None else PhotoCorner(shop_at),
            up=up,
        )
        learned_layout = ask_if_doubtful(
            partial(_learn, earlier, layout_photo), confirmed=options.sure
        )
        if not learned_layout.way_up_known and can_ask():
            # Whoever answers has confirmed all doubts by now
            learned_layout = _learn(
                earlier, replace(layout_photo, up=ask_top_side()), confirmed=True
            )
        learned_layouts.append(learned_layout)
    return learned_layouts


def _learn(earlier: Edition, layout_photo: LayoutPhoto, *, confirmed: bool) -> LearnedLayout:
    return learn_layout(earlier, replace(layout_photo, confirmed=confirmed))


def _choose_layouts(options: argparse.Namespace, description: Description) -> list[Layout]:
    """Return the layout of each photo, from the files or from the arrangements of the game."""
    if options.layout:
        known = [face.name for face in description.faces]
        return [_load_layout(path, known) for path in options.layout]
    if not options.photos:
        return []
    arrangements = game_or_unscored(description.game).arrangements(description)
    if not arrangements:
        raise UsageError(
            "teach-layout-needed",
            "nothing says what lies where: write it down for each photo in a file for --layout",
            "--layout",
        )
    names = options.faces or list(arrangements)
    if len(names) == 1:  # further photos show the same arrangement
        names = names * len(options.photos)
    for name in names:
        if name not in arrangements:
            raise UsageError(
                "usage",
                "there is no arrangement {name}: {advice}",
                "--faces",
                name=name,
                advice=suggest_name(name, list(arrangements)),
            )
    if len(names) != len(options.photos):
        raise UsageError(
            "usage",
            "the number of photos is {photos}, that of arrangements {arrangements}: say with "
            "--faces which each photo shows, of {known}",
            "--faces",
            photos=len(options.photos),
            arrangements=len(names),
            known=", ".join(arrangements),
        )
    return [arrangements[name] for name in names]


def _load_layout(path: Path, known: Sequence[str]) -> Layout:
    data = make_file_reader(path.parent)(path.name, MAX_LAYOUT_BYTES)
    return parse_layout(data, str(path), known)


def cut_empty_board(description: Description, options: argparse.Namespace) -> Image:
    """Cut the picture of the empty board out of the photo of ``--board``."""
    photo = load_photo(str(options.board))
    if options.board_corners is None:
        raise UsageError(
            "usage",
            "the corners of the board are not given: add --board-corners",
            "--board-corners",
        )
    return cut_board(photo, floats(options.board_corners), description)

"""``stadtblick simulate``: photos of tables with their ground truth."""

import json
from collections.abc import Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Protocol

from rich.text import Text

from firmware.board_games.eye import NETWORK_GAME, load_pictured_edition
from firmware.commands.game_option import check_game
from firmware.commands.progress import Progress
from firmware.errors import ExitCode, OutputError, UsageError, printable, suggestion
from firmware.language import _, _n
from firmware.result_folder import prepare_folder
from firmware.settings.model import STANDARD_EDITION
from firmware.terminal import printing
from firmware.user_data import write_safely
from vision.simulate.boards.photos import take_board_photo
from vision.simulate.conditions import CONDITIONS, FULL_SIZE_WH, Shot, check_size, take_photo


class Photographer(Protocol):
    """Lays a table and photographs it, see ``vision.simulate.conditions.take_photo``."""

    def __call__(
        self, condition: str, seed: int, size_wh: tuple[int, int] = ..., name: str = ...
    ) -> Shot:
        """Take one photo."""
        ...


def run(
    out: Path,
    *,
    count: int | None = None,
    seed: int = 1,
    conditions: Sequence[str] | None = None,
    size_wh: tuple[int, int] = FULL_SIZE_WH,
    game: str = NETWORK_GAME,
    edition: str | None = None,
) -> ExitCode:
    """Write photos and their truth: ``CONDITION-SEED.jpg`` and ``CONDITION-SEED.json``.

    Args:
        out: folder, made if need be.
        count: photos in all; None: one of each condition.
        seed: of the first photo; each further one has the next.
        conditions: in turn; None: all.
        size_wh: of the photos.
        game: on the table, or ``reading-only``.
        edition: whose look the tiles have; None: the standard one of the game.

    Raises:
        UsageError: ``unknown-condition``, ``size-not-usable``, ``unknown-game``,
            ``edition-not-drawn``, or those of ``load_pictured_edition``.
        OutputError: ``out-has-photos``, ``out-not-a-folder`` or ``out-not-writable``.
    """
    chosen = list(conditions) if conditions else list(CONDITIONS)
    for name in chosen:
        if name not in CONDITIONS:
            advice = suggestion(name, list(CONDITIONS))
            raise UsageError("unknown-condition", f"there is no {name}: {advice}", "--condition")
    try:
        check_size(size_wh)
    except ValueError as error:
        wrong = f"{size_wh[0]}x{size_wh[1]} is no size for a table: {error}"
        raise UsageError("size-not-usable", wrong, "--size") from error
    photograph = _photographer(game, edition)
    total = len(chosen) if count is None else count
    plan = [
        (f"{condition}-{seed + number:05d}", condition, seed + number)
        for number, condition in enumerate(islice(cycle(chosen), total))
    ]
    prepare_folder(out)
    _check_nothing_in_the_way(out, [name for name, *_rest in plan])
    with Progress() as progress:
        for number, (name, condition, photo_seed) in enumerate(plan):
            said = _("Photo {n} of {total}: {name}")
            progress.show(said.format(n=number + 1, total=total, name=name))
            shot = photograph(condition, photo_seed, size_wh, name)
            _write(out / f"{name}.jpg", shot.jpeg)
            _write(out / f"{name}.json", _json_bytes(shot.truth))
    with printing() as console:
        said = _n(
            "{n} photo with its ground truth: {folder}",
            "{n} photos with their ground truth: {folder}",
            total,
            folder=printable(str(out)),
        )
        console.print(Text(said), soft_wrap=True)
    return ExitCode.DONE


def _photographer(game: str, edition: str | None) -> Photographer:
    """What takes photos of tables of a game.

    Raises:
        UsageError: ``unknown-game``, ``edition-not-drawn``, or those of
            ``load_pictured_edition``.
    """
    if game == NETWORK_GAME:
        if edition not in (None, STANDARD_EDITION):
            raise UsageError(
                "edition-not-drawn",
                f"photos of {game} show the drawn tiles alone: leave out --edition",
                "--edition",
            )
        return take_photo
    check_game(game)
    return partial(take_board_photo, load_pictured_edition(edition, game))


def _check_nothing_in_the_way(out: Path, names: Sequence[str]) -> None:
    for name in names:
        for path in (out / f"{name}.jpg", out / f"{name}.json"):
            if path.exists() or path.is_symlink():
                raise OutputError(
                    "out-has-photos",
                    f"{path.name} is there already: name another folder or --seed",
                    str(out),
                )


def _write(path: Path, data: bytes) -> None:
    try:
        write_safely(path, data)
    except OutputError as error:
        cause = error.__cause__
        why = getattr(cause, "strerror", None) or type(cause).__name__
        raise OutputError(
            "out-not-writable",
            f"the photo cannot be written ({why}): make room or name another folder",
            str(path),
        ) from error


def _json_bytes(truth: dict[str, Any]) -> bytes:
    return (json.dumps(truth, ensure_ascii=False, indent=1) + "\n").encode()

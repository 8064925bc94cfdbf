"""``stadtblick simulate``: photos of tables with their ground truth."""

import argparse
import json
import re
from collections.abc import Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from firmware.base.errors import (
    ExitCode,
    OutputError,
    UsageError,
    suggest_name,
    system_reason,
    write_advice,
)
from firmware.base.language import N_, _, _n
from firmware.commands.options import add_edition_options, load_named_edition, parse_whole_number
from vision.lab.simulate.conditions import CONDITIONS
from vision.message import Message

if TYPE_CHECKING:
    from vision.editions.edition import Edition

EPILOG: Final = N_("""\
examples:
  stadtblick simulate --out photos                          one photo of each condition
  stadtblick simulate --out photos --count 40 --condition glare covered
  stadtblick simulate --out photos --seed 100 --size 4608x2592
  stadtblick simulate --out boards --game city-blocks --count 57
  stadtblick bench photos                                   how well they are read

Of games with a board, in edge the board runs off the picture, and in turned some tiles lie askew.

Writes NAME.jpg and the reference data NAME.json beside it. The same condition, seed and size give
the same files. The form of the reference data is described in docs/ground-truth.md.
""")
MAX_SIMULATED_PHOTOS: Final = 100_000
_DEFAULT_SIZE: Final = "2304x1296"
_SIZE: Final = re.compile(r"([0-9]{1,5})x([0-9]{1,5})")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--out", metavar=_("DIR"), type=Path, required=True, help=_("folder for the photos")
    )
    parser.add_argument(
        "--count",
        metavar="N",
        type=partial(_parse_number, 1, MAX_SIMULATED_PHOTOS),
        help=_("photos in all (default: one of each condition)"),
    )
    parser.add_argument(
        "--seed",
        metavar="S",
        type=partial(_parse_number, 0, 10**9),
        default=1,
        help=_("seed of the first photo (default: 1)"),
    )
    known = ", ".join(f"{name} ({_(each.about)})" for name, each in CONDITIONS.items())
    parser.add_argument(
        "--condition",
        metavar=_("NAME"),
        nargs="+",
        action="extend",
        dest="conditions",
        help=_("only these conditions, in turn (default: all): {known}").format(known=known),
    )
    add_edition_options(parser)
    parser.add_argument(
        "--size",
        metavar="WxH",
        type=_parse_size,
        default=_parse_size(_DEFAULT_SIZE),
        help=_("pixels of each photo (default: {size})").format(size=_DEFAULT_SIZE),
    )


def _parse_number(low: int, high: int, text: str) -> int:
    refusal = _("{text} is no whole number from {low} to {high}")
    return parse_whole_number(text, low, high, refusal.format(text=text, low=low, high=high))


def _parse_size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    if match is None:
        refusal = _("{text} is no size like {size}").format(text=text, size=_DEFAULT_SIZE)
        raise argparse.ArgumentTypeError(refusal)
    return int(match[1]), int(match[2])


def run(options: argparse.Namespace) -> ExitCode:
    """Write photos and their truth: ``CONDITION-SEED.jpg`` and ``CONDITION-SEED.json``."""
    from firmware.base.output_folder import prepare_folder
    from firmware.base.terminal import Progress, print_lines

    conditions = options.conditions or list(CONDITIONS)
    _check_conditions(conditions)
    _check_size(options.size)
    edition = load_named_edition(options)
    photos = _plan(conditions, options.count, options.seed)
    prepare_folder(options.out)
    _check_nothing_in_the_way(options.out, [photo.name for photo in photos])
    with Progress() as progress:
        for number, photo in enumerate(photos, 1):
            template = _("Photo {n} of {total}: {name}")
            progress.show(template.format(n=number, total=len(photos), name=photo.name))
            _write_photo(photo, edition, options.size, options.out)
    line = _n(
        "{n} photo with its reference data: {folder}",
        "{n} photos with their reference data: {folder}",
        len(photos),
        folder=options.out,
    )
    print_lines(line)
    return ExitCode.DONE


def _check_conditions(names: Sequence[str]) -> None:
    """Refuse a condition that does not exist."""
    for name in names:
        if name not in CONDITIONS:
            raise UsageError(
                "unknown-condition",
                N_("there is no {name}: {suggestion}"),
                "--condition",
                name=name,
                suggestion=suggest_name(name, list(CONDITIONS)),
            )


def _check_size(size_wh: tuple[int, int]) -> None:
    """Refuse a size in which a table has no room."""
    from vision.lab.simulate.simulated_photos import check_size

    width, height = size_wh
    try:
        check_size(size_wh)
    except ValueError as error:
        raise UsageError(
            "size-not-usable",
            N_("{width}x{height} is no size for a table: {why}"),
            "--size",
            width=width,
            height=height,
            why=error.args[0],
        ) from error


class _PlannedPhoto(NamedTuple):
    """Photo to be simulated; its name is that of both files, without their endings."""

    name: str
    condition: str
    seed: int


def _plan(conditions: Sequence[str], count: int | None, first_seed: int) -> list[_PlannedPhoto]:
    """Return the photos to simulate, under each condition in turn; one of each without a count."""
    total = len(conditions) if count is None else count
    return [
        _PlannedPhoto(f"{condition}-{seed:05d}", condition, seed)
        for seed, condition in enumerate(islice(cycle(conditions), total), first_seed)
    ]


def _write_photo(
    photo: _PlannedPhoto, edition: "Edition", size_wh: tuple[int, int], out: Path
) -> None:
    """Simulate a photo, and write it and its reference data into a folder."""
    from firmware.base.output_folder import write_files
    from vision.lab.simulate.simulated_photos import take_photo

    shot = take_photo(edition, photo.condition, photo.seed, size_wh, photo.name)
    truth = json.dumps(shot.truth, ensure_ascii=False, indent=1) + "\n"
    try:
        write_files(out, {f"{photo.name}.jpg": shot.jpeg, f"{photo.name}.json": truth.encode()})
    except OutputError as error:
        raise OutputError(
            "out-not-writable",
            N_("the photo cannot be written ({why}): {advice}"),
            error.where,
            why=system_reason(error.__cause__),
            advice=write_advice(error.__cause__, Message("choose another folder")),
        ) from error


def _check_nothing_in_the_way(out: Path, names: Sequence[str]) -> None:
    for name in names:
        for path in (out / f"{name}.jpg", out / f"{name}.json"):
            if path.exists() or path.is_symlink():
                raise OutputError(
                    "out-has-photos",
                    N_("{name} is there already: choose another folder or --seed"),
                    str(out),
                    name=path.name,
                )

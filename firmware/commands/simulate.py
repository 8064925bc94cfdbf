"""``stadtblick simulate``: photos of tables with their ground truth."""

import argparse
import json
import re
from collections.abc import Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from firmware.base.errors import ExitCode, OutputError, UsageError, suggest_name, system_reason
from firmware.base.language import N_, _, _n
from firmware.commands.options import add_edition_options, load_named_edition, whole_number
from vision.lab.simulate.conditions import CONDITIONS

EPILOG: Final = N_("""\
examples:
  stadtblick simulate --out photos                          one photo of each condition
  stadtblick simulate --out photos --count 40 --condition glare covered
  stadtblick simulate --out photos --seed 100 --size 4608x2592
  stadtblick simulate --out boards --game city-blocks --count 57
  stadtblick bench photos                                   how well they are read

On tables of games with a board that runs off the edge, too, and turned tiles lie askew.

Writes NAME.jpg and the reference data NAME.json beside it. The same condition, seed and size give
the same files. The form of the reference data is described in docs/ground-truth.md.
""")
MAX_PHOTOS: Final = 100_000
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
        type=partial(_number, 1, MAX_PHOTOS),
        help=_("photos in all (default: one of each condition)"),
    )
    parser.add_argument(
        "--seed",
        metavar="S",
        type=partial(_number, 0, 10**9),
        default=1,
        help=_("of the first photo (default: 1)"),
    )
    known = ", ".join(f"{name} ({_(each.about)})" for name, each in CONDITIONS.items())
    parser.add_argument(
        "--condition",
        metavar=_("NAME"),
        nargs="+",
        action="extend",
        dest="conditions",
        help=_("only these, in turn (default: all): {known}").format(known=known),
    )
    add_edition_options(parser)
    parser.add_argument(
        "--size",
        metavar="WxH",
        type=_size,
        default=_size(_DEFAULT_SIZE),
        help=_("pixels of each photo (default: {size})").format(size=_DEFAULT_SIZE),
    )


def _number(low: int, high: int, text: str) -> int:
    said = _("{text} is no whole number from {low} to {high}")
    return whole_number(text, low, high, said.format(text=text, low=low, high=high))


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    if match is None:
        said = _("{text} is no size like {size}").format(text=text, size=_DEFAULT_SIZE)
        raise argparse.ArgumentTypeError(said)
    return int(match[1]), int(match[2])


def run(options: argparse.Namespace) -> ExitCode:
    """Write photos and their truth: ``CONDITION-SEED.jpg`` and ``CONDITION-SEED.json``."""
    from firmware.base.output_folder import prepare_folder, write_files
    from firmware.base.terminal import Progress, print_lines
    from vision.lab.simulate.photos import check_size, take_photo

    chosen = options.conditions or list(CONDITIONS)
    for name in chosen:
        if name not in CONDITIONS:
            raise UsageError(
                "unknown-condition",
                N_("there is no {name}: {suggestion}"),
                "--condition",
                name=name,
                suggestion=suggest_name(name, list(CONDITIONS)),
            )
    width, height = options.size
    try:
        check_size(options.size)
    except ValueError as error:
        raise UsageError(
            "size-not-usable",
            N_("{width}x{height} is no size for a table: {why}"),
            "--size",
            width=width,
            height=height,
            why=str(error),
        ) from error
    out, seed = options.out, options.seed
    edition = load_named_edition(options)
    total = len(chosen) if options.count is None else options.count
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
            shot = take_photo(edition, condition, photo_seed, options.size, name)
            truth = json.dumps(shot.truth, ensure_ascii=False, indent=1) + "\n"
            try:
                write_files(out, {f"{name}.jpg": shot.jpeg, f"{name}.json": truth.encode()})
            except OutputError as error:
                raise OutputError(
                    "out-not-writable",
                    N_("the photo cannot be written ({why}): make room or name another folder"),
                    error.where,
                    why=system_reason(error.__cause__),
                ) from error
    said = _n(
        "{n} photo with its reference data: {folder}",
        "{n} photos with their reference data: {folder}",
        total,
        folder=out,
    )
    print_lines(said)
    return ExitCode.DONE


def _check_nothing_in_the_way(out: Path, names: Sequence[str]) -> None:
    for name in names:
        for path in (out / f"{name}.jpg", out / f"{name}.json"):
            if path.exists() or path.is_symlink():
                raise OutputError(
                    "out-has-photos",
                    N_("{name} is there already: name another folder or --seed"),
                    str(out),
                    name=path.name,
                )

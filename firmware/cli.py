"""The command line: ``stadtblick COMMAND …``.

What a command needs is imported when it runs, so that help and errors come at once on a slow
computer.
"""

import argparse
import json
import os
import sys
import traceback
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from firmware.arguments import command_parser
from firmware.corrections import parse_correction
from firmware.errors import (
    PROGRAM,
    TRACEBACK_VARIABLE,
    ExitCode,
    FirmwareError,
    Refusal,
    UsageError,
    error_line,
    error_object,
    internal_error,
    printable,
)
from firmware.language import use_language
from firmware.owners import parse_owners
from firmware.settings.options import fill_in
from scoring.errors import ScoringError
from scoring.games import GAMES, between_two_cities
from scoring.games.between_two_cities.table import Variant
from vision.editions.description import READING_ONLY
from vision.errors import VisionError

if TYPE_CHECKING:
    from firmware.board_games.eye import BoardEye
    from firmware.scan import Eye

    Eyes = tuple[Eye | None, BoardEye | None]


def main(
    argv: Sequence[str] | None = None,
    *,
    eye: "Eye | None" = None,
    board_eye: "BoardEye | None" = None,
) -> int:
    """Run the command line.

    Args:
        argv: arguments without the name of the program; None: those of the process.
        eye: what reads photos of Between Two Cities; None: the real eye.
        board_eye: what reads those of games known by pictures; None: the real eye.

    Returns:
        The exit code, see ``ExitCode``.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    _prepare_streams()
    report = partial(_report, as_json=any(flag in arguments for flag in ("--json", "--jsonl")))
    try:
        code = _run(arguments, report, (eye, board_eye))
    except (FirmwareError, VisionError, ScoringError) as error:
        report(error)
        code = ExitCode.REFUSED
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except BrokenPipeError:
        code = ExitCode.BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - whatever happens, the exit code must say so
        if os.environ.get(TRACEBACK_VARIABLE) == "1":
            traceback.print_exception(error)
        report(internal_error(error))
        code = ExitCode.INTERNAL
    return int(code)


def _run(arguments: list[str], report: "partial[None]", eyes: "Eyes") -> ExitCode:
    try:
        options = command_parser().parse_args(arguments)
    except SystemExit as done:  # --help and --version
        return ExitCode.DONE if not done.code else ExitCode.REFUSED
    for warning in fill_in(options):
        _warn(warning.line, arguments)
    use_language(options.lang)
    match options.command:
        case "scan":
            return _scan(options, eyes)
        case "read":
            return _read(options, report, eyes)
        case "score":
            return _score(options)
        case "demo":
            return _demo(options, eyes[0])
    if options.command is not None:
        code: ExitCode = options.run(options)
        return code
    raise UsageError("usage", f"no command given: see {PROGRAM} --help", "command line")


def _scan(options: argparse.Namespace, eyes: "Eyes") -> ExitCode:
    _check_game(options)
    players = None
    if options.players is not None:
        players = tuple(name.strip() for name in options.players.split(","))
    if options.game == between_two_cities.NAME:
        return _scan_cities(options, players, eyes[0])
    if options.owners is not None:
        raise UsageError(
            "usage", f"--owners is for {between_two_cities.NAME}: leave it out", "command line"
        )

    from firmware.commands import scan_boards

    return scan_boards.run(
        options.photo,
        game=options.game,
        level=options.level,
        edition=options.edition,
        corrections=options.corrections,
        players=players,
        out=options.out,
        as_json=options.json,
        reasons=options.reasons,
        eye=eyes[1],
    )


def _scan_cities(
    options: argparse.Namespace, players: tuple[str, ...] | None, eye: "Eye | None"
) -> ExitCode:
    """Scan a table of Between Two Cities."""
    variant = Variant(options.variant)
    corrections = tuple(parse_correction(text) for text in options.corrections)
    owners = None
    if options.owners is not None:
        owners = parse_owners(options.owners)
        if variant is not Variant.TWO_PLAYER:
            raise UsageError(
                "usage",
                f"--owners is for two players: add --variant {Variant.TWO_PLAYER.value}",
                "command line",
            )

    from firmware.commands import scan

    return scan.run(
        options.photo,
        variant=variant,
        edition=options.edition,
        calibrated=options.calibrated,
        corrections=corrections,
        owners=owners,
        players=players,
        out=options.out,
        as_json=options.json,
        reasons=options.reasons,
        eye=eye,
    )


def _read(options: argparse.Namespace, report: "partial[None]", eyes: "Eyes") -> ExitCode:
    _check_game(options)
    if options.json and len(options.photos) > 1:
        raise UsageError(
            "usage", "--json is for one photo: use --jsonl for several", "command line"
        )
    if options.game != between_two_cities.NAME:
        if options.duplexes:
            message = f"{options.game} has no duplex tiles: leave out --duplexes"
            raise UsageError("usage", message, "command line")

        from firmware.commands import read_boards

        return read_boards.run(
            options.photos,
            report=report,
            game=options.game,
            level=options.level,
            edition=options.edition,
            as_json=options.json,
            as_jsonl=options.jsonl,
            eye=eyes[1],
        )

    from firmware.commands import read

    return read.run(
        options.photos,
        report=report,
        variant=Variant(options.variant),
        edition=options.edition,
        calibrated=options.calibrated,
        duplexes=options.duplexes,
        as_json=options.json,
        as_jsonl=options.jsonl,
        eye=eyes[0],
    )


def _score(options: argparse.Namespace) -> ExitCode:
    from firmware.commands import score

    return score.run(
        options.file,
        lenient=options.lenient,
        board=options.board,
        as_json=options.json,
        as_jsonl=options.jsonl,
        reasons=options.reasons,
    )


def _check_game(options: argparse.Namespace) -> None:
    game = GAMES.get(options.game)
    if game is None and options.game != READING_ONLY:
        raise UsageError(
            "unknown-game",
            f"there are no rules for {options.game}: known are {', '.join(GAMES)}, "
            f"and {READING_ONLY} for editions without rules",
            "--game",
        )
    levels = (1,) if game is None else game.LEVELS
    if options.level not in levels:
        has = f"has level {', '.join(map(str, levels))}: name one of them"
        if len(levels) == 1:
            has = "has no levels: leave out --level"
        raise UsageError("unknown-level", f"{options.game} {has}", f"--level {options.level}")
    if options.game != between_two_cities.NAME and options.variant != Variant.STANDARD:
        where = f"--variant {options.variant}"
        message = f"{options.game} has no variants: leave out --variant"
        raise UsageError("unknown-variant", message, where)


def _demo(options: argparse.Namespace, eye: "Eye | None") -> ExitCode:
    from firmware.commands import demo

    return demo.run(out=options.out, eye=eye)


def _warn(line: str, arguments: Sequence[str]) -> None:
    """Say what cannot be used in the settings, but not among JSON."""
    if not any(flag in arguments for flag in ("--json", "--jsonl")):
        print(printable(f"{PROGRAM}: {line}"), file=sys.stderr)


def _report(error: Refusal, *, as_json: bool) -> None:
    """Show an error on standard error."""
    if as_json:
        print(json.dumps(error_object(error)), file=sys.stderr)
    else:
        print(printable(f"{PROGRAM}: {error_line(error)}"), file=sys.stderr)


def _prepare_streams() -> None:
    """Give closed streams a sink, and let the others escape what their encoding lacks."""
    sink = partial(open, os.devnull, "w", encoding="utf-8")
    sys.stdout = sys.stdout or sink()
    sys.stderr = sys.stderr or sink()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())

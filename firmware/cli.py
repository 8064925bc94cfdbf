"""Command line: ``stadtblick COMMAND …``.

Only the module of the given command is imported, and what it needs when it runs, so that help and
errors come at once on a slow computer.
"""

import argparse
import os
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NoReturn

from firmware.base.errors import (
    PROGRAM,
    TRACEBACK_VARIABLE,
    ExitCode,
    FirmwareError,
    UsageError,
    wrap_unexpected,
)
from firmware.base.language import LANGUAGES, N_, NN_, _, ngettext, use_language
from firmware.base.user_data import check_folder_access
from firmware.settings import load_settings
from firmware.wording.problem_text import print_problem
from scoring.errors import ScoringError
from vision.errors import VisionError

if TYPE_CHECKING:
    from vision.calibration.reader import PhotoReader

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "scan": ("scan", N_("read a photo and print its score sheet")),
    "read": ("read", N_("read photos and print what lies where")),
    "score": ("score", N_("score a table given as JSON")),
    "demo": ("demo", N_("scan a bundled photo and show what the display would show")),
    "run": ("run", N_("run the scanner: camera, three buttons and a display")),
    "serve": ("serve", N_("open a page in the browser: drop a photo, see its score, correct it")),
    "mqtt": ("mqtt", N_("tell Home Assistant, or another MQTT broker, of the results")),
    "teach": (
        "teach",
        N_("learn the look of your own tiles, or of another game, from photos"),
    ),
    "editions": ("editions", N_("list, show, undo, remove, export and import editions")),
    "calibrate": (
        "calibrate",
        N_("find lens and table from photos of the printed calibration sheet"),
    ),
    "aim": ("aim", N_("show what the camera sees while it is being mounted, and what to do")),
    "print": ("print_sheets", N_("make sheets to print, as a PDF")),
    "simulate": ("simulate", N_("make photos of tables with known tiles")),
    "bench": ("bench", N_("say how well photos with reference data are read")),
    "history": ("history", N_("past games; export as JSON, CSV")),
    "doctor": ("doctor", N_("check camera, display, buttons, disk, calibration and editions")),
}
"""Module in ``firmware.commands`` and help of each command.

A module has ``EPILOG``, ``add_to(parser)`` and ``run(options) -> ExitCode``; an action of a command
may have its own ``run``. ``options`` also has ``settings``, ``setting_warnings`` and ``reader``.
"""

_DESCRIPTION: Final = N_("Photograph a finished city-building board game and get its score sheet.")
_EPILOG: Final = N_("""\
examples:
  stadtblick demo                            see it work on a bundled photo
  stadtblick scan table.jpg                  a photo to a score sheet
  stadtblick scan table.jpg --set A:3,4=park the same with a tile corrected
  stadtblick COMMAND --help                  all about one command

exit codes: 0 done, 1 done but something has to be checked, 2 the input cannot be used,
3 a device is missing or broken, 70 Stadtblick itself failed
""")
_SHOW_VERSION: Final = N_("show program's version number and exit")
_ARGPARSE_TEXTS: Final = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    _SHOW_VERSION,
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    NN_("expected %s argument", "expected %s arguments"),
    N_("ignored explicit argument %r"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("not allowed with argument %s"),
    N_("one of the arguments %s is required"),
)
"""Texts of ``argparse`` that users of these commands see."""


class _Version(argparse.Action):
    """Option ``--version``; looking the version up takes 5 MB, which other commands save."""

    def __call__(self, parser: argparse.ArgumentParser, *_found: object) -> NoReturn:
        from importlib.metadata import version

        from firmware.base.terminal import standard_output

        with standard_output() as console:
            console.print(f"{PROGRAM} {version(PROGRAM)}")
        parser.exit()


class _Parser(argparse.ArgumentParser):
    """Parser that raises its errors, to be shown in one line or as JSON."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **settings
        )

    def error(self, message: str) -> NoReturn:
        option = re.search(r"--\w[\w-]*", message)
        if option is not None and message.endswith(_("expected one argument")):
            message += _(", written like {option}=-x if it begins with -").format(option=option[0])
        raise UsageError(
            "usage",
            "{reason}: see {program} --help",
            _("command line"),
            reason=message,
            program=self.prog,
        )


class _CommandParser(_Parser):
    """Parser of a command or of one of its actions; both take ``--lang``."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.add_argument(
            "--lang",
            choices=LANGUAGES,
            default=argparse.SUPPRESS,
            help=_("language of the result (default: that of the settings)"),
        )


def main(argv: Sequence[str] | None = None, *, reader: "PhotoReader | None" = None) -> int:
    """Run the command line.

    Args:
        argv: Arguments without the name of the program; None for those of the process.
        reader: Reader of photos, replaced in tests; None for the real one.

    Returns:
        Exit code, a value of ``ExitCode``.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    _prepare_streams()
    report = partial(
        print_problem, as_json=any(flag in arguments for flag in ("--json", "--jsonl"))
    )
    try:
        code = _run(arguments, reader)
    except (FirmwareError, VisionError, ScoringError) as error:
        report(error)
        code = ExitCode.REFUSED
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except BrokenPipeError:
        code = ExitCode.BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - any failure needs its exit code
        if os.environ.get(TRACEBACK_VARIABLE) == "1":
            traceback.print_exception(error)
        report(wrap_unexpected(error))
        code = ExitCode.INTERNAL
    return int(code)


def _run(arguments: list[str], reader: "PhotoReader | None") -> ExitCode:
    settings, warnings = load_settings()
    use_language(_language_in(arguments) or settings.language)
    _translate_argparse()
    name = next((word for word in arguments if not word.startswith("-")), "")
    parser = command_parser(name)
    try:
        options = parser.parse_args(arguments)
    except SystemExit as done:  # --help and --version
        return ExitCode.DONE if not done.code else ExitCode.REFUSED
    # The scanner renames a damaged file first, and reports that with it
    if options.command != "run" and not {"--json", "--jsonl"}.intersection(arguments):
        for warning in warnings:
            print_problem(warning)
    if options.command is None:
        raise UsageError(
            "usage", "no command given: see {program} --help", _("command line"), program=PROGRAM
        )
    check_folder_access()
    options.reader = reader
    options.settings, options.setting_warnings = settings, warnings
    code: ExitCode = options.run(options)
    return code


def command_parser(name: str) -> argparse.ArgumentParser:
    """Build a parser with all commands, and with the options of one.

    It raises ``UsageError`` for arguments that it does not understand.

    Args:
        name: Command whose options are needed; any other text for none.
    """
    parser = _Parser(prog=PROGRAM, description=_(_DESCRIPTION), epilog=_(_EPILOG))
    parser.add_argument(
        "--version", action=_Version, nargs=0, default=argparse.SUPPRESS, help=_(_SHOW_VERSION)
    )
    commands = parser.add_subparsers(
        dest="command", metavar=_("COMMAND"), parser_class=_CommandParser
    )
    for each, (module_name, what) in COMMANDS.items():
        help_text = _(what)
        if each != name:
            commands.add_parser(each, help=help_text)
            continue
        module = import_module(f"firmware.commands.{module_name}")
        description = f"{help_text[0].upper()}{help_text[1:]}."
        added = commands.add_parser(
            each, help=help_text, description=description, epilog=_(module.EPILOG)
        )
        added.set_defaults(run=module.run, lang=None)
        module.add_to(added)
    return parser


def _language_in(arguments: Sequence[str]) -> str | None:
    """Return the language of ``--lang``, needed before the parser is built; None without one."""
    for word, following in pairwise([*arguments, ""]):
        named = following if word == "--lang" else word.removeprefix("--lang=")
        if word.startswith("--lang") and named in LANGUAGES:
            return named
    return None


def _translate_argparse() -> None:
    """Translate the texts of ``argparse``.

    It looks them up by these names of its module, bound to a catalogue that Python does not ship.
    """
    argparse._ = _  # type: ignore[attr-defined]
    argparse.ngettext = ngettext  # type: ignore[attr-defined]


def _prepare_streams() -> None:
    """Replace closed streams by a sink; let the others escape letters that they cannot encode."""
    sink = partial(open, os.devnull, "w", encoding="utf-8")
    sys.stdout = sys.stdout or sink()
    sys.stderr = sys.stderr or sink()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())

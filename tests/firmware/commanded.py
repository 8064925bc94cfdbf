"""A command as it is called with arguments, without the rest of the command line around it."""

import argparse

import pytest

from firmware.commands import bench as bench_command
from firmware.commands import editions as editions_command
from firmware.commands import simulate as simulate_command
from firmware.commands import teach as teach_command
from firmware.errors import FirmwareError, UsageError
from vision.errors import VisionError


class Parser(argparse.ArgumentParser):
    """Raises what it does not understand, as the parser of the command line does."""

    def error(self, message):
        raise UsageError("usage", message, "command line")


def command(module, *arguments, eye=None):
    """Run the command of a module; ``eye`` reads photos in the place of the real one."""
    parser = Parser()
    module.add_to(parser)
    options = parser.parse_args([str(word) for word in arguments])
    options.eye, options.lang = eye, None
    return module.run(options)


def editions(*arguments):
    return command(editions_command, *arguments)


def teach(*arguments):
    return command(teach_command, *arguments)


def refusal(asked, *arguments):
    """The code of the error with which a command refuses its arguments."""
    with pytest.raises((FirmwareError, VisionError)) as caught:
        asked(*arguments)
    assert "\n" not in caught.value.message
    return caught.value.code


def bench(folder, game=None, *, eye, as_json=False, limit=None):
    """``stadtblick bench``; ``eye`` is called with a photo alone."""
    words = [folder, *(["--json"] if as_json else [])]
    words += [] if game is None else ["--game", game]
    words += [] if limit is None else ["--limit", limit]
    return command(bench_command, *words, eye=lambda photo, _edition: eye(photo))


def simulate(out, *, count=None, seed=1, conditions=(), size_wh=None, game=None, edition=None):
    """``stadtblick simulate``."""
    words = ["--out", out, "--seed", seed]
    words += [] if count is None else ["--count", count]
    words += ["--condition", *conditions] if conditions else []
    words += [] if size_wh is None else ["--size", f"{size_wh[0]}x{size_wh[1]}"]
    words += [] if game is None else ["--game", game]
    words += [] if edition is None else ["--edition", edition]
    return command(simulate_command, *words)

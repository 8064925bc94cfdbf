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


def command(module, *arguments, eye=None, **named):
    """Run the command of a module.

    Args:
        module: of the command.
        arguments: words of its line.
        eye: reads photos in the place of the real one.
        named: options; those that are None, False or empty are left out.
    """
    words = [*arguments]
    for name, value in named.items():
        if value not in (None, ()) and value is not False:
            several = value if isinstance(value, list | tuple) else [value]
            words += [f"--{name}", *([] if value is True else several)]
    parser = Parser()
    module.add_to(parser)
    options = parser.parse_args([str(word) for word in words])
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


def bench(folder, game=None, *, eye, **named):
    """``stadtblick bench``; ``eye`` is called with a photo alone."""
    return command(bench_command, folder, game=game, eye=lambda photo, _: eye(photo), **named)


def simulate(out, **named):
    """``stadtblick simulate``, small photos."""
    return command(simulate_command, out=out, **{"seed": 1, "size": "640x480", **named})

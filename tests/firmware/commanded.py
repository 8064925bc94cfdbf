"""A command as it is called with arguments; what it refuses is raised."""

from functools import partial

import pytest

from firmware.base.errors import FirmwareError
from firmware.cli import command_parser
from firmware.settings import load_settings
from vision.errors import VisionError


def command(name, *arguments, reader=None, **named):
    """Run a command.

    Args:
        name: Name of the command.
        arguments: Words of its line.
        reader: Function that reads photos; None for the real one.
        named: Options; those that are None, False or empty are left out.
    """
    words = [name, *arguments]
    for option, value in named.items():
        if value not in (None, ()) and value is not False:
            several = value if isinstance(value, list | tuple) else [value]
            words += [f"--{option}", *([] if value is True else several)]
    options = command_parser(name).parse_args([str(word) for word in words])
    options.reader = reader
    options.settings, options.setting_warnings = load_settings()
    return options.run(options)


editions, teach = partial(command, "editions"), partial(command, "teach")


def refusal(asked, *arguments):
    """The code of the error with which a command refuses its arguments."""
    with pytest.raises((FirmwareError, VisionError)) as caught:
        asked(*arguments)
    assert "\n" not in caught.value.message
    return caught.value.code


def simulate(out, **named):
    """``stadtblick simulate``, small photos."""
    return command("simulate", out=out, **{"seed": 1, "size": "640x480", **named})

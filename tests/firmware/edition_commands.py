"""``stadtblick editions`` and ``stadtblick teach`` as they are called in tests."""

import argparse

import pytest

from firmware.commands import editions_arguments, teach_arguments
from firmware.errors import UsageError
from vision.editions.edition import DescriptionError, EditionError


def run(arguments_module, *arguments):
    parser = argparse.ArgumentParser()
    arguments_module.add_to(parser)
    return arguments_module.run(parser.parse_args([str(word) for word in arguments]))


def editions(*arguments):
    return run(editions_arguments, *arguments)


def teach(*arguments):
    return run(teach_arguments, *arguments)


def refusal(command, *arguments):
    with pytest.raises((UsageError, DescriptionError, EditionError)) as caught:
        command(*arguments)
    assert "\n" not in caught.value.message
    return caught.value.code

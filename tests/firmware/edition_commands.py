"""``stadtblick editions`` and ``stadtblick teach`` as they are called in tests."""

import pytest

from firmware.commands import editions as editions_command
from firmware.commands import teach as teach_command
from firmware.errors import UsageError
from tests.firmware.commanded import command
from vision.editions.edition import DescriptionError, EditionError


def editions(*arguments):
    return command(editions_command, *arguments)


def teach(*arguments):
    return command(teach_command, *arguments)


def refusal(asked, *arguments):
    with pytest.raises((UsageError, DescriptionError, EditionError)) as caught:
        asked(*arguments)
    assert "\n" not in caught.value.message
    return caught.value.code

import pytest

from firmware.base.user_data import user_folder
from tests.appliance.appliance_machine import MachineDriver
from tests.computed_once import pixels_are_understood_once  # noqa: F401 - for all tests


@pytest.fixture
def machine():
    return MachineDriver()


@pytest.fixture
def folder():
    """Folder of the user's files."""
    return user_folder()

import pytest

from firmware.base.user_data import user_folder
from tests.appliance.appliance_machine import Machine


@pytest.fixture
def machine():
    return Machine()


@pytest.fixture
def folder():
    """Folder of the user's files."""
    return user_folder()

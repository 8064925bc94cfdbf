import pytest
from appliance_machine import Machine

from firmware.base.user_data import user_folder


@pytest.fixture
def machine():
    return Machine()


@pytest.fixture
def folder():
    """Folder of the user's files."""
    return user_folder()

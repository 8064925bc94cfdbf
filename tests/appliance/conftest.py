import pytest
from appliance_machine import Machine


@pytest.fixture
def machine():
    return Machine()

"""Which chip the header belongs to, as the kernels of different boards number them."""

import pytest

from hardware.gpio import NoHeaderError, header_chip
from tests.hardware.fake_lgpio import FakeLgpio


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        ({0: "pinctrl-bcm2835", 1: "raspberrypi-exp-gpio"}, 0),
        ({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
        ({0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1", 10: "gpio-brcmstb@107d517c00"}, 4),
        ({0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500"}, 0),
        ({2: "ft232h", 11: "pinctrl-rp1"}, 11),
    ],
)
def test_it_is_found_by_its_name(tmp_path, labels, number):
    lgpio = FakeLgpio(labels)
    assert header_chip(lgpio, lgpio.devices(tmp_path)) == number
    assert lgpio.open_handles == set()


@pytest.mark.parametrize("labels", [{}, {0: "INTC1056:00", 1: "pinctrl-imx8"}])
def test_a_computer_without_a_header_is_refused(tmp_path, labels):
    lgpio = FakeLgpio(labels)
    with pytest.raises(NoHeaderError):
        header_chip(lgpio, lgpio.devices(tmp_path))


def test_a_chip_that_may_not_be_opened_is_not_mistaken_for_none(tmp_path):
    lgpio = FakeLgpio({0: "pinctrl-rp1", 1: "other"}, refused=(0,))
    with pytest.raises(PermissionError):
        header_chip(lgpio, lgpio.devices(tmp_path))

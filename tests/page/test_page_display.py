"""QR code and address on the display, decoded by OpenCV."""

import cv2
import numpy as np
import pytest

from firmware.base.language import LANGUAGES, use_language
from firmware.screens.device_views import PageView
from firmware.screens.render import render
from tests.firmware.screen_looks import assert_all_is_said

URLS = (
    "http://10.0.0.5:8080",
    "http://192.168.1.20:8080",
    "http://192.168.178.123:65535",
    "http://stadtblick.local:8080",
)


def decoded(screen):
    """Decode a screen as a phone's camera sees it: pixels are dots with gaps, a little blurred."""
    pixels = np.array(screen.image.convert("L"))
    large = cv2.resize(pixels, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    large[7::8], large[:, 7::8] = large[7::8] // 2, large[:, 7::8] // 2
    around = cv2.copyMakeBorder(large, 60, 60, 60, 60, cv2.BORDER_CONSTANT)
    return cv2.QRCodeDetector().detectAndDecode(cv2.GaussianBlur(around, (0, 0), 2))[0]


@pytest.mark.parametrize("url", URLS)
def test_the_code_leads_to_the_page_with_the_pin(url):
    assert decoded(render(PageView(url=url, pin="012345"))).lower() == f"{url}/p/012345"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("url", URLS[:3])
def test_address_and_pin_stand_beside_it(url, language):
    use_language(language)
    screen = render(PageView(url=url, pin="012345"))
    assert_all_is_said(screen)
    output = "".join(text.shown for text in screen.texts)
    assert url.removeprefix("http://") in output
    assert "PIN 012345" in output
    assert min(text.box[0] for text in screen.texts) >= 64, "beside the code"


@pytest.mark.parametrize("language", LANGUAGES)
def test_until_it_is_served_the_display_asks_for_patience(language):
    use_language(language)
    assert_all_is_said(render(PageView(url="", pin="")))


def test_an_address_too_long_for_a_code_stands_there_all_the_same():
    screen = render(PageView(url=f"http://{'a' * 60}.local:8080", pin="012345"))
    assert decoded(screen) == ""
    assert "PIN 012345" in {text.shown for text in screen.texts}

"""Make the picture of the page in README: ``python -m tests.page.regenerate_picture``.

It needs what ``phone_browser.py`` needs, and depends on the fonts of the computer, so that no
test compares it; look at it before it is committed.
"""

import io
import tempfile
import time
from pathlib import Path

from PIL import Image

from firmware.base.page_sockets import LOCAL
from tests.page.phone_browser import PHOTO, By, opened, text_of, until
from tests.page.test_page_server import Serving

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "phone" / "page.jpg"
SIZE_WH = 720, 1240


def main():
    browser = opened()
    with tempfile.TemporaryDirectory() as home, Serving(home) as serving:
        url = f"http://{LOCAL}:{serving.port}"
        browser.get(f"{url}/?lang=en")
        browser.find_element(By.ID, "file").send_keys(str(PHOTO))
        until(lambda: "wins with" in text_of(browser))
        screen = {"width": SIZE_WH[0] // 2, "height": SIZE_WH[1] // 2, "deviceScaleFactor": 2}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen | {"mobile": True})
        browser.get(f"{url}/?lang=en")
        browser.execute_script("document.querySelector('.grid').scrollIntoView({block: 'center'})")
        time.sleep(1)
        with Image.open(io.BytesIO(browser.get_screenshot_as_png())) as image:
            image.convert("RGB").save(PICTURE, quality=80, optimize=True)
    browser.quit()


if __name__ == "__main__":
    main()

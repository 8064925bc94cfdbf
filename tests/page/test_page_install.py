"""Page as an app of the phone: manifest, icons, and what a browser keeps."""

import json
import re

import cv2
import numpy as np
import pytest

from tests.appliance.fake_tables import FakeTables
from tests.page.phone import Scanner


@pytest.fixture
def phone():
    return Scanner(eye=FakeTables()).phone()


def test_manifest_names_icons_that_are_there(phone):
    phone.see("/")
    path = re.search(r'rel="manifest" href="([^"]+)"', phone.html)[1]
    for icon in json.loads(phone.client.get(path).text)["icons"]:
        answer = phone.client.get(icon["src"])
        assert answer.headers["content-type"].startswith(icon["type"])


@pytest.mark.parametrize("size", [180, 192, 512])
def test_icon_has_its_size(phone, size):
    data = phone.client.get(f"/static/icon-{size}.png").content
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape[:2] == (size, size)


def test_browser_keeps_script_and_style_until_they_change(phone):
    phone.see("/")
    for path in re.findall(r'"(/static/page[^"]+)"', phone.html):
        assert "immutable" in phone.client.get(path).headers["cache-control"]


def test_pages_are_not_kept(phone):
    assert phone.client.get("/").headers["cache-control"] == "no-store"


def test_page_without_photos_is_small(phone):
    phone.see("/")
    parts = [phone.html.encode()]
    parts += [
        phone.client.get(each).content for each in re.findall(r'"(/static/page[^"]+)"', phone.html)
    ]
    parts += [phone.client.get(f"/static/{name}.svg").content for name in ("icons", "skyline")]
    assert sum(map(len, parts)) < 60_000


@pytest.mark.parametrize("name", ["page.css", "page.js", "icons.svg"])
def test_script_style_and_signs_are_sent_compressed(phone, name):
    answer = phone.client.get(f"/static/{name}")
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.text

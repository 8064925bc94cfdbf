import itertools

from PIL import Image, ImageChops

from firmware.report.scan_views import scan_screens
from firmware.screens.device_views import ReadyView
from firmware.screens.render import render
from firmware.screens.screen_files import result_files, save_screens
from tests.firmware.samples import example
from tests.firmware.screen_looks import lit

READY = render(ReadyView(game="Chess"))


def test_writes_each_screen_plain_and_enlarged(tmp_path):
    screens = scan_screens(example())
    written = save_screens(screens, tmp_path / "new" / "folder")
    assert len(written) == 2 * len(screens)
    assert all(path.is_file() for path in written)
    with Image.open(tmp_path / "new" / "folder" / "winner.png") as plain:
        assert plain.mode == "1"
        assert ImageChops.logical_xor(plain, screens[0].image).getbbox() is None
    save_screens([READY], tmp_path)
    with Image.open(tmp_path / "ready@8x.png") as large:
        grey = large.convert("L")
    margin = (grey.width - 128 * 8) // 2
    assert grey.size == (128 * 8 + 2 * margin, 64 * 8 + 2 * margin)
    assert margin > 0
    for x, y in itertools.product(range(0, 128, 5), range(0, 64, 3)):
        bright = grey.getpixel((margin + 8 * x + 4, margin + 8 * y + 4)) > 128
        assert bright == lit(READY, x, y)


def test_knows_the_files_that_it_wrote_and_no_others(tmp_path):
    written = save_screens(scan_screens(example()), tmp_path)
    for name in ("holiday.png", "map.jpg", "photo@8x.png", "@8x.png"):
        (tmp_path / name).write_bytes(b"mine")
    assert result_files(tmp_path) == sorted(written)
    assert result_files(tmp_path / "not-there") == []

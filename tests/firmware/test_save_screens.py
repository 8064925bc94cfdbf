import itertools

from PIL import Image, ImageChops

from firmware.screens import is_result_file, ready_screen, result_screens, save_screens
from tests.firmware import golden_screens
from tests.firmware.samples import example
from tests.firmware.screen_looks import lit


class TestSaving:
    def test_writes_each_screen_plain_and_enlarged(self, tmp_path):
        screens = result_screens(*example())
        written = save_screens(screens, tmp_path / "new" / "folder")
        assert len(written) == 2 * len(screens)
        assert all(path.is_file() for path in written)
        with Image.open(tmp_path / "new" / "folder" / "winner.png") as plain:
            assert plain.mode == "1"
            assert ImageChops.logical_xor(plain, screens[0].image).getbbox() is None

    def test_the_enlarged_one_is_eight_times_as_large_inside_a_frame(self, tmp_path):
        save_screens([ready_screen()], tmp_path)
        with Image.open(tmp_path / "ready@8x.png") as large:
            grey = large.convert("L")
        margin = (grey.width - 128 * 8) // 2
        assert grey.size == (128 * 8 + 2 * margin, 64 * 8 + 2 * margin)
        assert margin > 0
        for x, y in itertools.product(range(0, 128, 5), range(0, 64, 3)):
            bright = grey.getpixel((margin + 8 * x + 4, margin + 8 * y + 4)) > 128
            assert bright == lit(ready_screen(), x, y)

    def test_knows_the_files_of_results_and_no_others(self, tmp_path):
        for case, screens in golden_screens.results().items():
            for path in save_screens(screens, tmp_path / case):
                assert is_result_file(path.name), path.name
        for name in ("holiday.png", "map.jpg", "my-map.png", "player-0.png", "city-AB.png"):
            assert not is_result_file(name)

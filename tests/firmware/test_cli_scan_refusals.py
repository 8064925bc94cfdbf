"""``stadtblick scan``: what is refused, and how it is said."""

import json
from pathlib import Path

import pytest

from firmware.cli import main
from scoring.faces import Face
from tests.firmware.fake_eye import EXAMPLE, FEW, FakeEye, write_photo
from tests.firmware.scanning import refused, scan

NO_FACTORIES = "SSSS/PPHP/HOOO/HOOE"


class TestRefusals:
    @pytest.mark.parametrize(
        ("count", "variant", "found"),
        [
            (1, "standard", "found 1 city, standard needs 3 to 7: is a city outside"),
            (2, "standard", "found 2 cities, standard needs 3 to 7: is a city outside"),
            (8, "standard", "found 8 cities, standard needs 3 to 7: choose the other variant"),
            (3, "two-player", "found 3 cities, two-player needs 4: is a city outside"),
            (5, "two-player", "found 5 cities, two-player needs 4: choose the other variant"),
        ],
    )
    def test_wrong_number_of_cities(self, photo, capsys, count, variant, found):
        eye = FakeEye(*[NO_FACTORIES] * count)
        error = refused(capsys, photo, "--variant", variant, eye=eye)
        assert (error["code"], error["where"]) == ("city-count", photo)
        assert error["message"].startswith(found)

    def test_cities_that_could_not_be_read_are_counted_beside(self, photo, capsys):
        eye = FakeEye(*[NO_FACTORIES] * 2, unread=[FEW])
        message = refused(capsys, photo, eye=eye)["message"]
        assert "found 2 cities and 1 more that cannot be read (upper left)" in message

    def test_no_city(self, photo, capsys):
        assert refused(capsys, photo, eye=FakeEye())["code"] == "no-city"

    def test_more_tiles_than_the_game_has(self, photo, capsys):
        unsure = {(2, (3, 1)): [Face.PARK], (1, (0, 0)): [Face.PARK]}
        eye = FakeEye(*["FFFF/FFFF/FFFF/FFFF"] * 3, unsure=unsure)
        error = refused(capsys, photo, eye=eye)
        assert (error["code"], error["where"]) == ("too-many-tiles", photo)
        assert "48 tiles factory were read, but the game has 24" in error["message"]
        assert "such as B:1,1? C:4,2? A:1,1 A:1,2 A:1,3 A:1,4 and 42 more" in error["message"]
        assert "stadtblick read" in error["message"]

    def test_wrong_number_of_names(self, photo, capsys):
        error = refused(capsys, photo, "--players", "Ben,Emily")
        assert (error["code"], error["where"]) == ("player-count", "--players")

    def test_names_for_a_city_that_was_not_read(self, photo, capsys):
        eye = FakeEye(*EXAMPLE[:5], unread=[FEW])
        error = refused(capsys, photo, "--players", "A,B,C,D,E,F", eye=eye)
        assert (error["code"], error["where"]) == ("player-count", "--players")
        assert "6 names for 5 players, and 1 city was not read (upper left)" in error["message"]

    def test_a_game_without_rules(self, photo, capsys):
        error = refused(capsys, photo, "--game", "chess")
        assert (error["code"], error["where"]) == ("unknown-game", "--game")
        assert "known are between-two-cities" in error["message"]

    @pytest.mark.parametrize("level", ["0", "2", "3", "-1"])
    def test_a_level_of_a_game_without_levels(self, photo, capsys, level):
        error = refused(capsys, photo, "--level", level)
        assert (error["code"], error["where"]) == ("unknown-level", f"--level {level}")
        assert "has no levels" in error["message"]

    @pytest.mark.parametrize("game", ["cities", "city-blocks", "dice-board", "reading-only"])
    def test_a_variant_of_a_game_without_variants(self, photo, capsys, game):
        error = refused(capsys, photo, "--game", game, "--variant", "two-player")
        assert (error["code"], error["where"]) == ("unknown-variant", "--variant two-player")
        assert error["message"] == f"{game} has no variants: leave out --variant"

    def test_the_only_level_there_is(self, photo):
        assert scan(photo, "--level", "1", "--game", "between-two-cities") == 0

    def test_what_the_eye_refuses(self, photo, capsys):
        eye = FakeEye(refuses={"table.jpg": "photo-too-dark"})
        assert refused(capsys, photo, eye=eye)["code"] == "photo-too-dark"

    def test_a_file_that_is_no_photo(self, tmp_path, capsys):
        path = tmp_path / "no\tphoto\n.jpg"
        path.write_text("hello")
        assert scan(path) == 2
        printed = capsys.readouterr().err
        assert printed.count("\n") == 1
        assert printed.endswith("): give a photo in JPEG or PNG format\n")

    def test_a_photo_whose_name_is_no_text(self, tmp_path, capfd):
        name = bytes(tmp_path) + b"/\xff.jpg"
        write_photo(tmp_path / "table.jpg").rename(Path(name.decode("utf-8", "surrogateescape")))
        argument = name.decode("utf-8", "surrogateescape")
        assert main(["read", "--json", argument], eye=FakeEye(*EXAMPLE)) == 0
        assert json.loads(capfd.readouterr().out)["photo"] == argument

    def test_unknown_edition(self, photo, capsys):
        assert refused(capsys, photo, "--edition", "golden")["code"] == "unknown-edition"

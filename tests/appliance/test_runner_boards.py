"""The games known by pictures on the whole appliance, with stand-ins for its devices."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from firmware.camera.configured_camera import open_camera_of
from firmware.cli import main
from firmware.history import History
from firmware.scan.make_scan import default_reader
from firmware.settings import Settings, load_settings
from firmware.teaching.user_editions import save_edition
from hardware.camera import SupervisedCamera
from hardware.settings import CameraSettings
from scoring.games import GAMES
from tests.appliance.fake_tables import TABLES, FakeTables
from tests.appliance.whole_appliance import NEXT, OK, SCAN, WholeAppliance, kept_scans
from vision.editions.description import Description, FaceDescription, TileTurns
from vision.editions.edition import BETWEEN_TWO_CITIES, Edition
from vision.editions.folder import built_in_edition
from vision.lab.simulate.simulated_photos import find_dealer
from vision.lab.simulate.simulated_table import Surroundings, simulate_table

PICTURED = ("cities", "city-blocks", "dice-board")
CLEAN = Surroundings(material="felt", share=0.95, tilt=0.2, props=0, strays=2, strength=0,
                     barrel=0.1)  # fmt: skip
SIZE_WH = (1120, 720)


def playing(game, edition="standard", **parts):
    settings = Settings(language="en", game=game, edition=edition)
    return WholeAppliance(settings=settings, **parts)


def dominoes():
    """An edition of a game of one's own."""
    rng = np.random.default_rng(3)
    faces = ("sun", "moon")
    pictures = {face: (rng.integers(0, 255, (64, 64, 3), np.uint8),) for face in faces}
    return Edition(
        Description(
            name="dominoes",
            game="reading-only",
            rows=2,
            columns=3,
            tile_mm=40.0,
            tile_turns=TileTurns.UPRIGHT,
            faces=tuple(FaceDescription(face, (f"{face}.png",), ((face,),)) for face in faces),
        ),
        pictures,
    )


def test_every_game_is_tried():
    lacking = set(GAMES) - set(TABLES)
    assert lacking == {BETWEEN_TWO_CITIES}, "each other game of GAMES needs a reading in TABLES"


@pytest.mark.parametrize("game", GAMES)
def test_a_press_leads_over_named_stages_to_the_winner(folder, game):
    whole = playing(game)
    whole.press(SCAN)
    names = ["ready", "hands-off", "stage-locate", "stage-score", "winner"]
    assert whole.names == names
    (stored,) = kept_scans()
    assert stored.record.game == game
    assert stored.record.sheet["winners"]
    assert History(folder).photo_path(stored.record.photo) is not None


def test_the_edition_is_that_of_the_settings():
    eye = FakeTables()
    save_edition(dominoes())
    whole = playing("reading-only", "dominoes", eye=eye)
    whole.press(SCAN)
    assert eye.editions == ["dominoes"]
    assert "5 pieces read" in whole.words
    assert "1 empty place" in whole.words
    (stored,) = kept_scans()
    assert stored.record.table == {}
    assert stored.record.sheet["cities"][0]["grid"][1] == ["sun", None, "moon"]


@pytest.mark.parametrize("edition", ["lost", "dominoes"])
def test_unusable_edition_is_told_and_built_in_one_used(edition):
    save_edition(dominoes())
    whole = playing("city-blocks", edition)
    whole.press(SCAN)
    assert "Red $2–12" in whole.words
    assert "Edition unusable" in whole.words


def test_an_unsure_place_has_its_picture_and_its_answer_is_stored():
    whole = playing("city-blocks")
    whole.press(SCAN)
    assert "check (1)" in whole.words
    whole.press(OK)
    assert "value 12?" in whole.words
    screen = whole.keeper.screens[-1]
    assert not any(text.whole == "?" for text in screen.texts), "there is a picture"
    whole.press(NEXT)
    assert "value 2?" in whole.words
    whole.press(OK)
    (stored,) = kept_scans()
    assert stored.record.corrections == ("red:1=value-2",)
    assert stored.record.reading["cities"][0]["beside"][1]["face"] == "value-12"
    assert stored.record.sheet["totals"] == {"blue": 7, "red": 2}


def test_a_place_that_is_not_known_has_no_picture():
    """A slot that the rules ask about, of a board whose description has none."""
    seen = TABLES["city-blocks"]
    grid = replace(seen.grids[0], loose=(), unsure_slots=(("blue", 0),))
    whole = playing("city-blocks", eye=FakeTables(city_blocks=replace(seen, grids=(grid,))))
    whole.press(SCAN)
    whole.press(OK)
    assert any(text.whole == "?" for text in whole.keeper.screens[-1].texts)


def test_game_level_and_edition_are_chosen_in_the_menu_and_stored():
    save_edition(dominoes())
    usual = built_in_edition("cities")
    mine = replace(usual, description=replace(usual.description, name="my-cities"))
    save_edition(mine)
    whole = playing("between-two-cities")
    whole.choose_by_words("Game")
    whole.press(NEXT, OK)  # the entry after Between Two Cities
    whole.choose_by_words("Who plays")
    whole.press(NEXT, NEXT, OK)  # level 3
    whole.choose_by_words("Edition", "my-cities")
    settings = load_settings()[0]
    assert (settings.game, settings.level, settings.edition) == ("cities", 3, "my-cities")
    whole.choose_by_words("Game", "Reading only")
    assert "New game: see the edition" in " ".join(whole.words.split(" | "))
    settings = load_settings()[0]
    assert (settings.game, settings.level, settings.edition) == ("reading-only", 1, "dominoes")


def test_names_of_colours_follow_the_language_that_is_chosen():
    whole = playing("cities")
    whole.choose_by_words("Settings", "Language", "Deutsch")
    whole.press(SCAN, SCAN, SCAN)
    assert "Wer gewinnt?" in whole.words
    assert "Rot" in whole.words
    whole.choose_by_words("Einstellungen", "Sprache", "English")
    whole.press(SCAN, SCAN)
    assert "Red" in whole.words
    assert {player["name"] for player in kept_scans()[0].record.sheet["players"]} == {"Red", "Blue"}


class TestHistory:
    @pytest.mark.parametrize("game", PICTURED)
    def test_scanned_game_is_listed_and_shown(self, game, capsys):
        playing(game).press(SCAN)
        assert main(["history", "--lang", "en"]) == 0
        listed = capsys.readouterr().out
        assert f", {game}\n" in listed
        assert ("decide who wins" if game in ("city-blocks", "cities") else "wins with") in listed
        assert ("1 place was not sure" in listed) == (game == "city-blocks")
        assert ("2 places were not sure" in listed) == (game == "cities")
        assert main(["history", "--lang", "en", "show", "1"]) == 0
        shown = capsys.readouterr().out
        assert "cannot be scored" not in shown
        assert "differs" not in shown
        assert ("Not sure: A, red 1" in shown) == (game == "city-blocks")
        assert ("Not sure: A, row 8, column 1; A, row 3, column 3" in shown) == (game == "cities")

    def test_reading_without_rules_is_shown_row_by_row(self, capsys):
        save_edition(dominoes())
        playing("reading-only", "dominoes").press(SCAN)
        assert main(["history", "--lang", "en"]) == 0
        assert "there are no rules for this game" in capsys.readouterr().out
        assert main(["history", "--lang", "en", "show", "1"]) == 0
        shown = capsys.readouterr().out
        assert "  sun moon sun\n  sun . moon\n" in shown
        assert "cannot be scored" not in shown
        assert main(["history", "--lang", "en", "export", "--csv"]) == 0
        assert len(capsys.readouterr().out.splitlines()) == 2
        assert main(["history", "--lang", "en", "show", "1", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["game"] == "reading-only"


def test_board_in_a_photo_is_read_and_the_result_stored(tmp_path):
    edition = built_in_edition("city-blocks")
    content = find_dealer("city-blocks")(np.random.default_rng(12), edition.description, 0)
    table = simulate_table(12, edition, content, SIZE_WH, CLEAN)
    photo = tmp_path / "table.jpg"
    cv2.imwrite(str(photo), table.image)
    source = CameraSettings(kind="file", source=str(photo))
    whole = playing(
        "city-blocks",
        eye=default_reader(),
        camera=lambda: SupervisedCamera(lambda: open_camera_of(source)),
    )
    whole.press(SCAN)
    assert "1/" in whole.words
    (stored,) = kept_scans()
    read = stored.record.reading["cities"][0]["grid"]
    assert read == table.truth["cities"][0]["grid"]
    assert stored.record.sheet["winners"]

"""The edition in use is loaded once for all scans, and anew when it was taught anew."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from firmware.appliance.features.game_choice import EditionLost
from firmware.appliance.runner.available_editions import EditionInUse
from firmware.base.problem import Problem
from firmware.settings import Settings, load_settings
from firmware.teaching.user_editions import editions_folder, remove_edition, save_edition
from tests.appliance.appliance_machine import SETTINGS, MachineDriver
from tests.appliance.whole_appliance import NEXT, SCAN, WholeAppliance
from tests.refusals import refused
from vision.editions.edition import DescriptionError
from vision.editions.folder import built_in_edition, built_in_games


def stored_cities(grey=None):
    """An edition of the user's own like the built-in one; with ``grey`` its first tile is plain."""
    usual = built_in_edition("cities")
    pictures = dict(usual.pictures)
    if grey is not None:
        pictures["tile-1"] = (np.full((96, 96, 3), grey, np.uint8),)
    edition = replace(usual, description=replace(usual.description, name="mine"), pictures=pictures)
    save_edition(edition, replace=True)


def test_edition_is_loaded_once_and_again_after_a_change():
    editions = EditionInUse()
    stored_cities()
    before = editions.load("mine", "cities")
    assert editions.load("mine", "cities") is before
    stored_cities(grey=77)
    taught = editions.load("mine", "cities")
    assert taught is not before
    image = taught.description.faces[0].images[0]
    path = editions_folder() / "mine" / image
    path.write_bytes(cv2.imencode(".png", np.full((90, 90, 3), 5, np.uint8))[1].tobytes())
    assert editions.load("mine", "cities") is not taught


def test_pictures_of_the_edition_are_not_kept_in_memory():
    """Reading photos needs the learned vectors alone."""
    stored_cities()
    kept = EditionInUse().load("mine", "cities")
    assert kept.pictures == {}
    assert set(kept.model.references.faces) >= {"tile-1", "tile-24"}


def test_missing_or_broken_edition_is_not_used_from_the_cache():
    editions = EditionInUse()
    stored_cities()
    editions.load("mine", "cities")
    (editions_folder() / "mine" / "edition.toml").write_text("format = 2\n")
    for _again in range(2):
        with pytest.raises(DescriptionError):
            editions.load("mine", "cities")
    remove_edition("mine")
    with refused("unknown-edition"):
        editions.load("mine", "cities")


def test_another_game_gets_its_own():
    editions = EditionInUse()
    for game in built_in_games():
        assert editions.load("standard", game) is built_in_edition(game, pictured=False)


class TestInUse:
    """The appliance works on with the built-in edition, and says why."""

    def test_missing_edition_is_told_at_start_and_settings_file_stays(self, folder, caplog):
        path = folder / "settings.toml"
        path.write_text('language = "en"\nedition = "gone"\n')
        scanner = WholeAppliance(settings=load_settings()[0])
        scanner.appliance.prepare()
        scanner.advance(1)
        assert "Edition unusable" in scanner.words
        assert f"there is no edition gone: known are standard ({path}, edition)" in caplog.text
        assert caplog.text.count("setting-edition") == 1
        scanner.press(SCAN)
        assert scanner.eye.editions == ["standard"]
        assert scanner.names[-1] == "winner"
        assert "gone" in path.read_text()

    def test_choice_after_a_lost_edition_is_stored_and_ends_the_alert(self, folder):
        scanner = WholeAppliance(settings=Settings(language="en", edition="gone"))
        scanner.appliance.prepare()
        scanner.advance(1)
        scanner.choose_by_words("Game", "Between Two")
        scanner.press(NEXT)
        assert scanner.appliance.state.edition_problem is None
        assert load_settings()[0].edition == "standard"

    def test_edition_removed_while_in_use_does_not_stop_a_scan(self, folder, caplog):
        stored_cities()
        scanner = WholeAppliance(settings=Settings(language="en", game="cities", edition="mine"))
        scanner.press(SCAN)
        remove_edition("mine")
        scanner.press(SCAN)
        assert scanner.eye.editions == ["mine", "standard"]
        state = scanner.appliance.state
        assert state.result.result_id
        assert (state.settings.edition, state.edition_problem.code) == (
            "standard",
            "setting-edition",
        )
        assert state.choices.game("cities").editions == ("standard",)
        assert "there is no edition mine" in caplog.text
        scanner.press(SCAN)
        assert caplog.text.count("setting-edition") == 1

    def test_usual_game_is_set_where_game_has_no_built_in_edition(self, folder):
        settings = Settings(language="en", game="reading-only", edition="gone")
        scanner = WholeAppliance(settings=settings)
        scanner.appliance.prepare()
        scanner.advance(1)
        assert scanner.appliance.state.settings.game == "between-two-cities"
        scanner.press(SCAN)
        assert scanner.names[-1] == "winner"

    def test_another_one_that_is_chosen_meanwhile_is_kept(self):
        problem = Problem("setting-edition", "gone: use another", "settings.toml, edition")
        machine = MachineDriver(settings=replace(SETTINGS, edition="grandma"))
        machine.handle(EditionLost("between-two-cities", "mine", "between-two-cities", problem))
        assert machine.state.settings.edition == "grandma"
        assert machine.alerts == []
        assert machine.effects == []

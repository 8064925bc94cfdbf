"""The edition in use is loaded once for all scans, and anew when it was taught anew."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from firmware.appliance.runner.jobs import EditionInUse
from firmware.editions import editions_folder, remove_edition, save_edition
from tests.refusals import refused
from vision.editions.edition import DescriptionError
from vision.editions.folder import own_edition, own_games, own_look


def stored_cities(grey=None):
    """An edition of the user's own like the built-in one; with ``grey`` its first tile is plain."""
    usual = own_edition("cities")
    pictures = dict(usual.pictures)
    if grey is not None:
        pictures["tile-1"] = (np.full((96, 96, 3), grey, np.uint8),)
    edition = replace(usual, description=replace(usual.description, name="mine"), pictures=pictures)
    save_edition(edition, replace=True)


def test_it_is_loaded_once_and_anew_if_it_was_taught_or_changed_by_hand():
    editions = EditionInUse()
    stored_cities()
    before = editions.of("mine", "cities")
    assert editions.of("mine", "cities") is before
    stored_cities(grey=77)
    taught = editions.of("mine", "cities")
    assert taught is not before
    image = taught.description.faces[0].images[0]
    path = editions_folder() / "mine" / image
    path.write_bytes(cv2.imencode(".png", np.full((90, 90, 3), 5, np.uint8))[1].tobytes())
    assert editions.of("mine", "cities") is not taught


def test_its_pictures_are_not_kept_in_memory():
    """To read photos what was learned of them is enough."""
    stored_cities()
    kept = EditionInUse().of("mine", "cities")
    assert kept.pictures == {}
    assert set(kept.model.references.faces) >= {"tile-1", "tile-24"}


def test_one_that_is_gone_or_broken_is_not_used_any_longer():
    editions = EditionInUse()
    stored_cities()
    editions.of("mine", "cities")
    (editions_folder() / "mine" / "edition.toml").write_text("format = 2\n")
    for _again in range(2):
        with pytest.raises(DescriptionError):
            editions.of("mine", "cities")
    remove_edition("mine")
    with refused("unknown-edition"):
        editions.of("mine", "cities")


def test_another_game_gets_its_own():
    editions = EditionInUse()
    for game in own_games():
        assert editions.of("standard", game) is own_look(game)

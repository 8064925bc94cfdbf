"""The edition in use is loaded once for all scans, and anew when it was taught anew."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from firmware.appliance.runner.editions import Editions
from firmware.board_editions import save_board_edition
from firmware.edition_folder import editions_folder, remove_edition
from firmware.edition_store import save_edition

from firmware.errors import UsageError
from scoring.faces import Face
from vision.editions.edition import DescriptionError, Edition
from vision.editions.folder import own_edition


def stored_cities(grey=None):
    """An edition of the user's own like the built-in one; with ``grey`` its first tile is plain."""
    usual = own_edition("cities")
    pictures = dict(usual.pictures)
    if grey is not None:
        pictures["tile-1"] = (np.full((96, 96, 3), grey, np.uint8),)
    edition = replace(usual, description=replace(usual.description, name="mine"), pictures=pictures)
    save_board_edition(edition, replace=True)


def stored_look(grey=0):
    pictures = {face: (np.full((96, 96, 3), grey, np.uint8),) for face in Face}
    save_edition(Edition("mine", pictures), replace=True)


def test_it_is_loaded_once():
    editions = Editions()
    stored_cities()
    assert editions.pictured("mine", "cities") is editions.pictured("mine", "cities")


def test_of_between_two_cities_too():
    editions = Editions()
    stored_look()
    assert editions.taught("mine") is editions.taught("mine")


def test_one_that_was_taught_anew_is_loaded_anew():
    editions = Editions()
    stored_cities()
    editions.pictured("mine", "cities")
    stored_cities(grey=77)
    assert (editions.pictured("mine", "cities").pictures["tile-1"][0] == 77).all()
    stored_look(10)
    editions.taught("mine")
    stored_look(90)
    assert (editions.taught("mine").examples[Face.PARK][0] == 90).all()


def test_a_picture_that_somebody_changed_by_hand_counts():
    editions = Editions()
    stored_cities()
    edition = editions.pictured("mine", "cities")
    image = edition.description.faces[0].images[0]
    path = editions_folder() / "mine" / image
    path.write_bytes(cv2.imencode(".png", np.full((90, 90, 3), 5, np.uint8))[1].tobytes())
    assert (editions.pictured("mine", "cities").pictures["tile-1"][0] == 5).all()


def test_one_that_is_gone_or_broken_is_not_used_any_longer():
    editions = Editions()
    stored_cities()
    editions.pictured("mine", "cities")
    (editions_folder() / "mine" / "edition.toml").write_text("format = 2\n")
    for _again in range(2):
        with pytest.raises(DescriptionError):
            editions.pictured("mine", "cities")
    remove_edition("mine")
    with pytest.raises(UsageError) as caught:
        editions.pictured("mine", "cities")
    assert caught.value.code == "unknown-edition"


def test_another_game_gets_its_own():
    editions = Editions()
    assert editions.pictured("standard", "cities") is own_edition("cities")
    assert editions.pictured("standard", "city-blocks") is own_edition("city-blocks")
    assert editions.taught("standard") is None

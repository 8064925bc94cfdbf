"""The editions that Stadtblick brings with it, and their contact sheets."""

import sys
from hashlib import sha256

import cv2
import numpy as np
import pytest

from scoring.games import GAMES
from tests.refusals import refused
from vision.arrays import floats
from vision.editions.contact_sheet import draw_contact_sheet
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.editions.folder import BUILT_IN_MODEL_FOLDER, built_in_edition, built_in_games
from vision.editions.model import empty_model
from vision.editions.model_file import NETWORK, decode_model
from vision.editions.references import VIEWS, WINDOW, WINDOW_VIEWS, WINDOWS
from vision.lab.training import built_in_models
from vision.networks import read_weights


def test_each_game_with_rules_has_a_built_in_edition():
    assert built_in_games() == tuple(GAMES)
    with refused("no-standard-edition"):
        built_in_edition("reading-only")


@pytest.mark.parametrize("game", built_in_games())
def test_built_in_edition_is_the_standard_of_its_game(game):
    edition = built_in_edition(game)
    assert (edition.description.name, edition.description.game) == ("standard", game)
    assert built_in_edition(game) is edition


@pytest.mark.parametrize("game", built_in_games())
def test_the_contact_sheet_shows_every_picture_and_the_board(game):
    edition = built_in_edition(game)
    pictures = [picture for of_face in edition.pictures.values() for picture in of_face]
    sheet = draw_contact_sheet(edition)
    for number in (0, len(pictures) // 2, len(pictures) - 1):
        row, column = divmod(number, 8)
        left, top = 8 + column * 104, 26 + row * 122
        thumb = cv2.resize(pictures[number], (96, 96), interpolation=cv2.INTER_AREA)
        assert np.array_equal(sheet[top : top + 96, left : left + 96], thumb)
    below = sheet.shape[0] - (-(-len(pictures) // 8) * 122 + 8)
    assert (below == 0) == (edition.board_picture is None)


def test_files_of_vectors_name_the_network_in_use():
    places = (VIEWS, WINDOWS, floats(WINDOW), WINDOW_VIEWS)
    made_by = read_weights("embed") + b"".join(each.tobytes() for each in places)
    assert sha256(made_by).hexdigest()[:16] == NETWORK


def test_model_of_the_standard_cities_fits_the_network_in_use():
    """If it does not, run ``vision.lab.training.built_in_models between-two-cities PHOTOS``."""
    description = built_in_edition(BETWEEN_TWO_CITIES).description
    learned = (BUILT_IN_MODEL_FOLDER / f"{BETWEEN_TWO_CITIES}.bin").read_bytes()
    model = decode_model(learned, empty_model(description))
    assert model is not None
    assert set(model.references.faces) == {face.name for face in description.faces}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cities", "--out", "missing"], "no folder missing"),
        (["cities", "photos"], "PHOTOS belong to between-two-cities"),
        ([BETWEEN_TWO_CITIES], "PHOTOS belong to between-two-cities"),
    ],
    ids=["missing folder", "photos of a drawn game", "no photos"],
)
def test_learning_refuses_what_does_not_fit_the_game(arguments, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["built_in_models", *arguments])
    with pytest.raises(SystemExit):
        built_in_models.main()
    assert message in capsys.readouterr().err

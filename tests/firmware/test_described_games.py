"""An edition must fit the game that it names."""

import re

import pytest

from firmware.editions import check_game
from vision.editions.description_text import description_toml
from vision.editions.description_toml import parse_description
from vision.editions.edition import DescriptionError
from vision.editions.folder import own_edition


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("rows = 8", "rows = 6", "8 rows"),
     ("tile_cells = [2, 2]", "tile_cells = [4, 4]", "2 x 2"),
     ('"tile-1"', '"wood"', "wood"),
     ('"sight"', '"castle"', "castle")],
)  # fmt: skip
def test_a_description_must_fit_the_game_it_names(old, new, said):
    text = description_toml(own_edition("cities").description)
    if "tile_cells" in old:
        row = "[" + ", ".join(['"park"'] * 4) + "]"
        text = re.sub(r"cells = \[\[.*", f"cells = [{', '.join([row] * 4)}]", text)
    assert old in text
    description = parse_description(text.replace(old, new).encode(), "here")
    with pytest.raises(DescriptionError) as caught:
        check_game(description, "here")
    assert (caught.value.code, said in caught.value.message) == ("description-game", True)

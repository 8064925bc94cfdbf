"""Editions of Between Two Cities with pictures of a test's own."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scoring.faces import Face
from vision.arrays import Image
from vision.editions.edition import BETWEEN_TWO_CITIES, Edition
from vision.editions.folder import built_in_edition


def cities_edition(name: str, pictures: Mapping[Face, Sequence[Image]]) -> Edition:
    """An edition of this name with these pictures of faces."""
    description = replace(built_in_edition(BETWEEN_TWO_CITIES).description, name=name)
    return Edition(description, {face: tuple(some) for face, some in pictures.items()})

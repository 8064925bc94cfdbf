"""Eyes that see what a test tells them, and photos for them to look at."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from scoring.faces import Cell, Face
from scoring.games.between_two_cities.notation import parse_city
from tests.firmware.samples import ring_reading, square
from tests.scoring.btc_tables import EXAMPLE_CITIES
from vision.editions.edition import Edition
from vision.errors import PhotoError
from vision.photo.load import Photo
from vision.reading import Note, NoteCode, Reading, Unread, note

DARK = note(NoteCode.DARK)
NOT_READ = note(NoteCode.CITY_UNREADABLE)
"""Note on a city that was not read."""

EXAMPLE = tuple(EXAMPLE_CITIES.values())
"""Six cities of 56, 57, 62, 62, 52 and 62 points, as the rulebook prints them."""


def other_cities(number: int) -> tuple[str, ...]:
    """Three cities of another table for each number from 0 to 4, no tile as in the one before."""
    kinds = "SPHOF"
    swapped = str.maketrans(kinds, kinds[number:] + kinds[:number])
    cities = ("SSSS/SSPP/HHHH/OOOO", "HHHH/OOOO/PPPP/SSSS", "OOOO/FFFF/SSSS/PPPP")
    return tuple(city.translate(swapped) for city in cities)


def write_photo(path: Path, size_wh: tuple[int, int] = (960, 720)) -> Path:
    """A grey picture that passes every check of a photo."""
    width, height = size_wh
    grey = np.full((height, width, 3), 90, np.uint8)
    path.write_bytes(cv2.imencode(".jpg", grey)[1].tobytes())
    return path


class FakeEye:
    """Sees the same cities in every photo."""

    def __init__(
        self,
        *cities: str,
        unsure: Mapping[tuple[int, Cell], Sequence[Face]] | None = None,
        unread: Sequence[Note] = (),
        notes: Sequence[Note] = (),
        city_notes: Mapping[int, Sequence[Note]] | None = None,
        turns_degrees: Sequence[float] | None = None,
        refuses: Mapping[str, str] | None = None,
    ) -> None:
        self.cities = cities
        self.unsure = unsure or {}
        self.unread = unread
        self.notes = notes
        self.city_notes = city_notes or {}
        self.turns_degrees = turns_degrees
        self.refuses = refuses or {}
        self.photos: list[Photo] = []

    def __call__(self, photo: Photo, edition: Edition | None = None) -> Reading:
        self.photos.append(photo)
        name = Path(photo.name).name
        if name in self.refuses:
            raise PhotoError(self.refuses[name], "this shows nothing: try again", photo.name)
        ring = ring_reading(len(self.cities), size_wh=photo.size_wh)
        cities = [
            replace(
                city,
                faces=parse_city(text).grid,
                unsure=tuple(cell for place, cell in self.unsure if place == index),
                alternatives={
                    cell: tuple(faces)
                    for (place, cell), faces in self.unsure.items()
                    if place == index
                },
                notes=tuple(self.city_notes.get(index, ())),
            )
            for index, (city, text) in enumerate(zip(ring.grids, self.cities, strict=True))
        ]
        if self.turns_degrees:
            cities = [
                replace(city, corners_px=square(city.centre_px, 200, turn))
                for city, turn in zip(cities, self.turns_degrees, strict=True)
            ]
        return replace(
            ring,
            photo_name=photo.name,
            edition="standard" if edition is None else edition.name,
            grids=tuple(cities),
            unread=tuple(Unread(square((90, 90), 80, 0), why) for why in self.unread),
            notes=tuple(self.notes),
            timings_ms={"locate": 20.0, "recognise": 30.0},
        )

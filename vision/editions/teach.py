"""Learn an edition from photos of the reference grid, and refuse what would teach it badly."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Corners, Image
from vision.editions.distinct import check_distinct, check_taverns
from vision.editions.edition import FACES, GAME, MOST_EXAMPLES, PICTURE_PX, Edition, EditionError
from vision.editions.examples import side_px
from vision.editions.folder import own_edition, with_own_file_names
from vision.editions.likeness import compared, likeness
from vision.editions.reference import PhotoCorner, find_reference
from vision.errors import Message
from vision.eye import empty_model, model_of
from vision.parameters import PARAMETERS
from vision.patches import WHOLE_TILE, Pyramid, crop_window
from vision.photo import Photo
from vision.teach import teach_laid
from vision.tile_quality import is_blown, is_blurred, is_dark, is_flat

IN_ROWS = (FACES[:3], FACES[3:6], FACES[6:])
"""The reference grid."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """What was learned.

    Attributes:
        edition: the look.
        known_look: whether this look was known, which has checked the order of the tiles.
        tile_px: side of the smallest tile seen, in pixels of the photos.
        closest: the two faces that are most alike, as numbers into ``FACES``.
        closest_likeness: their correlation.
    """

    edition: Edition
    known_look: bool
    tile_px: float
    closest: tuple[int, int]
    closest_likeness: float


def learn(
    name: str,
    photos: Sequence[Photo],
    *,
    shop_at: PhotoCorner | None = None,
    earlier: Edition | None = None,
) -> Lesson:
    """Learn the faces from photos of the reference grid.

    Args:
        name: of the edition.
        photos: one or more, each of the whole reference grid.
        shop_at: in which corner of the grid, as the photos show it, the shop lies; needed for
            looks that are not known.
        earlier: the edition to add examples to.

    Raises:
        EditionError: a photo cannot be learned from: the errors of ``find_reference``, and
            ``teach-overexposed``, ``teach-too-dark``, ``teach-blurred``,
            ``teach-alike``, ``teach-photos-differ`` or ``teach-too-many``.
    """
    known = True
    sides: list[float] = []
    model = None if earlier is None else model_of(earlier)
    examples: list[tuple[Image, ...]] = [] if earlier is None else _by_example(earlier)
    for photo in photos:
        grid = find_reference(photo.image_bgr, photo.name, shop_at)
        known = known and grid.known_look
        if model is None:
            own = own_edition(GAME)
            model = model_of(own) if grid.known_look else empty_model(own.description)
        model = teach_laid(Pyramid(photo.image_bgr), grid.laid, IN_ROWS, model, PARAMETERS)
        sides.append(min(side_px(quad) for quad in grid.quads_px) * photo.scale)
        pictures = _pictures(photo, grid.quads_px, known_look=grid.known_look)
        if examples:
            _check_same_faces(examples[0], pictures, photo.name)
        examples.append(pictures)
    if len(examples) > MOST_EXAMPLES:
        raise EditionError(
            "teach-too-many",
            "{count} examples of each face, where {most} are the most: leave out photos",
            name,
            count=len(examples),
            most=MOST_EXAMPLES,
        )
    before = {} if earlier is None else earlier.pictures
    new = examples[len(examples) - len(photos) :]
    by_face = {
        face.value: (*before.get(face, ()), *(example[n] for example in new))[:MOST_EXAMPLES]
        for n, face in enumerate(FACES)
    }
    description = replace(own_edition(GAME).description, name=name)
    edition = with_own_file_names(Edition(description, by_face, model=model))
    closest, alike = _closest(examples[-1])
    return Lesson(edition, known, min(sides), closest, alike)


def _by_example(edition: Edition) -> list[tuple[Image, ...]]:
    """The pictures of an edition that was learned from whole reference grids, by grid."""
    return list(zip(*(edition.pictures.get(face, ()) for face in FACES), strict=False))


def _pictures(photo: Photo, quads_px: Sequence[Corners], *, known_look: bool) -> tuple[Image, ...]:
    """The rectified tiles of one photo, checked."""
    pictures = tuple(crop_window(photo.image_bgr, q, WHOLE_TILE, PICTURE_PX) for q in quads_px)
    _refuse(
        "teach-overexposed",
        Message("white spots of light hide part of"),
        Message("move the light or tilt the camera a little"),
        is_blown,
        pictures,
        photo.name,
    )
    _refuse(
        "teach-too-dark",
        Message("too dark to see"),
        Message("use more light"),
        _shows_little,
        pictures,
        photo.name,
    )
    _refuse(
        "teach-blurred",
        Message("not sharp enough:"),
        Message("focus, hold the camera still and go closer"),
        is_blurred,
        pictures,
        photo.name,
    )
    check_distinct(pictures, photo.name)
    if not known_look:  # else its order is checked
        check_taverns(pictures, photo.name)
    return pictures


def _refuse(
    code: str,
    what: str,
    advice: str,
    is_bad: Callable[[Image], bool],
    pictures: Sequence[Image],
    name: str,
) -> None:
    bad = [face.value for face, picture in zip(FACES, pictures, strict=True) if is_bad(picture)]
    if bad:
        raise EditionError(
            code, "{what} {names}: {advice}", name, what=what, names=", ".join(bad), advice=advice
        )


def _check_same_faces(earlier: Sequence[Image], pictures: Sequence[Image], name: str) -> None:
    """Whether each tile looks more like the same one in the first photo than like another."""
    models = [compared(picture) for picture in earlier]
    for n, picture in enumerate(pictures):
        scores = [likeness(compared(picture), model) for model in models]
        best = int(np.argmax(scores))
        if best != n:
            raise EditionError(
                "teach-photos-differ",
                "the tile {face} looks like {other} of an earlier photo: give photos of the same "
                "tiles in the same order",
                name,
                face=FACES[n].value,
                other=FACES[best].value,
            )


def _closest(pictures: Sequence[Image]) -> tuple[tuple[int, int], float]:
    tiles = [compared(picture) for picture in pictures]
    pairs = {(a, b): likeness(tiles[a], tiles[b]) for b in range(len(tiles)) for a in range(b)}
    pair = max(pairs, key=pairs.__getitem__)
    return pair, pairs[pair]


def _shows_little(picture: Image) -> bool:
    return is_dark(picture) or is_flat(picture)

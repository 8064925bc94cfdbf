"""Learn what an edition's faces look like from photos of a known layout."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anytiles.camera import quads_of
from vision.anytiles.embedding import TILE_PX, Looks, logarithms, looks_of
from vision.anytiles.eye import Edition, Seen, locate, see
from vision.anytiles.identify import (
    TURNS,
    VIEWS,
    References,
    light_between,
    smalls,
    trust_in,
)
from vision.anytiles.lattice import Layout
from vision.anytiles.locate import Floats
from vision.anytiles.parameters import EyeParameters
from vision.anytiles.rectify import CORNERS, Pyramid, inside, rectified
from vision.arrays import Image, floats

Doubles = NDArray[np.float64]
Names = Sequence[Sequence[str | None]]
ASIDE, SPREAD = 0.1, 0.02
"""Views of a taught tile lie off by these in all directions and at random, in tile widths."""

SAME, SAME_COLOUR, MOST_OF_FACE = 0.985, 0.08, 40
"""A tile as alike as this to another of its face teaches nothing more; so many are enough."""


class NoGridError(ValueError):
    """A photo does not show the layout."""


def teach(photo: Image, names: Names, edition: Edition, p: EyeParameters) -> Edition:
    """An edition that knows what this photo shows, too.

    Args:
        photo: (h, w, 3).
        names: rows of faces, the upper one first as the photo shows them; None is an empty place.
        edition: to be added to.
        p: the thresholds.

    Raises:
        NoGridError: no such layout is seen in the photo for certain.
    """
    layout = replace(edition.layout, rows=len(names), columns=len(names[0]), most_grids=1)
    pyramid = Pyramid(photo)
    ways = [
        see(pyramid, found, replace(edition, rim=()), p) for found in locate(pyramid, layout, p)
    ]
    camera, seen = max(ways, key=lambda way: sum(float(s.looks.whole.mean()) for s in way[1]))
    if not seen:
        raise NoGridError(f"no {layout.rows}x{layout.columns} grid of tiles is seen in the photo")
    one = max(seen, key=lambda s: float(s.looks.whole.sum()))
    turn = _turn(one, one.grid.corners_px(camera), names)
    flat = np.array(
        [n for row in np.rot90(np.array(names, object), turn).tolist() for n in row], object
    )
    if edition.layout.board and not edition.rim:
        rows, columns = one.grid.shape
        around = np.stack(
            np.meshgrid(np.arange(-1, columns + 1), np.arange(-1, rows + 1)), axis=-1
        ).reshape(-1, 2)
        patches = rectified(pyramid, quads_of(camera, one.grid.plane, around))
        edition = replace(edition, rim=_rim(patches, (rows + 2, columns + 2), turn))
    return _added(pyramid, one, flat, turn, edition, p)


def _rim(patches: Image, shape: tuple[int, int], turn: int) -> tuple[Floats, ...]:
    """``Edition.rim`` of the patches (n, h, w, 3) of a board that lies turned, row by row."""
    rim = []
    for other in range(TURNS):
        vectors = looks_of(np.ascontiguousarray(np.rot90(patches, other - turn, (1, 2)))).vectors
        rim.append(np.rot90(vectors.reshape(*shape, -1), other - turn).copy())
    return tuple(rim)


def teach_board(
    picture: Image, first_px: tuple[float, float], cell_px: float, edition: Edition
) -> Edition:
    """An edition that knows its printed board from a picture, whose first cell's centre is given.

    Empty plots become references of an empty place.
    """
    rows, columns = edition.layout.rows, edition.layout.columns
    around = np.stack(
        np.meshgrid(np.arange(-1, columns + 1), np.arange(-1, rows + 1)), axis=-1
    ).reshape(-1, 2)
    quads = floats((around[:, None] + CORNERS - 0.5) * cell_px + np.array(first_px))
    edition = replace(
        edition, rim=_rim(rectified(Pyramid(picture), quads), (rows + 2, columns + 2), 0)
    )
    inner = ((around >= 0) & (around < (columns, rows))).all(axis=1)
    looks = looks_of(rectified(Pyramid(picture), quads[inner]))
    kept = _unlike(looks, np.zeros(int(inner.sum()), np.intp))
    old = edition.references
    faces = tuple(dict.fromkeys([*old.faces, None]))
    return _with(
        edition,
        faces,
        np.full(len(kept), faces.index(None)),
        _views(Pyramid(picture), quads[inner][kept], 0),
    )


def _turn(one: Seen, corners: Floats, names: Names) -> int:
    """Quarter turns anticlockwise by which the layout lies in the grid: upright in the photo."""
    shape, want = one.grid.shape, (len(names), len(names[0]))
    turns = [t for t in range(TURNS) if (want if t % 2 == 0 else want[::-1]) == shape]
    right = [np.roll(corners, t, axis=0)[1] - np.roll(corners, t, axis=0)[0] for t in turns]
    return turns[int(np.argmax([v[0] / np.linalg.norm(v) for v in right]))]


def _added(
    photo: Pyramid, one: Seen, flat: np.ndarray, turn: int, edition: Edition, p: EyeParameters
) -> Edition:
    """References of the cells of a grid that lies turned; of empty places, too."""
    old = edition.references
    faces = list(dict.fromkeys([*old.faces, *flat.tolist()]))
    face = np.array([faces.index(name) for name in flat.tolist()])
    new = _unlike(one.looks, face)
    face = face[new]
    seen = _views(photo, one.quads_px[new], turn)
    colours = seen.colours
    shared = np.isin(face, old.face)
    if shared.sum() > 2:
        mean = np.stack([old.colours[old.face == f].mean(axis=0) for f in face[shared]])
        matrix, shift = light_between(
            colours[shared], mean.astype(np.float64), np.ones(int(shared.sum())), p
        )
        colours = colours @ matrix + shift
    return _with(edition, tuple(faces), face, replace(seen, colours=colours))


def _unlike(looks: Looks, face: NDArray[np.intp]) -> NDArray[np.intp]:
    """Tiles that teach something: of each face those that look unlike one another."""
    kept: list[int] = []
    for n in np.argsort(-looks.whole, kind="stable").tolist():
        same = [k for k in kept if face[k] == face[n]]
        alike = (looks.vectors[same] @ looks.vectors[n]) > SAME
        alike &= (
            np.abs(looks.colours[same] - looks.colours[n]).max(axis=1, initial=0.0) < SAME_COLOUR
        )
        if not alike.any() and len(same) < MOST_OF_FACE:
            kept.append(n)
    return np.array(sorted(kept))


@dataclass(frozen=True, slots=True, eq=False)
class _Views:
    """n tiles as references, as these have them."""

    vectors: Floats
    colours: Doubles
    small: Floats
    pictures: NDArray[np.float16]


def _views(photo: Pyramid, quads_px: Floats, turn: int) -> _Views:
    """Views of tiles that lie turned in their quads (n, 4, 2)."""
    rng = np.random.default_rng(0)
    vectors, colours = [], np.zeros((len(quads_px), 3))
    for view in range(VIEWS):
        off = np.zeros((len(quads_px), 4, 2), np.float32)
        if view:
            angle = view * np.pi / TURNS
            way = [np.cos(angle), np.sin(angle)] if view <= TURNS * 2 else [0.0, 0.0]
            off = floats(np.array(way) * ASIDE + rng.normal(0, SPREAD, (len(quads_px), 4, 2)))
        moved = inside(quads_px, CORNERS + off)
        patches = rectified(photo, moved)
        # The layout lies turned in the grid, and views are wanted in all turns
        looks = [
            looks_of(np.ascontiguousarray(np.rot90(patches, t - turn, (1, 2))))
            for t in range(TURNS)
        ]
        vectors.append(np.stack([look.vectors for look in looks]))
        if not view:
            colours = looks[0].colours.astype(np.float64)
            lying = np.ascontiguousarray(np.rot90(patches, -turn, (1, 2)))
            small = smalls(lying)
            pictures = logarithms(lying)[0].astype(np.float16)
    return _Views(
        np.stack(vectors).transpose(2, 1, 0, 3),
        colours,
        small,
        pictures,
    )


def _with(
    edition: Edition, faces: tuple[str | None, ...], face: np.ndarray, seen: _Views
) -> Edition:
    old = edition.references
    small = np.concatenate([old.small, seen.small])
    pictures = np.concatenate([old.pictures, seen.pictures])
    all_face = np.concatenate([old.face, face])
    new = References(
        faces,
        all_face,
        np.concatenate([old.vectors, seen.vectors]),
        np.concatenate([old.colours, floats(seen.colours)]),
        small,
        pictures,
        trust_in(pictures, all_face, len(faces)),
    )
    return replace(edition, references=new)


def teach_pictures(pictures: Sequence[tuple[str | None, Image]], edition: Edition) -> Edition:
    """An edition that knows faces from their pictures, upright and cut at the edge.

    Args:
        pictures: (name, picture (h, w, 3)); a name may come several times.
        edition: to be added to.
    """
    rng = np.random.default_rng(1)
    old = edition.references
    faces = list(dict.fromkeys([*old.faces, *(name for name, _ in pictures)]))
    face = np.array([faces.index(name) for name, _ in pictures])
    side = 2 * TILE_PX
    seen = []
    low, high = side // 2 - 0.5, side // 2 + side - 0.5
    quad = floats([[[low, low], [high, low], [high, high], [low, high]]])
    for _, picture in pictures:
        canvas = np.empty((2 * side, 2 * side, 3), np.uint8)
        canvas[:] = rng.integers(20, 235, 3)
        canvas[side // 2 : side // 2 + side, side // 2 : side // 2 + side] = cv2.resize(
            picture, (side, side), interpolation=cv2.INTER_AREA
        )
        seen.append(_views(Pyramid(canvas), quad, 0))
    views = _Views(
        np.concatenate([v.vectors for v in seen]),
        np.concatenate([v.colours for v in seen]),
        np.concatenate([v.small for v in seen]),
        np.concatenate([v.pictures for v in seen]),
    )
    return _with(edition, tuple(faces), face, views)


def untaught(layout: Layout, *, upright: bool) -> Edition:
    """An edition that knows no face yet."""
    return Edition(layout, upright, References.none())

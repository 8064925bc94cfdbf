"""Learn what an edition's faces look like from photos of a known layout."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.anytiles.embedding import Looks, looks_of
from vision.anytiles.eye import Edition, Seen, locate, see
from vision.anytiles.identify import TURNS, References, closely, how_apart, light_between
from vision.anytiles.lattice import Layout
from vision.anytiles.locate import Floats
from vision.anytiles.parameters import EyeParameters
from vision.anytiles.rectify import CORNERS, inside, rectified
from vision.arrays import Image, floats

Names = Sequence[Sequence[str | None]]
VIEWS = 13
ASIDE, SPREAD = 0.07, 0.02
"""Views of a taught tile lie off by these in all directions and at random, in tile widths."""


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
    found = locate(photo, layout, p)
    camera, seen = see(photo, found, p)
    if not seen:
        raise NoGridError(f"no {layout.rows}x{layout.columns} grid of tiles is seen in the photo")
    one = max(seen, key=lambda s: float(s.looks.whole.sum()))
    turn = _turn(one, one.grid.corners_px(camera), names)
    flat = np.array([n for row in np.rot90(np.array(names, object), turn).tolist() for n in row], object)
    return _added(photo, one, flat, turn, edition, p)


def _turn(one: Seen, corners: Floats, names: Names) -> int:
    """Quarter turns anticlockwise by which the layout lies in the grid as seen: upright in the photo."""
    shape, want = one.grid.shape, np.array(names, object).shape
    turns = [t for t in range(TURNS) if np.rot90(np.empty(want), t).shape == shape]
    right = [np.roll(corners, t, axis=0)[1] - np.roll(corners, t, axis=0)[0] for t in turns]
    return turns[int(np.argmax([v[0] / np.linalg.norm(v) for v in right]))]


def _added(photo: Image, one: Seen, flat: np.ndarray, turn: int, edition: Edition, p: EyeParameters) -> Edition:
    old = edition.references
    wanted = list(range(len(flat)))  # what an empty place looks like is learned, too
    rng = np.random.default_rng(0)
    faces = [*old.faces]
    for n in wanted:
        if flat[n] not in faces:
            faces.append(flat[n])
    face = np.array([faces.index(flat[n]) for n in wanted])
    quads = one.quads_px[wanted]
    views: list[Looks] = []
    fine: list[Floats] = []
    for view in range(VIEWS):
        off = np.zeros((len(wanted), 4, 2), np.float32)
        if view:
            angle = view * np.pi / 4
            way = [np.cos(angle), np.sin(angle)] if view <= TURNS * 2 else [0.0, 0.0]
            off = floats(np.array(way) * ASIDE + rng.normal(0, SPREAD, (len(wanted), 4, 2)))
        moved = inside(quads, CORNERS + off)
        patches = rectified(photo, moved)
        if view % 2 == 0 and view <= TURNS * 2:
            fine.append(closely(photo, np.roll(moved, turn, axis=1)))
        # The layout lies turned in the grid, and views are wanted in all turns
        views += [looks_of(np.ascontiguousarray(np.rot90(patches, t - turn, (1, 2)))) for t in range(TURNS)]
    colours = views[0].colours.astype(np.float64)
    shared = np.isin(face, old.face)
    if shared.sum() > 2:
        mean = np.stack([old.colours[old.face == f].mean(axis=0) for f in face[shared]])
        matrix, shift = light_between(colours[shared], mean.astype(np.float64), np.ones(int(shared.sum())), p)
        colours = colours @ matrix + shift
    turns = np.tile(np.repeat(np.arange(TURNS), len(wanted)), VIEWS)
    fine_face = np.concatenate([old.fine_face, np.tile(face, len(fine))])
    all_fine = np.concatenate([old.fine, *fine])
    new = References(
        tuple(faces), np.concatenate([old.face, np.tile(face, VIEWS * TURNS)]), np.concatenate([old.turn, turns]),
        np.concatenate([old.vectors, *(v.vectors for v in views)]),
        np.concatenate([old.colours, np.tile(floats(colours), (VIEWS * TURNS, 1))]),
        fine_face, all_fine, how_apart(all_fine, fine_face, len(faces)),
    )
    return replace(edition, references=new)


def untaught(layout: Layout, *, upright: bool) -> Edition:
    """An edition that knows no face yet."""
    return Edition(layout, upright, References.none())

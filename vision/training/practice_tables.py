"""Practice photos for the locator: tables with tiles of random art, and what resembles tiles.

Plane coordinates are in tile widths, the origin under the picture's middle, y down as seen from
above; heights count upwards in tile widths. Pixels have (0, 0) at the centre of the top left one.
"""

from dataclasses import dataclass
from enum import IntEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, Homography, Image, floats, transformed
from vision.simulate.canvas import opaque, rectangle, rotated
from vision.simulate.drawing import Colour
from vision.simulate.light import photographed
from vision.simulate.props import PROPS
from vision.simulate.table_tops import table_top
from vision.simulate.texture import clouds, ramp, shaded, varied
from vision.training.practice_boards import Board, look_alike, printed_board
from vision.training.tile_art import Family, any_ground, family, tint

Rng = np.random.Generator

SCENE_PX = 512
SMALLEST_TILE_PX, LARGEST_TILE_PX = 15.0, 120.0
FAMILIES_KEPT = 240
"""Making a family takes as long as laying thirty tiles, so families come again on other tables."""


class Kind(IntEnum):
    """What a quad of a scene is."""

    TILE = 0
    PLOT = 1
    """A place of a printed board; what lies on it is a quad of its own."""
    DRAWN_PLOT = 4
    """One that is drawn like a tile."""
    EITHER = 2
    """May be taken for a tile or not: one that lies face down alone."""
    NO_PLOT = 3
    """An area where places may be taken for plots or not, as keys and calendars."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A practice photo.

    Attributes:
        image: (h, w, 3).
        kinds: (n,), values of ``Kind``.
        quads_px: (n, 4, 2), top faces of tiles; plots as printed.
        covered: (h, w), 255 where something stands or lies on the tiles.
    """

    image: Image
    kinds: NDArray[np.int64]
    quads_px: NDArray[np.float32]
    covered: NDArray[np.uint8]


class Camera:
    """A pinhole camera over the table."""

    def __init__(self, rng: Rng, side: int, tile_px: float) -> None:
        tilt = float(rng.uniform(0, 0.75) if rng.random() < 0.35 else abs(rng.normal(0, 0.15)))
        towards, roll = rng.uniform(0, 2 * np.pi, 2)
        focal = float(rng.uniform(0.6, 1.3)) * side * 1.3
        turn, lean = _about_z(towards), _about_x(tilt)
        self._rotation = _about_z(roll) @ turn @ lean @ turn.T
        self._intrinsic = np.array([[focal, 0, side / 2], [0, focal, side / 2], [0, 0, 1]])
        self._distance = np.array([0, 0, focal / tile_px])

    def view(self, height: float = 0.0) -> Homography:
        """From the plane at this height to pixels."""
        r = self._rotation
        columns = np.column_stack([r[:, 0], r[:, 1], self._distance - height * r[:, 2]])
        return np.asarray(self._intrinsic @ columns, np.float64)


def _about_z(angle: float) -> NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _about_x(angle: float) -> NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


class Table:
    """A picture of a table that is being laid."""

    def __init__(self, ground: Image, camera: Camera) -> None:
        self.image = ground
        self.camera = camera
        self.ground_view = camera.view()
        self.quads: list[Corners] = []
        self.kinds: list[Kind] = []
        self.covered = np.zeros(ground.shape[:2], np.uint8)

    def note(self, quad_px: Corners, kind: Kind) -> None:
        """Remember what lies where."""
        self.quads.append(quad_px)
        self.kinds.append(kind)

    def seen(self, corners: Corners, height: float = 0.0) -> Corners | None:
        """Where corners of the plane are seen; None if behind the camera or beyond the picture."""
        view = self.camera.view(height) if height else self.ground_view
        depth = corners @ view[2, :2] + view[2, 2]
        if (depth < 0.25 * self.ground_view[2, 2]).any():
            return None
        quad = transformed(corners, view)
        h, w = self.image.shape[:2]
        if (quad.max(axis=0) < 0).any() or (quad.min(axis=0) > (w, h)).any():
            return None
        return quad

    def paste(self, sprite: Image, quad: Corners, shade: float, *, cover: bool = False) -> None:
        """Paste a BGRA picture onto a quad of pixels, with a soft shadow about it."""
        h, w = sprite.shape[:2]
        room = 6
        x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - room, 0)
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + room
        y1, x1 = min(y1, self.image.shape[0]), min(x1, self.image.shape[1])
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        scale = float(np.sqrt(max(cv2.contourArea(quad), 1.0) / (w * h)))
        if scale < 0.75:  # lest fine lines alias
            h, w = max(2, round(h * scale * 1.15)), max(2, round(w * scale * 1.15))
            sprite = np.asarray(cv2.resize(sprite, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
        source = floats([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5
        warp = cv2.getPerspectiveTransform(source, quad - floats([x0, y0]))
        window = cv2.warpPerspective(sprite, warp, (x1 - x0, y1 - y0))
        alpha = window[..., 3:] * np.float32(1 / 255)
        under = floats(self.image[y0:y1, x0:x1])
        if shade > 0:
            drop = max(0.6, min(3.0, 0.03 * float(np.sqrt(cv2.contourArea(quad)))))
            aside = floats([[1, 0, drop], [0, 1, drop]])
            moved = cv2.warpAffine(alpha[..., 0], aside, (x1 - x0, y1 - y0))
            under *= (1 - np.float32(shade) * cv2.GaussianBlur(moved, (0, 0), drop))[..., None]
        self.image[y0:y1, x0:x1] = under * (1 - alpha) + window[..., :3] * alpha
        if cover:
            part = self.covered[y0:y1, x0:x1]
            np.maximum(part, window[..., 3], out=part)

    def lay(self, sprite: Image, corners: Corners, shade: float, *, cover: bool = False) -> None:
        """Lay something flat on the plane."""
        quad = self.seen(corners)
        if quad is not None:
            self.paste(sprite, quad, shade, cover=cover)

    def lay_tile(
        self, picture: Image, corners: Corners, look: "Laying", *, kind: Kind | None = Kind.TILE
    ) -> Corners | None:
        """Lay a tile, with its sides if it is thick; returns the quad of its top."""
        top, foot = self.seen(corners, look.thick), self.seen(corners)
        if top is None or foot is None:
            return None
        sprite = opaque(picture)
        if look.rounded:
            sprite[..., 3] = _rounded(picture.shape[0], picture.shape[1], look.rounded)
        if look.thick:
            block = np.full((4, 4, 4), (*look.side, 255), np.uint8)
            self.paste(block, foot, look.shade)
            for n in range(4):
                wall = floats([foot[n], foot[(n + 1) % 4], top[(n + 1) % 4], top[n]])
                light = 0.6 + 0.5 * abs(float(np.sin(n * 1.3 + 1)))
                colour = tuple(float(min(255, v * light)) for v in look.side)
                points = np.rint(wall * 16).astype(np.int32)
                cv2.fillPoly(self.image, [points], colour, cv2.LINE_AA, 4)
        self.paste(sprite, top, 0 if look.thick else look.shade)
        if kind is not None:
            self.note(top, kind)
        return top


@dataclass(frozen=True, slots=True)
class Laying:
    """How tiles lie: thickness in tile widths, colour of their sides, rounding, shadow 0 to 1."""

    thick: float
    side: Colour
    rounded: float
    shade: float


def _rounded(height: int, width: int, radius: float) -> NDArray[np.uint8]:
    r = max(1, int(radius * min(height, width)))
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
    for x in (r, width - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


class Boxes:
    """Families that come again."""

    def __init__(self) -> None:
        self._families: list[Family] = []

    def family(self, rng: Rng) -> Family:
        """One that is known or, at times, a new one that takes the place of another."""
        if len(self._families) < FAMILIES_KEPT:
            self._families.append(family(rng))
            return self._families[-1]
        n = int(rng.integers(FAMILIES_KEPT))
        if rng.random() < 0.15:
            self._families[n] = family(rng)
        return self._families[n]


def ground(rng: Rng, side: int, tile_px: float, like: Family) -> Image:
    """A table, cloth, carpet, mat, or something of the colour of the tiles."""
    chance = rng.random()
    if chance < 0.68:
        return table_top(rng, (side, side), tile_px * float(np.exp(rng.normal(0, 0.35))))
    if chance < 0.76:  # carpet: pile under uneven light
        base = tint(rng)
        pile = clouds(rng, (side, side), float(rng.uniform(2, 9)), 2)
        pile += clouds(rng, (side, side), float(rng.uniform(40, 200)), 2) * 0.5
        return ramp(pile, -2.5, 2.5, [varied(base, rng, 50), base, varied(base, rng, 50)])
    if chance < 0.86:  # as plain as felt or as rich as a photo
        small = any_ground(rng)(rng, tint(rng), side // 4)
        large = cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC)
        return shaded(np.asarray(large, np.uint8), clouds(rng, (side, side), 3.0, 1), 5.0)
    face = like.faces[int(rng.integers(len(like.faces)))]
    mean = tuple(int(v) for v in face.reshape(-1, 3).mean(axis=0))
    small = any_ground(rng)(rng, (mean[0], mean[1], mean[2]), side // 4)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), np.uint8)


def _cells(rng: Rng) -> tuple[int, int, list[tuple[int, int]]]:
    """Rows, columns, and which of the cells have a tile."""
    rows, columns = (4, 4) if rng.random() < 0.35 else (int(v) for v in rng.integers(2, 10, 2))
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    chance = rng.random()
    if chance < 0.2:
        lost = int(rng.integers(1, max(2, len(cells) // 2)))
        gone = {int(n) for n in rng.choice(len(cells), lost, replace=False)}
        cells = [cell for n, cell in enumerate(cells) if n not in gone]
    elif chance < 0.35:  # grown, as in games where tiles are added one by one
        grown = [(rows // 2, columns // 2)]
        for _ in range(len(cells)):
            row, column = grown[int(rng.integers(len(grown)))]
            down, right = [(0, 1), (1, 0), (0, -1), (-1, 0)][int(rng.integers(4))]
            new = row + down, column + right
            if 0 <= new[0] < rows and 0 <= new[1] < columns and new not in grown:
                grown.append(new)
        cells = grown
    return rows, columns, cells


def lay_group(
    rng: Rng,
    table: Table,
    box: Family,
    centre: NDArray[np.float32],
    shape: tuple[int, int, list[tuple[int, int]]],
    look: Laying,
) -> None:
    """Lay tiles edge to edge in rows and columns, as careful or careless hands do."""
    rows, columns, cells = shape
    angle = float(rng.uniform(0, 2 * np.pi))
    careless = 0.01 * float(rng.choice([0.1, 0.5, 1, 2, 4]))
    gap = float(
        rng.choice([0.0, abs(rng.normal(0, 0.02)), rng.uniform(0, 0.09)], p=[0.25, 0.5, 0.25])
    )
    uneven = abs(rng.normal(0, 0.05))
    pairs = rng.random() < 0.35
    backs = 0.1 if rng.random() < 0.06 else 0.0
    middle = floats([(columns - 1) / 2, (rows - 1) / 2])
    waiting = [cells[int(n)] for n in rng.permutation(len(cells))]
    while waiting:
        first = waiting.pop()
        partner = None
        if pairs and rng.random() < 0.85:
            near = [(first[0], first[1] + 1), (first[0] + 1, first[1])]
            partner = next((cell for cell in near if cell in waiting), None)
        faces = [box.back if rng.random() < backs else box.tile(rng)]
        last = first
        if partner is not None:
            waiting.remove(partner)
            last = partner
            faces.append(faces[0][:, ::-1] if rng.random() < 0.35 else box.tile(rng))
        across = int(first[0] == last[0])
        picture = np.concatenate(faces, axis=across if partner else 0)
        if uneven > 0.02:
            lit = cv2.convertScaleAbs(picture, alpha=float(np.exp(rng.normal(0, uneven))))
            picture = np.asarray(lit, np.uint8)
        place = floats([(first[1] + last[1]) / 2, (first[0] + last[0]) / 2]) - middle
        place = place * np.float32(1 + gap) + floats(rng.normal(0, careless, 2))
        size = 1.0 + last[1] - first[1], 1.0 + last[0] - first[0]
        corners = rotated(rectangle(place, float(rng.normal(0, careless)), size), angle) + centre
        top = table.lay_tile(np.ascontiguousarray(picture, np.uint8), corners, look, kind=None)
        if top is None:
            continue
        if partner is None:
            table.note(top, Kind.TILE)
            continue
        for half in _halves(top, side_by_side=across == 1):
            table.note(half, Kind.TILE)


def _halves(quad: Corners, *, side_by_side: bool) -> tuple[Corners, Corners]:
    """The two squares of a foreshortened domino."""
    unit = floats(
        [[0, 0], [2, 0], [2, 1], [0, 1]] if side_by_side else [[0, 0], [1, 0], [1, 2], [0, 2]]
    )
    place = cv2.getPerspectiveTransform(unit, quad)
    one = floats([[0, 0], [1, 0], [1, 1], [0, 1]])
    step = floats([1, 0] if side_by_side else [0, 1])
    return transformed(one, place), transformed(one + step, place)


def lay_board(
    rng: Rng, table: Table, board: Board, box: Family, look: Laying, place: NDArray[np.float32]
) -> None:
    """Lay a printed board, with tiles on some of its plots."""
    cell = float(rng.uniform(1.0, 1.15)) if board.plots else float(rng.uniform(0.35, 1.0))
    angle = float(rng.uniform(0, 2 * np.pi))

    def on_table(x: float, y: float, width: float, height: float, turn: float = 0.0) -> Corners:
        """Corners on the plane of a rectangle about a point of the board, in cells."""
        middle = (x - board.size[0] / 2) * cell, (y - board.size[1] / 2) * cell
        return rotated(rectangle(middle, turn, (width * cell, height * cell)), angle) + place

    w, h = board.size
    outline = table.seen(on_table(w / 2, h / 2, w, h))
    if outline is None:
        return
    table.paste(opaque(board.picture), outline, look.shade)
    if not board.plots:
        table.note(outline, Kind.NO_PLOT)
        return
    share = float(rng.choice([0.0, 0.05, 0.15, 0.3, 0.6, 0.95]))
    inset, shift = 1 / cell, float(rng.uniform(0, 0.05))
    mound = clouds(rng, (board.rows, board.columns), 3.0, 1)
    if rng.random() < 0.5:
        mound = floats(rng.random(mound.shape))
    filled = mound > np.quantile(mound, 1 - share)
    for row in range(board.rows):
        for column in range(board.columns):
            x, y = board.first[0] + column, board.first[1] + row
            plot = table.seen(on_table(x, y, 1, 1))
            if plot is None:
                continue
            table.note(plot, Kind.DRAWN_PLOT if board.like_tiles else Kind.PLOT)
            if filled[row, column]:
                dx, dy, turn = rng.normal(0, shift, 3)
                corners = on_table(x + dx, y + dy, inset, inset, float(turn))
                table.lay_tile(box.tile(rng), corners, look)


def lay_prop(
    rng: Rng, table: Table, place: NDArray[np.float32], px: float, most: float, *, cover: bool
) -> None:
    """Lay one of the things that lie about, at most so many tile widths long."""
    names = [n for n in PROPS if not n.startswith("face-down")]
    picture, (width, height) = PROPS[names[int(rng.integers(len(names)))]](rng, px)
    scale = min(float(np.exp(rng.normal(0, 0.25))), most / max(width, height))
    corners = rectangle(place, float(rng.uniform(0, 2 * np.pi)), (width * scale, height * scale))
    table.lay(picture, corners, float(rng.uniform(0.2, 0.6)), cover=cover)


def stand_figure(rng: Rng, table: Table, foot: NDArray[np.float32]) -> None:
    """Stand a figure, crown or cardboard house on a point of the plane; it leans with the view."""
    size, height = float(rng.uniform(0.12, 0.35)), float(rng.uniform(0.1, 0.8))
    narrow = size * float(rng.uniform(0.3, 1))
    low = table.seen(rectangle(foot, float(rng.uniform(0, 6.3)), (size, size)))
    high = table.seen(rectangle(foot, float(rng.uniform(0, 6.3)), (narrow, narrow)), height)
    if low is None or high is None:
        return
    colour = tint(rng)
    for points, light in ((np.vstack([low, high]), 0.75), (high, 1.1)):
        hull = np.rint(cv2.convexHull(floats(points)) * 16).astype(np.int32)
        shade = tuple(float(min(255, v * light)) for v in colour)
        cv2.fillPoly(table.image, [hull], shade, cv2.LINE_AA, 4)
        cv2.fillPoly(table.covered, [hull], 255, cv2.LINE_8, 4)


def _free_place(
    rng: Rng, taken: list[tuple[NDArray[np.float32], float]], reach: float, radius: float
) -> NDArray[np.float32] | None:
    for _ in range(6):
        place = floats(rng.uniform(-reach, reach, 2))
        if all(np.hypot(*(place - other)) > radius + room for other, room in taken):
            taken.append((place, radius))
            return place
    return None


def practice_table(rng: Rng, boxes: Boxes) -> Scene:
    """A table with tiles of random art, as a camera might have taken it."""
    tile_px = float(np.exp(rng.uniform(np.log(SMALLEST_TILE_PX), np.log(LARGEST_TILE_PX))))
    camera = Camera(rng, SCENE_PX, tile_px)
    chosen = [boxes.family(rng) for _ in range(int(rng.integers(1, 4)))]
    table = Table(ground(rng, SCENE_PX, tile_px, chosen[0]), camera)
    thick = float(
        rng.choice([0.0, rng.uniform(0.02, 0.12), rng.uniform(0.15, 0.5)], p=[0.6, 0.26, 0.14])
    )
    looks = [Laying(thick, f.side, f.rounded, float(rng.uniform(0.1, 0.7))) for f in chosen]
    reach = 0.6 * SCENE_PX / tile_px
    for _ in range(int(rng.integers(0, 6))):
        lay_prop(
            rng, table, floats(rng.uniform(-reach, reach, 2)), max(tile_px, 16.0), 99.0, cover=False
        )
    taken: list[tuple[NDArray[np.float32], float]] = []
    chance = rng.random()
    if chance < 0.24:
        board = printed_board(rng)
        place = floats(rng.uniform(-reach, reach, 2)) / 2.5
        lay_board(rng, table, board, chosen[0], looks[0], place)
        taken.append((place, float(np.hypot(*board.size)) / 2))
    if rng.random() < 0.25:
        thing = look_alike(rng)
        free = _free_place(rng, taken, reach, float(np.hypot(*thing.size)) / 3)
        if free is not None:
            lay_board(rng, table, thing, chosen[0], looks[0], free)
    groups = (
        0
        if chance > 0.88
        else int(rng.integers(1, 9))
        if chance > 0.24
        else int(rng.integers(0, 3))
    )
    for _ in range(groups):
        shape = _cells(rng)
        spot = _free_place(
            rng, taken, 0.85 * reach, 0.55 * float(np.hypot(shape[0], shape[1])) + 0.3
        )
        if spot is not None:
            n = int(rng.integers(len(chosen)))
            lay_group(rng, table, chosen[n], spot, shape, looks[n])
    for _ in range(int(rng.integers(3, 16)) if chance > 0.93 else int(rng.integers(0, 4))):
        spot = _free_place(rng, taken, reach, 0.8)
        if spot is not None:
            n = int(rng.integers(len(chosen)))
            down = rng.random() < 0.3
            picture = chosen[n].back if down else chosen[n].tile(rng)
            corners = rectangle(spot, float(rng.uniform(0, 2 * np.pi)))
            table.lay_tile(picture, corners, looks[n], kind=Kind.EITHER if down else Kind.TILE)
    _lay_on_top(rng, table, tile_px, reach)
    return Scene(
        _taken(rng, table.image),
        np.array(table.kinds, np.int64),
        floats(table.quads).reshape(-1, 4, 2),
        table.covered,
    )


def _lay_on_top(rng: Rng, table: Table, tile_px: float, reach: float) -> None:
    """Tokens, figures and hands, on tiles as well as beside them."""
    back = np.linalg.inv(table.ground_view)
    quads = [q for q, kind in zip(table.quads, table.kinds, strict=True) if kind == Kind.TILE]
    if quads and rng.random() < 0.35:
        for n in rng.integers(len(quads), size=int(rng.integers(1, 8))):
            middle = transformed(quads[int(n)].mean(axis=0, keepdims=True), back)[0]
            spot = middle + floats(rng.normal(0, 0.15, 2))
            if rng.random() < 0.6:
                stand_figure(rng, table, spot)
            else:
                lay_prop(rng, table, spot, max(tile_px, 16.0), 0.6, cover=True)
    if rng.random() < 0.15:
        spot = floats(rng.uniform(-reach, reach, 2))
        lay_prop(rng, table, spot, max(tile_px, 16.0), 6.0, cover=True)


def _taken(rng: Rng, image: Image) -> Image:
    """As photographed: any lamp, from darkness to too much light, haze, blur, noise, JPEG."""
    light = floats(image)
    if rng.random() < 0.3:  # a cast as of a camera that errs about the lamp
        light *= np.exp2(floats(rng.normal(0, 0.45, 3)))
    if rng.random() < 0.12:
        light *= np.float32(np.exp2(rng.uniform(0, 1.3)))
    elif rng.random() < 0.15:
        light *= np.float32(np.exp2(rng.uniform(-2.3, 0)))
    if rng.random() < 0.12:
        haze = float(rng.uniform(0, 0.55))
        light = light * (1 - haze) + 235 * haze
    return photographed(rng, np.clip(light, 0, 255).astype(np.uint8), float(rng.uniform(0, 0.9)))

"""What the eye knows of an edition, as the content of a file.

A line of JSON says how much there is of everything; the numbers follow, little-endian, row by row.
A file may come from another machine, so its length is compared with what the line says before
anything is made of it.
"""

import json
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.editions.model import Model
from vision.editions.references import TURNS, VIEWS, WINDOW_VIEWS, WINDOWS, References
from vision.json_checks import check, entries, of
from vision.patches.embedding import PART_VECTOR, PARTS, VECTOR

NETWORK: Final = "1b28be59cf93b37b"
"""Which network made the vectors, and of what; others mean nothing to this program. To be made anew
with ``embed.onnx``; a test tells."""
STEPS: Final = np.float32(127)
MAX_MODEL_BYTES: Final = 48 * 1024 * 1024
_MOST_FACES: Final = 401
_MOST_TILES: Final = 4000
_MOST_COLOUR: Final = 20.0
"""Logarithms of brightness lie far below."""
_LONGEST_LINE: Final = 64 * 1024


def model_bytes(model: Model) -> bytes:
    """A model as the content of a file."""
    known = model.references.joined(model.loose)
    rims = [list(rim.shape[:2]) for rim in model.rim]
    about = {
        "network": NETWORK,
        "faces": list(known.faces),
        "tiles": len(known.face),
        "loose": len(model.loose.face),
        "rims": rims,
    }
    arrays = [
        known.face.astype("<i4"),
        _as_bytes(known.vectors),
        _as_bytes(known.parts),
        known.colours.astype("<f4"),
        _as_bytes(known.details),
        *map(_as_bytes, model.rim),
    ]
    line = json.dumps(about, ensure_ascii=True).encode() + b"\n"
    return line + b"".join(array.tobytes() for array in arrays)


def model_from(data: bytes, empty: Model) -> Model | None:
    """The model in the content of a file.

    Args:
        data: the content.
        empty: model of the same game that knows nothing.

    Returns:
        None: it is damaged, or another network made it.
    """
    end = data[:_LONGEST_LINE].find(b"\n")
    try:
        about = json.loads(data[:end]) if end > 0 else None
        faces, tiles, beside, rims = _about(about, empty)
    except (ValueError, RecursionError):
        return None
    shapes: list[tuple[str, tuple[int, ...]]] = [
        ("<i4", (tiles,)),
        ("|i1", (tiles, TURNS, len(VIEWS), VECTOR)),
        ("|i1", (tiles, TURNS, PARTS, PART_VECTOR)),
        ("<f4", (tiles, 3)),
        ("|i1", (tiles, len(WINDOWS), len(WINDOW_VIEWS), VECTOR)),
        *(("|i1", (rows, columns, VECTOR)) for rows, columns in rims),
    ]
    arrays = _arrays(data[end + 1 :], shapes)
    if arrays is None:
        return None
    face, *numbers = arrays
    if not all(np.isfinite(array).all() for array in numbers):
        return None
    if not (face.min() >= 0 and face.max() < len(faces)):
        return None
    vectors, parts, colours, details, *rim = map(_as_floats, numbers)
    if np.abs(colours).max() > _MOST_COLOUR:
        return None
    known = References(tuple(faces), face.astype(np.intp), vectors, parts, colours, details)
    in_grid, loose = (
        known.take(part).of_faces({known.faces[n] for n in known.face[part].tolist()})
        for part in (slice(tiles - beside), slice(tiles - beside, tiles))
    )
    if set(loose.faces) - {None} - empty.loose_faces or empty.loose_faces & set(in_grid.faces):
        return None
    return replace(empty, references=in_grid, rim=tuple(rim), loose=loose)


def _as_bytes(vectors: Floats) -> NDArray[np.int8]:
    """Vectors of length 1, as finely as tells faces apart."""
    return np.asarray(np.rint(vectors * STEPS), np.int8)


def _as_floats(stored: NDArray[np.generic]) -> Floats:
    """Numbers as they are used; a copy more of all of them would be some of a scan's memory."""
    numbers = stored.astype(np.float32)
    if stored.dtype == np.int8:
        numbers /= STEPS
    return numbers


def _arrays(
    data: bytes, shapes: list[tuple[str, tuple[int, ...]]]
) -> list[NDArray[np.generic]] | None:
    """Arrays that lie one after the other; None: the content has another length."""
    sizes = [int(np.prod(shape)) * np.dtype(kind).itemsize for kind, shape in shapes]
    if sum(sizes) != len(data):
        return None
    arrays, first = [], 0
    for (kind, shape), size in zip(shapes, sizes, strict=True):
        arrays.append(np.frombuffer(data[first : first + size], kind).reshape(shape))
        first += size
    return arrays


def _about(given: Any, empty: Model) -> tuple[list[str | None], int, int, list[list[int]]]:
    """Names, how many tiles and how many of these lie loose, and rows and columns of the rims."""
    told = of(dict, given, "line")
    check(told.get("network") == NETWORK, "network")
    faces = of(list, told.get("faces"), "faces")
    for name, place in entries(faces, "faces"):
        check(name is None or len(of(str, name, place)) <= 40, place)
    check(len(set(faces)) == len(faces) <= _MOST_FACES, "faces")
    tiles, beside = (of(int, told.get(key), key) for key in ("tiles", "loose"))
    check(0 <= beside <= tiles and 0 < tiles <= _MOST_TILES, "tiles")
    rims = [
        [of(int, *length) for length in entries(*shape)]
        for shape in entries(told.get("rims"), "rims")
    ]
    check(len(rims) in (0, TURNS), "rims")  # one for each turn of a board, or none
    for n, shape in enumerate(rims):
        check(len(shape) == 2 and min(shape) > 2, "rims")
        check(shape == (rims[0] if n % 2 == 0 else rims[0][::-1]), "rims")
    room = empty.layout.rows + 2, empty.layout.columns + 2
    check(not rims or (rims[0][0] <= room[0] and rims[0][1] <= room[1]), "rims")
    return faces, tiles, beside, rims

"""Encode and decode the model of an edition as a file.

The first line, a header in JSON, holds the names of faces and the sizes of all arrays; the arrays
follow, little-endian, row by row. A file may come from another machine, so its length is compared
with the header before any array is made.
"""

import json
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.editions.model import Model
from vision.editions.references import TURNS, VIEWS, WINDOW_VIEWS, WINDOWS, References
from vision.patches.embedding import PART_COUNT, PART_VECTOR_SIZE, VECTOR_SIZE
from vision.toml_and_json import Node

NETWORK: Final = "0b9cb9a1060bed9e"
"""Identifier of the network and the views that made the vectors; those of others cannot be
compared. Changes with ``embed.onnx``; a test fails until it does."""
QUANTISATION_STEPS: Final = np.float32(127)
"""Stored steps from 0 to 1 of a number in a vector of length 1."""
MAX_MODEL_BYTES: Final = 48 * 1024 * 1024
_MAX_FACES: Final = 401
MAX_TILES: Final = 4000
"""Maximum number of taught tiles; each takes about 5 kB in the file, and 19 kB of memory."""
_MAX_COLOUR: Final = 20.0
"""Maximum magnitude of a colour, which is a logarithm of brightness and far smaller."""
_LONGEST_HEADER: Final = 64 * 1024
"""Bytes of the first line."""
_LONGEST_NAME: Final = 40
_MIN_RIM: Final = 3
"""Rows, or columns, of a board and what lies round it."""


def encode_model(model: Model) -> bytes:
    """Encode a model as the content of a file."""
    references = model.references.joined(model.loose)
    rims = [list(rim.shape[:2]) for rim in model.rim]
    header = {
        "network": NETWORK,
        "faces": list(references.faces),
        "tiles": len(references.face_index),
        "loose": len(model.loose.face_index),
        "rims": rims,
    }
    arrays = [
        references.face_index.astype("<i4"),
        _quantise(references.vectors),
        _quantise(references.parts),
        references.colours.astype("<f4"),
        _quantise(references.window_vectors),
        *map(_quantise, model.rim),
    ]
    line = json.dumps(header, ensure_ascii=True).encode() + b"\n"
    return line + b"".join(array.tobytes() for array in arrays)


def decode_model(data: bytes, empty: Model) -> Model | None:
    """Decode the content of a file.

    Args:
        data: Content of the file.
        empty: Model of the same game without references.

    Returns:
        The model; None if the file is damaged or another network made it.
    """
    end = data[:_LONGEST_HEADER].find(b"\n")
    if end < 0:
        return None
    try:
        header = _parse_header(data[:end], empty)
    except (ValueError, RecursionError):
        return None
    tiles = header.tiles
    shapes: list[tuple[str, tuple[int, ...]]] = [
        ("<i4", (tiles,)),
        ("|i1", (tiles, TURNS, len(VIEWS), VECTOR_SIZE)),
        ("|i1", (tiles, TURNS, PART_COUNT, PART_VECTOR_SIZE)),
        ("<f4", (tiles, 3)),
        ("|i1", (tiles, len(WINDOWS), len(WINDOW_VIEWS), VECTOR_SIZE)),
        *(("|i1", (rows, columns, VECTOR_SIZE)) for rows, columns in header.rims),
    ]
    arrays = _split_arrays(data[end + 1 :], shapes)
    if arrays is None:
        return None
    face, *numbers = arrays
    if not all(np.isfinite(array).all() for array in numbers):
        return None
    if not (face.min() >= 0 and face.max() < len(header.faces)):
        return None
    vectors, parts, colours, window_vectors, *rim = map(_dequantise, numbers)
    if np.abs(colours).max() > _MAX_COLOUR:
        return None
    references = References(
        header.faces, face.astype(np.intp), vectors, parts, colours, window_vectors
    )
    in_grid, loose = (
        references.take(part).of_faces({header.faces[n] for n in face[part].tolist()})
        for part in (slice(tiles - header.loose), slice(tiles - header.loose, tiles))
    )
    if set(loose.faces) - {None} - empty.loose_faces or empty.loose_faces & set(in_grid.faces):
        return None
    return replace(empty, references=in_grid, rim=tuple(rim), loose=loose)


def _quantise(vectors: Floats) -> NDArray[np.int8]:
    """Quantise unit vectors to 8 bits, which distinguish faces equally well."""
    return np.asarray(np.rint(vectors * QUANTISATION_STEPS), np.int8)


def _dequantise(stored: NDArray[np.generic]) -> Floats:
    # Divides in place: another copy of all vectors would take memory that a scan needs
    numbers = stored.astype(np.float32)
    if stored.dtype == np.int8:
        numbers /= QUANTISATION_STEPS
    return numbers


def _split_arrays(
    data: bytes, shapes: list[tuple[str, tuple[int, ...]]]
) -> list[NDArray[np.generic]] | None:
    """Return arrays that lie one after the other; None if the content has another length."""
    sizes = [int(np.prod(shape)) * np.dtype(kind).itemsize for kind, shape in shapes]
    if sum(sizes) != len(data):
        return None
    arrays, first = [], 0
    for (kind, shape), size in zip(shapes, sizes, strict=True):
        arrays.append(np.frombuffer(data[first : first + size], kind).reshape(shape))
        first += size
    return arrays


@dataclass(frozen=True, slots=True)
class _Header:
    """First line of a model file.

    Attributes:
        faces: Names of faces; None is an empty place.
        tiles: Number of taught tiles.
        loose: Number of the last of these that lie beside the cells of a board.
        rims: Rows and columns of ``Model.rim`` for each turn of the board.
    """

    faces: tuple[str | None, ...]
    tiles: int
    loose: int
    rims: tuple[tuple[int, int], ...]


def _parse_header(line: bytes, empty: Model) -> _Header:
    """Parse the first line of a file of a game.

    Raises:
        ValueError: It does not fit the game, or another network made the file.
    """
    root = Node(json.loads(line))
    root["network"].require(root["network"].value == NETWORK)
    names = root["faces"].items()
    for name in names:
        name.require(name.is_null or len(name.text()) <= _LONGEST_NAME)
    faces = tuple(name.value for name in names)
    root["faces"].require(len(set(faces)) == len(faces) <= _MAX_FACES)
    tiles = root["tiles"].integer(1, MAX_TILES)
    loose = root["loose"].integer(0, tiles)
    rims = tuple(_parse_rim_shape(shape) for shape in root["rims"].items())
    # One for each turn of a board, or none
    root["rims"].require(len(rims) in (0, TURNS))
    for turn, shape in enumerate(rims):
        root["rims"].require(shape == (rims[0] if turn % 2 == 0 else rims[0][::-1]))
    room = empty.grid_format.rows + 2, empty.grid_format.columns + 2
    root["rims"].require(not rims or (rims[0][0] <= room[0] and rims[0][1] <= room[1]))
    return _Header(faces, tiles, loose, rims)


def _parse_rim_shape(node: Node) -> tuple[int, int]:
    lengths = [length.integer(_MIN_RIM) for length in node.items()]
    node.require(len(lengths) == 2)
    return lengths[0], lengths[1]

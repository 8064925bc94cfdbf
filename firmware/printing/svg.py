"""Drawings (SVG) as the content of a PDF: shapes stay shapes, sharp at any resolution.

Supported are groups, paths, rectangles, circles and ellipses in plain colours, with transforms and
clip paths, as the editions' drawings use them. Anything else is refused, so that no drawing is
printed without a part of it.
"""

import cmath
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from reportlab.pdfgen.pathobject import PDFPathObject
from reportlab.pdfgen.pdfgeom import bezierArc
from svg.path import Arc, Close, CubicBezier, Line, Move, QuadraticBezier, parse_path
from svg.path import Path as SvgPath

from vision.editions.built_in import BUILT_IN_FOLDER

_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
_PAINT: Final[Mapping[str, str]] = {
    "fill": "black",
    "fill-rule": "nonzero",
    "stroke": "none",
    "stroke-width": "1",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
}
"""Properties that a shape inherits from its groups, with their defaults."""
_GEOMETRY: Final[Mapping[str, frozenset[str]]] = {
    "svg": frozenset({"width", "height", "viewBox", "version"}),
    "g": frozenset(),
    "path": frozenset({"d"}),
    "rect": frozenset({"x", "y", "width", "height", "rx"}),
    "circle": frozenset({"cx", "cy", "r"}),
    "ellipse": frozenset({"cx", "cy", "rx", "ry"}),
}
_OF_ALL: Final = frozenset({*_PAINT, "id", "style", "transform", "clip-path"})
_NEUTRAL: Final = {
    "display": "inline",
    "fill-opacity": "1",
    "opacity": "1",
    "paint-order": "normal",
    "stroke-dasharray": "none",
    "stroke-dashoffset": "0",
    "stroke-miterlimit": "4",
    "stroke-opacity": "1",
}
"""Properties that programs write without effect; with another value they are refused."""
_UNPAINTED: Final = ("title", "desc", "defs", "metadata")
_CAPS: Final = {"butt": 0, "round": 1, "square": 2}
_JOINS: Final = {"miter": 0, "round": 1, "bevel": 2}
_COLOURS: Final = {"black": "#000000", "white": "#ffffff"}
_TRANSFORM: Final = re.compile(r"\s*(\w+)\s*\(([^)]*)\)[\s,]*")
_LENGTH_MM: Final = re.compile(r"([\d.]+)mm")


class DrawingError(ValueError):
    """A drawing that cannot be printed as it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A drawing that can be placed on a page.

    Attributes:
        file: File of the drawing.
        size_mm: True width and height.
        box: Left, top, width and height of the part shown, in units of the drawing, y down. More of
            the drawing shows where backs are printed beyond the edge.
        operators: PDF operators, in units of the drawing, y down.
    """

    file: Path
    size_mm: tuple[float, float]
    box: tuple[float, float, float, float]
    operators: str


@cache
def load_drawing(file: Path) -> Drawing:
    """Load the drawing in an SVG file.

    Raises:
        DrawingError: The drawing has no size in millimetres, or something that is not understood.
    """
    try:
        root = ET.parse(file).getroot()  # noqa: S314 - part of the package
        width, height = (
            float(_matched(_LENGTH_MM, root.get(side, ""))[1]) for side in ("width", "height")
        )
        left, top, across, down = map(float, root.get("viewBox", "").split())
        painter = _Painter(root)
        painter.paint(root, _PAINT)
    except (KeyError, ValueError, ET.ParseError) as error:
        raise DrawingError(f"{file}: {error}") from error
    return Drawing(file, (width, height), (left, top, across, down), "\n".join(painter.operators))


class _Painter:
    """Converts the elements of a file to PDF operators.

    Attributes:
        operators: PDF operators of everything painted so far.
    """

    def __init__(self, root: ET.Element) -> None:
        self.operators = ["4 M"]  # the limit of mitres
        self._clips = {
            f"url(#{clip.get('id')})": clip for clip in root.iter(f"{_NAMESPACE}clipPath")
        }

    def paint(self, element: ET.Element, inherited: Mapping[str, str]) -> None:
        """Paint an element and all in it; properties that it lacks are inherited."""
        name = element.tag.removeprefix(_NAMESPACE)
        if name in _UNPAINTED or name.startswith("{"):
            return
        attributes = _attributes(element, name)
        paint = {**inherited, **attributes}
        is_own_state = "transform" in attributes or "clip-path" in attributes
        if is_own_state:
            self.operators.append("q")
            self.operators += _transform(attributes.get("transform", ""))
        if "clip-path" in attributes:
            for shape in self._clips[attributes["clip-path"]]:
                clip = shape.tag.removeprefix(_NAMESPACE)
                self.operators.append(_shape(clip, _attributes(shape, clip)))
            self.operators.append("W n")
        if name in ("svg", "g"):
            groups = {key: paint[key] for key in _PAINT}
            for child in element:
                self.paint(child, groups)
        else:
            self.operators += _painted(_shape(name, attributes), paint)
        if is_own_state:
            self.operators.append("Q")


def _attributes(element: ET.Element, name: str) -> dict[str, str]:
    """Return the attributes of an element, including those of its ``style``."""
    if name not in _GEOMETRY:
        raise ValueError(f"<{name}> is not understood: convert it to a path")
    attributes = {key: value for key, value in element.items() if not key.startswith("{")}
    for declaration in filter(str.strip, attributes.pop("style", "").split(";")):
        key, _, value = declaration.partition(":")
        attributes[key.strip()] = value.strip()
    for key in sorted(attributes.keys() - _GEOMETRY[name] - _OF_ALL):
        if attributes[key] != _NEUTRAL.get(key):
            raise ValueError(f"{key} of <{name}> is not understood: leave it out")
    return attributes


def _transform(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        match = _matched(_TRANSFORM, text, at)
        kind, numbers = match[1], [float(part) for part in re.split(r"[\s,]+", match[2].strip())]
        at = match.end()
        if kind == "matrix":
            yield _line("cm", *numbers)
        elif kind == "translate":
            yield _line("cm", 1, 0, 0, 1, numbers[0], *(numbers[1:] or [0]))
        elif kind == "scale":
            yield _line("cm", numbers[0], 0, 0, numbers[-1], 0, 0)
        elif kind == "rotate":
            turn, (x, y) = math.radians(numbers[0]), numbers[1:] or (0.0, 0.0)
            cos, sin = math.cos(turn), math.sin(turn)
            yield _line("cm", cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos)
        else:
            raise ValueError(f"the transform {kind} is not understood: apply it to the shape")


def _painted(shape: str, paint: Mapping[str, str]) -> list[str]:
    """Return the operators that fill and stroke a shape."""
    is_filled, is_stroked = paint["fill"] != "none", paint["stroke"] != "none"
    operator = ("B" if is_stroked else "f") if is_filled else "S" if is_stroked else "n"
    inks = []
    if is_filled:
        inks.append(_line("rg", *_colour(paint["fill"])))
        operator += "*" if paint["fill-rule"] == "evenodd" else ""
    if is_stroked:
        cap, join = _CAPS[paint["stroke-linecap"]], _JOINS[paint["stroke-linejoin"]]
        inks.append(_line("RG", *_colour(paint["stroke"])))
        inks.append(f"{float(paint['stroke-width']):g} w {cap} J {join} j")
    return [*inks, shape, operator]


def _colour(text: str) -> tuple[float, float, float]:
    """Return red, green and blue, 0 to 1."""
    digits = _COLOURS.get(text, text).removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    if not re.fullmatch("[0-9a-fA-F]{6}", digits):
        raise ValueError(f"the colour {text} is not understood: give it as #rrggbb")
    red, green, blue = bytes.fromhex(digits)
    return red / 255, green / 255, blue / 255


def _shape(name: str, attributes: Mapping[str, str]) -> str:
    """Return the operators of the outline of a shape."""
    path = PDFPathObject()
    if name == "path":
        _draw_path(path, parse_path(attributes["d"]))
        return str(path.getCode())
    given = {key: float(attributes[key]) for key in _GEOMETRY[name] if key in attributes}
    if name == "rect":
        left, top = given.get("x", 0.0), given.get("y", 0.0)
        width, height = given["width"], given["height"]
        radius = min(given.get("rx", 0.0), width / 2, height / 2)
        if radius:
            path.roundRect(left, top, width, height, radius)
        else:
            path.rect(left, top, width, height)
    else:
        rx, ry = given.get("rx", given.get("r", 0.0)), given.get("ry", given.get("r", 0.0))
        left, top = given.get("cx", 0.0) - rx, given.get("cy", 0.0) - ry
        path.ellipse(left, top, 2 * rx, 2 * ry)
        path.close()
    return str(path.getCode())


def _draw_path(path: PDFPathObject, parts: SvgPath) -> None:
    for part in parts:
        if isinstance(part, Line):
            path.lineTo(*_xy(part.end))
        elif isinstance(part, Move):
            path.moveTo(*_xy(part.end))
        elif isinstance(part, Close):
            path.close()
        elif isinstance(part, CubicBezier):
            path.curveTo(*_xy(part.control1, part.control2, part.end))
        elif isinstance(part, QuadraticBezier):
            near, far = (end + (part.control - end) * 2 / 3 for end in (part.start, part.end))
            path.curveTo(*_xy(near, far, part.end))
        elif isinstance(part, Arc):
            _draw_arc(path, part)


def _draw_arc(path: PDFPathObject, arc: Arc) -> None:
    """Draw an elliptic arc: the arc of a unit circle, stretched and turned."""
    if arc.start == arc.end or not arc.radius.real or not arc.radius.imag:
        path.lineTo(*_xy(arc.end))
        return
    turn, radius = cmath.rect(1, math.radians(arc.rotation)), arc.radius * arc.radius_scale
    for _x, _y, *curve in bezierArc(-1, -1, 1, 1, arc.theta, arc.delta):
        stretched = (
            complex(radius.real * x, radius.imag * y)
            for x, y in zip(curve[::2], curve[1::2], strict=True)
        )
        path.curveTo(*_xy(*(arc.center + turn * point for point in stretched)))


def _xy(*points: complex) -> list[float]:
    return [part for point in points for part in (point.real, point.imag)]


def _line(operator: str, *numbers: float) -> str:
    return " ".join([*[f"{round(number, 3):g}" for number in numbers], operator])


def _matched(pattern: re.Pattern[str], text: str, at: int = 0) -> re.Match[str]:
    match = pattern.match(text, at)
    if match is None:
        raise ValueError(f"{text!r} is not understood")
    return match


def load_built_in_drawings(game: str, names: Sequence[str]) -> list[Drawing]:
    """Load drawings of the built-in edition by the names of their files."""
    return [load_drawing(BUILT_IN_FOLDER / game / f"{name}.svg") for name in names]

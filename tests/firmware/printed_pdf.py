"""What is on the pages of a printed PDF, read without the code that wrote it.

It reads the plain form in which Stadtblick writes: no compressed contents, no nested forms.
"""

import re
from dataclasses import dataclass

import cv2
import numpy as np

MM_PER_POINT = 25.4 / 72
NUMBER = rb"(-?[\d.]+)"
PLACED = re.compile(
    rb"q\n" + rb" ".join([NUMBER, b"0 0", *[NUMBER] * 3]) + rb" cm\n/(FormXob\.\w+) Do\nQ"
)
TEXT = re.compile(NUMBER + rb" " + NUMBER + rb" Tm")
RECTANGLE = re.compile(rb" ".join([NUMBER] * 4) + rb" re\b")
POINT = re.compile(NUMBER + rb" " + NUMBER + rb" [ml]\b")
CURVE = re.compile(rb" ".join([NUMBER] * 6) + rb" c\b")
LINE = re.compile(rb"n " + rb" ".join([NUMBER] * 2) + rb" m " + rb" ".join([NUMBER] * 2) + rb" l S")


@dataclass(frozen=True)
class Placed:
    """A picture on a page; millimetres from the top left corner of the page."""

    left: float
    top: float
    width: float
    height: float
    picture: np.ndarray


@dataclass(frozen=True)
class PrintedPage:
    """A page; points and lines in millimetres from its top left corner."""

    width: float
    height: float
    pictures: list
    points: np.ndarray
    lines: np.ndarray
    contents: bytes


def printed_pages(pdf):
    """All pages in their order."""
    objects = _objects(pdf)
    (tree,) = [body for body in objects.values() if b"/Type /Pages" in body]
    kids = re.search(rb"/Kids \[([^]]*)\]", tree)[1]
    return [_page(objects, objects[int(number)]) for number in re.findall(rb"(\d+) 0 R", kids)]


def _objects(pdf):
    """Contents of all objects by their numbers, found where the table of the file says."""
    starts = [int(at) for at in re.findall(rb"^(\d{10}) 00000 n", pdf, re.MULTILINE)]
    ends = [*sorted(starts), pdf.rindex(b"xref")]
    found = {}
    for start in starts:
        body = pdf[start : min(end for end in ends if end > start)]
        found[int(re.match(rb"(\d+) 0 obj", body)[1])] = body
    return found


def _stream(body):
    start = body.index(b"stream\n") + len(b"stream\n")
    length = int(re.search(rb"/Length (\d+)", body)[1])
    return body[start : start + length]


def _page(objects, body):
    box = [float(x) for x in re.search(rb"/MediaBox \[([^]]*)\]", body)[1].split()]
    width, height = box[2] * MM_PER_POINT, box[3] * MM_PER_POINT
    contents = _stream(objects[int(re.search(rb"/Contents (\d+) 0 R", body)[1])])
    named = dict(re.findall(rb"/(FormXob\.\w+) (\d+) 0 R", body))
    decoded = {name: _picture(objects[int(number)]) for name, number in named.items()}
    pictures = []
    for *numbers, name in PLACED.findall(contents):
        across, up, x, y = (float(number) * MM_PER_POINT for number in numbers)
        pictures.append(Placed(x, height - y - up, across, up, decoded[name]))
    lines = _matched(LINE, contents).reshape(-1, 2, 2) * MM_PER_POINT
    lines[..., 1] = height - lines[..., 1]
    points = _points(contents)
    points[:, 1] = height - points[:, 1]
    return PrintedPage(width, height, pictures, points, lines, contents)


def _picture(body):
    assert b"/DCTDecode" in body
    return cv2.imdecode(np.frombuffer(_stream(body), np.uint8), cv2.IMREAD_COLOR)


def _matched(pattern, contents):
    return np.array([[float(x) for x in match] for match in pattern.findall(contents)])


def _points(contents):
    """Corners of all pictures and shapes, and where texts begin; y up."""
    found = [_matched(POINT, contents), _matched(TEXT, contents)]
    found.append(_matched(CURVE, contents).reshape(-1, 2))
    found += [boxes[:, i : i + 2] for boxes in [_corners(contents)] for i in (0, 2) if len(boxes)]
    return np.concatenate([each.reshape(-1, 2) for each in found]) * MM_PER_POINT


def _corners(contents):
    """Both outer corners of rectangles and pictures."""
    boxes = [_matched(RECTANGLE, contents).reshape(-1, 4)]
    placed = [[float(x) for x in match[:4]] for match in PLACED.findall(contents)]
    boxes.append(np.array(placed).reshape(-1, 4)[:, [2, 3, 0, 1]])
    all_boxes = np.concatenate(boxes)
    return np.hstack([all_boxes[:, :2], all_boxes[:, :2] + all_boxes[:, 2:]])

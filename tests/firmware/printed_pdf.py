"""What is on the pages of a printed PDF, read back by PDFium."""

import ctypes
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pypdfium2
from pypdfium2 import raw

MM_PER_POINT = 25.4 / 72


@dataclass(frozen=True)
class PrintedPage:
    """A page; all in millimetres from its top left corner."""

    page: pypdfium2.PdfPage

    @property
    def size(self):
        return np.array(self.page.get_size()) * MM_PER_POINT

    @property
    def text(self):
        return " ".join(self.page.get_textpage().get_text_range().split())

    @cached_property
    def drawings(self):
        """Where each drawing begins, and the millimetres of one of its units."""
        matrices = [each.get_matrix() for each in self._objects(raw.FPDF_PAGEOBJ_FORM)]
        placed = np.array([(m.e, m.f, m.a) for m in matrices]).reshape(-1, 3) * MM_PER_POINT
        placed[:, 1] = self.size[1] - placed[:, 1]
        return placed

    @cached_property
    def lines(self):
        """The ends of all lines, (n, 2, 2)."""
        return np.array([path for path in self._paths if len(path) == 2]).reshape(-1, 2, 2)

    @cached_property
    def boxes(self):
        """Left, top, width and height of the parts of all filled shapes, (n, 4)."""
        parts = [path.reshape(-1, 5, 2) for path in self._paths if len(path) % 5 == 0]
        corners = np.concatenate([np.empty((0, 5, 2)), *parts])
        return np.hstack([corners.min(axis=1), np.ptp(corners, axis=1)])

    def picture(self, px_per_mm):
        """The page as it looks, BGR."""
        return self.page.render(scale=px_per_mm * MM_PER_POINT).to_numpy()

    @cached_property
    def _paths(self):
        """The points of each path; those of rectangles five by five."""
        return [self._points(path) for path in self._objects(raw.FPDF_PAGEOBJ_PATH)]

    def _objects(self, kind):
        return [each for each in self.page.get_objects(max_depth=1) if each.type == kind]

    def _points(self, path):
        points, x, y = [], ctypes.c_float(), ctypes.c_float()
        for number in range(raw.FPDFPath_CountSegments(path)):
            segment = raw.FPDFPath_GetPathSegment(path, number)
            raw.FPDFPathSegment_GetPoint(segment, x, y)
            points.append((x.value, y.value))
        return np.abs(np.array(points) * MM_PER_POINT - (0, self.size[1]))


def printed_pages(pdf):
    """All pages in their order."""
    return [PrintedPage(page) for page in pypdfium2.PdfDocument(pdf)]

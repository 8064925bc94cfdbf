"""Rulers that show whether a page was printed at its true size."""

from collections.abc import Iterator

from firmware.printing.page import MM_PER_INCH, Page, Rectangle

_LINE_MM = 0.15
_LONG_MM, _MIDDLE_MM, _SHORT_MM = 4.5, 3.2, 2.0
_NUMBER_POINTS = 7.0
_NUMBER_BELOW_MM = 7.5


def draw_mm_ruler(page: Page, left: float, top: float, length_mm: int) -> None:
    """A ruler with a line each millimetre and a number each centimetre, in mm."""
    page.fill(_lines(left, top, 1.0, length_mm, per_number=10))
    for mm in range(0, length_mm + 1, 10):
        page.write_centred(str(mm), left + mm, top + _NUMBER_BELOW_MM, size=_NUMBER_POINTS)
    page.write("mm", left + length_mm + 5, top + _NUMBER_BELOW_MM, size=_NUMBER_POINTS)


def draw_inch_ruler(page: Page, left: float, top: float, length_inches: int) -> None:
    """A ruler with a line each eighth of an inch and a number each inch."""
    page.fill(_lines(left, top, MM_PER_INCH / 8, 8 * length_inches, per_number=8))
    for inch in range(length_inches + 1):
        middle = left + inch * MM_PER_INCH
        page.write_centred(str(inch), middle, top + _NUMBER_BELOW_MM, size=_NUMBER_POINTS)
    right = left + length_inches * MM_PER_INCH + 5
    page.write("in", right, top + _NUMBER_BELOW_MM, size=_NUMBER_POINTS)


def _lines(
    left: float, top: float, step_mm: float, steps: int, *, per_number: int
) -> Iterator[Rectangle]:
    """The base line and one line a step, each centred on its true place."""
    yield left - _LINE_MM / 2, top - _LINE_MM / 2, steps * step_mm + _LINE_MM, _LINE_MM
    for step in range(steps + 1):
        length = _SHORT_MM
        if step % per_number == 0:
            length = _LONG_MM
        elif step % (per_number // 2) == 0:
            length = _MIDDLE_MM
        yield left + step * step_mm - _LINE_MM / 2, top, _LINE_MM, length

"""What a JSON file holds, checked as it is taken out: nothing in it is trusted.

A *place* says where a value stands in the file, such as ``cities[0].grid``.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeVar

T = TypeVar("T")
FURTHEST: Final = 2.0**53
"""Larger numbers mean nothing here, and a float may not hold them."""


class UnfitError(ValueError):
    """A value is none that may stand in its place, which is the text of the error."""


def check(is_so: bool, place: str) -> None:  # noqa: FBT001
    """Refuse what stands in a place unless something is so."""
    if not is_so:
        raise UnfitError(place)


def of(kind: type[T], given: Any, place: str) -> T:
    """A value of exactly this kind; ``True`` is no number."""
    check(type(given) is kind, place)
    found: T = given
    return found


def number(given: Any, place: str, least: float = -FURTHEST, most: float = FURTHEST) -> float:
    """A number within these bounds, which NaN is not."""
    check(type(given) in (int, float) and least <= given <= most, place)
    return float(given)


def entries(given: Any, place: str) -> Iterator[tuple[Any, str]]:
    """The entries of a list, each with its place."""
    for n, entry in enumerate(of(list, given, place)):
        yield entry, f"{place}[{n}]"

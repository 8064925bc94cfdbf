"""docs/errors.md lists every error code and exit code, and none that does not exist."""

from collections import Counter
from functools import cache

import pytest

from tests.update_docs import (
    ERRORS,
    UNSORTED,
    breach_classes,
    codes_in_the_source,
    updated_errors,
)

WRITTEN = ERRORS.read_text("utf-8")
USAGE = "| `usage` |"


@cache
def complete_page() -> str:
    """Return the page as it will be once a code that is new has been sorted in."""
    return updated_errors(WRITTEN).replace(UNSORTED, "## Further codes")


def test_codes_are_found_however_they_are_given():
    assert {"usage", "photo-truncated", "display-lost", "unknown-face"} <= set(
        codes_in_the_source()
    )


def test_page_on_errors_is_up_to_date():
    assert updated_errors(WRITTEN) == WRITTEN, "run python -m tests.update_docs"
    assert UNSORTED not in WRITTEN, "move the rows at its end where they belong"


def test_code_that_is_gone_or_twice_loses_its_row():
    complete = complete_page()
    row = next(line for line in complete.splitlines() if line.startswith(USAGE))
    for extra in (row, "| `no-such-code` | nothing | nothing |", "| 99 | nothing |"):
        assert updated_errors(complete + extra + "\n") == complete


@pytest.mark.parametrize(
    ("key", "message"), [("`photo-empty`", "the file is empty: copy the photo again"), ("130", "")]
)
def test_new_code_gets_a_row_with_its_message(key, message):
    old = [line for line in complete_page().splitlines() if not line.startswith(f"| {key} |")]
    added = updated_errors("\n".join(old)).partition(UNSORTED)[2]
    assert added.splitlines()[4:] == [f"| {key} | {message} | |"]


def test_games_share_no_code_of_a_breach_but_city_count():
    """Each game words that one itself; ``docs/errors.md`` has one row for all."""
    kinds = [kind for breaches in breach_classes() for kind in breaches]
    counts = Counter(kind.code for kind in kinds)
    repeated = {code for code, count in counts.items() if count > 1}
    assert repeated == {"city-count"}, "take the one of SharedBreach, or name another code"

"""What the three buttons do on a screen."""

from dataclasses import dataclass
from enum import StrEnum


class Hint(StrEnum):
    """What pressing a button does; shown as one word above it."""

    NOTHING = ""
    SCAN = "scan"
    AGAIN = "again"
    """Scan the same table again."""
    NEXT = "next"
    MORE = "more"
    """The next page of the same text; shown only if there is one."""
    OK = "ok"
    BACK = "back"
    LAST = "last"
    """Show the last result again."""
    MENU = "menu"
    CHOOSE = "choose"
    CHECK = "check"
    """Look at what is not sure; shown with how much that is, and not shown if there is nothing."""
    ACCEPT = "accept"
    CHANGE = "change"
    TAKE = "take"
    """Take the offered letter."""
    DONE = "done"
    PHOTO = "photo"
    RETRY = "retry"
    SKIP = "skip"
    """Leave this undecided for now."""
    CANCEL = "cancel"
    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Hints:
    """The words of the hint row, from the left.

    Attributes:
        scan: of the button SCAN.
        next: of the button NEXT.
        ok: of the button OK/BACK.
    """

    scan: Hint = Hint.NOTHING
    next: Hint = Hint.NOTHING
    ok: Hint = Hint.NOTHING


NO_HINTS = Hints()
READY_HINTS = Hints(Hint.SCAN, Hint.NOTHING, Hint.MENU)
CANCEL_HINTS = Hints(ok=Hint.CANCEL)
RESULT_HINTS = Hints(Hint.AGAIN, Hint.NEXT, Hint.CHECK)
DOUBT_HINTS = Hints(Hint.BACK, Hint.CHANGE, Hint.ACCEPT)
MENU_HINTS = Hints(Hint.BACK, Hint.NEXT, Hint.CHOOSE)
NAME_HINTS = Hints(Hint.DONE, Hint.NEXT, Hint.TAKE)
WIZARD_HINTS = Hints(Hint.PHOTO, Hint.MORE, Hint.CANCEL)
QUESTION_HINTS = Hints(Hint.NO, Hint.NOTHING, Hint.YES)
NOTICE_HINTS = Hints(ok=Hint.OK)
FAULT_HINTS = Hints(Hint.RETRY, Hint.MORE, Hint.BACK)
TEXT_HINTS = Hints(Hint.NOTHING, Hint.MORE, Hint.BACK)

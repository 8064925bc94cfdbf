"""What the eye says of a photo, on the way through a result, or where there is none."""

from dataclasses import replace

from appliance_machine import EXAMPLE, Machine, finished, name_of, pages_of, read

from firmware.appliance.effects import StartScan
from firmware.screens.views import FaultView, WinnerView
from firmware.screens.words import Hint
from scoring.faces import Face
from vision.reading import NoteCode, note

MIDDLE = (2, (1, 1))
"""A park in EXAMPLE."""
DARK = note(NoteCode.DARK)
GLARE = note(NoteCode.GLARE, (0, 1), (2, 3))


def test_what_the_eye_says_is_leafed_through_with_the_result():
    machine = Machine()
    machine.scan(notes=(DARK,), city_notes={2: (GLARE,)})
    notes = [str(view.title[0]) for view in pages_of(machine.leaf(), "note")]
    assert notes == ["About the photo", "City C"]


def test_what_the_eye_says_is_counted_with_what_there_is_to_check():
    machine = Machine()
    machine.scan(notes=(DARK,), unsure={MIDDLE: [Face.PARK]})
    assert machine.view.to_check == 2
    machine.press("ok", "ok")
    assert isinstance(machine.view, WinnerView)
    assert machine.view.to_check == 1, "the tile is sure now, the photo as dark as before"


def test_what_the_eye_says_is_leafed_through_where_the_table_cannot_be_scored():
    machine = Machine()
    machine.scan(*EXAMPLE[:2], notes=(DARK,), unread=(note(NoteCode.FEW_TILES, n=12),))
    fault, unread, said = machine.leaf()
    assert isinstance(fault, FaultView)
    assert (fault.code, fault.hints.next) == ("city-count", Hint.NEXT)
    assert name_of(unread).startswith("unread")
    assert name_of(said).startswith("note")
    assert {view.hints for view in (fault, unread, said)} == {fault.hints}


def test_what_the_eye_says_is_leafed_through_where_there_is_no_city():
    machine = Machine()
    machine.tell(
        finished(
            next(e for e in machine.press("scan") if isinstance(e, StartScan)).job,
            replace(read(notes=(DARK,)), grids=()),
        )
    )
    fault, said = machine.leaf()
    assert (fault.code, name_of(said)) == ("no-city", "note-1")


def test_without_it_a_fault_is_one_page():
    machine = Machine()
    machine.scan(*EXAMPLE[:2])
    assert [view.hints.next for view in machine.leaf()] == [Hint.NOTHING]

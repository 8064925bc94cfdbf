"""What the eye says of a photo, on the way through a result, or where there is none."""

from dataclasses import replace

from appliance_machine import EXAMPLE, Machine, read

from firmware.appliance.effects import StartScan
from firmware.screens.views import FaultView, Hint, WinnerView
from scoring.faces import Face

MIDDLE = (2, (1, 1))
"""A park in EXAMPLE."""
DARK = "the photo is dark, so that a city may have been missed: use more light"
GLARE = "glare at [0,1], [2,3]: move the lamp or shade the city"


def test_what_the_eye_says_is_leafed_through_with_the_result():
    machine = Machine()
    machine.scan(notes=(DARK,), city_notes={2: (GLARE,)})
    notes = [view for view in machine.leaf() if name_of(view).startswith("note")]
    assert [(view.note, view.cities) for view in notes] == [(DARK, ()), (GLARE, ("C",))]


def test_what_the_eye_says_is_counted_with_what_there_is_to_check():
    machine = Machine()
    machine.scan(notes=(DARK,), unsure={MIDDLE: [Face.PARK]})
    assert machine.view.to_check == 2
    machine.press("ok", "ok")
    assert isinstance(machine.view, WinnerView)
    assert machine.view.to_check == 1, "the tile is sure now, the photo as dark as before"


def test_what_the_eye_says_is_leafed_through_where_the_table_cannot_be_scored():
    machine = Machine()
    machine.scan(*EXAMPLE[:2], notes=(DARK,), unread=("only 12 tiles can be read here",))
    fault, unread, note = machine.leaf()
    assert isinstance(fault, FaultView)
    assert (fault.code, fault.hints.next) == ("city-count", Hint.NEXT)
    assert name_of(unread).startswith("unread")
    assert name_of(note).startswith("note")
    assert {view.hints for view in (fault, unread, note)} == {fault.hints}


def test_what_the_eye_says_is_leafed_through_where_there_is_no_city():
    machine = Machine()
    machine.tell(
        finished(
            next(e for e in machine.press("scan") if isinstance(e, StartScan)).job,
            replace(read(notes=(DARK,)), cities=()),
        )
    )
    fault, note = machine.leaf()
    assert (fault.code, note.note) == ("no-city", DARK)


def test_without_it_a_fault_is_one_page():
    machine = Machine()
    machine.scan(*EXAMPLE[:2])
    assert [view.hints.next for view in machine.leaf()] == [Hint.NOTHING]

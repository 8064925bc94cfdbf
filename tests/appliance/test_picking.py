"""Correcting any tile of the result, and learning from it."""

from firmware.appliance.features.learning_corrections import LearnCorrections, TilesLearned
from firmware.appliance.features.scanning import TakeAndReadPhoto
from firmware.appliance.job_mode import JobFailed
from firmware.appliance.stored_settings import UseSettings
from firmware.screens.question_views import ConfirmView
from firmware.screens.result_views import WinnerView
from firmware.screens.words import Hint, Question
from scoring.faces import Face
from tests.appliance.appliance_machine import (
    CORNER,
    CROP,
    DISK_FULL,
    EXAMPLE,
    UNSURE,
    MachineDriver,
    corrections_of,
    label_text,
    tile_place,
)


class TestAnyTile:
    def test_menu_corrects_a_surely_misread_tile(self, machine):
        place = tile_place(2, (0, 1))
        machine.scan(crops={place: CROP})
        machine.open_menu("correct-tile")
        machine.press("next", "next")
        assert (machine.view.grid, machine.view.pieces) == (2, ())
        machine.press("ok")
        assert machine.view.marked == ((0, 0), (0, 1), (0, 2), (0, 3))
        machine.press("ok", "next")
        assert machine.view.marked == ((0, 1),)
        assert [label_text(label) for label in machine.view.labels] == [
            "City C", "row 1", "column 2", "factory",
        ]  # fmt: skip
        machine.press("ok")
        assert (machine.place, machine.guess) == (place, Face.FACTORY)
        assert machine.view.crop == CROP, "its picture is shown, however sure it is"
        machine.press("next")
        assert machine.guess == Face.SHOP
        machine.press("ok")
        assert corrections_of(machine.saved_result) == ["C:1,2=shop"]
        machine.press("scan", to=WinnerView)

    def test_learning_a_correction_is_asked_once(self, machine):
        machine.scan()
        machine.pick(3, 1, 2)
        machine.press("next", "ok", to=ConfirmView)
        assert machine.view.question is Question.LEARN_TILES
        machine.press("scan", to=WinnerView)
        machine.pick(3, 1, 2)
        machine.press("next", "ok", to=WinnerView)
        assert machine.effects_of(LearnCorrections) == []

    def test_corrected_tile_is_learned_by_a_copy_that_is_then_used(self, machine):
        machine.scan()
        machine.pick(3, 1, 2)
        machine.press("next", "ok", "ok", "ok")
        learn = machine.effect_of(LearnCorrections)
        assert (learn.edition, learn.result) == ("table-1", machine.state.result)
        machine.handle(TilesLearned(learn.job_id))
        assert machine.effect_of(UseSettings).settings.edition == "table-1"
        machine.press("ok", to=WinnerView)

    def test_an_edition_that_cannot_be_stored_says_so(self, machine):
        machine.scan()
        machine.pick(3, 1, 2)
        machine.press("next", "ok", "ok", "ok")
        machine.handle(JobFailed(machine.effect_of(LearnCorrections).job_id, DISK_FULL))
        assert machine.view.code == DISK_FULL.code
        machine.press("ok", to=WinnerView)

    def test_confirmed_tile_teaches_nothing(self, machine):
        machine.scan(unsure=UNSURE)
        machine.press("ok", "ok", "ok", to=WinnerView)

    def test_unsure_tiles_still_wait_after_a_correction(self):
        for button in ("ok", "scan"):
            machine = MachineDriver()
            machine.scan(unsure=UNSURE)
            machine.pick(3, 1, 2)
            machine.press(*[button] * (1 if button == "ok" else 4), to=WinnerView)
            assert machine.view.hints.ok is Hint.CHECK

    def test_eight_presses_lead_to_any_tile_if_buttons_are_held(self, machine):
        machine.scan(*EXAMPLE, EXAMPLE[0])
        machine.hold("scan")
        machine.press("ok")
        for marked in ((6, ()), (6, tuple((3, c) for c in range(4))), (6, ((3, 3),))):
            machine.hold_repeating("next")
            assert (machine.view.grid, machine.view.marked) == marked
            machine.press("ok")
        assert machine.place == tile_place(6, (3, 3))

    def test_scan_leads_back_step_by_step(self, machine):
        machine.scan()
        machine.pick(3, 2, 4)
        marked = []
        while not isinstance(machine.view, WinnerView):
            machine.press("scan")
            marked.append(getattr(machine.view, "marked", None))
        assert marked == [((1, 3),), tuple((1, c) for c in range(4)), (), None]

    def test_last_result_can_be_corrected_after_ready(self):
        for entry, more in (("correct-tile", 3), ("to-check", 0)):
            machine = MachineDriver()
            machine.scan(unsure={CORNER: ()})
            machine.press("ok", "scan", "next", "ok", "ok")
            machine.choose(entry)
            machine.press(*["ok"] * more, "ok", to=WinnerView)
            machine.press("scan")
            assert machine.effect_of(TakeAndReadPhoto).expects_same_table

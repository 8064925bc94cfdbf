"""The questions of the first start."""

from firmware.appliance.features.aiming import AimingPictureTaken, TakeAimingPicture
from firmware.appliance.features.first_start import FIRST_START
from firmware.appliance.job_mode import JobFailed
from firmware.appliance.stored_settings import UseSettings
from firmware.camera.aim_measurement import Advice
from firmware.screens.device_views import AimView, ProblemView, ReadyView
from firmware.screens.question_views import ConfirmView
from firmware.screens.words import Hint, MenuWord, Question, WizardStep
from tests.appliance.appliance_machine import (
    ALL_GAMES,
    CAMERA_MISSING,
    CROP,
    SETTINGS,
    MachineDriver,
    at_menu,
)

FIRST = {"setup_steps": FIRST_START, "must_ask_players": True}
SEEN = AimView(advice=Advice.GOOD, picture=CROP, light=0.5, sharpness=1.0)


class TestFirstStart:
    def test_first_start_asks_all_questions_in_turn(self):
        machine = MachineDriver(settings=SETTINGS, choices=ALL_GAMES, **FIRST)
        assert machine.view.title is MenuWord.LANGUAGE
        machine.choose("de")
        assert machine.effect_of(UseSettings).settings.language == "de"
        machine.choose("Cities")
        machine.choose("level-2", "no-names")
        machine.handle(AimingPictureTaken(machine.effect_of(TakeAimingPicture).job_id, SEEN))
        assert machine.view == SEEN
        machine.press("ok")
        assert machine.view == ConfirmView(question=Question.CALIBRATE)
        machine.press("ok")
        assert machine.view.step is WizardStep.CALIBRATE_PRINT
        machine.press("scan", to=ReadyView)
        chosen = machine.state.settings
        assert (chosen.language, chosen.game, chosen.level) == ("de", "cities", 2)

    def test_each_question_can_be_skipped_and_all_of_them_at_once(self):
        machine = MachineDriver(settings=SETTINGS, choices=ALL_GAMES, **FIRST)
        hints = []
        while not isinstance(machine.view, ReadyView):
            hints.append(machine.view.hints.scan)
            if machine.view.hints.next is Hint.CANCEL:
                machine.press("next")
            else:
                machine.press("scan" if hints[-1] in (Hint.SKIP, Hint.NO) else "ok")
            assert len(hints) < 10
        assert hints == [Hint.SKIP] * 3 + [Hint.ADD_NAME, Hint.NOTHING, Hint.NO]
        assert machine.state.settings == SETTINGS
        machine = MachineDriver(**FIRST)
        machine.hold("scan")
        assert machine.view.title is MenuWord.MENU
        machine.press("scan", to=ReadyView)
        assert machine.view.asks

    def test_setup_can_be_started_again_from_the_menu(self):
        machine = at_menu("settings", "set-up")
        assert machine.view.title is MenuWord.LANGUAGE
        machine.press("scan")
        assert machine.view.title is MenuWord.VARIANT, "there is one game alone"
        machine = at_menu("settings", "set-up")
        machine.press("scan", "scan", "ok")
        machine.handle(JobFailed(machine.job_id, CAMERA_MISSING))
        assert machine.view.code == "camera-missing"
        machine.press("ok", to=ConfirmView)
        machine.press("scan", to=ProblemView)

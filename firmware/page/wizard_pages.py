"""Pages of the wizards for calibrating and teaching.

The wizards are those of the scanner: each step is shown on the display and on the page, and can be
done on either. Photos are taken by the camera or uploaded.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Final

from starlette.responses import Response

from firmware.appliance.base import Command
from firmware.appliance.choices import GameChoice
from firmware.appliance.features.calibrating import CalibratingMode, SheetPrinted
from firmware.appliance.features.grouping import GroupingMode, NameGroups
from firmware.appliance.features.teaching import (
    CORNERS,
    ChooseCorner,
    EditionWizardMode,
    LearnAnyway,
    StartTeaching,
    TeachingMode,
    TeachStep,
)
from firmware.appliance.state import State
from firmware.appliance.wizard import (
    FinishWizard,
    LeaveWizard,
    StartWizard,
    TakeWizardPhoto,
    WizardCommand,
    WizardMode,
)
from firmware.base.language import N_, _
from firmware.base.user_data import calibration_path
from firmware.games.player_words import COLOUR_WORDS
from firmware.games.registry import game_or_unscored
from firmware.page import pictures
from firmware.page.context import PageContext
from firmware.page.edition_pages import edition_key
from firmware.page.page_request import PageRequest, RequestRefused
from firmware.page.result_overview import sign_of
from firmware.screens.device_views import CalibratedView
from firmware.teaching.user_editions import (
    check_edition_name,
    load_edition,
    stored_names,
)
from firmware.wording.problem_text import translate
from vision.editions.edition import STANDARD_EDITION
from vision.editions.folder import built_in_description, built_in_games
from vision.errors import VisionError
from vision.teaching.layout import Layout

GOOD_ERROR_PX: Final = 0.3
GOOD_COVERAGE: Final = 0.4
"""Limits of a good calibration, see docs/calibration.md: largest error, smallest coverage."""
GROUPS: Final = "groups"
"""Way to teach by a finished table; the other ways are arrangements of a game."""


class WizardPages:
    """Pages of the wizards.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context

    @property
    def _state(self) -> State:
        return self._context.channel.state

    # Calibrating

    def calibrate(self, request: PageRequest) -> Response:
        """Show the step of the wizard, or how good the calibration is."""
        mode, found, damaged = self._state.mode, None, ""
        wizard = mode if isinstance(mode, CalibratingMode) else None
        if wizard is not None:
            found = wizard.quality
        elif calibration_path().exists():
            from vision.calibration import load_calibration

            try:
                found = CalibratedView.of(load_calibration(calibration_path()))
            except VisionError as error:
                damaged = translate(error)
        steps = () if wizard is None else wizard.steps
        return self._context.render(
            request,
            "calibrate",
            wizard=wizard,
            problem=_problem(wizard),
            steps=steps,
            prints=wizard is not None and wizard.is_printing_step,
            found=found,
            good=found and (found.error_px < GOOD_ERROR_PX, found.coverage > GOOD_COVERAGE),
            damaged=damaged,
            calibrated=self._state.calibrated,
        )

    def change_calibration(self, request: PageRequest) -> Response:
        """Begin, take a photo, keep what was found, or leave."""
        commands: dict[str, Command] = {
            "begin": StartWizard(CalibratingMode(table_only=False)),
            "printed": SheetPrinted(calibrates=True),
            "photo": TakeWizardPhoto(calibrates=True),
            "keep": FinishWizard(calibrates=True),
            "leave": LeaveWizard(calibrates=True),
        }
        if self._state.calibrated:
            commands["table"] = StartWizard(CalibratingMode(table_only=True))
        self._submit(_choose_command(commands, request.form.get("do", "")))
        return self._context.redirect("/calibrate")

    def sheet_to_print(self, request: PageRequest) -> Response:
        """Return the calibration sheet as PDF."""
        from firmware.games.printed_sheets import sheet_document
        from firmware.printing.pdf_pages import Paper

        paper = Paper.LETTER if request.query_value("paper") == Paper.LETTER.value else Paper.A4
        data = sheet_document("calibration", paper).pdf()
        return self._context.file_response(data, "application/pdf", f"stadtblick-{paper.value}.pdf")

    def take_over_photo(self, request: PageRequest) -> Response:
        """Take over a photo for the step of a wizard."""
        path = request.http.url.path.removesuffix("/photo")
        calibrates = path == "/calibrate"
        self._context.submit(
            TakeWizardPhoto(self._context.decode_upload(request.body), calibrates=calibrates)
        )
        return self._context.redirect(path)

    # Teaching

    def teach(self, request: PageRequest) -> Response:
        """Show the step of the wizard; or what can be taught, and the edition that is in use."""
        state, mode = self._state, self._state.mode
        wizard = mode if isinstance(mode, TeachingMode | GroupingMode) else None
        game = state.settings.game
        edition = state.settings.edition if wizard is None else wizard.edition
        return self._context.render(
            request,
            "teach",
            wizard=wizard,
            layout=wizard if isinstance(wizard, TeachingMode) else None,
            groups=wizard if isinstance(wizard, GroupingMode) else None,
            problem=_problem(wizard),
            corners=CORNERS,
            asks_corner=isinstance(wizard, TeachingMode) and wizard.step is TeachStep.CORNER,
            rows=_rows(wizard, game),
            faces=[
                (each, game_or_unscored(game).full_name(each), sign_of(each))
                for each in _faces(wizard)
            ],
            ways=[
                (f"{each.name} {way}", f"{_(each.title)}: {text}")
                for each in state.choices.games
                for way, text in _ways_to_teach(each)
            ],
            chosen=f"{game} {_ways_to_teach(state.game_choice)[0][0]}",
            edition=edition,
            own=edition in stored_names(),
            stamp=edition_key(edition),
            known=stored_names(),
            suggested=state.choices.next_edition_name if edition == STANDARD_EDITION else edition,
        )

    def change_teaching(self, request: PageRequest) -> Response:
        """Start teaching, take a photo, name a group or corner, use the edition, or leave."""
        form, mode = request.form, self._state.mode
        if form.get("do") == "begin":
            return self._begin(request)
        commands: dict[str, Command] = {
            "photo": TakeWizardPhoto(),
            "use": FinishWizard(),
            "leave": LeaveWizard(),
            "sure": LearnAnyway(),
            **{corner.code: ChooseCorner(corner) for corner in CORNERS},
        }
        if isinstance(mode, GroupingMode):
            names = tuple(form.get(f"group{n}") or None for n in range(len(mode.pictures)))
            found_by = mode.found_by if form.get("found") == str(mode.found_by) else -1
            commands["name"] = NameGroups(found_by, names)
            if form.get("do") == "name" and not any(names):
                message = _("No group has a name: nothing is learned.")
                raise RequestRefused(HTTPStatus.BAD_REQUEST, message)
        self._submit(_choose_command(commands, form.get("do", "")))
        return self._context.redirect("/teach")

    def _begin(self, request: PageRequest) -> Response:
        game, _blank, arrangement = request.form.get("way", "").partition(" ")
        name, is_anew = request.form.get("name", "").strip(), "anew" in request.form
        choice = self._state.choices.game(game)
        if choice is None or arrangement not in dict(_ways_to_teach(choice)):
            raise RequestRefused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
        check_edition_name(name)
        is_known = name in stored_names()
        if is_known or game not in built_in_games():
            load_edition(name, game, name)  # refuses one of another game, and one that is not there
        add = is_known and not (is_anew and game in built_in_games())
        mode: EditionWizardMode
        if arrangement == GROUPS:
            mode = GroupingMode(name, add)
        else:
            checked = choice.taught_on_device  # its order, by the eye
            step = TeachStep.PHOTO
            mode = TeachingMode(name, add, step=step, arrangement="" if checked else arrangement)
        self._submit(StartTeaching(mode, game))
        return self._context.redirect("/teach")

    def _submit(self, command: Command) -> None:
        self._context.submit_once(command, partial(_is_done, command))

    def group_picture(self, request: PageRequest) -> Response:
        """Return the image of some tiles of a group."""
        mode, index = self._state.mode, int(request.path_value("index"))
        strips = mode.strips if isinstance(mode, GroupingMode) else ()
        return self._context.file_response(
            pictures.encode_jpeg(strips[index]) if index < len(strips) else None
        )


def _is_done(command: Command, state: State) -> bool:
    """Return whether a wizard is started, works, or has ended, as after the first of two taps."""
    mode = state.mode
    if isinstance(command, StartWizard):
        return mode == command.mode
    if not isinstance(mode, WizardMode):
        return isinstance(command, FinishWizard | LeaveWizard)
    is_meant = isinstance(command, WizardCommand) and command.calibrates == mode.calibrates
    return is_meant and mode.job_id is not None


def _choose_command(commands: dict[str, Command], do: str) -> Command:
    command = commands.get(do)
    if command is None:
        raise RequestRefused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
    return command


def _problem(wizard: WizardMode | None) -> str:
    problem = None if wizard is None else wizard.problem
    return "" if problem is None else translate(problem.message)


def _faces(wizard: WizardMode | None) -> Sequence[str]:
    return wizard.faces if isinstance(wizard, GroupingMode) else ()


def _arrangements(game: str) -> Mapping[str, Layout]:
    if game not in built_in_games():
        return {}
    return game_or_unscored(game).arrangements(built_in_description(game))


def _ways_to_teach(game: GameChoice) -> list[tuple[str, str]]:
    """Return the ways to teach a game by photos: identifier and words of each."""
    laid = _arrangements(game.name)
    described = [
        (name, _("tiles laid out: {faces}").format(faces=_laid_words(name))) for name in laid
    ]
    if game.taught_on_device or not laid:
        described.insert(0, (GROUPS, _("finished game")))
    return described


_LAID: Final = {
    "faces": N_("one of each kind, 3 x 3"),
    "tiles": N_("all tiles"),
    "values": N_("the values"),
    "sights": N_("turned over"),
}
"""Words for the parts of the names of arrangements."""


def _laid_words(name: str) -> str:
    return ", ".join(
        _(_LAID[part]) if part in _LAID else str(COLOUR_WORDS.get(part, part))
        for part in name.split("-")
    )


def _rows(wizard: WizardMode | None, game: str) -> list[list[str]]:
    """Return the names of the tiles in the arrangement to teach, row by row."""
    if not isinstance(wizard, TeachingMode):
        return []
    called, laid = game_or_unscored(game), _arrangements(game)
    layout = laid.get(wizard.arrangement) or next(iter(laid.values()), ())
    return [["" if face is None else called.full_name(face) for face in row] for row in layout]

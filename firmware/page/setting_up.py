"""Calibrating and teaching on the page, step by step, and the editions.

The wizards are those of the scanner: what is done here shows on its display, and the other way
round. Photos are taken by its camera or given to the page.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final
from zlib import crc32

from starlette.responses import Response

from firmware.appliance.base import Command, is_interruptible
from firmware.appliance.choices import GameChoice
from firmware.appliance.features.calibrating import CalibratingMode
from firmware.appliance.features.game_choice import ChooseGame, DropEdition
from firmware.appliance.features.grouping import GroupingMode, NameGroups
from firmware.appliance.features.teaching import (
    CORNERS,
    ChooseCorner,
    EditionWizard,
    LearnAnyway,
    StartTeaching,
    TeachingMode,
    TeachStep,
)
from firmware.appliance.state import State
from firmware.appliance.stored_settings import ChangeSettings
from firmware.appliance.wizard import (
    FinishWizard,
    LeaveWizard,
    StartWizard,
    TakeWizardPhoto,
    WizardMode,
)
from firmware.base.errors import FirmwareError, translate
from firmware.base.language import N_, _
from firmware.base.user_data import calibration_path
from firmware.games.players import COLOUR_WORDS
from firmware.games.registry import game_called
from firmware.page import pictures
from firmware.page.call import Call, Refused
from firmware.page.site import Site
from firmware.screens.views import CalibratedView
from firmware.screens.words import WizardStep
from firmware.settings.model import STANDARD_EDITION
from firmware.teaching.user_editions import (
    SHEET_FILE,
    check_name,
    edition_game,
    edition_stamp,
    editions_folder,
    has_previous_version,
    load_edition,
    remove_edition,
    stored_names,
    undo_edition,
)
from vision.editions.folder import built_in_description, built_in_games
from vision.errors import VisionError
from vision.photo.regular_file import read_start
from vision.teaching.layout import Layout

GOOD_ERROR_PX: Final = 0.3
GOOD_COVERAGE: Final = 0.4
"""From which on a calibration is good: docs/calibration.md."""
MOST_SHEET_BYTES: Final = 64 * 1024 * 1024
GROUPS: Final = "groups"
"""Tiles of a finished table; the other ways to teach are arrangements of a game."""


class SettingUp:
    """Answers what is asked about the wizards and the editions.

    Args:
        site: the page.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    @property
    def _state(self) -> State:
        return self._site.link.state

    # Calibrating

    def calibrate(self, call: Call) -> Response:
        """The step that the wizard has come to, or how good the calibration is."""
        mode, found, damaged = self._state.mode, None, ""
        guide = mode if isinstance(mode, CalibratingMode) else None
        if guide is not None:
            found = guide.found
        elif calibration_path().exists():
            from vision.calibration import load_calibration

            try:
                found = CalibratedView.of(load_calibration(calibration_path()))
            except VisionError as error:
                damaged = translate(error)
        steps = () if guide is None else guide.steps
        return self._site.page(
            call,
            "calibrate",
            guide=guide,
            problem=_problem(guide),
            steps=steps,
            prints=guide is not None and steps[guide.step] is WizardStep.CALIBRATE_PRINT,
            found=found,
            good=found and (found.error_px < GOOD_ERROR_PX, found.coverage > GOOD_COVERAGE),
            damaged=damaged,
            calibrated=self._state.calibrated,
        )

    def calibrate_on(self, call: Call) -> Response:
        """Begin, take a photo, keep what was found, or leave."""
        done: dict[str, Command] = {
            "begin": StartWizard(CalibratingMode(table_only=False)),
            "photo": TakeWizardPhoto(calibrates=True),
            "keep": FinishWizard(calibrates=True),
            "leave": LeaveWizard(calibrates=True),
        }
        if self._state.calibrated:
            done["table"] = StartWizard(CalibratingMode(table_only=True))
        self._site.wish(_chosen(done, call.form.get("do", "")))
        return self._site.to("/calibrate")

    def sheet_to_print(self, call: Call) -> Response:
        """The calibration sheet as PDF."""
        from firmware.games.printed_sheets import sheet_document
        from firmware.printing.page import Paper

        paper = Paper.LETTER if call.asked("paper") == Paper.LETTER.value else Paper.A4
        data = sheet_document("calibration", paper).pdf()
        return self._site.file(data, "application/pdf", f"stadtblick-{paper.value}.pdf")

    def photo_given(self, call: Call) -> Response:
        """A photo for the step that a wizard has come to."""
        path = call.request.url.path.removesuffix("/photo")
        calibrates = path == "/calibrate"
        self._site.wish(TakeWizardPhoto(self._site.photo(call.body), calibrates=calibrates))
        return self._site.to(path)

    # Teaching

    def teach(self, call: Call) -> Response:
        """The step that the wizard has come to; or what can be taught, and what was last."""
        state, mode = self._state, self._state.mode
        guide = mode if isinstance(mode, TeachingMode | GroupingMode) else None
        game = state.settings.game
        edition = state.settings.edition if guide is None else guide.edition
        return self._site.page(
            call,
            "teach",
            guide=guide,
            problem=_problem(guide),
            corners=CORNERS,
            asks_corner=isinstance(guide, TeachingMode) and guide.step is TeachStep.CORNER,
            rows=_rows(guide, game),
            faces=[(each, game_called(game).full_name(each)) for each in _faces(guide)],
            ways=[
                (f"{each.name} {way}", f"{_(each.title)}: {said}")
                for each in state.choices.games
                for way, said in _ways(each)
            ],
            chosen=f"{game} {_ways(state.game)[0][0]}",
            edition=edition,
            own=edition in stored_names(),
            stamp=_stamp(edition),
            known=stored_names(),
            suggested=state.choices.next_edition if edition == STANDARD_EDITION else edition,
        )

    def teach_on(self, call: Call) -> Response:
        """Begin, take a photo, say what a group or a corner is, use what was taught, or leave."""
        form, mode = call.form, self._state.mode
        if form.get("do") == "begin":
            return self._begin(call)
        done: dict[str, Command] = {
            "photo": TakeWizardPhoto(),
            "use": FinishWizard(),
            "leave": LeaveWizard(),
            "sure": LearnAnyway(),
            **{corner.code: ChooseCorner(corner) for corner in CORNERS},
        }
        if isinstance(mode, GroupingMode):
            names = tuple(form.get(f"group{n}") or None for n in range(len(mode.pictures)))
            found_by = mode.found_by if form.get("found") == str(mode.found_by) else -1
            done["name"] = NameGroups(found_by, names)
            if form.get("do") == "name" and not any(names):
                said = _("No group has a name: nothing is learned.")
                raise Refused(HTTPStatus.BAD_REQUEST, said)
        self._site.wish(_chosen(done, form.get("do", "")))
        return self._site.to("/teach")

    def _begin(self, call: Call) -> Response:
        game, _blank, faces = call.form.get("way", "").partition(" ")
        name, is_anew = call.form.get("name", "").strip(), "anew" in call.form
        choice = self._state.choices.game(game)
        if choice is None or faces not in dict(_ways(choice)):
            raise Refused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
        check_name(name)
        is_known = name in stored_names()
        if is_known or game not in built_in_games():
            load_edition(name, game, name)  # refuses one of another game, and one that is not there
        add = is_known and not (is_anew and game in built_in_games())
        mode: EditionWizard
        if faces == GROUPS:
            mode = GroupingMode(name, add)
        else:
            checked = choice.teachable  # its order, by the eye
            step = TeachStep.PHOTO
            mode = TeachingMode(name, add, step=step, faces="" if checked else faces)
        self._site.wish(StartTeaching(mode, game))
        return self._site.to("/teach")

    def group_picture(self, call: Call) -> Response:
        """Some tiles of a group."""
        mode, index = self._state.mode, int(call.path("index"))
        strips = mode.strips if isinstance(mode, GroupingMode) else ()
        return self._site.file(pictures.jpeg(strips[index]) if index < len(strips) else None)

    # Editions

    def editions(self, call: Call) -> Response:
        """All that were taught, each with its game."""
        told = []
        for name in stored_names():
            try:
                said = _(game_called(edition_game(name, name)).title)
            except (FirmwareError, VisionError) as error:
                said = translate(error)
            told.append((name, said))
        in_use = self._state.settings.edition
        return self._site.page(call, "editions", editions=told, in_use=in_use, edition=None)

    def edition(self, call: Call) -> Response:
        """One with its contact sheet, and what can be done with it."""
        name = _stored(call)
        settings = self._state.settings
        return self._site.page(
            call,
            "editions",
            edition=name,
            in_use=settings.edition,
            undoes=has_previous_version(name),
            stamp=_stamp(name),
        )

    def contact_sheet(self, call: Call) -> Response:
        """The picture of all its faces."""
        path = editions_folder() / _stored(call) / SHEET_FILE
        try:
            data = read_start(path, MOST_SHEET_BYTES)
        except (OSError, ValueError):
            data = None
        return self._site.file(data, "image/png")

    def change_edition(self, call: Call) -> Response:
        """Use it, take its last lesson back, or remove it."""
        name, do = _stored(call), call.form.get("do")
        if do == "use":
            game = edition_game(name, name)
            if self._state.choices.game(game) is None:
                raise Refused(HTTPStatus.CONFLICT, _("That cannot be chosen."))
            if self._state.settings.game != game:
                self._site.wish(ChooseGame(game))
            self._site.wish(ChangeSettings((("edition", name),)))
            return self._site.to("/editions")
        if not is_interruptible(self._state):
            raise self._site.busy()
        if do == "undo":
            undo_edition(name)
            return self._site.to(f"/editions/{name}")
        if do != "remove":
            raise Refused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
        remove_edition(name)
        self._site.wish(DropEdition(name))
        return self._site.to("/editions")


def _stamp(edition: str) -> int:
    """Another number whenever its files are others."""
    return crc32(repr(edition_stamp(edition)).encode())


def _stored(call: Call) -> str:
    """The edition that an address means."""
    name = call.path("name")
    if name not in stored_names():
        raise Refused(HTTPStatus.NOT_FOUND, _("There is no such edition."))
    return name


def _chosen(done: dict[str, Command], do: str) -> Command:
    wish = done.get(do)
    if wish is None:
        raise Refused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
    return wish


def _problem(guide: WizardMode | None) -> str:
    problem = None if guide is None else guide.problem
    return "" if problem is None else translate(problem.message)


def _faces(guide: WizardMode | None) -> Sequence[str]:
    return guide.faces if isinstance(guide, GroupingMode) else ()


def _arrangements(game: str) -> Mapping[str, Layout]:
    if game not in built_in_games():
        return {}
    return game_called(game).arrangements(built_in_description(game))


def _ways(game: GameChoice) -> list[tuple[str, str]]:
    """How a game can be taught by photos: an identifier and words for each way."""
    laid = _arrangements(game.name)
    said = [(name, _("tiles laid out: {faces}").format(faces=_laid_words(name))) for name in laid]
    if game.teachable or not laid:
        said.insert(0, (GROUPS, _("any finished game")))
    return said


_LAID: Final = {
    "faces": N_("one of each kind, 3 x 3"),
    "tiles": N_("all tiles"),
    "values": N_("the values"),
    "sights": N_("turned over"),
}
"""Parts of the names of arrangements."""


def _laid_words(name: str) -> str:
    return ", ".join(
        _(_LAID[part]) if part in _LAID else str(COLOUR_WORDS.get(part, part))
        for part in name.split("-")
    )


def _rows(guide: WizardMode | None, game: str) -> list[list[str]]:
    """What lies where in the arrangement that is taught, in words."""
    if not isinstance(guide, TeachingMode):
        return []
    called, laid = game_called(game), _arrangements(game)
    layout = laid.get(guide.faces) or next(iter(laid.values()), ())
    return [["" if face is None else called.full_name(face) for face in row] for row in layout]

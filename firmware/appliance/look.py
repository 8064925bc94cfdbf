"""What the display says in each mode."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from firmware.appliance import calibrating, spelling
from firmware.appliance.events import CalibrationFinished
from firmware.appliance.faults import Fault
from firmware.appliance.menu_items import game_title, items, title
from firmware.appliance.modes import (
    Asking,
    Calibrating,
    Checking,
    Failed,
    InMenu,
    Ready,
    Scanning,
    SharingOut,
    Starting,
    SwitchingOff,
    Teaching,
    TeachStep,
    Telling,
    Viewing,
    Writing,
)
from firmware.appliance.pages import fault_pages, result_pages
from firmware.appliance.result import offered
from firmware.appliance.state import State
from firmware.appliance.teaching import CORNERS
from firmware.errors import translated
from firmware.screens import remark_views, table_map_of
from firmware.screens.views import (
    Alert,
    CalibratedView,
    ConfirmView,
    DoubtView,
    FaultView,
    Hint,
    Hints,
    HoldStillView,
    MenuEntry,
    MenuView,
    MenuWord,
    NameView,
    Notice,
    NoticeView,
    OwnersQuestionView,
    ReadyView,
    Seat,
    Stage,
    StageView,
    StartingView,
    View,
    WizardStep,
    WizardView,
)
from firmware.settings import seat_names
from firmware.settings.model import STANDARD_EDITION
from scoring.faces import city_name


def view_of(state: State) -> View:
    """What the display has to show."""
    return _LOOKS[type(state.mode)](state, state.mode)


def alerts(state: State) -> tuple[Alert, ...]:
    """What a person should know, what weighs most first."""
    fault = None if state.result is None else state.result.save_fault
    known = (
        (Alert.SAFE_MODE, state.safe_mode),
        (_save_alert(fault), fault is not None),
        (Alert.NOT_SAVED, state.settings_unsaved),
        (Alert.CAMERA, state.camera.fault is not None),
        (Alert.SETTINGS_RESET, state.settings_reset),
        (Alert.UNDER_VOLTAGE, state.health.under_voltage),
        (Alert.TOO_HOT, state.health.too_hot),
        (Alert.THROTTLED, state.health.throttled),
        (Alert.CLOCK_UNKNOWN, not state.clock_known),
    )
    return tuple(dict.fromkeys(alert for alert, holds in known if holds))


def _save_alert(fault: Fault | None) -> Alert:
    codes = {
        "not-saved-disk-full": Alert.STORAGE_FULL,
        "not-saved-read-only": Alert.READ_ONLY,
    }
    return codes.get(fault.code, Alert.NOT_SAVED) if fault else Alert.NOT_SAVED


def _starting(_state: State, _mode: Starting) -> View:
    return StartingView()


def _ready(state: State, mode: Ready) -> View:
    if state.camera.fault is not None:
        hints = Hints(Hint.RETRY, Hint.MORE, Hint.MENU)
        return _fault(state.camera.fault, mode.page, hints, retrying=True)
    settings, game = state.settings, state.choices.game(state.settings.game)
    last = Hint.LAST if state.result is not None else Hint.NOTHING
    return ReadyView(
        game=game_title(state, settings.game),
        variant=settings.variant if game is not None and len(game.variants) > 1 else None,
        level=settings.level if game is not None and len(game.levels) > 1 else None,
        edition=None if settings.edition == STANDARD_EDITION else settings.edition,
        alerts=alerts(state),
        hints=Hints(Hint.SCAN, last, Hint.MENU),
    )


def _scanning(state: State, mode: Scanning) -> View:
    return _busy(mode.stage, again=state.same_table)


def _viewing(state: State, mode: Viewing) -> View:
    result = state.result
    if result is None:
        return _ready(state, Ready())
    if isinstance(result.outcome, Fault):
        asks = result.questions > 0 and not result.looked
        hints = Hints(Hint.RETRY, Hint.MORE, Hint.CHECK if asks else Hint.BACK)
        pages_of_fault = fault_pages(
            _fault(result.outcome, 0, hints),
            remark_views(result.checked),
            to_check=result.questions,
        )
        return pages_of_fault[mode.page % len(pages_of_fault)]
    pages = result_pages(result, alerts(state))
    return pages[mode.page % len(pages)]


def _checking(state: State, mode: Checking) -> View:
    result, place = state.result, mode.places[mode.index]
    if result is None:
        return _ready(state, Ready())
    answers, scan = offered(result, place), result.checked
    option = mode.option % len(answers)
    return DoubtView(
        number=mode.index + 1,
        count=len(mode.places),
        place=place,
        lettered=scan.naming.lettered,
        size=scan.reading.grids[place.grid].size,
        guess=answers[option],
        game=result.game,
        option=option + 1,
        options=len(answers),
        crop=result.crops.get(place),
        table=table_map_of(scan.reading),
    )


def _sharing(state: State, mode: SharingOut) -> View:
    result = state.result
    choices = () if result is None else result.owner_choices
    if result is None or not choices:
        return _ready(state, Ready())
    owners = choices[mode.option]
    count = max(owners) + 1
    names = seat_names(state.settings.players, count) or ("",) * count
    shares = tuple(
        (
            tuple(city_name(city) for city, owner in enumerate(owners) if owner == player),
            Seat(player + 1, name),
        )
        for player, name in enumerate(names)
    )
    return OwnersQuestionView(
        owners=shares,
        table=table_map_of(result.read),
        option=mode.option + 1,
        options=len(choices),
    )


def _menu(state: State, mode: InMenu) -> View:
    entries = tuple(item.entry for item in items(state, mode))
    return _list(title(mode), entries, mode.levels[-1].selected, Hint.BACK)


def _writing(_state: State, mode: Writing) -> View:
    if mode.problem is not None:
        return _fault(mode.problem, mode.page, Hints(Hint.BACK, Hint.MORE, Hint.OK))
    if mode.group is not None:
        return NameView(
            seat=None if mode.seat is None else mode.seat + 1,
            name=mode.text,
            letters=spelling.letters(mode),
            offered=mode.selected,
            hints=Hints(Hint.BACK, Hint.NEXT, Hint.TAKE),
        )
    entries = tuple(MenuEntry(label=key) for key in spelling.group_keys(mode))
    return _list(f"{mode.text}_", entries, mode.selected, Hint.DONE)


def _asking(_state: State, mode: Asking) -> View:
    return ConfirmView(question=mode.question)


def _telling(_state: State, mode: Telling) -> View:
    told = mode.notice
    if isinstance(told, CalibrationFinished):
        return CalibratedView(
            error_px=told.error_px,
            coverage=told.coverage,
            height_mm=told.height_mm,
            photos=told.photos,
        )
    return NoticeView(notice=told)


def _failed(_state: State, mode: Failed) -> View:
    hints = Hints(Hint.RETRY if mode.scans else Hint.NOTHING, Hint.MORE, Hint.BACK)
    fault = _fault(mode.fault, mode.page, hints, retrying=mode.fault.of_camera)
    pages = fault_pages(fault, mode.remarks)
    return pages[mode.page % len(pages)]


def _switching_off(_state: State, _mode: SwitchingOff) -> View:
    return NoticeView(notice=Notice.SHUTTING_DOWN, hints=Hints())


def _busy(stage: Stage, *, again: bool = False) -> View:
    """A job is going on; ``again``: it scans the same table once more."""
    if stage is Stage.CAPTURE:
        return HoldStillView(again=again, hints=Hints(ok=Hint.CANCEL))
    return StageView(stage=stage)


def _list(
    heading: MenuWord | str, entries: tuple[MenuEntry, ...], selected: int, scan: Hint
) -> MenuView:
    """A list to choose from; ``scan`` is what SCAN does."""
    return MenuView(
        title=heading,
        entries=entries,
        selected=min(selected, len(entries) - 1),
        hints=Hints(scan, Hint.NEXT if len(entries) > 1 else Hint.NOTHING, Hint.CHOOSE),
    )


def _calibrating(_state: State, mode: Calibrating) -> View:
    """A step of the wizard for lens and table."""
    if mode.job is not None:
        return _busy(mode.stage)
    steps = calibrating.steps(mode)
    step = steps[mode.step]
    reads = step is WizardStep.CALIBRATE_PRINT
    view = WizardView(
        step=step,
        number=mode.step + 1,
        of=len(steps),
        worked=mode.worked is True,
        page=mode.page,
        hints=Hints(Hint.OK if reads else Hint.PHOTO, Hint.MORE, Hint.CANCEL),
    )
    return _with_problem(view, mode.problem)


def _teaching(state: State, mode: Teaching) -> View:
    """A step of the wizard for the look of an own copy."""
    if mode.job is not None:
        return _busy(mode.stage)
    if mode.step is TeachStep.CORNER:
        corners = tuple(MenuEntry(label=MenuWord(corner.value)) for corner in CORNERS)
        selected = CORNERS.index(mode.corner or CORNERS[0])
        return _list(MenuWord.SHOP_CORNER, corners, selected, Hint.BACK)
    step, scan_hint, ok_hint = _TEACH_STEPS[mode.step]
    view = WizardView(
        step=step,
        number=list(_TEACH_STEPS).index(mode.step) + 1,
        of=len(_TEACH_STEPS),
        game=state.settings.game,
        worked=mode.learned and mode.problem is None,
        page=mode.page,
        hints=Hints(scan_hint, Hint.MORE, ok_hint),
    )
    return _with_problem(view, mode.problem)


_TEACH_STEPS: Final = {
    TeachStep.LAY: (WizardStep.TEACH_LAY, Hint.OK, Hint.CANCEL),
    TeachStep.PHOTO: (WizardStep.TEACH_PHOTO, Hint.PHOTO, Hint.CANCEL),
    TeachStep.MORE: (WizardStep.TEACH_TURN, Hint.PHOTO, Hint.DONE),
}


def _with_problem(view: WizardView, problem: Fault | None) -> WizardView:
    if problem is None:
        return view
    return replace(view, problem=problem.code, detail=translated(problem.message))


def _fault(fault: Fault, page: int, hints: Hints, *, retrying: bool = False) -> FaultView:
    return FaultView(
        code=fault.code, detail=translated(fault.message), retrying=retrying, page=page, hints=hints
    )


_LOOKS: Final[Mapping[type, Callable[[State, Any], View]]] = {
    Starting: _starting,
    Ready: _ready,
    Scanning: _scanning,
    Viewing: _viewing,
    Checking: _checking,
    SharingOut: _sharing,
    InMenu: _menu,
    Writing: _writing,
    Calibrating: _calibrating,
    Teaching: _teaching,
    Asking: _asking,
    Telling: _telling,
    Failed: _failed,
    SwitchingOff: _switching_off,
}

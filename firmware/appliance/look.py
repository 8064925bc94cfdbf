"""What the display says in each mode."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from firmware.appliance import spelling
from firmware.appliance.board_result import BoardResult, board_options
from firmware.appliance.events import CalibrationFinished
from firmware.appliance.faults import Fault
from firmware.appliance.look_setup import busy_view, calibrating_view, list_of, teaching_view
from firmware.appliance.menu_items import items, title
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
    Telling,
    Viewing,
    Writing,
)
from firmware.appliance.pages import fault_pages, remarks_of, result_pages
from firmware.appliance.result import OWNER_OPTIONS, Result, options
from firmware.appliance.state import State
from firmware.board_games.spots import Spot
from firmware.screens import table_map_of
from firmware.screens.board_result import board_map_of
from firmware.screens.views import (
    Alert,
    CalibratedView,
    ConfirmView,
    FaultView,
    Hint,
    Hints,
    MenuEntry,
    NameView,
    Notice,
    NoticeView,
    OwnersQuestionView,
    ReadyView,
    Seat,
    StartingView,
    UnsureSpotView,
    UnsureView,
    View,
)
from firmware.settings import seat_names
from firmware.settings.model import STANDARD_EDITION
from scoring.faces import city_name
from scoring.games.between_two_cities.table import Variant


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
    settings = state.settings
    games = [game for game in state.choices.games if game.name == settings.game]
    has_levels = bool(games) and len(games[0].levels) > 1
    has_variants = bool(games) and len(games[0].variants) > 1
    last = Hint.LAST if state.result is not None else Hint.NOTHING
    return ReadyView(
        game=settings.game,
        variant=Variant(settings.variant) if has_variants else None,
        level=settings.level if has_levels else None,
        edition=None if settings.edition == STANDARD_EDITION else settings.edition,
        alerts=alerts(state),
        hints=Hints(Hint.SCAN, last, Hint.MENU),
    )


def _scanning(state: State, mode: Scanning) -> View:
    return busy_view(mode.stage, again=state.same_table)


def _viewing(state: State, mode: Viewing) -> View:
    result = state.result
    if result is None:
        return _ready(state, Ready())
    if isinstance(result.outcome, Fault):
        asks = result.questions > 0 and not result.looked
        hints = Hints(Hint.RETRY, Hint.MORE, Hint.CHECK if asks else Hint.BACK)
        pages_of_fault = fault_pages(
            _fault(result.outcome, 0, hints),
            remarks_of(result),
            state.settings.language,
            to_check=result.questions,
        )
        return pages_of_fault[mode.page % len(pages_of_fault)]
    pages = result_pages(result, alerts(state))
    return pages[mode.page % len(pages)]


def _checking(state: State, mode: Checking) -> View:
    result, place = state.result, mode.places[mode.index]
    if isinstance(result, BoardResult) and isinstance(place, Spot):
        return _checking_spot(result, mode, place)
    if not isinstance(result, Result) or isinstance(place, Spot):
        return _ready(state, Ready())
    index, cell = place
    offered = options(result, place)
    grid = result.read.cities[index].grid
    return UnsureView(
        number=mode.index + 1,
        count=len(mode.places),
        city=index,
        cell=cell,
        guess=offered[mode.option % len(offered)],
        crop=result.crops.get(place),
        table=table_map_of(result.read),
        option=mode.option % len(offered) + 1,
        options=len(offered),
        rows_cols=(len(grid), len(grid[0])),
    )


def _checking_spot(result: BoardResult, mode: Checking, spot: Spot) -> View:
    offered = board_options(result, spot)
    return UnsureSpotView(
        number=mode.index + 1,
        count=len(mode.places),
        spot=spot,
        lettered=result.checked.naming.lettered,
        guess=offered[mode.option % len(offered)],
        option=mode.option % len(offered) + 1,
        options=len(offered),
        crop=result.crops.get(spot),
        table=board_map_of(result.checked),
    )


def _sharing(state: State, mode: SharingOut) -> View:
    result = state.result
    if not isinstance(result, Result):
        return _ready(state, Ready())
    owners = OWNER_OPTIONS[mode.option]
    names = seat_names(state.settings.players, 2) or ("", "")
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
        options=len(OWNER_OPTIONS),
    )


def _menu(state: State, mode: InMenu) -> View:
    entries = tuple(item.entry for item in items(state, mode))
    return list_of(title(mode), entries, mode.levels[-1].selected, Hint.BACK)


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
    return list_of(f"{mode.text}_", entries, mode.selected, Hint.DONE)


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


def _failed(state: State, mode: Failed) -> View:
    hints = Hints(Hint.RETRY if mode.scans else Hint.NOTHING, Hint.MORE, Hint.BACK)
    fault = _fault(mode.fault, mode.page, hints, retrying=mode.fault.of_camera)
    pages = fault_pages(fault, mode.remarks, state.settings.language)
    return pages[mode.page % len(pages)]


def _switching_off(_state: State, _mode: SwitchingOff) -> View:
    return NoticeView(notice=Notice.SHUTTING_DOWN, hints=Hints())


def _fault(fault: Fault, page: int, hints: Hints, *, retrying: bool = False) -> FaultView:
    return FaultView(
        code=fault.code, detail=fault.message, retrying=retrying, page=page, hints=hints
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
    Calibrating: calibrating_view,
    Teaching: teaching_view,
    Asking: _asking,
    Telling: _telling,
    Failed: _failed,
    SwitchingOff: _switching_off,
}

"""What the display says in each mode."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from firmware.appliance import modes, picking, seating, spelling, wizards
from firmware.appliance.faults import Fault
from firmware.appliance.menus import Item, game_title, items, marked, title
from firmware.appliance.modes import PickStage, TeachStep
from firmware.appliance.moves import game_of, has_players
from firmware.appliance.result import fault_pages, offered, result_pages
from firmware.appliance.state import State
from firmware.doubts import guesses_at
from firmware.errors import translated
from firmware.games import game_called
from firmware.screens import table_map_of, to_check, views, words
from firmware.screens.views import (
    FaultView,
    Hints,
    MenuEntry,
    MenuLabel,
    MenuView,
    View,
    WizardView,
)
from firmware.screens.words import Alert, Hint, MenuWord, Notice, Stage, WizardStep
from firmware.settings import seat_names
from firmware.settings.model import STANDARD_EDITION
from scoring.faces import city_name


def view_of(state: State) -> View:
    """What the display has to show."""
    mode = state.mode
    if not isinstance(mode, modes.Working) or mode.job is None or isinstance(mode, modes.Aiming):
        return _LOOKS[type(mode)](state, mode)
    if mode.stage is Stage.CAPTURE:
        again = state.same_table and isinstance(mode, modes.Scanning)
        return views.HoldStillView(again=again, hints=Hints(next=Hint.CANCEL))
    return views.StageView(stage=mode.stage)


_SAVE_ALERTS: Final = {
    "not-saved-disk-full": Alert.STORAGE_FULL,
    "not-saved-read-only": Alert.READ_ONLY,
}
"""By the code of the fault; ``NOT_SAVED`` for all others."""


def alerts(state: State) -> tuple[Alert, ...]:
    """What a person should know, what weighs most first."""
    fault = None if state.result is None else state.result.save_fault
    known = (
        (Alert.SAFE_MODE, state.safe_mode),
        (_SAVE_ALERTS.get(fault.code if fault else "", Alert.NOT_SAVED), fault is not None),
        (Alert.NOT_SAVED, state.settings_unsaved),
        (Alert.CAMERA, state.camera.fault is not None),
        (Alert.EDITION, state.edition_fault is not None),
        (Alert.SETTINGS_RESET, state.settings_fault is not None),
        *((ailment, True) for ailment in state.health),
    )
    return tuple(dict.fromkeys(alert for alert, holds in known if holds))


def _ready(state: State, mode: modes.Ready) -> View:
    if state.camera.fault is not None:
        hints = Hints(Hint.RETRY, Hint.MORE, Hint.MENU)
        return _fault(state.camera.fault, mode.page, hints, retrying=True)
    settings, game = state.settings, game_of(state)
    asks = state.evening and has_players(state)
    last = Hint.LAST if state.result is not None else Hint.NOTHING
    return views.ReadyView(
        game=game_title(state, settings.game),
        variant=settings.variant if len(game.variants) > 1 else None,
        level=settings.level if len(game.levels) > 1 else None,
        edition=None if settings.edition == STANDARD_EDITION else settings.edition,
        to_check=0 if state.result is None else to_check(state.result.checked),
        alerts=alerts(state),
        asks=asks,
        names=tuple(filter(None, settings.players)) if asks and game.seats else (),
        hints=Hints(Hint.SCAN, Hint.CHANGE if asks else last, Hint.ACCEPT if asks else Hint.MENU),
    )


def _viewing(state: State, mode: modes.Viewing) -> View:
    result = state.last_result
    record = (Alert.RECORD,) if result.beaten else ()
    pages = result_pages(result, (*alerts(state), *record))
    return pages[mode.page % len(pages)]


def _checking(state: State, mode: modes.Checking) -> View:
    result, place = state.last_result, mode.places[mode.index]
    answers, scan = offered(result, place, mode.kind), result.checked
    option = mode.option % len(answers)
    return views.DoubtView(
        number=mode.index + 1,
        count=len(mode.places),
        place=place,
        lettered=scan.naming.lettered,
        guess=answers[option],
        game=result.game,
        option=option + 1,
        options=len(answers),
        crop=result.crops(place),
        table=table_map_of(scan.reading),
    )


def _picking(state: State, mode: modes.Picking) -> View:
    result = state.last_result
    grid, letter = picking.grid_of(result, mode), city_name(mode.grid)
    more = picking.count(result, mode) > 1
    view = views.PickView(
        table=table_map_of(result.checked),
        grid=mode.grid,
        said=(words.CITY.of(letter=letter),) if result.checked.naming.lettered else (),
        game=result.game,
        hints=Hints(Hint.BACK, Hint.NEXT if more else Hint.NOTHING, Hint.CHOOSE),
    )
    if mode.stage is PickStage.GRID:
        return view
    place, name = picking.place_of(result, mode), picking.beside(result, mode)
    is_line, is_last = mode.stage is PickStage.ROW, mode.stage is picking.stages(result, mode)[-1]
    row: tuple[views.MenuLabel, ...] = (words.ROW.of(n=mode.row + 1),)
    cells = [(mode.row, column) for column in range(grid.size[1])]
    if name is not None:
        row, cells = (views.Piece(name, result.game),), []
        if not is_line:
            row = (game_called(result.game).slot_name(place.piece),)
    elif not is_line:
        row = (*row, words.COLUMN.of(n=mode.column + 1))
        cells = [place.cell]
    here = guesses_at(grid, place)[0]
    lies = words.NOTHING[place.kind] if here is None else views.Piece(here, result.game)
    return replace(
        view,
        faces=grid.grid,
        marked=tuple(cells),
        said=(*view.said, *row, *((lies,) if is_last else ())),
    )


def _sharing(state: State, mode: modes.SharingOut) -> View:
    result = state.last_result
    choices = result.owner_choices
    owners = choices[mode.option]
    count = max(owners) + 1
    names = seat_names(state.settings.players, count) or ("",) * count
    shares = tuple(
        (
            tuple(city_name(city) for city, owner in enumerate(owners) if owner == player),
            views.Seat(player + 1, name),
        )
        for player, name in enumerate(names)
    )
    return views.OwnersQuestionView(
        owners=shares,
        table=table_map_of(result.read),
        option=mode.option + 1,
        options=len(choices),
    )


def _leafing_back(state: State, mode: modes.LeafingBack) -> View:
    """A past game, or a page of the one that is open."""
    if mode.result is not None:
        pages = result_pages(mode.result)
        following = Hint.NEXT if len(pages) > 1 else Hint.NOTHING
        hints = Hints(Hint.DELETE, following, Hint.BACK)
        return replace(pages[mode.page], hints=hints)
    past, count = mode.games[mode.index], len(mode.games)
    return views.PastGameView(
        when=past.when,
        game=game_title(state, past.game),
        winners=past.winners,
        points=past.points,
        number=mode.index + 1,
        count=count,
        hints=Hints(Hint.BACK, Hint.NEXT if count > 1 else Hint.NOTHING, Hint.OPEN),
    )


def _menu(state: State, mode: modes.InMenu) -> View:
    entries = items(state, mode)
    scan = Hint.SKIP if state.steps else Hint.BACK
    return _list(title(mode), _shown(entries), marked(mode.levels[-1], entries), scan)


def _shown(entries: tuple[Item, ...]) -> tuple[MenuEntry, ...]:
    return tuple(each.entry for each in entries)


def _seating(state: State, mode: modes.Seating) -> View:
    entries = _shown(seating.items(state, mode))
    has_room = seating.has_room(state, mode)
    heading = views.Seat(len(mode.names) + 1) if has_room else MenuWord.WHO_PLAYS
    scan = Hint.NEW if has_room else Hint.NOTHING
    return _list(heading, entries, mode.selected, scan)


_KEY_HINTS: Final = {
    spelling.Key.DONE: Hint.DONE,
    spelling.Key.SPACE: Hint.SPACE,
    spelling.Key.ALPHABET: Hint.CHANGE,
    spelling.Key.DELETE: Hint.DELETE,
}


def _writing(state: State, mode: modes.Writing) -> View:
    if mode.problem is not None:
        return _fault(mode.problem, mode.page, Hints(Hint.NOTHING, Hint.MORE, Hint.OK))
    keys, before = spelling.keys(state, mode), mode.before
    is_person = isinstance(before, modes.Seating)
    key = keys[mode.selected]
    ok = next((hint for sign, hint in _KEY_HINTS.items() if sign == key), Hint.TAKE)
    return views.NameView(
        seat=len(before.names) + 1 if isinstance(before, modes.Seating) else None,
        name=mode.text,
        letters="".join(keys),
        offered=mode.selected,
        hints=Hints(Hint.LEFT, Hint.RIGHT, ok if is_person or key != " " else Hint.TAKE),
    )


def _failed(_state: State, mode: modes.Failed) -> View:
    hints = Hints(Hint.RETRY if mode.scans else Hint.NOTHING, Hint.MORE, Hint.OK)
    fault = _fault(mode.fault, mode.page, hints, retrying=mode.fault.of_camera)
    pages = fault_pages(fault, mode.remarks)
    return pages[mode.page % len(pages)]


def _telling(_state: State, mode: modes.Telling) -> View:
    return views.NoticeView(notice=mode.notice)


def _list(
    heading: MenuLabel, entries: tuple[MenuEntry, ...], selected: int, scan: Hint
) -> MenuView:
    """A list to choose from; ``scan`` is what SCAN does."""
    return MenuView(
        title=heading,
        entries=entries,
        selected=selected,
        hints=Hints(scan, Hint.NEXT if len(entries) > 1 else Hint.NOTHING, Hint.CHOOSE),
    )


def _aiming(_state: State, mode: modes.Aiming) -> View:
    if mode.seen is None:
        return views.StageView(stage=Stage.CAPTURE)
    return replace(mode.seen, page=mode.page)


def _calibrating(_state: State, mode: modes.Calibrating) -> View:
    """A step of the wizard for lens and table."""
    if mode.found is not None:
        return mode.found
    steps = wizards.calibration_steps(mode)
    step = steps[mode.step]
    reads = step is WizardStep.CALIBRATE_PRINT
    hints = Hints(Hint.CANCEL, Hint.MORE, Hint.OK if reads else Hint.PHOTO)
    view = WizardView(step=step, number=mode.step + 1, of=len(steps), hints=hints)
    return _of_wizard(view, mode, worked=not mode.fresh)


def _teaching(state: State, mode: modes.Teaching) -> View:
    """A step of the wizard for the look of an own copy."""
    if mode.step is TeachStep.CORNER:
        corners = tuple(MenuEntry(label=corner) for corner in wizards.CORNERS)
        selected = wizards.CORNERS.index(mode.corner or wizards.CORNERS[0])
        return _list(MenuWord.SHOP_CORNER, corners, selected, Hint.BACK)
    step, scan_hint, ok_hint = _TEACH_STEPS[mode.step]
    view = WizardView(
        step=step,
        number=list(_TEACH_STEPS).index(mode.step) + 1,
        of=len(_TEACH_STEPS),
        game=state.settings.game,
        hints=Hints(scan_hint, Hint.MORE, ok_hint),
    )
    return _of_wizard(view, mode, worked=mode.learned)


def _grouping(state: State, mode: modes.Grouping) -> View:
    """What shows the next group, or which photo to take."""
    if not mode.pictures:
        hints = Hints(Hint.CANCEL, Hint.MORE, Hint.PHOTO)
        step = WizardStep.TEACH_TABLE
        return _of_wizard(WizardView(step=step, number=1, of=1, hints=hints), mode, worked=False)
    answers = wizards.group_answers(mode)
    number = len(mode.named)
    return views.DoubtView(
        number=number + 1,
        count=len(mode.pictures),
        guess=answers[mode.option],
        game=state.settings.game,
        option=mode.option + 1,
        options=len(answers),
        crop=mode.pictures[number],
    )


_TEACH_STEPS: Final = {
    TeachStep.LAY: (WizardStep.TEACH_LAY, Hint.CANCEL, Hint.OK),
    TeachStep.PHOTO: (WizardStep.TEACH_PHOTO, Hint.CANCEL, Hint.PHOTO),
    TeachStep.MORE: (WizardStep.TEACH_TURN, Hint.DONE, Hint.PHOTO),
}


def _of_wizard(view: WizardView, mode: modes.Wizard, *, worked: bool) -> WizardView:
    """The view with its page, and what came of the last photo."""
    if mode.problem is None:
        return replace(view, page=mode.page, worked=worked)
    detail = translated(mode.problem.message)
    return replace(view, page=mode.page, problem=mode.problem.code, detail=detail)


def _on_phone(state: State, _mode: modes.OnPhone) -> View:
    page = state.page
    if page.fault is not None:
        return _fault(page.fault, 0, Hints(Hint.WIFI, Hint.OFF, Hint.OK))
    return views.PageView(url=page.url, pin=page.pin)


def _in_hotspot(state: State, _mode: modes.InHotspot) -> View:
    network = state.hotspot
    if network is None:
        return views.HotspotView()
    return views.HotspotView(name=network.name, password=network.password)


def _fault(fault: Fault, page: int, hints: Hints, *, retrying: bool = False) -> FaultView:
    return FaultView(
        code=fault.code, detail=translated(fault.message), retrying=retrying, page=page, hints=hints
    )


_LOOKS: Final[Mapping[type, Callable[[State, Any], View]]] = {
    modes.Ready: _ready,
    modes.Viewing: _viewing,
    modes.Picking: _picking,
    modes.Checking: _checking,
    modes.SharingOut: _sharing,
    modes.LeafingBack: _leafing_back,
    modes.InFigures: lambda _state, mode: mode.pages[mode.page],
    modes.InMenu: _menu,
    modes.Seating: _seating,
    modes.Writing: _writing,
    modes.Aiming: _aiming,
    modes.Calibrating: _calibrating,
    modes.Teaching: _teaching,
    modes.Grouping: _grouping,
    modes.Asking: lambda _state, mode: views.ConfirmView(question=mode.question),
    modes.OnPhone: _on_phone,
    modes.InHotspot: _in_hotspot,
    modes.Telling: _telling,
    modes.Failed: _failed,
    modes.SwitchingOff: lambda _state, _mode: views.NoticeView(
        notice=Notice.SHUTTING_DOWN, hints=Hints()
    ),
}

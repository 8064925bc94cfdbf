"""All that can happen to a machine, and which of its states are alike."""

from dataclasses import replace

import numpy as np
from appliance_machine import (
    ALL_GAMES,
    CAMERA_MISSING,
    CHOICES,
    CROP,
    DESCRIPTIONS,
    DISK_FULL,
    FOUR,
    GAME,
    SAME_WAY,
    SETTINGS,
    TOO_DARK,
    finished,
    read,
)

from firmware.appliance import events, modes, picking, seating, spelling, wishes
from firmware.appliance.faults import Fault
from firmware.appliance.moves import job_of
from firmware.appliance.result import Result, offered, outcome_of
from firmware.appliance.state import State
from firmware.appliance.step import step
from firmware.camera.aim_measurement import Advice
from firmware.games.options import ScoringOptions
from firmware.history.stats import GameStats, PartStats, PlayerStats, Record
from firmware.report.statistics_pages import stats_views
from firmware.screens.views import AimView, Bitmap, CalibratedView, Kind, Other, Seat
from firmware.screens.words import Alert, MenuWord, Stage
from hardware.buttons import Button
from scoring.faces import Face
from tests.appliance.fake_tables import TABLES
from tests.firmware.board_samples import CITIES, city, reading
from vision.photo.load import Photo
from vision.reading import NoteCode, Place, PlaceKind, Reading, note

LONG_NAME = "A" * 17
"""One letter more, and the name is full."""

CITIES_TOO = replace(ALL_GAMES, games=ALL_GAMES.games[:2])

STARTS = {
    "usual": State(
        replace(SETTINGS, players=("", LONG_NAME)), CHOICES, evening=True, steps=modes.FIRST_START
    ),
    "two players": State(replace(SETTINGS, variant="two-player"), CHOICES, calibrated=True),
    "another game in safe mode": State(replace(SETTINGS, game="cities"), CHOICES, safe_mode=True),
    "known by pictures": State(replace(SETTINGS, game="cities"), CITIES_TOO),
}

DARK = note(NoteCode.DARK)
GLARE = note(NoteCode.GLARE, (0, 1))
UNSURE = {(0, (0, 0)): (Face.HOUSE,), (2, (1, 1)): ()}
READINGS = {
    "sure": read(*FOUR[:3]),
    "unsure": read(*FOUR[:3], unsure=UNSURE, notes=(DARK,)),
    "owners open": read(*FOUR, turns_degrees=SAME_WAY, unsure={(1, (2, 2)): ()}),
    "refused": read(*FOUR[:2], unsure={(0, (0, 0)): (Face.HOUSE,)}, city_notes={1: (GLARE,)}),
    "no city": replace(read(unread=(note(NoteCode.CITY_UNREADABLE),)), grids=()),
}
SEEN = TABLES["cities"]
NO_TILES = city("/".join(["." * 8] * 8), place=1)
CITIES_READINGS = {
    "unsure": SEEN,
    "sure": reading(CITIES, city(tourists={(0, 2): "red"})),
    "refused": replace(SEEN, grids=(SEEN.grids[0], NO_TILES)),
    "nothing": reading(CITIES, unread=(note(NoteCode.END_UNCERTAIN),)),
}
"""What the eye makes of photos of Cities."""
MOST = Record(24, LONG_NAME, 3)
ANN, SIGHTS = PlayerStats("Ann", 100, 99, 114.5, 124), PartStats("sights", 64.5, 104)
GAMES = (
    events.PastGame(9, (), "between-two-cities", (Seat(3, "P3", ("B", "C")),), "62?"),
    events.PastGame(7, ("2026-11-18 20:15", "2026-11-18"), "reading-only", (), ""),
)
FIGURES = stats_views(
    (GameStats("cities", "standard", 2, 3, 14.5, MOST, MOST, (14,), (ANN,), (SIGHTS,), ()),)
)
WHICH_WAY = Fault("teach-which-way", "where is the shop: say it")
DOUBTFUL = Fault("teach-doubtful", "the photo does not seem to fit: lay them so", "camera")
NO_ANGLE = Fault("calibration-one-angle", "one angle: tilt it")
FOUND = CalibratedView(error_px=0.3, coverage=0.8, height_mm=612.0, photos=7)
AIMED = AimView(advice=Advice.GOOD, picture=Bitmap((8, 1), b"\x0f"), light=0.5, sharpness=1.0)
PAGE = events.PageOpened("http://192.168.178.123:8080", "012345")
GIVEN = Photo(np.zeros((2, 2, 3), np.uint8), "upload", (2, 2), 1)
FAILS = Fault("display-lost", "it does not answer: check the cable")


def presses(state: State) -> dict[str, events.Event]:
    """Each button pressed short, a second later."""
    return {
        button.value: events.ButtonPressed(button, kind="short", now_s=state.now_s + 1)
        for button in Button
    }


def happenings(state: State) -> dict[str, events.Event]:
    """All that can happen next, but for answers to jobs that nobody waits for."""
    happens = presses(state)
    for button in Button:
        for name, kind in (("held", "long"), ("repeats", "repeat")):
            event = events.ButtonPressed(button, kind, state.now_s + 1, repeats=10)
            happens[f"{button.value} {name}"] = event
        late = events.ButtonPressed(button, kind="short", now_s=state.now_s + 500)
        happens[f"{button.value} much later"] = late
    happens |= {
        "a second": events.Tick(state.now_s + 1),
        "a long time": events.Tick(state.now_s + 500),
        "camera back": events.CameraBack(),
        "camera lost": events.CameraLost(CAMERA_MISSING),
        "display lost": events.DisplayLost(FAILS),
        "display back": events.DisplayBack(),
        "suffers": events.HealthChanged((Alert.UNDER_VOLTAGE,)),
        "well": events.HealthChanged(),
        "no clock": events.ClockChanged(known=False),
        "settings stored": events.SettingsStored(),
        "settings not stored": events.SettingsNotStored(DISK_FULL),
        "editions": events.EditionsChanged(state.choices.games),
        "other editions": events.EditionsChanged(ALL_GAMES.games),
        "not off": events.ShutDownFailed(FAILS),
        "page open": PAGE,
        "page closed": events.PageOpened(),
        "page failed": events.PageOpened(fault=FAILS),
    }
    saving = 0 if state.result is None else state.result.saving or 0
    if state.settings.game == GAME.name:
        happens["recalled"] = events.LastRecalled(LEFT["unsure"])
    happens["saved"] = events.Saved(saving)
    happens["saved later"] = events.SavedLater(0 if state.result is None else state.result.table, 9)
    happens["not saved"] = events.JobFailed(saving, DISK_FULL)
    job = job_of(state.mode)
    if isinstance(state.mode, modes.LeafingBack) and state.mode.games and job is not None:
        for name in ("sure", "refused"):
            happens[f"opened: {name}"] = events.GameOpened(job, LEFT[name])
    happens["old: no photo"] = events.JobFailed((job or state.next_job) - 1, CAMERA_MISSING)
    # A last result that was deleted is forgotten, whoever waits
    answered = state.next_job if job is None else job
    happens["deleted"] = events.HistoryRead(answered, (), gone=-9)
    happens["photos deleted"] = events.PhotosDeleted(answered)
    return happens if job is None else happens | answers(state, job)


def answers(state: State, job: int) -> dict[str, events.Event]:
    """All that a job may give."""
    seen = CITIES_READINGS if state.settings.game == "cities" else READINGS
    return {
        **{f"read: {name}": finished(job, each) for name, each in seen.items()},
        **{f"stage {stage}": events.StageReached(job, stage) for stage in Stage},
        "aimed": events.Aimed(job, AIMED),
        "no photo": events.JobFailed(job, CAMERA_MISSING),
        "too dark": events.JobFailed(job, TOO_DARK),
        "not calibrated": events.JobFailed(job, NO_ANGLE),
        "which way": events.JobFailed(job, WHICH_WAY),
        "doubtful": events.JobFailed(job, DOUBTFUL),
        "groups": events.GroupsFound(job, (CROP, CROP), ("shop", "park")),
        "groups learned": events.TilesLearned(job),
        "lesson undone": events.LessonUndone(job),
        "sheet found": events.CalibrationPhotoTaken(job),
        "calibration kept": events.CalibrationKept(job),
        "calibrated": events.CalibrationFinished(job, FOUND),
        "past games": events.HistoryRead(job, GAMES),
        "counted": events.GamesCounted(job, FIGURES),
        "nothing to count": events.GamesCounted(job, ()),
        "no past games": events.HistoryRead(job, ()),
        "taught": events.TeachingFinished(job, order_checked=True),
    }


def asked(state: State) -> dict[str, events.Event]:
    """What somebody may ask for on the page, a second later; also what cannot be done now."""
    return {name: events.Asked(wish, state.now_s + 1) for name, wish in _wished(state).items()}


def _wished(state: State) -> dict[str, events.Wish]:
    wanted = {
        "scan": wishes.Scan(),
        "names": wishes.Change((("players", ("Ann", "Ben")),)),
        "no names": wishes.Change((("players", ()),)),
        "another game": wishes.ChooseGame("cities"),
        "no such game": wishes.ChooseGame("chess"),
        "delete": wishes.Delete(9),
        "aim": wishes.Aim(),
        "stop aiming": wishes.StopAiming(),
        "calibrate": wishes.Guide(modes.Calibrating(table_only=False)),
        "teach": wishes.Guide(modes.Teaching("t", add=False, faces="tiles"), "cities"),
        "group": wishes.Guide(modes.Grouping("g", add=True), "between-two-cities"),
        "photograph": wishes.Photograph(),
        "photograph the sheet": wishes.Photograph(calibrates=True),
        "a photo": wishes.Photograph(GIVEN),
        "corner": wishes.SayCorner(MenuWord.TOP_LEFT),
        "sure": wishes.SaySure(),
        "groups": wishes.NameGroups(getattr(state.mode, "found_by", 0), ("park", None)),
        "no groups": wishes.NameGroups(getattr(state.mode, "found_by", 0), (None, None)),
        "of other groups": wishes.NameGroups(-1, ("park", None)),
        "finish": wishes.Finish(),
        "keep the calibration": wishes.Finish(calibrates=True),
        "leave": wishes.Leave(),
        "leave calibrating": wishes.Leave(calibrates=True),
        "edition gone": wishes.EditionGone(state.settings.edition),
    }
    result = state.result
    if result is None:
        return wanted
    grids = range(min(len(result.read.grids), 1))
    places = [*result.unsure[:1], *(Place(PlaceKind.TILE, grid, (0, 0)) for grid in grids)]
    for number, place in enumerate(places):
        for answer in (*offered(result, place)[:2], Other.NO_TILE, Other.LATER):
            if not isinstance(answer, Kind):
                wanted[f"{number} is {answer}"] = wishes.Correct(result.table, place, answer)
        wanted["of an old result"] = wishes.Correct(result.table + 1, place, Other.NO_TILE)
    for owners in result.owner_choices[:1]:
        wanted["owners"] = wishes.Share(result.table, owners)
    names = (("players", ("Cid",)),)
    return wanted | {"names of the result": wishes.Change(names, result.table)}


def left(read: Reading, number: int = 9) -> Result:
    """A table as it was left, out of the history."""
    description, options = DESCRIPTIONS[read.game], ScoringOptions()
    outcome = outcome_of(read, description, options)
    return Result(
        table=-number,
        seen=read,
        read=read,
        description=description,
        outcome=outcome,
        options=options,
    )


LEFT = {name: left(READINGS[name]) for name in ("sure", "unsure", "refused")}


def started(name: str) -> State:
    """The machine after one of the starts."""
    return step(STARTS[name], events.Started())[0]


def likeness(state: State) -> tuple[object, ...]:
    """Two states with the same likeness do the same, as far as a person can see.

    Times, numbers of jobs, names and later pages of a text are left out, and of what holds in
    every mode all that this mode has nothing to do with.
    """
    mode, result = state.mode, state.result
    alike = _LIKENESSES[type(mode)](state, mode, result), state.steps[:1]
    return type(mode).__name__, alike, min(getattr(mode, "page", 0), 1)


def saved(result):
    """Whether it is stored as it is now; None: that is not known yet."""
    return None if result.saving is not None else result.save_fault is None


def _viewing(state: State, mode: modes.Viewing, result: Result) -> object:
    code = None if result.scan else result.outcome.code
    outcome = (None, code) if code else (mode.page, None)
    questions = result.questions
    return (
        outcome, result.game, len(result.read.grids), questions, result.before is None,
        saved(result),
    )  # fmt: skip


def _checking(_state: State, mode: modes.Checking, result: Result) -> object:
    answer = offered(result, mode.places[mode.index], mode.kind)[mode.option]
    kind = answer if isinstance(answer, Other) else mode.option == 0
    picked = None if mode.picked is None else _picking(_state, mode.picked, result)
    return len(mode.places), mode.index, kind, bool(result.owner_choices), picked


def _picking(_state: State, mode: modes.Picking, result: Result) -> object:
    """All rows, columns and cities lead to the same, but for what stands beside a grid."""
    marked = min(getattr(mode, mode.stage), 1)
    return mode.stage, marked, picking.beside(result, mode) is None, mode.kind


def _in_menu(state: State, mode: modes.InMenu, result: Result | None) -> object:
    levels = tuple((level.kind, level.selected) for level in mode.levels)
    known = result is not None and (bool(result.questions), "there is one")
    own = state.settings.game, state.evening, any(state.settings.players)
    return levels, known, state.same_table, own


def _writing(state: State, mode: modes.Writing, _result: object) -> object:
    """Letters beside the first two lead to the same."""
    length = min(len(mode.text), 1) + (len(mode.text) > len(LONG_NAME))
    keys = spelling.keys(state, mode)
    key = keys[mode.selected] if keys[mode.selected] in tuple(spelling.Key) else "letter"
    seats = len(mode.before.names) if isinstance(mode.before, modes.Seating) else None
    end = mode.text[-1:] == " "
    return seats and min(seats, 1), length, end, mode.alphabet, key, mode.problem is None


def _seating(state: State, mode: modes.Seating, _result: object) -> object:
    entries = seating.items(state, mode)
    label = entries[mode.selected].entry.label
    seats = len(mode.names), seating.has_room(state, mode)
    return seats, label if isinstance(label, MenuWord) else "name", state.same_table


def _wizard(state: State, mode: modes.Wizard, _result: object) -> object:
    busy = mode.job is not None and (mode.stage is Stage.CAPTURE or "reads")
    own = getattr(mode, "step", None), busy, mode.problem is None, state.same_table
    if isinstance(mode, modes.Grouping):
        return own, len(mode.pictures), len(mode.named), any(mode.named), mode.option
    if isinstance(mode, modes.Calibrating):
        return own, mode.table_only, mode.fresh
    known = mode.edition in state.choices.all_editions
    return own, known, mode.add, mode.learned, mode.corner


_LIKENESSES = {
    modes.Ready: lambda state, _mode, result: (
        state.camera.fault is None, state.camera.opening_since_s is None, state.display_lost,
        state.evening, result is not None and (bool(result.questions), saved(result)),
    ),
    modes.Scanning: lambda state, mode, result: (
        mode.stage is Stage.CAPTURE, state.same_table, result is not None, state.display_lost
    ),
    modes.Viewing: _viewing,
    modes.Picking: _picking,
    modes.Checking: _checking,
    modes.SharingOut: lambda _state, mode, _result: mode.option,
    modes.LeafingBack: lambda state, mode, result: (
        mode.job is None or ("waits", bool(mode.games)),
        mode.index,
        None if mode.result is None else mode.result.scan is None,
        state.same_table,
        result is None,
    ),
    modes.InFigures: lambda state, mode, _result: (
        mode.job is None,
        mode.page,
        state.same_table,
    ),
    modes.InMenu: _in_menu,
    modes.Seating: _seating,
    modes.Writing: _writing,
    modes.Aiming: lambda state, mode, _result: (
        mode.seen is None, mode.page, state.same_table, state.camera.opening_since_s is None
    ),
    modes.Grouping: _wizard,
    modes.Calibrating: _wizard,
    modes.Teaching: _wizard,
    modes.Learning: lambda state, mode, _result: (type(mode.after).__name__, state.same_table),
    modes.Vetting: lambda state, mode, _result: (
        len(mode.doubtful),
        bool(mode.learned),
        type(mode.after).__name__,
        state.same_table,
    ),
    modes.Learned: lambda state, mode, _result: (mode.is_new, state.same_table),
    modes.Unlearning: lambda state, mode, _result: (mode.is_new, state.same_table),
    modes.InHotspot: lambda state, _mode, _result: (state.hotspot is None, state.same_table),
    modes.OnPhone: lambda state, _mode, _result: (
        bool(state.page.url),
        state.page.fault is None,
        state.same_table,
    ),
    modes.Asking: lambda state, mode, _result: (
        mode.question,
        type(mode.before).__name__,
        state.same_table,
    ),
    modes.Telling: lambda state, mode, _result: (str(mode.notice)[:20], state.same_table),
    modes.Failed: lambda state, mode, _result: (
        mode.fault.of_camera,
        mode.scans,
        state.same_table,
    ),
    modes.SwitchingOff: lambda _state, mode, result: (
        mode.asked,
        result is not None and saved(result),
    ),
}  # fmt: skip

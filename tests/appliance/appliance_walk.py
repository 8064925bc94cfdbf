"""All that can happen to a machine, and which of its states are alike."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from firmware.appliance.base import Command, Event
from firmware.appliance.camera_recovery import CameraLost, CameraOpened
from firmware.appliance.choices import Choices
from firmware.appliance.dialogs import ConfirmMode, NoticeMode
from firmware.appliance.display_transitions import DisplayFound, DisplayLost
from firmware.appliance.features.aiming import (
    AimingMode,
    AimingPictureTaken,
    StartAiming,
    StopAiming,
)
from firmware.appliance.features.alerts import ClockKnownChanged, HealthChanged
from firmware.appliance.features.calibrating import (
    CalibratingMode,
    CalibrationPhotoTaken,
    CalibrationSolved,
    CalibrationStored,
)
from firmware.appliance.features.failure import FailureMode
from firmware.appliance.features.first_start import FIRST_START
from firmware.appliance.features.game_choice import ChooseGame, DropEdition, EditionsChanged
from firmware.appliance.features.grouping import GroupingMode, GroupsFound, NameGroups
from firmware.appliance.features.joined_cities import AnswerSameCity, SetCityOrder
from firmware.appliance.features.learning_corrections import (
    DoubtfulTilesMode,
    LearnedMode,
    LearningMode,
    TeachingUndone,
    TilesLearned,
    UndoingTeachingMode,
)
from firmware.appliance.features.past_games import (
    ForgetDeletedGame,
    PastGameEntry,
    PastGameOpened,
    PastGamesListed,
    PastGamesMode,
    PhotosDeleted,
    StatisticsComputed,
    StatisticsMode,
    UseCorrectedGame,
)
from firmware.appliance.features.phone import HotspotMode, PageChanged, PhoneMode
from firmware.appliance.features.photo_series import (
    AddPhoto,
    EndPhotoSeries,
    PhotoSeriesMode,
    SeriesPhotoRead,
)
from firmware.appliance.features.picking import PickingMode
from firmware.appliance.features.players import RenamePlayer, SeatingMode, SetNamesOfGame
from firmware.appliance.features.power import ShutDownFailed, SwitchingOffMode
from firmware.appliance.features.ready import ReadyMode
from firmware.appliance.features.results import ResultMode
from firmware.appliance.features.reviewing import (
    ConfirmPlacesWithoutEffect,
    CorrectPlaces,
    OwnersMode,
    ReviewMode,
    SetOwners,
)
from firmware.appliance.features.scanning import ScanningMode, StartScan
from firmware.appliance.features.standard_modes import first_state
from firmware.appliance.features.starting import Started
from firmware.appliance.features.teaching import (
    ChooseCorner,
    LayoutLearned,
    LearnAnyway,
    StartTeaching,
    TeachingMode,
)
from firmware.appliance.inputs import ButtonPressed, CommandReceived, Tick
from firmware.appliance.job_mode import JobFailed, StageReached
from firmware.appliance.machine import step
from firmware.appliance.menu import MenuMode
from firmware.appliance.name_entry import Key, NameEntryMode
from firmware.appliance.problems import is_camera_problem
from firmware.appliance.result import Result, answers_to_offer, score_or_problem
from firmware.appliance.saving import (
    LastResultLoaded,
    ResultNotSaved,
    ResultSaved,
    ResultSavedLater,
)
from firmware.appliance.state import PageAddress, State
from firmware.appliance.stored_settings import ChangeSettings, SettingsNotStored, SettingsStored
from firmware.appliance.wizard import (
    FinishWizard,
    LeaveWizard,
    StartWizard,
    TakeWizardPhoto,
    WizardMode,
)
from firmware.base.problem import Problem
from firmware.camera.aim_measurement import Advice
from firmware.games.scoring_options import ScoringOptions
from firmware.history.stats import Extreme, GameStats, PartStats, PlayerStats
from firmware.report.statistics_views import stats_views
from firmware.scan.read_photos import PhotoSeries
from firmware.screens.device_views import AimView, CalibratedView
from firmware.screens.question_views import FaceGroup, SpecialAnswer
from firmware.screens.view import Bitmap, PlayerLabel
from firmware.screens.words import Alert, MenuWord, Stage
from firmware.settings import Settings
from hardware.buttons import Button
from scoring.faces import Face
from tests.appliance.appliance_machine import (
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
from tests.appliance.fake_tables import TABLES
from tests.firmware.board_samples import CITIES, city, reading
from vision.photo.load import Photo
from vision.reading import NoteCode, Place, PlaceKind, Reading, note

LONG_NAME = "A" * 17
"""Longest name to which a letter can be added."""

CITIES_TOO = replace(ALL_GAMES, games=ALL_GAMES.games[:2])


def _first(settings: Settings, choices: Choices, **fields: Any) -> State:
    """Return a state before the start, with some fields changed."""
    return replace(first_state(settings, choices), **fields)


STARTS = {
    "usual": _first(
        replace(SETTINGS, players=("", LONG_NAME)),
        CHOICES,
        must_ask_players=True,
        setup_steps=FIRST_START,
    ),
    "two players": _first(replace(SETTINGS, variant="two-player"), CHOICES, calibrated=True),
    "another game in safe mode": _first(replace(SETTINGS, game="cities"), CHOICES, safe_mode=True),
    "known by pictures": _first(replace(SETTINGS, game="cities"), CITIES_TOO),
}

DARK = note(NoteCode.DARK)
SPOTS = ((100.0, 100.0), (900.0, 400.0))
"""Centres of two tiles."""
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
NO_TILES = city("/".join(["." * 8] * 8), position=1)
CITIES_READINGS = {
    "unsure": SEEN,
    "sure": reading(CITIES, city(tourists={(0, 2): "red"})),
    "refused": replace(SEEN, grids=(SEEN.grids[0], NO_TILES)),
    "nothing": reading(CITIES, unread=(note(NoteCode.POSITION_UNCERTAIN),)),
}
"""Readings of photos of Cities."""
MOST = Extreme(24, LONG_NAME, 3)
ANN, SIGHTS = PlayerStats("Ann", 100, 99, 114.5, 124), PartStats("sights", 64.5, 104)
GAMES = (
    PastGameEntry(9, (), "between-two-cities", (PlayerLabel(3, "P3", ("B", "C")),), "62?"),
    PastGameEntry(7, ("2026-11-18 20:15", "2026-11-18"), "reading-only", (), ""),
)
FIGURES = stats_views(
    (GameStats("cities", "standard", 2, 3, 0, 14.5, MOST, MOST, (14,), (ANN,), (SIGHTS,), ()),)
)
WHICH_WAY = Problem("teach-which-way", "where is the shop: say it")
DOUBTFUL = Problem("teach-doubtful", "the photo does not seem to fit: lay them so", "camera")
NO_ANGLE = Problem("calibration-one-angle", "one angle: tilt it")
FOUND = CalibratedView(error_px=0.3, coverage=0.8, height_mm=612.0, photos=7)
AIMED = AimView(advice=Advice.GOOD, picture=Bitmap((8, 1), b"\x0f"), light=0.5, sharpness=1.0)
PAGE = PageChanged(PageAddress("http://192.168.178.123:8080", "012345"))
GIVEN = Photo(np.zeros((2, 2, 3), np.uint8), "upload", (2, 2), 1)
FAILS = Problem("display-lost", "it does not answer: check the cable")


AT_ANY_TIME: dict[str, Event] = {
    "camera back": CameraOpened(),
    "camera lost": CameraLost(CAMERA_MISSING),
    "display lost": DisplayLost(FAILS),
    "display back": DisplayFound(),
    "health changed": HealthChanged((Alert.UNDER_VOLTAGE,)),
    "well": HealthChanged(),
    "no clock": ClockKnownChanged(known=False),
    "settings stored": SettingsStored(),
    "settings not stored": SettingsNotStored(DISK_FULL),
    "other editions": EditionsChanged(ALL_GAMES.games),
    "not off": ShutDownFailed(FAILS),
    "page open": PAGE,
    "page closed": PageChanged(PageAddress()),
    "page failed": PageChanged(PageAddress(problem=FAILS)),
}
"""Events that depend on nothing."""

ONCE_A_KIND = frozenset(AT_ANY_TIME) | {
    *(f"{button.value} repeats" for button in (Button.SCAN, Button.OK)),
    *(f"{button.value} much later" for button in (Button.SCAN, Button.OK)),
    *(f"stage {stage}" for stage in Stage if stage not in (Stage.CAPTURE, Stage.RECOGNISE)),
    "a second",
    "calibrated",
    "calibration kept",
    "counted",
    "editions",
    "first photo of several",
    "no past games",
    "nothing to count",
    "old: no photo",
    "past games",
    "photo read",
    "photos deleted",
    "read: no city",
    "read: nothing",
    "read: owners open",
    "read: sure",
    "read: unsure",
    "saved later",
    "too dark",
}
"""Events that lead to no further state if they happen in all states of a kind and not in one."""


def presses(state: State) -> dict[str, Event]:
    """Each button pressed short, a second later."""
    return {
        button.value: ButtonPressed(button, kind="short", now_s=state.now_s + 1)
        for button in Button
    }


def possible_events(state: State) -> dict[str, Event]:
    """All that can happen next, but for answers to jobs that nobody waits for."""
    happens = presses(state)
    for button in Button:
        for name, kind in (("held", "long"), ("repeats", "repeat")):
            event = ButtonPressed(button, kind, state.now_s + 1, repeats=10)
            happens[f"{button.value} {name}"] = event
        late = ButtonPressed(button, kind="short", now_s=state.now_s + 500)
        happens[f"{button.value} much later"] = late
    happens |= {
        "a second": Tick(state.now_s + 1),
        "a long time": Tick(state.now_s + 500),
        "editions": EditionsChanged(state.choices.games),
        **AT_ANY_TIME,
    }
    saving = 0 if state.result is None else state.result.save_id or 0
    if state.settings.game == GAME.name:
        happens["recalled"] = LastResultLoaded(LOADED["unsure"])
    happens["saved"] = ResultSaved(saving)
    happens["saved later"] = ResultSavedLater(
        0 if state.result is None else state.result.result_id, 9
    )
    happens["not saved"] = ResultNotSaved(saving, DISK_FULL)
    if isinstance(state.mode, ReadyMode):  # no button leads there
        first = AddPhoto(b"", "key", 1, 2)
        happens["first photo of several"] = CommandReceived(first, state.now_s + 1)
    job = state.mode.job_id
    if isinstance(state.mode, PastGamesMode) and state.mode.games and job is not None:
        for name in ("sure", "refused"):
            happens[f"opened: {name}"] = PastGameOpened(job, LOADED[name])
    happens["old: no photo"] = JobFailed((job or state.next_id) - 1, CAMERA_MISSING)
    # A last result that was deleted is forgotten, whoever waits
    answered = state.next_id if job is None else job
    happens["deleted"] = PastGamesListed(answered, (), deleted_results=(-9,))
    happens["photos deleted"] = PhotosDeleted(answered)
    return happens if job is None else happens | answers(state, job)


def answers(state: State, job: int) -> dict[str, Event]:
    """All that a job may give."""
    return _answers(state.settings.game, job)


@cache
def _answers(game: str, job: int) -> dict[str, Event]:
    seen = CITIES_READINGS if game == "cities" else READINGS
    return {
        **{f"read: {name}": finished(job, each) for name, each in seen.items()},
        **{f"stage {stage}": StageReached(job, stage) for stage in Stage},
        "photo read": SeriesPhotoRead(job, PhotoSeries(given=1)),
        "aimed": AimingPictureTaken(job, AIMED),
        "no photo": JobFailed(job, CAMERA_MISSING),
        "too dark": JobFailed(job, TOO_DARK),
        "not calibrated": JobFailed(job, NO_ANGLE),
        "which way": JobFailed(job, WHICH_WAY),
        "doubtful": JobFailed(job, DOUBTFUL),
        "groups": GroupsFound(job, (CROP, CROP), ("shop", "park"), SPOTS, (0, 1)),
        "groups learned": TilesLearned(job),
        "teaching undone": TeachingUndone(job),
        "sheet found": CalibrationPhotoTaken(job),
        "calibration kept": CalibrationStored(job),
        "calibrated": CalibrationSolved(job, FOUND),
        "past games": PastGamesListed(job, GAMES),
        "counted": StatisticsComputed(job, FIGURES),
        "nothing to count": StatisticsComputed(job, ()),
        "no past games": PastGamesListed(job, ()),
        "taught": LayoutLearned(job, order_checked=True),
    }


def page_commands(state: State) -> dict[str, Event]:
    """Return the page's commands a second later, by name; also those that are not allowed now."""
    return {
        name: CommandReceived(command, state.now_s + 1)
        for name, command in _commands(state).items()
    }


def _commands(state: State) -> dict[str, Command]:
    wanted = {
        "scan": StartScan(),
        "first photo": AddPhoto(b"", "key", 1, 2),
        "last photo": AddPhoto(b"", "key", 2, 2),
        "photos that are there": EndPhotoSeries("key", is_scored=True),
        "no more photos": EndPhotoSeries("key", is_scored=False),
        "names": ChangeSettings((("players", ("Ann", "Ben")),)),
        "no names": ChangeSettings((("players", ()),)),
        "another game": ChooseGame("cities"),
        "no such game": ChooseGame("chess"),
        "delete": ForgetDeletedGame(9),
        "corrected": UseCorrectedGame(LOADED["unsure"]),
        "renamed": RenamePlayer(LONG_NAME, "Dan"),
        "aim": StartAiming(),
        "stop aiming": StopAiming(),
        "calibrate": StartWizard(CalibratingMode(table_only=False)),
        "teach": StartTeaching(TeachingMode("t", add=False, arrangement="tiles"), "cities"),
        "group": StartTeaching(GroupingMode("g", add=True), "between-two-cities"),
        "photograph": TakeWizardPhoto(),
        "photograph the sheet": TakeWizardPhoto(calibrates=True),
        "a photo": TakeWizardPhoto(GIVEN),
        "corner": ChooseCorner(MenuWord.TOP_LEFT),
        "sure": LearnAnyway(),
        "groups": NameGroups(getattr(state.mode, "found_by", 0), ("park", None)),
        "no groups": NameGroups(getattr(state.mode, "found_by", 0), (None, None)),
        "of other groups": NameGroups(-1, ("park", None)),
        "finish": FinishWizard(),
        "keep the calibration": FinishWizard(calibrates=True),
        "leave": LeaveWizard(),
        "leave calibrating": LeaveWizard(calibrates=True),
        "edition gone": DropEdition(state.settings.edition),
    }
    result = state.result
    if result is None:
        return wanted
    grids = range(min(len(result.reading_to_correct.grids), 1))
    places = [*result.open_places[:1], *(Place(PlaceKind.TILE, grid, (0, 0)) for grid in grids)]
    for number, place in enumerate(places):
        for answer in (
            *answers_to_offer(result, place)[:2],
            SpecialAnswer.NO_TILE,
            SpecialAnswer.LATER,
        ):
            if not isinstance(answer, FaceGroup):
                wanted[f"{number} is {answer}"] = CorrectPlaces(
                    result.result_id, ((place, answer),)
                )
        wanted["of an old result"] = CorrectPlaces(
            result.result_id + 1, ((place, SpecialAnswer.NO_TILE),)
        )
    if result.seq is not None:
        wanted["names of the game"] = SetNamesOfGame(result.seq, ("Eve", "Fay"))
    wanted["one more photo"] = AddPhoto(b"", "key", 1, 1, result.result_id)
    wanted["order"] = SetCityOrder(
        result.result_id, tuple(range(len(result.reading_to_correct.grids)))[::-1]
    )
    wanted["no order"] = SetCityOrder(result.result_id, (7,))
    wanted["one city"] = AnswerSameCity(
        result.result_id, (0, 1), len(result.reading_to_correct.grids), is_same=True
    )
    for owners in result.owner_choices[:1]:
        wanted["owners"] = SetOwners(result.result_id, owners)
    names = (("players", ("Cid",)),)
    return wanted | {"names of the result": ChangeSettings(names, result.result_id)}


def loaded_result(read: Reading, number: int = 9) -> Result:
    """Return a result as the history gives it back."""
    description, options = DESCRIPTIONS[read.game], ScoringOptions()
    outcome = score_or_problem(read, description, options)
    return Result(
        result_id=-number,
        eye_reading=read,
        reading_to_correct=read,
        description=description,
        scan_or_problem=outcome,
        options=options,
    )


LOADED = {name: loaded_result(READINGS[name]) for name in ("sure", "unsure", "refused")}


def started(name: str) -> State:
    """The machine after one of the starts."""
    return step(STARTS[name], Started())[0]


def state_key(state: State) -> tuple[object, ...]:
    """Return the key of a state; states with equal keys do the same, as far as a person can see.

    Times, numbers of jobs, names and later parts of a text are left out, and of what holds in
    every mode all that this mode has nothing to do with.
    """
    mode, result = state.mode, state.result
    known = [_STATE_KEYS[each] for each in type(mode).__mro__ if each in _STATE_KEYS]
    assert known, f"{type(mode).__name__} has no key: add it to _STATE_KEYS"
    alike = known[0](state, mode, result), state.setup_steps[:1]
    seen = mode.index if isinstance(mode, FailureMode) else getattr(mode, "view_index", 0)
    return type(mode).__name__, alike, min(getattr(mode, "part", seen), 1)


MANY = 3
"""Number of questions from which more make no difference."""


def saved(result):
    """Return whether a result is stored in its present form; None while that is unknown."""
    return None if result.save_id is not None else result.save_problem is None


def just_played(state):
    """Return True while its table lies there, else the game scanned before; None if neither."""
    if state.expects_same_table or state.result is None or state.result.is_past:
        return state.expects_same_table or None
    return state.result.game_id


def _viewing(state: State, mode: ResultMode, result: Result) -> object:
    code = None if result.scan else result.scan_or_problem.code
    # The first view of a problem leads to the review, the others lead back
    outcome = min(mode.index, 1) if code else mode.index, code
    questions = min(result.question_count, MANY)
    return (
        outcome, result.game_id, len(result.reading_to_correct.grids), questions,
        result.earlier_scan is None,
        saved(result),
    )  # fmt: skip


def _reviewing(_state: State, mode: ReviewMode, result: Result) -> object:
    answer = answers_to_offer(result, mode.places[mode.index], mode.face_group)[mode.option]
    kind = answer if isinstance(answer, SpecialAnswer) else mode.option == 0
    picked = None if mode.picker is None else _picking(_state, mode.picker, result)
    ahead = min(len(mode.places) - mode.index, MANY)
    counts = (
        min(len(mode.places), MANY),
        min(mode.index, MANY),
        ahead,
        mode.includes_places_without_effect,
    )
    return *counts, kind, bool(result.owner_choices), picked


def _picking(_state: State, mode: PickingMode, result: Result) -> object:
    """All rows, columns and cities lead to the same, but for what stands beside a grid."""
    marked = min(getattr(mode, mode.stage), 1)
    return mode.stage, marked, mode.group_beside(result) is None, mode.kind


def _in_menu(state: State, mode: MenuMode, result: Result | None) -> object:
    """All submenus with the same entries lead to the same, whatever holds in the menu above."""
    (*above, level) = mode.levels
    marked = type(level.menu).__name__, level.selected
    if above:
        entries = state.shown and tuple(entry.label for entry in state.shown.view.entries)
        return marked, entries, state.settings.game
    known = result is not None and (bool(result.question_count), "there is one")
    own = state.settings.game, state.must_ask_players, any(state.settings.players)
    return marked, known, just_played(state), own


def _writing(state: State, mode: NameEntryMode, _result: object) -> object:
    """Letters beside the first two lead to the same."""
    length = min(len(mode.text), 1) + (len(mode.text) > len(LONG_NAME))
    keys = mode.keys(state)
    key = keys[mode.selected] if keys[mode.selected] in tuple(Key) else "letter"
    seats = None if mode.seat is None else mode.seat - 1
    end = mode.text[-1:] == " "
    return seats and min(seats, 1), length, end, mode.alphabet, key, mode.problem is None


def _seating(state: State, mode: SeatingMode, _result: object) -> object:
    entries = mode.items(state)
    label = entries[mode.selected].entry.label
    seats = len(mode.names), mode.has_free_seat(state)
    return seats, label if isinstance(label, MenuWord) else "name", just_played(state)


def _wizard(state: State, mode: WizardMode, _result: object) -> object:
    busy = mode.job_id is not None and (mode.stage is Stage.CAPTURE or "reads")
    own = (
        getattr(mode, "step", getattr(mode, "step_index", None)),
        busy,
        mode.problem is None,
        state.expects_same_table,
    )
    if isinstance(mode, GroupingMode):
        return own, len(mode.pictures), len(mode.named), any(mode.named), mode.option
    if isinstance(mode, CalibratingMode):
        return own, mode.table_only, mode.fresh
    known = mode.edition in state.choices.all_editions
    return own, known, mode.add, mode.learned, mode.corner


_STATE_KEYS = {
    ReadyMode: lambda state, _mode, result: (
        state.camera.problem is None, state.camera.opening_since_s is None, state.display_lost,
        state.must_ask_players, result is not None and (bool(result.question_count), saved(result)),
        just_played(state),
    ),
    ScanningMode: lambda state, mode, result: (
        mode.stage is Stage.CAPTURE, state.expects_same_table, result is not None,
        state.display_lost,
    ),
    PhotoSeriesMode: lambda _state, mode, result: (
        mode.job_id is None, mode.sent_so_far, result is not None,
    ),
    ResultMode: _viewing,
    PickingMode: _picking,
    ReviewMode: _reviewing,
    ConfirmPlacesWithoutEffect: lambda state, mode, result: _reviewing(state, mode.rest, result),
    OwnersMode: lambda _state, mode, _result: mode.option,
    PastGamesMode: lambda state, mode, result: (
        mode.job_id is None or ("waits", bool(mode.games)),
        mode.index,
        None if mode.result is None else mode.result.scan is None,
        state.expects_same_table,
        result is None,
    ),
    StatisticsMode: lambda state, mode, _result: (
        mode.job_id is None,
        mode.index,
        state.expects_same_table,
    ),
    MenuMode: _in_menu,
    SeatingMode: _seating,
    NameEntryMode: _writing,
    AimingMode: lambda state, mode, _result: (
        mode.aim_view is None, mode.part, state.expects_same_table,
        state.camera.opening_since_s is None,
    ),
    GroupingMode: _wizard,
    CalibratingMode: _wizard,
    TeachingMode: _wizard,
    LearningMode: lambda state, mode, _result: (
        type(mode.after).__name__, state.expects_same_table,
    ),
    DoubtfulTilesMode: lambda state, mode, _result: (
        len(mode.doubtful),
        bool(mode.accepted),
        type(mode.after).__name__,
        state.expects_same_table,
    ),
    LearnedMode: lambda state, mode, _result: (mode.is_new, state.expects_same_table),
    UndoingTeachingMode: lambda state, mode, _result: (
        mode.is_only_teaching, state.expects_same_table,
    ),
    HotspotMode: lambda state, _mode, _result: (state.hotspot is None, state.expects_same_table),
    PhoneMode: lambda state, _mode, _result: (
        bool(state.page.url),
        state.page.problem is None,
        state.expects_same_table,
    ),
    ConfirmMode: lambda state, mode, _result: (
        mode.question,
        type(mode.before).__name__,
        state.expects_same_table,
    ),
    NoticeMode: lambda state, mode, _result: (str(mode.notice)[:20], state.expects_same_table),
    FailureMode: lambda state, mode, _result: (
        is_camera_problem(mode.problem),
        mode.can_retry,
        state.expects_same_table,
    ),
    SwitchingOffMode: lambda _state, mode, result: (
        mode.requested,
        result is not None and saved(result),
    ),
}  # fmt: skip

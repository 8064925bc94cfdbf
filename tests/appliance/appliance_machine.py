"""The machine with someone at its buttons: a test presses, and reads what the display says."""

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace

from firmware.appliance.base import Show
from firmware.appliance.camera_recovery import CameraOpened
from firmware.appliance.choices import Choices, GameChoice
from firmware.appliance.features.picking import PickingMode
from firmware.appliance.features.reviewing import ReviewMode
from firmware.appliance.features.scanning import PhotoRead, StartScan, TakeAndReadPhoto
from firmware.appliance.features.standard_modes import first_state
from firmware.appliance.features.starting import Started
from firmware.appliance.inputs import ButtonPressed, CommandReceived, Tick
from firmware.appliance.job_mode import JobFailed, StageReached
from firmware.appliance.machine import step
from firmware.appliance.menu import MenuMode
from firmware.appliance.saving import ResultSaved, SaveResult
from firmware.base.problem import Problem
from firmware.games.registry import games
from firmware.scan.corrections import correction_text
from firmware.screens.device_views import MenuView
from firmware.screens.question_views import DoubtView, FaceGroup, PickView, SpecialAnswer
from firmware.screens.view import Bitmap, Piece, PlayerLabel
from firmware.screens.words import Hint, Stage, Worded
from firmware.settings import Settings
from hardware.buttons import Button, press_actions
from scoring.faces import Face
from tests.appliance.fake_tables import TABLES
from tests.firmware.board_samples import DICE_BOARD, READING_ONLY
from tests.firmware.fake_eye import EXAMPLE, FakeEye
from vision.editions.folder import built_in_edition, built_in_games
from vision.reading import Place, PlaceKind

SETTINGS = Settings(language="en")


def game_choice(name, *editions):
    """A game with its title, variants and the like, and these editions."""
    game = games()[name]
    levels = tuple(game.rules.LEVELS)
    editions = ("standard", *editions)
    return GameChoice(
        name,
        game.title,
        game.rules.VARIANTS,
        levels,
        game.named_seats,
        editions,
        game.taught_on_device,
    )


LANGUAGES = ("en", "de", "hu")
OWN_EDITIONS = {"between-two-cities": ("grandma",), "cities": ("mine",)}
CHOICES_OF_GAMES = {name: game_choice(name, *OWN_EDITIONS.get(name, ())) for name in games()}
READING_ONLY_CHOICE = GameChoice(
    "reading-only", "Reading only", ("standard",), (1,), editions=("dominoes",)
)
GAME = CHOICES_OF_GAMES["between-two-cities"]
CHOICES = Choices((GAME,), LANGUAGES)
ALL_GAMES = Choices((*CHOICES_OF_GAMES.values(), READING_ONLY_CHOICE), LANGUAGES)
WITHOUT_EDITION = set(games()) - set(built_in_games())
assert not WITHOUT_EDITION, f"add vision/editions/built_in/GAME for {WITHOUT_EDITION}"
DESCRIPTIONS = {name: built_in_edition(name).description for name in games()}
DESCRIPTIONS |= {each.game: each for each in (DICE_BOARD, READING_ONLY)}

CAMERA_MISSING = Problem("camera-missing", "there is no camera: plug it in", "camera")
TOO_DARK = Problem("photo-too-dark", "too dark: switch on a light", "camera")
DISK_FULL = Problem("not-saved-disk-full", "the card is full: make room", "history")
CROP = Bitmap((8, 1), b"\x55")

FOUR = EXAMPLE[:4]
SAME_WAY = (0, 0, 0, 0)
"""Turns of four cities that do not show whose they are."""


CORNER = (0, (0, 0))
"""A shop in EXAMPLE: city and cell."""
MIDDLE = (2, (1, 1))
"""A park in EXAMPLE."""
UNSURE = {CORNER: (Face.HOUSE, Face.PARK), MIDDLE: (Face.PARK,)}
"""Two tiles of EXAMPLE with what else they may be."""


def tile_place(city, cell):
    return Place(PlaceKind.TILE, city, cell)


def read(*cities, **doubts):
    """Return the fake eye's reading of a photo of these cities; see ``FakeEye``."""
    photo = SimpleNamespace(name="camera", size_wh=(2304, 1296))
    return FakeEye(*(cities or EXAMPLE), **doubts)(photo)


def label_text(label):
    """Return the text of a menu entry or view; for a piece or word its identifier."""
    if isinstance(label, Worded):
        return label.code
    return label.name if isinstance(label, Piece) else str(label)


def guess_of(view):
    """Return the answer that a question offers: a face, a kind of faces, or another answer."""
    name = view.guess.name
    if view.is_group:
        return FaceGroup(name)
    return SpecialAnswer(name) if name in set(SpecialAnswer) else name


def name_of(view):
    """The name of a view of a result, such as ``player-1`` or ``winner``."""
    return getattr(view, "name", type(view).__name__.removesuffix("View").lower())


def views_of(views, kind):
    """Return the views whose names begin with ``kind``."""
    return [view for view in views if name_of(view).startswith(kind)]


def lines_of(view):
    """The rows of a view, or what stands in their place, in English."""
    rows = [f"{row.label[0]} {row.value}".strip() for row in view.rows]
    return rows or [str(view.statement)]


def finished(job, reading, **more):
    """The photo of a scan was read."""
    return PhotoRead(job, reading, DESCRIPTIONS[reading.game], **more)


class MachineDriver:
    """A machine that has started, with an open camera unless ``camera`` is false.

    Attributes:
        state: State of the machine.
        effects: Effects of the last call.
        all_effects: Effects since the start.
        now_s: Monotonic seconds.
    """

    def __init__(self, *, camera=True, **start):
        self.effects = []
        self.all_effects = []
        self.now_s = 100.0
        start = {"settings": SETTINGS, "choices": CHOICES, **start}
        self.state = replace(
            first_state(start.pop("settings"), start.pop("choices")), now_s=self.now_s, **start
        )
        self.handle(Started())
        if camera:
            self.handle(CameraOpened())

    def handle(self, *events):
        """Give events to the machine, one after the other; return all their effects."""
        self.effects = []
        for event in events:
            self.state, effects = step(self.state, event)
            self.effects += effects
        self.all_effects += self.effects
        return self.effects

    def press(self, *buttons, to=None):
        """Press buttons one after the other, a second apart; ``to``: what is shown after that."""
        done = []
        for button in buttons:
            self.now_s += 1
            done += self.handle(ButtonPressed(Button(button), "short", self.now_s))
        self.effects = done
        assert to is None or isinstance(self.view, to), f"the display shows {name_of(self.view)}"
        return done

    def hold(self, button, to=None):
        """Hold a button for two seconds."""
        done = []
        for event in press_actions(Button(button), self.now_s + 2, long=True):
            pressed = ButtonPressed(event.button, event.kind, event.at_s, event.repeats)
            done += self.handle(pressed)
        self.now_s += 2
        self.effects = done
        assert to is None or isinstance(self.view, to), f"the display shows {name_of(self.view)}"
        return done

    def go_to_ready(self):
        """Leave a list by SCAN, then be ready."""
        while isinstance(self.state.mode, MenuMode | PickingMode | ReviewMode):
            self.press("scan")
        return self.hold("next")

    def hold_repeating(self, button, repeats=60):
        """Hold a button in a list, and release it after this many repeats."""
        done = []
        for number in range(1, repeats + 1):
            self.now_s += 0.15
            done += self.handle(ButtonPressed(Button(button), "repeat", self.now_s, number))
        done += self.handle(ButtonPressed(Button(button), "short", self.now_s, repeats))
        self.effects = done
        return done

    def switch_off(self):
        """Hold OK, and answer the question with yes."""
        return self.hold("ok") + self.press("ok")

    def wait(self, seconds):
        """Let time pass, a second at a time."""
        done = []
        for _ in range(seconds):
            self.now_s += 1
            done += self.handle(Tick(self.now_s))
        self.effects = done
        return done

    @property
    def view(self):
        """View on the display."""
        return self.state.shown.view

    @property
    def job_id(self):
        """The number of the job that was begun last."""
        return self.state.next_id - 1

    def effects_of(self, kind):
        """Return the effects of a kind among those of the last call."""
        return [effect for effect in self.effects if isinstance(effect, kind)]

    def effect_of(self, kind):
        """Return the only effect of a kind among those of the last call."""
        [effect] = self.effects_of(kind)
        return effect

    def scan(
        self, *cities, crops: Mapping = {}, patches: Mapping = {}, photo_reference=None, **doubts
    ):
        """Press SCAN, and let the eye see these cities; gives the reading."""
        start = next(e for e in self.press("scan") if isinstance(e, TakeAndReadPhoto))
        reading = read(*cities, **doubts)
        self.handle(StageReached(start.job_id, Stage.LOCATE))
        more = {"crop_at": crops.get, "patch_at": patches.get, "photo_reference": photo_reference}
        self.handle(finished(start.job_id, reading, **more))
        return reading

    def upload(self, *cities, **doubts):
        """Give a photo on the page, in which the eye sees these cities."""
        self.now_s += 1
        self.handle(CommandReceived(StartScan(object()), self.now_s))
        self.handle(
            finished(
                self.effect_of(TakeAndReadPhoto).job_id, read(*cities, **doubts), is_upload=True
            )
        )

    def command(self, command):
        """Give a command of the page."""
        self.now_s += 1
        return self.handle(CommandReceived(command, self.now_s))

    def scan_game(self, reading=None, *, crops: Mapping = {}, photo_reference=None):
        """Press SCAN; the eye gives this reading, or the usual one of the game that is set."""
        start = next(e for e in self.press("scan") if isinstance(e, TakeAndReadPhoto))
        reading = reading or TABLES[start.game]
        self.handle(StageReached(start.job_id, Stage.RECOGNISE))
        self.handle(
            finished(start.job_id, reading, crop_at=crops.get, photo_reference=photo_reference)
        )
        return reading

    @property
    def saved_result(self):
        """Result of the only saving that the last call has begun."""
        return self.effect_of(SaveResult).result

    def finish_saving(self):
        """Report that the result was saved."""
        self.handle(ResultSaved(self.state.result.save_id))

    def choose(self, *labels):
        """Choose these entries one after the other, each in the menu that is open."""
        for label in labels:
            self.mark(label)
            self.press("ok")

    def open_menu(self, *labels):
        """Open the menu and choose these entries, each in the menu that the one before opens."""
        self.hold("scan")
        self.choose(*labels)

    def pick(self, *marks):
        """Choose a place in the menu: of each stage the number of what is marked, from 1."""
        self.open_menu("correct-tile")
        for mark in marks:
            assert isinstance(self.view, PickView)
            self.press(*["next"] * (mark - 1), "ok")
        assert isinstance(self.view, DoubtView)

    @property
    def guess(self):
        """The answer that is offered, as ``answer`` takes it."""
        return guess_of(self.view)

    @property
    def place(self):
        """The place that is asked about."""
        mode = self.state.mode
        return mode.places[mode.index]

    def offer(self, answer):
        """Leaf to this answer to what is asked about a place."""
        for _ in range(self.view.options):
            if self.guess == answer:
                return
            self.press("next")
        raise AssertionError(f"{answer} is not offered")

    def answer(self, answer):
        """Choose this answer to what is asked about a place."""
        self.offer(answer)
        return self.press("ok")

    def fail(self, problem):
        """Press the button that takes a photo, and let the job that it begins fail."""
        self.press("ok" if self.view.hints.ok is Hint.PHOTO else "scan")
        self.handle(JobFailed(self.job_id, problem))

    def mark(self, label):
        """Mark an entry of the menu that is open."""
        assert isinstance(self.view, MenuView)
        for _ in self.view.entries:
            if label_text(self.view.entries[self.view.selected].label) == label:
                return
            self.press("next")
        raise AssertionError(f"no entry {label} in {self.labels()}")

    @property
    def alerts(self):
        """The codes of the alerts that are shown."""
        return [alert.code for alert in self.view.alerts]

    def labels(self):
        """The entries of the menu that is open."""
        return [label_text(entry.label) for entry in self.view.entries]

    @property
    def view_name(self):
        """The name of the view that is shown, such as ``player-1``."""
        return name_of(self.view)

    @property
    def view_names(self):
        """The names of all views of the result, in the order of ``all_views``."""
        return [name_of(view) for view in self.all_views()]

    @property
    def winners(self):
        """Return the names and the points on the winner's view, in English."""
        names = [
            one.name or one.number if isinstance(one, PlayerLabel) else label_text(one)
            for one in self.view.winners
        ]
        return names, label_text(self.view.points[0])

    def all_views(self):
        """All views of the result that is shown, from this one round to it again."""
        views = [self.view]
        while True:
            self.press("next")
            if self.view == views[0]:
                return views
            views.append(self.view)
            assert len(views) < 100


def at_menu(*labels, **start):
    """A machine that has started so, in the menu to which these entries lead."""
    machine = MachineDriver(**start)
    machine.open_menu(*labels)
    return machine


def two_players(**changes):
    """Settings for two players."""
    return replace(SETTINGS, variant="two-player", **changes)


def corrections_of(result):
    """The corrections of a result as they are stored."""
    naming = result.corrected_scan.naming
    return [correction_text(each, naming) for each in result.corrections]


def last_save(effects):
    """The result that was to be stored last."""
    return [effect.result for effect in effects if isinstance(effect, SaveResult)][-1]


def shows(effects):
    """The views that are shown one after the other."""
    return [effect.view for effect in effects if isinstance(effect, Show)]

"""Views of every kind of screen: the usual ones, and those with the longest texts."""

from PIL import Image, ImageDraw

from firmware.appliance.features.players import MAX_TITLE_LETTERS
from firmware.appliance.name_entry import LATIN
from firmware.base.language import Phrase
from firmware.camera.aim_measurement import Advice
from firmware.games.between_two_cities import words as btc
from firmware.games.city_blocks import words as blocks
from firmware.games.registry import game_or_unscored, games
from firmware.games.ties import TIE_BROKEN
from firmware.screens import words
from firmware.screens.device_views import (
    AIM_PICTURE_WH,
    AimPart,
    AimView,
    CalibratedView,
    HandsOffView,
    HotspotView,
    MenuEntry,
    MenuView,
    NameView,
    NoticeView,
    PageView,
    PastGameView,
    ProblemView,
    ReadyView,
    StageView,
    StartingView,
    WizardView,
)
from firmware.screens.question_views import (
    ConfirmView,
    DoubtfulTileView,
    DoubtView,
    OwnersQuestionView,
    PickView,
    PlacesWithoutEffectView,
    SpecialAnswer,
)
from firmware.screens.result_views import (
    MapView,
    NoteView,
    PlacesView,
    UnreadView,
    ViewNumber,
    WinnerView,
)
from firmware.screens.view import Bitmap, Hints, MenuLabel, Piece, PlayerLabel, TableMap, Text, View
from firmware.screens.words import (
    Alert,
    Hint,
    MenuWord,
    Notice,
    Question,
    Stage,
    WizardStep,
)
from firmware.wording.notes import remedy, short_note
from firmware.wording.places import Naming
from scoring.faces import Face
from tests.firmware.samples import ring_reading
from tests.firmware.scan_samples import LONGEST_NAME
from vision.reading import Note, NoteCode, Place, PlaceKind

BTC, CITIES, BLOCKS, DICE = "between-two-cities", "cities", "city-blocks", "dice-board"
TITLES = {name: Phrase(game.title) for name, game in games().items()}
LONG_SEATS = tuple(PlayerLabel(number, LONGEST_NAME) for number in range(1, 8))
LAST = {"number": 112, "count": 112}
LAST_OF_MANY = {"view_number": ViewNumber(24, 24), "to_check": 112}
CHECKS = {"view_number": ViewNumber(10, 17), "to_check": 3}
ONE, FOUR, SEVEN = (TableMap.of(ring_reading(count)) for count in (1, 4, 7))
FIVE_READ = TableMap(SEVEN.cities[:5], SEVEN.cities[5:])
SPOTS = tuple(
    (grid.centre_px[0] + 70.0 * (column - 1.5), grid.centre_px[1] + 70.0 * (row - 1.5))
    for grid in ring_reading(7).grids
    for row in range(4)
    for column in range(4)
)
"""Centres of all tiles of seven cities."""


def checkerboard(side: int = 50) -> Bitmap:
    """A picture of 5 pixel squares."""
    rows = [
        bytes(
            sum(((x // 5 + y // 5) % 2) << (7 - x % 8) for x in range(start, min(start + 8, side)))
            for start in range(0, side, 8)
        )
        for y in range(side)
    ]
    return Bitmap((side, side), b"".join(rows))


def menu(title: MenuLabel, *entries: MenuEntry, selected: int = 0) -> MenuView:
    return MenuView(title=title, entries=entries, selected=selected)


def entry(label: MenuLabel, value: MenuLabel | None = None, ticked: bool = False) -> MenuEntry:
    return MenuEntry(label=label, value=value, ticked=ticked)


def tile(grid: int, row: int, column: int) -> Place:
    return Place(PlaceKind.TILE, grid, (row, column))


def slot(name: str, number: int) -> Place:
    return Place(PlaceKind.LOOSE, 0, (name, number))


def piece(answer: str | SpecialAnswer, game: str, at: PlaceKind | None = None) -> Piece:
    return game_or_unscored(game).piece(answer, at)


def place_text(place: Place, game: str = BTC) -> Text:
    """The words of a place; only cities have letters."""
    return game_or_unscored(game).place_text(place, Naming(lettered=game in (BTC, CITIES)))


def doubt(
    place: Place, guess: str | SpecialAnswer, game: str = BTC, **further: object
) -> DoubtView:
    usual = {"number": 1, "count": 1, "table": FOUR if game in (BTC, CITIES) else ONE}
    return DoubtView(
        place=place_text(place, game),
        grid=place.grid,
        guess=piece(guess, game, place.kind),
        **{**usual, **further},
    )


def pick(
    rows: int, columns: int, game: str, row: int | None, column: int | None, *labels: MenuLabel
) -> PickView:
    """A place of a full grid; without a row nothing is marked, without a column the row is."""
    names = [Face.SHOP, Face.TAVERN_MUSIC, Face.PARK] if game == BTC else ["something"]
    pieces = tuple(
        tuple(piece(names[(r * columns + c) % len(names)], game) for c in range(columns))
        for r in range(rows)
    )
    marked = () if row is None else tuple((row, c) for c in range(columns) if column in (None, c))
    return PickView(table=SEVEN, grid=0, pieces=pieces, marked=marked, labels=labels)


def asking(game: str, *names: str, **further: object) -> ReadyView:
    """The question who plays, before the first scan."""
    hints = Hints(Hint.SCAN, Hint.CHANGE, Hint.YES)
    title = Phrase(games()[game].title)
    return ReadyView(game=title, asks=True, names=names, hints=hints, **further)


def ready(**further: object) -> ReadyView:
    """Ready for the usual game, with a last result where something is to be checked."""
    if "to_check" in further:
        further |= {"edition": "attic", "hints": Hints(Hint.SCAN, Hint.POINTS, Hint.MENU)}
    return ReadyView(game=TITLES[BTC], **further)


def past(
    winners: tuple[PlayerLabel, ...], points: str, number: int, count: int, **further: object
) -> PastGameView:
    usual = {"game": TITLES[BTC], "when": ("2026-11-18 20:15", "2026-11-18"), **further}
    return PastGameView(winners=winners, points=points, number=number, count=count, **usual)


def at(row: int, column: int, letter: str = "") -> tuple[MenuLabel, ...]:
    """The words of a place that is chosen."""
    city = [words.CITY.fill(letter=letter)] if letter else []
    return *city, words.ROW.fill(n=row), words.COLUMN.fill(n=column)


def name(seat: int | None, of: str, letters: str, offered: int, ok: Hint) -> NameView:
    hints = Hints(Hint.PREVIOUS, Hint.NEXT, ok)
    return NameView(
        seat=seat, name=of, letters=letters, offered=offered % len(letters), hints=hints
    )


def steps(kind: str, of: int, **further: object) -> dict[str, View]:
    """Each step of a wizard; after every second one the last photo has worked."""
    own = (step for step in WizardStep if step.code.startswith(kind))
    return {
        step.code: WizardView(
            step=step,
            number=number,
            count=of,
            worked=kind == "calibrate" and number % 2 == 1,
            **further,
        )
        for number, step in enumerate(own, start=1)
    }


def aimed(advice: Advice, **further: object) -> AimView:
    usual = {"light": 0.6, "sharpness": 0.9}
    if advice not in (Advice.NO_SHEET, Advice.SHEET_UNCLEAR, Advice.TOO_DARK):
        usual |= {"players": 7, "height_cm": 118, "tilt_deg": 21}
    heights = (("2–4", 47), ("5–6", 66), ("7", 104))
    return AimView(
        advice=advice, picture=live_picture(), **{"heights_cm": heights, **usual, **further}
    )


def live_picture() -> Bitmap:
    """Stripes with the outline of the cities that fit."""
    width, height = AIM_PICTURE_WH
    picture = Image.new("1", (width, height))
    draw = ImageDraw.Draw(picture)
    for x in range(0, width + height, 6):
        draw.line((x, 0, x - height, height), fill=1)
    draw.rectangle((12, 10, width - 20, height - 18), outline=1, fill=0)
    return Bitmap((width, height), picture.tobytes())


MENUS = {
    "menu": menu(
        MenuWord.MENU,
        entry(MenuWord.LAST_RESULT),
        entry(MenuWord.GAME, TITLES[BTC]),
        entry(MenuWord.WHO_PLAYS),
        entry(MenuWord.EDITION, MenuWord.STANDARD_EDITION),
        entry(MenuWord.CALIBRATE),
        selected=2,
    ),
    "menu-settings": menu(
        MenuWord.SETTINGS,
        entry(MenuWord.LANGUAGE, MenuWord.HU),
        entry(MenuWord.CONTRAST, "207"),
        entry(MenuWord.UPSIDE_DOWN, MenuWord.NO),
    ),
    "menu-games": menu(
        MenuWord.GAME,
        *(entry(title, ticked=name == BTC) for name, title in TITLES.items()),
        selected=list(TITLES).index(DICE),
    ),
    "menu-names": menu(
        words.FIRST_SEAT,
        entry(MenuWord.AS_LAST_TIME, "7"),
        entry(LONGEST_NAME),
        entry("Emily"),
        entry(MenuWord.NO_NAMES),
        selected=1,
    ),
    "menu-names-next": menu(
        words.NEXT_SEAT.fill(name="M" * MAX_TITLE_LETTERS),
        entry("Emily"),
        entry(MenuWord.THAT_IS_ALL),
        entry(MenuWord.PREVIOUS_NAME),
        selected=2,
    ),
    "menu-faces": menu(
        MenuWord.CORRECT_TILE, *(entry(piece(face, BTC)) for face in Face), selected=8
    ),
}

DEVICE: dict[str, View] = {
    "starting": StartingView(),
    "ready": ready(),
    "ready-last": ready(variant="two-player", to_check=3),
    "ready-alerts": ready(alerts=(Alert.UNDER_VOLTAGE, Alert.TOO_HOT, Alert.THROTTLED)),
    "ready-asks": asking(BTC, "Ann", "Ben", "Cid", variant="standard"),
    "ready-asks-doubts": asking(BTC, "Ann", "Ben", variant="two-player", to_check=3),
    "ready-asks-none": asking(CITIES, level=3, alerts=(Alert.STORAGE_FULL,)),
    "ready-asks-same": asking(DICE),
    "ready-asks-long": asking(BTC, *(LONGEST_NAME,) * 7, variant="standard"),
    "ready-asks-all": asking(
        BTC, *("Annamaria",) * 7, variant="standard", to_check=3, alerts=(Alert.TOO_HOT,)
    ),
    "ready-all": ready(
        variant="standard", to_check=112, alerts=(Alert.UNDER_VOLTAGE, Alert.TOO_HOT)
    ),
    "past": past((PlayerLabel(3, "P3", ("C", "D")),), "62?", 3, 9),
    "past-shared": past(LONG_SEATS[:3], "168?", 100, 100),
    "past-two": past(
        (PlayerLabel(1, "Ben"), PlayerLabel(2, "Emily")), "45", 1, 12, game=TITLES[DICE], when=()
    ),
    "past-read": past((), "", 1, 1, game="reading-only", when=()),
    "hands-off": HandsOffView(),
    "hands-off-again": HandsOffView(is_rescan=True),
    **{f"stage-{stage.code}": StageView(stage=stage) for stage in Stage},
    **{f"confirm-{question.code}": ConfirmView(question=question) for question in Question},
    "places-without-effect": PlacesWithoutEffectView(count=12),
    "places-without-effect-one": PlacesWithoutEffectView(count=1),
    "unlike": DoubtfulTileView(
        place=place_text(tile(6, 3, 3)),
        seen=game_or_unscored(BTC).face_text("tavern-drink"),
        answer=game_or_unscored(BTC).face_text("tavern-music"),
    ),
    "learned": NoticeView(notice=Notice.TAUGHT, hints=Hints(Hint.UNDO, ok=Hint.OK)),
    **{f"notice-{notice.code}": NoticeView(notice=notice) for notice in Notice},
    "problem-camera": ProblemView(code="camera-silent", retrying=True),
    "problem-city-count": ProblemView(code="city-count"),
    "problem-unknown": ProblemView(
        code="camera-on-fire",
        detail="the camera smokes: pull the plug of the scanner, then look for water",
    ),
}

SETUP: dict[str, View] = {
    **MENUS,
    **{f"aim-{advice.code}": aimed(advice) for advice in Advice},
    "aim-figures": aimed(Advice.GOOD, part=AimPart.FIGURES),
    "aim-figures-unclear": aimed(Advice.SHEET_UNCLEAR, part=AimPart.FIGURES),
    "aim-heights": aimed(Advice.GOOD, part=AimPart.HEIGHTS),
    "aim-heights-unknown": aimed(Advice.GOOD, part=AimPart.HEIGHTS, heights_cm=()),
    "name": NameView(seat=3, name="Ann", letters="nabcdefghijklm …×←✓", offered=2),
    "name-long": name(7, LONGEST_NAME, "✓×←", 0, Hint.DONE),
    "name-of-edition": name(None, "", "abc×", 3, Hint.CANCEL),
    **{
        f"name-key-{hint.code}": name(1, "Ann", f"n{LATIN} …×←✓", place, hint)
        for hint, place in (
            (Hint.TAKE, 0),
            (Hint.SPACE, -5),
            (Hint.OTHER, -4),
            (Hint.CANCEL, -3),
            (Hint.DELETE, -2),
            (Hint.DONE, -1),
        )
    },
    **steps("calibrate", 10),
    **steps("teach", 4, signs=tuple(game_or_unscored(BTC).signs.values())),
    "wizard-problem": WizardView(
        step=WizardStep.CALIBRATE_FLAT, number=2, count=10, problem="sheet-not-found"
    ),
    "page": PageView(url="http://192.168.178.123:8080", pin="012345"),
    "hotspot": HotspotView(name="Stadtblick-4f2c", password="rk3mxw7apq"),
    "page-starts": PageView(url="", pin=""),
    "calibrated": CalibratedView(error_px=0.31, coverage=0.87, height_mm=1234.0, photos=10),
}

DOUBTS: dict[str, View] = {
    "tile": doubt(
        tile(2, 1, 3), Face.PARK, count=3, crop=checkerboard(), table=SEVEN, option=1, options=4
    ),
    "tile-without-picture": doubt(
        tile(6, 3, 0), SpecialAnswer.NO_TILE, number=12, count=112, table=SEVEN
    ),
    **{
        f"tile-{face.value}": doubt(tile(0, 0, 0), face, crop=checkerboard())
        for face in (*Face, SpecialAnswer.LATER)
    },
    "group": DoubtView(
        number=3,
        count=9,
        guess=piece(Face.SHOP, BTC),
        tile_centres_px=SPOTS,
        pictured=40,
        option=1,
        options=10,
        crop=checkerboard(38),
    ),
    "group-many": DoubtView(
        number=12,
        count=15,
        guess=piece(Face.TAVERN_MUSIC, BTC),
        tile_centres_px=SPOTS,
        pictured=0,
        option=10,
        options=10,
        crop=checkerboard(38),
    ),
    "tile-without-sign": doubt(
        tile(0, 1, 2), "sun", "reading-only", count=3, crop=checkerboard(), options=4
    ),
    "field": doubt(
        tile(2, 7, 7), "sight", CITIES, number=3, count=112, options=6, crop=checkerboard()
    ),
    "figure": doubt(
        Place(PlaceKind.FIGURE, 0, (0, 3)), SpecialAnswer.NO_TILE, CITIES, count=2, options=6
    ),
    "building": doubt(tile(0, 4, 5), "red-power-plant", BLOCKS, count=7, option=16, options=16),
    "building-kind": doubt(
        tile(0, 4, 5), "red-factory", BLOCKS, is_group=True, count=7, option=9, options=16
    ),
    "card": doubt(tile(0, 11, 11), "yellow-brewery-ne-sight", DICE, option=22, options=22, **LAST),
    **{
        f"card-turned-{turn}": doubt(
            tile(0, 3, 4), "red-brewery-ne", DICE, options=22, turn=turn, crop=checkerboard(38)
        )
        for turn in range(4)
    },
    "slot": doubt(slot("column", 5), "value-15", BLOCKS, options=17, **LAST),
    "slot-later": doubt(slot("row", 0), SpecialAnswer.LATER, BLOCKS, option=3, options=17),
    "pick-city": PickView(table=SEVEN, grid=6, labels=(words.CITY.fill(letter="G"),)),
    "pick-row": pick(4, 4, BTC, 3, None, words.CITY.fill(letter="G"), words.ROW.fill(n=4)),
    "pick-tile": pick(4, 4, BTC, 3, 3, *at(4, 4, "G"), piece(Face.TAVERN_MUSIC, BTC)),
    "pick-field": pick(8, 8, CITIES, 7, 7, *at(8, 8, "B"), piece("tourist-yellow", CITIES)),
    "pick-card": pick(12, 12, DICE, 11, 11, *at(12, 12), piece("yellow-shipyard-ne", DICE)),
    "pick-beside": pick(5, 6, BLOCKS, None, None, piece("column", BLOCKS)),
    "owners": OwnersQuestionView(
        owners=((("A", "D"), PlayerLabel(1, "Ben")), (("B", "C"), PlayerLabel(2, LONGEST_NAME))),
        table=FOUR,
        option=2,
        options=3,
    ),
}


BLUE, RED = blocks.SIDE_WORDS["blue"], blocks.SIDE_WORDS["red"]


def won(*winners: Text, points: tuple[Text, ...] = ("168",), **further: object):
    if further.get("to_check"):
        points = tuple(f"{each}?" for each in points)
    return WinnerView(winners=winners, points=points, **further)


def side(*winners: Text, n: int = 115, **further: object) -> WinnerView:
    return won(
        *winners, points=(blocks.DOLLARS.fill(n=n), str(n)), max_letter_height_px=32, **further
    )


WEAK, P3 = (Alert.UNDER_VOLTAGE,), PlayerLabel(3, "P3", ("C", "D"))
TIE = (TIE_BROKEN[0].fill(by=btc.TIE_BREAKER_WORDS[2], numbers="7:5"),)
WINNERS: dict[str, View] = {
    "winner-saved-not": won(PlayerLabel(1, "Emily"), points=("62",), unsaved=True),
    "winner-alerts": won(
        *LONG_SEATS[:2], alerts=(*WEAK, Alert.TOO_HOT), unsaved=True, **LAST_OF_MANY
    ),
    "winner-tie": won(P3, points=("62",), tie=TIE, unsaved=True, alerts=WEAK, **LAST_OF_MANY),
    "winner-changed": won(PlayerLabel(1, "Emily"), points=("62",), news=words.CHANGED.fill(n=12)),
    "winner-tie-as-before": won(
        PlayerLabel(1, "Emily"), points=("62",), tie=TIE, news=words.NO_CHANGE
    ),
    "winner-long-changed": won(
        LONG_SEATS[0], tie=TIE, news=words.CHANGED.fill(n=12), **LAST_OF_MANY
    ),
    "winner-long": won(LONG_SEATS[0], **LAST_OF_MANY),
    "winner-certain": won(PlayerLabel(1, "Emily"), points=("60–62",), wins_anyway=True, **CHECKS),
    "winners-open": won(
        PlayerLabel(1, "Ben"),
        PlayerLabel(2),
        points=("60",),
        open_points=(("55–60",), ("58–59",)),
        **CHECKS,
    ),
    "winners-open-seven": won(
        *LONG_SEATS, open_points=(("100–119",),) * 7, alerts=WEAK, **LAST_OF_MANY
    ),
    "winners-two": won(PlayerLabel(1, "Ben"), PlayerLabel(2), points=("60",)),
    "winners-three": won(*LONG_SEATS[:3], **LAST_OF_MANY),
    "winners-seven": won(*LONG_SEATS, **LAST_OF_MANY),
    "side-wins": side(BLUE, n=45),
    "side-wins-alert": side(BLUE, RED, alerts=(Alert.RECORD,), **CHECKS),
    "side-leads": side(RED, title=blocks.LEADS, **LAST_OF_MANY),
    "sides-level": side(BLUE, RED, title=blocks.LEVEL, **LAST_OF_MANY),
    "sides-share": side(BLUE, RED, n=30, unsaved=True, **CHECKS),
}


def note(code: str, *letters: str, **further: object) -> NoteView:
    title: tuple[Text, ...] = (words.ABOUT_PHOTO,)
    if letters:
        together = " ".join(letters)
        title = (words.CITIES.fill(letters=together), together)
    if len(letters) == 1:
        title = (words.CITY.fill(letter=letters[0]),)
    return NoteView(**{"name": "note-1", "title": title, "text": text_of(code), **further})


def text_of(code: str) -> Text:
    """The short words of any note, with the longest values."""
    own = {code: text for game in games().values() for code, text in game.short_note_texts.items()}
    shown = short_note(Note(code, values=(("n", 12), ("letter", "G"))), own)
    assert shown is not None
    return shown


KITE = "a kite hangs over this city and hides the middle of it: take the kite away, please"
NOTES: dict[str, View] = {
    "unread": note(NoteCode.CITY_UNREADABLE, title=(words.UNREAD.fill(n=2),), **LAST_OF_MANY),
    "unread-all": note(NoteCode.CITY_UNREADABLE, title=(words.UNREAD.fill(n=12),), **LAST_OF_MANY),
    "board-unread": note(NoteCode.CITY_UNREADABLE, title=(words.BOARD_UNREAD,), **CHECKS),
    "note": note(NoteCode.DARK, **CHECKS),
    "note-city": note(NoteCode.GLARE, "C", **CHECKS),
    "note-cities": note(NoteCode.OUT_OF_FOCUS, *"ABCDEFG", unsaved=True, **LAST_OF_MANY),
    "note-unknown": note(NoteCode.DARK, "A", "G", text=KITE, part=1, **LAST_OF_MANY),
}


def places_view(
    title: Phrase, *places: Place, n: int = 112, game: str = BTC, **further: object
) -> PlacesView:
    usual = LAST_OF_MANY if n > 1 else CHECKS
    words_of_places = tuple(place_text(place, game) for place in places)
    return PlacesView(title=title.fill(n=n), places=words_of_places, **{**usual, **further})


FAR, WIDE = (tile(6, 3, 3),) * 3, (tile(3, 7, 7),) * 3


def where(name: str, table: TableMap, index: int, code: NoteCode, **further: object):
    return UnreadView(
        name=name, table=table, index=index, remedy=remedy(Note(code)), **CHECKS, **further
    )


UNREAD = (*(NoteCode.CITY_UNREADABLE, NoteCode.POSITION_UNCERTAIN, NoteCode.LIGHT_HIDES),)
ALONE = TableMap((), SEVEN.cities[:1])
LISTS: dict[str, View] = {
    **{
        f"where-{code.value}": where(f"where-{code.value}", FIVE_READ, 1, code, crop=checkerboard())
        for code in UNREAD
    },
    "where-alone": where("where-alone", ALONE, 0, NoteCode.GRID_UNREADABLE),
    "map": MapView(table=SEVEN, **CHECKS),
    "check": places_view(words.CHECK_TILES, *FAR),
    "check-one": places_view(words.CHECK_TILES, tile(0, 2, 3), n=1),
    "check-missing": places_view(words.TILES_MISSING, *FAR, unsure=False),
    "check-missing-one": places_view(words.TILES_MISSING, tile(0, 2, 3), n=1, unsure=False),
    "check-fields": places_view(words.CHECK_FIELDS, *WIDE),
    "check-beside": places_view(
        words.CHECK_PIECES,
        *(slot(*at) for at in (("row", 4), ("column", 5), ("blue", 14), ("red", 14))),
        n=1,
        game=BLOCKS,
        columns=2,
    ),
}

CASES: dict[str, dict[str, View]] = {
    "device": DEVICE,
    "setup": SETUP,
    "doubts": DOUBTS,
    "results": {**WINNERS, **NOTES, **LISTS},
}

"""One view, at least, of every kind of screen: the usual ones, and those with the longest texts."""

import itertools

from firmware.games import games
from firmware.games.between_two_cities import words as btc
from firmware.games.between_two_cities.signs import CATEGORY_SIGNS
from firmware.games.cities import words as cities
from firmware.games.city_blocks import words as blocks
from firmware.language import Phrase
from firmware.notes import ScanNote, short_note
from firmware.screens import table_map_of, words
from firmware.screens.views import (
    Alert,
    Bitmap,
    CalibratedView,
    CheckView,
    ConfirmView,
    DoubtView,
    FaultView,
    Hint,
    Hints,
    HoldStillView,
    MapView,
    MenuEntry,
    MenuLabel,
    MenuView,
    MenuWord,
    MessageView,
    NameView,
    NoteView,
    Notice,
    NoticeView,
    Other,
    OwnersQuestionView,
    Page,
    Piece,
    Question,
    ReadyView,
    Row,
    ScoreView,
    Seat,
    SignsView,
    Stage,
    StageView,
    StartingView,
    Text,
    View,
    WinnerView,
    WizardStep,
    WizardView,
)
from scoring.faces import Face
from scoring.games.between_two_cities.sheet import TieBreaker
from scoring.games.city_blocks.sheet import StreetLine
from tests.firmware.samples import ring_reading
from vision.reading import Note, NoteCode, Place, PlaceKind

LONGEST_NAME = "Wilhelmine-Antonia"
"""As many letters, 18, as are shown whole on every screen."""

BTC, CITIES, BLOCKS, DICE = "between-two-cities", "cities", "city-blocks", "dice-board"
TITLES = [Phrase(game.title) for game in games().values()]
LONG_SEATS = tuple(Seat(number, LONGEST_NAME) for number in range(1, 8))
LAST_OF_MANY = {"page": Page(24, 24), "to_check": 112}
CHECKS = {"page": Page(10, 17), "to_check": 3}
ONE, FOUR, SEVEN = (table_map_of(ring_reading(count)) for count in (1, 4, 7))


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


def doubt(place: Place, guess: str | Other, game: str = BTC, **further: object) -> DoubtView:
    sizes = {BTC: (4, 4), CITIES: (8, 8), BLOCKS: (5, 6), DICE: (12, 12)}
    size = sizes.get(game, (2, 3))
    usual = {"number": 1, "count": 1, "lettered": game in (BTC, CITIES), "size": size}
    table = FOUR if game in (BTC, CITIES) else ONE
    return DoubtView(place=place, guess=guess, game=game, **{"table": table, **usual, **further})


def ranked(rank: int, name: Text, *, sure: bool = True) -> tuple[Text, ...]:
    return ((words.RANKED if sure else words.RANKED_UNSURE).of(rank=rank, name=name),)


MENUS = {
    "menu": menu(
        MenuWord.MENU,
        entry(MenuWord.LAST_RESULT),
        entry(MenuWord.GAME, TITLES[0]),
        entry(MenuWord.VARIANT, MenuWord.VARIANT_STANDARD),
        entry(MenuWord.EDITION, MenuWord.STANDARD_EDITION),
        entry(MenuWord.CALIBRATE),
        selected=2,
    ),
    "menu-settings": menu(
        MenuWord.SETTINGS,
        entry(MenuWord.LANGUAGE, MenuWord.HUNGARIAN),
        entry(MenuWord.CONTRAST, "207"),
        entry(MenuWord.UPSIDE_DOWN, MenuWord.NO),
    ),
    "menu-games": menu(
        MenuWord.GAME,
        *(entry(title, ticked=number == 0) for number, title in enumerate(TITLES)),
        selected=3,
    ),
    "menu-names": menu(
        MenuWord.PLAYERS,
        entry("1", "Emily"),
        entry("2", LONGEST_NAME),
        entry("3", MenuWord.NONE),
        entry(MenuWord.CLEAR_NAMES),
        selected=1,
    ),
    "menu-faces": menu(
        MenuWord.CORRECT_TILE,
        *(entry(Piece(face, BTC)) for face in Face),
        entry(MenuWord.NO_TILE),
        selected=9,
    ),
}

DEVICE: dict[str, View] = {
    "starting": StartingView(),
    "ready": ReadyView(game=TITLES[0]),
    "ready-last": ReadyView(
        game=TITLES[0],
        variant="two-player",
        edition="attic",
        hints=Hints(Hint.SCAN, Hint.LAST, Hint.MENU),
    ),
    "ready-alerts": ReadyView(
        game=TITLES[0], alerts=(Alert.UNDER_VOLTAGE, Alert.TOO_HOT, Alert.THROTTLED)
    ),
    "hold-still": HoldStillView(),
    "hold-still-again": HoldStillView(again=True),
    **{f"stage-{stage.value}": StageView(stage=stage) for stage in Stage},
    **{f"confirm-{question.value}": ConfirmView(question=question) for question in Question},
    **{f"notice-{notice.value}": NoticeView(notice=notice) for notice in Notice},
    "fault-camera": FaultView(code="camera-silent", retrying=True),
    "fault-city-count": FaultView(code="city-count"),
    "fault-unknown": FaultView(
        code="camera-on-fire",
        detail="the camera smokes: pull the plug of the scanner, then look for water",
    ),
    "message": MessageView(title="Stadtblick 0.1.0", text="http://stadtblick.local:8080 PIN 4711"),
}

SETUP: dict[str, View] = {
    **MENUS,
    "name": NameView(seat=3, name="Ann", letters="ABCDEFG", offered=2),
    "name-long": NameView(seat=7, name=LONGEST_NAME, letters="ÖŐÜŰßáéíóúz -", offered=11),
    "name-of-edition": NameView(seat=None, name="", letters="abc", offered=0),
    **{
        step.value: WizardView(step=step, number=number, of=10, worked=number % 2 == 1)
        for number, step in enumerate(
            (step for step in WizardStep if step.value.startswith("calibrate")), start=1
        )
    },
    **{
        step.value: WizardView(step=step, number=number, of=4, game=BTC)
        for number, step in enumerate(
            (step for step in WizardStep if step.value.startswith("teach")), start=1
        )
    },
    "wizard-problem": WizardView(
        step=WizardStep.CALIBRATE_FLAT, number=2, of=10, problem="sheet-not-found"
    ),
    "calibrated": CalibratedView(error_px=0.31, coverage=0.87, height_mm=1234.0, photos=10),
}

DOUBTS: dict[str, View] = {
    "tile": doubt(
        tile(2, 1, 3), Face.PARK, count=3, crop=checkerboard(), table=SEVEN, option=1, options=4
    ),
    "tile-without-picture": doubt(tile(6, 3, 0), Other.NO_TILE, number=12, count=112, table=SEVEN),
    **{
        f"tile-{face.value}": doubt(tile(0, 0, 0), face, crop=checkerboard())
        for face in (*Face, Other.LATER)
    },
    "tile-without-sign": doubt(
        tile(0, 1, 2), "sun", "reading-only", count=3, crop=checkerboard(), options=4
    ),
    "field": doubt(
        tile(2, 7, 7), "sight", CITIES, number=3, count=112, options=6, crop=checkerboard()
    ),
    "figure": doubt(Place(PlaceKind.FIGURE, 0, (0, 3)), Other.NO_TILE, CITIES, count=2, options=6),
    "building": doubt(tile(0, 4, 5), "red-power-plant", BLOCKS, count=7, option=40, options=40),
    "card": doubt(
        tile(0, 11, 11),
        "yellow-brewery-ne-sight",
        DICE,
        number=112,
        count=112,
        option=100,
        options=162,
    ),
    "slot": doubt(slot("column", 5), "value-15", BLOCKS, number=112, count=112, options=17),
    "slot-later": doubt(slot("row", 0), Other.LATER, BLOCKS, option=3, options=17),
    "owners": OwnersQuestionView(
        owners=((("A", "D"), Seat(1, "Ben")), (("B", "C"), Seat(2, LONGEST_NAME))),
        table=FOUR,
        option=2,
        options=3,
    ),
}


def player(*cities: tuple[str, str, bool], reason: tuple[Text, ...], **further: object) -> View:
    sides = zip(cities, (btc.LEFT, btc.RIGHT), strict=True)
    rows = (Row((side.of(letter=at), at), value, counts=c) for (at, value, c), side in sides)
    return ScoreView(name="player-1", points_rows=2, rows=(*rows, Row(reason)), **further)


def tie(breaker: TieBreaker) -> tuple[Text, ...]:
    if breaker is TieBreaker.SHARED:
        return (btc.TIE_SHARED,)
    values = {"by": btc.TIE_BREAKER_WORDS[breaker], "numbers": "168:157"}
    return tuple(wording.of(**values) for wording in btc.TIE)


PLAYERS: dict[str, View] = {
    "player": player(
        ("C", "62", False),
        ("B", "57", True),
        title=ranked(2, "Ben", sure=False),
        points=("57?",),
        reason=(btc.LOWER_COUNTS.of(letter="B"),),
        **CHECKS,
    ),
    **{
        f"player-{breaker.value}": player(
            ("G", "168?", True),
            ("F", "168?", True),
            title=ranked(7, LONG_SEATS[6], sure=False),
            points=("168?",),
            reason=tie(breaker),
            unsaved=True,
            **LAST_OF_MANY,
        )
        for breaker in TieBreaker
    },
    "player-added": player(
        ("B", "57", True),
        ("C", "62", True),
        title=ranked(1, LONG_SEATS[1]),
        points=("119",),
        reason=(btc.ARE_ADDED,),
    ),
    "player-equal": player(
        ("D", "62", True),
        ("C", "62", True),
        title=ranked(1, Seat(7)),
        points=("62",),
        reason=(btc.BOTH_EQUAL,),
    ),
    "tourists": ScoreView(
        name="player-1",
        title=ranked(1, "Ben"),
        rows=(Row((cities.TOURISTS,)),),
        text="8 7 5 4",
        points=("24",),
        points_rows=2,
    ),
    "tourists-longest": ScoreView(
        name="player-4",
        title=ranked(4, LONG_SEATS[3], sure=False),
        rows=(Row((cities.TIE_BY.of(numbers="64:48"), cities.TOURISTS)),),
        text="64 32 16 16 15 13 12",
        points=("168?",),
        points_rows=2,
        **LAST_OF_MANY,
    ),
    "tourists-none": ScoreView(
        name="player-2",
        title=ranked(2, Seat(2)),
        rows=(Row((cities.TIE_SHARED, cities.TOURISTS)),),
        text=cities.NO_TOURISTS,
        points=("0",),
        points_rows=2,
    ),
    "value-tiles": ScoreView(
        name="player-2",
        title=ranked(2, blocks.SIDE_WORDS["red"], sure=False),
        rows=(Row((blocks.VALUE_TILES,)),),
        text="15 14 13 12 11 10 9 8 7 6 5",
        points=("$110?", "110?"),
        points_rows=2,
        **LAST_OF_MANY,
    ),
    "streets-rows": ScoreView(
        name="streets-1",
        title=(blocks.STREET_WORDS[StreetLine.ROW],),
        rows=(
            Row(("1",), "$15", ((16, "25:22"), (58, blocks.SIDE_WORDS["blue"]))),
            Row(("2",), "$0", ((16, "12:12"), (58, blocks.TIE))),
            Row(("3",), "$0", ((16, "8:13"), (58, blocks.OPEN))),
        ),
        **LAST_OF_MANY,
    ),
    "streets-columns": ScoreView(
        name="streets-2",
        title=(blocks.STREET_WORDS[StreetLine.COLUMN],),
        rows=(Row(("6",), "", ((16, "25:28"), (58, blocks.SIDE_WORDS["red"]))),),
        **CHECKS,
    ),
    "companies": ScoreView(
        name="companies-1",
        title=ranked(4, LONG_SEATS[3], sure=False),
        rows=(Row(("shipyard",), "44"), Row(("brewery",), "3/4"), Row(("post",), "10")),
        points=("168?",),
        **LAST_OF_MANY,
    ),
}

BIG_NAMES = {"largest": 32}
BLUE, RED = blocks.SIDE_WORDS["blue"], blocks.SIDE_WORDS["red"]


def dollars(n: int) -> tuple[Text, ...]:
    return blocks.DOLLARS.of(n=n), str(n)


WINNERS: dict[str, View] = {
    "winner-saved-not": WinnerView(winners=(Seat(1, "Emily"),), points=("62",), unsaved=True),
    "winner-alerts": WinnerView(
        winners=LONG_SEATS[:2],
        points=("168",),
        alerts=(Alert.UNDER_VOLTAGE, Alert.TOO_HOT),
        unsaved=True,
        **LAST_OF_MANY,
    ),
    "winner-long": WinnerView(winners=LONG_SEATS[:1], points=("168",), **LAST_OF_MANY),
    "winners-two": WinnerView(winners=(Seat(1, "Ben"), Seat(2)), points=("60",)),
    "winners-three": WinnerView(winners=LONG_SEATS[:3], points=("168",), **LAST_OF_MANY),
    "winners-seven": WinnerView(winners=LONG_SEATS, points=("168",), **LAST_OF_MANY),
    "side-wins": WinnerView(winners=(BLUE,), points=dollars(45), **BIG_NAMES),
    "side-wins-alert": WinnerView(
        winners=(BLUE, RED),
        points=dollars(115),
        alerts=(Alert.UNDER_VOLTAGE,),
        **BIG_NAMES,
        **CHECKS,
    ),
    "side-leads": WinnerView(
        winners=(RED,), points=dollars(115), title=blocks.LEADS, **BIG_NAMES, **LAST_OF_MANY
    ),
    "sides-level": WinnerView(
        winners=(BLUE, RED), points=dollars(115), title=blocks.LEVEL, **BIG_NAMES, **LAST_OF_MANY
    ),
    "sides-share": WinnerView(
        winners=(BLUE, RED), points=dollars(30), unsaved=True, **BIG_NAMES, **CHECKS
    ),
    "read": ScoreView(
        name="read",
        title=(words.READ,),
        rows=(Row(("dominoes",)), Row((words.PIECES.of(n=1),))),
        **CHECKS,
    ),
    "read-longest": ScoreView(
        name="read",
        title=(words.READ,),
        rows=(
            Row((LONGEST_NAME,)),
            Row((words.PIECES.of(n=144),)),
            Row((words.EMPTY.of(n=112),)),
        ),
        unsaved=True,
        **LAST_OF_MANY,
    ),
}


def note(code: str, *letters: str, **further: object) -> NoteView:
    title: tuple[Text, ...] = (words.ABOUT_PHOTO,)
    if letters:
        together = " ".join(letters)
        title = (words.CITIES.of(letters=together), together)
    if len(letters) == 1:
        title = (words.CITY.of(letter=letters[0]),)
    return NoteView(**{"name": "note-1", "title": title, "text": text_of(code), **further})


def text_of(code: str) -> Text:
    """The short words of any note, with the longest values."""
    own = {code: text for game in games().values() for code, text in game.short_note_texts.items()}
    said = short_note(Note(code, values=(("n", 12), ("letter", "G"))), own)
    assert said is not None
    return said


RULES = [ScanNote.UNKNOWN_FACE, ScanNote.MORE_BOARDS]
RULES += [code for name in (CITIES, BLOCKS, DICE) for code in games()[name].short_note_texts]
RULES += [ScanNote.NO_RULES]

NOTES: dict[str, View] = {
    "unread": note(NoteCode.FEW_TILES, title=(words.UNREAD.of(n=2),), **LAST_OF_MANY),
    "unread-all": note(NoteCode.CITY_UNREADABLE, title=(words.UNREAD.of(n=12),), **LAST_OF_MANY),
    "board-unread": note(NoteCode.CITY_UNREADABLE, title=(words.BOARD_UNREAD,), **CHECKS),
    "note": note(NoteCode.DARK, **CHECKS),
    "note-city": note(NoteCode.GLARE, "C", **CHECKS),
    "note-cities": note(NoteCode.OUT_OF_FOCUS, *"ABCDEFG", unsaved=True, **LAST_OF_MANY),
    "note-unknown": note(
        NoteCode.DARK,
        "A",
        "G",
        text="a kite hangs over this city and hides the middle of it: take the kite away, please",
        part=1,
        **LAST_OF_MANY,
    ),
    **{
        f"remark-{code}": note(
            code, *letters, **({} if letters else {"title": (words.ABOUT_RULES,)}), **LAST_OF_MANY
        )
        for code, letters in zip(RULES, itertools.cycle(((), "B", "ABCD")), strict=False)
    },
    "owners": ScoreView(
        name="owners",
        title=(btc.OWNERS,),
        rows=(
            Row((btc.OWNER.of(letters="A D", name=Seat(1, "Ben")),)),
            Row(tuple(btc.OWNER.of(letters="B C", name=n) for n in (LONG_SEATS[1], Seat(2)))),
            Row((btc.OWNERS_GUESSED,)),
        ),
        **CHECKS,
    ),
}


def check(title: Phrase, *places: Place, n: int = 112, **further: object) -> CheckView:
    usual = {"lettered": True, **(LAST_OF_MANY if n > 1 else CHECKS)}
    return CheckView(title=title.of(n=n), places=places, **{**usual, **further})


FAR, WIDE = (tile(6, 3, 3),) * 9, (tile(3, 11, 11),) * 6

LISTS: dict[str, View] = {
    "check": check(words.CHECK_TILES, *FAR),
    "check-one": check(words.CHECK_TILES, tile(0, 2, 3), n=1),
    "check-missing": check(words.TILES_MISSING, *FAR, unsure=False),
    "check-missing-one": check(words.TILES_MISSING, tile(0, 2, 3), n=1, unsure=False),
    "check-tiles": check(words.CHECK_TILES, *WIDE, lettered=False, columns=2),
    "check-fields": check(words.CHECK_FIELDS, *WIDE, columns=2),
    "check-figures": check(words.CHECK_FIGURES, *WIDE, columns=2),
    "check-pieces": check(words.CHECK_PIECES, *WIDE, columns=2),
    "check-fields-missing": check(words.FIELDS_MISSING, *WIDE, unsure=False, columns=2),
    "check-beside": check(
        words.CHECK_PIECES,
        *(slot(*at) for at in (("row", 4), ("column", 5), ("blue", 14), ("red", 14))),
        n=1,
        lettered=False,
        game=BLOCKS,
        columns=2,
    ),
}

FURTHER: dict[str, View] = {
    "map": MapView(table=SEVEN, **CHECKS),
    "legend": SignsView(
        name="legend",
        title=btc.LEGEND,
        entries=tuple((sign, btc.CATEGORY_WORDS[each]) for each, sign in CATEGORY_SIGNS.items()),
        **CHECKS,
    ),
    "city": SignsView(
        name="city-B",
        title=words.CITY.of(letter="B"),
        entries=tuple(
            zip(CATEGORY_SIGNS.values(), ["16", "20", "17", "22", "13", "25"], strict=True)
        ),
        points="113",
        **CHECKS,
    ),
    "city-largest": SignsView(
        name="city-G",
        title=words.CITY.of(letter="G"),
        entries=tuple((sign, "64") for sign in CATEGORY_SIGNS.values()),
        points="384?",
        **LAST_OF_MANY,
    ),
}


def changed_view(*rows: Row, **further: object) -> View:
    return ScoreView(name="changes-1", title=(words.CHANGES,), rows=rows, **further)


CHANGES: dict[str, View] = {
    "changes": changed_view(
        Row((btc.NEW_WINNER,)),
        Row((LONG_SEATS[1],)),
        Row((words.CITY.of(letter="C"),), "57►62"),
        **CHECKS,
    ),
    "changes-tiles": changed_view(
        Row((btc.CITY_COUNT,), "5►6"),
        *(
            Row((place,), Phrase("{a}►{b}").of(a=a, b=btc.FACE_WORDS.get(b, b)))
            for place, a, b in (
                ("C 2,4", btc.FACE_WORDS[Face.TAVERN_DRINK], Face.FACTORY),
                ("G 4,4", "–", Face.HOUSE),
            )
        ),
    ),
    "changes-finals": changed_view(
        Row((LONG_SEATS[0],)), Row(("",), "168►157"), Row((Seat(2),), "57►62")
    ),
    "changes-shared": changed_view(
        Row((btc.NEW_WINNERS.of(n=7),)), Row((LONGEST_NAME,)), Row((words.MORE_WINNERS.of(n=6),))
    ),
    "changes-none": changed_view(statement=words.NO_CHANGE),
}

CASES: dict[str, dict[str, View]] = {
    "device": DEVICE,
    "setup": SETUP,
    "doubts": DOUBTS,
    "results": {**WINNERS, **NOTES, **LISTS, **PLAYERS, **FURTHER, **CHANGES},
}

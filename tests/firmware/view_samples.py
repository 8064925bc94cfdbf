"""One view, at least, of every kind of screen: the usual ones, and those with the longest texts."""

import itertools

from firmware.board_games.remarks import RemarkKind
from firmware.board_games.spots import Spot, What
from firmware.screens import table_map_of
from firmware.screens.board_views import CheckKind, CompanyRow, Parts, StreetRow
from firmware.screens.draw_board import SPOTS_PER_PAGE
from firmware.screens.views import (
    Alert,
    Bitmap,
    BoardCheckView,
    CalibratedView,
    ChangesView,
    CityCountChange,
    CityTotal,
    CityView,
    CompaniesView,
    ConfirmView,
    FaultView,
    FinalChange,
    Hint,
    Hints,
    HoldStillView,
    LegendView,
    MapView,
    MenuEntry,
    MenuView,
    MenuWord,
    MessageView,
    MissingListView,
    NameView,
    NoteView,
    Notice,
    NoticeView,
    Other,
    OwnersQuestionView,
    OwnersView,
    Page,
    PartsView,
    PlayerView,
    Question,
    ReadView,
    ReadyView,
    RemarkView,
    Seat,
    SidesWinnerView,
    Stage,
    StageView,
    StartingView,
    StreetsView,
    TileChange,
    TotalChange,
    UnreadListView,
    UnsureListView,
    UnsureSpotView,
    UnsureView,
    View,
    WinnerChange,
    WinnerView,
    WizardStep,
    WizardView,
)
from scoring.faces import Face, Side
from scoring.games.between_two_cities.sheet import Points, TieBreak, TieBreaker
from scoring.games.between_two_cities.table import Variant
from scoring.games.city_blocks.sheet import StreetLine
from tests.firmware.samples import ring_reading

LONGEST_NAME = "Wilhelmine-Antonia"
"""As many letters, 18, as are shown whole on every screen."""

LONG_SEATS = tuple(Seat(number, LONGEST_NAME) for number in range(1, 8))
LAST_OF_MANY = {"page": Page(24, 24), "to_check": 112}
CHECKS = {"page": Page(10, 17), "to_check": 3}
FOUR, SEVEN = (table_map_of(ring_reading(count)) for count in (4, 7))


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


def menu(title: MenuWord, *entries: MenuEntry, selected: int = 0) -> MenuView:
    return MenuView(title=title, entries=entries, selected=selected)


def entry(
    label: MenuWord | Face | str, value: MenuWord | str | None = None, ticked: bool = False
) -> MenuEntry:
    return MenuEntry(label=label, value=value, ticked=ticked)


MENUS = {
    "menu": menu(
        MenuWord.MENU,
        entry(MenuWord.LAST_RESULT),
        entry(MenuWord.GAME, MenuWord.BETWEEN_TWO_CITIES),
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
        entry(MenuWord.BETWEEN_TWO_CITIES, ticked=True),
        entry(MenuWord.CITIES),
        entry(MenuWord.CITY_BLOCKS),
        entry(MenuWord.DICE_BOARD),
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
        MenuWord.CORRECT_TILE, *(entry(face) for face in Face), entry(MenuWord.NO_TILE), selected=9
    ),
}

DEVICE: dict[str, View] = {
    "starting": StartingView(),
    "ready": ReadyView(),
    "ready-last": ReadyView(
        variant=Variant.TWO_PLAYER,
        edition="attic",
        hints=Hints(Hint.SCAN, Hint.LAST, Hint.MENU),
    ),
    "ready-alerts": ReadyView(alerts=(Alert.UNDER_VOLTAGE, Alert.TOO_HOT, Alert.THROTTLED)),
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
        step.value: WizardView(step=step, number=number, of=4)
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
    "tile": UnsureView(
        number=1,
        count=3,
        city=2,
        cell=(1, 3),
        guess=Face.PARK,
        crop=checkerboard(),
        table=SEVEN,
        option=1,
        options=4,
    ),
    "tile-without-picture": UnsureView(
        number=12, count=112, city=6, cell=(3, 0), guess=Other.NO_TILE, crop=None, table=SEVEN
    ),
    **{
        f"tile-{face.value}": UnsureView(
            number=1, count=1, city=0, cell=(0, 0), guess=face, crop=checkerboard(), table=FOUR
        )
        for face in (*Face, Other.LATER)
    },
    "owners": OwnersQuestionView(
        owners=((("A", "D"), Seat(1, "Ben")), (("B", "C"), Seat(2, LONGEST_NAME))),
        table=FOUR,
        option=2,
        options=3,
    ),
    "changes": ChangesView(
        changes=(
            WinnerChange((Seat(1, "Ben"),), (Seat(2, LONGEST_NAME),)),
            TotalChange("C", 57, 62),
        ),
        **CHECKS,
    ),
    "changes-tiles": ChangesView(
        changes=(
            CityCountChange(5, 6),
            TileChange((2, (1, 3)), Face.TAVERN_DRINK, Face.FACTORY),
            TileChange((6, (3, 3)), None, Face.HOUSE),
        )
    ),
    "changes-finals": ChangesView(
        changes=(
            FinalChange(LONG_SEATS[0], 168, 157),
            FinalChange(Seat(2), 57, 62),
        )
    ),
    "changes-shared": ChangesView(changes=(WinnerChange((Seat(1, "Ben"),), LONG_SEATS),)),
    "changes-none": ChangesView(changes=()),
}

RESULTS: dict[str, View] = {
    "winner-saved-not": WinnerView(winners=(Seat(1, "Emily"),), points=62, unsaved=True),
    "winner-alerts": WinnerView(
        winners=LONG_SEATS[:2],
        points=168,
        alerts=(Alert.UNDER_VOLTAGE, Alert.TOO_HOT),
        unsaved=True,
        **LAST_OF_MANY,
    ),
    "winner-long": WinnerView(winners=LONG_SEATS[:1], points=168, **LAST_OF_MANY),
    "winners-two": WinnerView(winners=(Seat(1, "Ben"), Seat(2)), points=60),
    "winners-three": WinnerView(winners=LONG_SEATS[:3], points=168, **LAST_OF_MANY),
    "winners-seven": WinnerView(winners=LONG_SEATS, points=168, **LAST_OF_MANY),
    "player": PlayerView(
        player=Seat(1, "Ben"),
        rank=2,
        final=57,
        cities=(CityTotal("C", 62, counts=False), CityTotal("B", 57, counts=True)),
        **CHECKS,
    ),
    **{
        f"player-{breaker.value}": PlayerView(
            player=LONG_SEATS[6],
            rank=7,
            final=168,
            cities=(
                CityTotal("G", 168, counts=True, may_change=True),
                CityTotal("F", 168, counts=True, may_change=True),
            ),
            tie_break=TieBreak(
                breaker, (1,), *((None, None) if breaker is TieBreaker.SHARED else (168, 157))
            ),
            unsaved=True,
            **LAST_OF_MANY,
        )
        for breaker in TieBreaker
    },
    "player-added": PlayerView(
        player=LONG_SEATS[1],
        rank=1,
        final=119,
        cities=(CityTotal("B", 57, counts=True), CityTotal("C", 62, counts=True)),
        are_added=True,
    ),
    "player-equal": PlayerView(
        player=Seat(7),
        rank=1,
        final=62,
        cities=(CityTotal("D", 62, counts=True), CityTotal("C", 62, counts=True)),
    ),
    "map": MapView(table=SEVEN, **CHECKS),
    "legend": LegendView(**CHECKS),
    "city": CityView(letter="B", points=Points(16, 20, 17, 22, 13, 25), **CHECKS),
    "city-largest": CityView(
        letter="G", points=Points(64, 64, 64, 64, 64, 64), may_change=True, **LAST_OF_MANY
    ),
    "unread": UnreadListView(count=2, why="only 12 tiles can be read here", **LAST_OF_MANY),
    "unread-all": UnreadListView(
        count=12, why="what lies here like a city cannot be read", **LAST_OF_MANY
    ),
    "note": NoteView(
        note="the photo is dark, so that a city may have been missed: use more light", **CHECKS
    ),
    "note-city": NoteView(
        note="glare at [0,1], [2,3]: move the lamp or shade the city", cities=("C",), **CHECKS
    ),
    "note-cities": NoteView(
        note="it is blurred: focus the camera and hold it still",
        cities=tuple("ABCDEFG"),
        unsaved=True,
        **LAST_OF_MANY,
    ),
    "note-unknown": NoteView(
        note="a kite hangs over this city and hides the middle of it: take the kite away, please",
        cities=("A", "G"),
        part=1,
        **LAST_OF_MANY,
    ),
    "owners": OwnersView(
        owners=((("A", "D"), Seat(1, "Ben")), (("B", "C"), LONG_SEATS[1])), **CHECKS
    ),
    "unsure": UnsureListView(count=112, places=((6, (3, 3)),) * 9, **LAST_OF_MANY),
    "unsure-few": UnsureListView(count=1, places=((0, (2, 3)),), **CHECKS),
    "missing": MissingListView(count=112, places=((6, (3, 3)),) * 9, **LAST_OF_MANY),
    "missing-few": MissingListView(count=1, places=((0, (2, 3)),), **CHECKS),
}

BOARDS: dict[str, View] = {
    "read": ReadView(edition="dominoes", pieces=1, **CHECKS),
    "read-longest": ReadView(
        edition=LONGEST_NAME, pieces=144, empty=112, unsaved=True, **LAST_OF_MANY
    ),
    "side-wins-alert": SidesWinnerView(
        winners=(Side.BLUE, Side.RED), points=115, alerts=(Alert.UNDER_VOLTAGE,), **CHECKS
    ),
    "spot-field": UnsureSpotView(
        number=3,
        count=112,
        spot=Spot(What.TILE, 2, (7, 7)),
        lettered=True,
        guess="sight",
        option=1,
        options=6,
        crop=checkerboard(),
        table=FOUR,
    ),
    "spot-figure": UnsureSpotView(
        number=1,
        count=2,
        spot=Spot(What.TOKEN, 0, (0, 3)),
        lettered=True,
        guess=Other.NO_TILE,
        options=6,
        table=FOUR,
    ),
    "spot-building": UnsureSpotView(
        number=1,
        count=7,
        spot=Spot(What.TILE, 0, (4, 5)),
        lettered=False,
        guess="red-power-plant",
        option=40,
        options=40,
    ),
    "spot-card": UnsureSpotView(
        number=112,
        count=112,
        spot=Spot(What.TILE, 0, (11, 11)),
        lettered=False,
        guess="yellow-brewery-ne-sight",
        option=100,
        options=162,
    ),
    "spot-slot": UnsureSpotView(
        number=112,
        count=112,
        spot=Spot(What.BESIDE, 0, ("column", 5)),
        lettered=False,
        guess="value-15",
        option=1,
        options=17,
    ),
    "spot-later": UnsureSpotView(
        number=1,
        count=1,
        spot=Spot(What.BESIDE, 0, ("row", 0)),
        lettered=False,
        guess=Other.LATER,
        option=3,
        options=17,
    ),
    "side-wins": SidesWinnerView(winners=(Side.BLUE,), points=45),
    "side-leads": SidesWinnerView(
        winners=(Side.RED,), points=115, is_finished=False, **LAST_OF_MANY
    ),
    "sides-level": SidesWinnerView(
        winners=(Side.BLUE, Side.RED), points=115, is_finished=False, **LAST_OF_MANY
    ),
    "sides-share": SidesWinnerView(
        winners=(Side.BLUE, Side.RED), points=30, unsaved=True, **CHECKS
    ),
    **{
        f"remark-{kind.value}": RemarkView(kind=kind, letters=letters, **LAST_OF_MANY)
        for kind, letters in zip(
            RemarkKind, itertools.cycle(((), ("B",), tuple("ABCD"))), strict=False
        )
    },
    "board-unread": UnreadListView(
        count=1, why="what lies here like a city cannot be read", is_board=True, **CHECKS
    ),
    **{
        f"check-{kind.value}": BoardCheckView(
            kind=kind,
            count=112,
            spots=(Spot(What.TILE, 3, (11, 11)),) * SPOTS_PER_PAGE,
            lettered=kind is not CheckKind.TILES,
            **LAST_OF_MANY,
        )
        for kind in CheckKind
    },
    "check-beside": BoardCheckView(
        kind=CheckKind.PIECES,
        count=1,
        spots=tuple(
            Spot(What.BESIDE, 0, at)
            for at in (("row", 4), ("column", 5), ("blue", 14), ("red", 14))
        ),
        lettered=False,
        **CHECKS,
    ),
    "tourists": PartsView(
        player=Seat(1, "Ben"), rank=1, final=24, kind=Parts.TOURISTS, parts=(8, 7, 5, 4)
    ),
    "tourists-longest": PartsView(
        player=LONG_SEATS[3],
        rank=4,
        final=168,
        kind=Parts.TOURISTS,
        parts=(64, 32, 16, 16, 15, 13, 12),
        may_change=True,
        tie=(64, 48),
        **LAST_OF_MANY,
    ),
    "tourists-none": PartsView(
        player=Seat(2), rank=2, final=0, kind=Parts.TOURISTS, parts=(), is_shared=True
    ),
    "value-tiles": PartsView(
        player=Side.RED,
        rank=2,
        final=110,
        kind=Parts.VALUE_TILES,
        parts=(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5),
        may_change=True,
        **LAST_OF_MANY,
    ),
    "streets-rows": StreetsView(
        line=StreetLine.ROW,
        streets=(
            StreetRow(0, 25, 22, Side.BLUE, full=True, bonus=15),
            StreetRow(1, 12, 12, None, full=True, bonus=0),
            StreetRow(2, 8, 13, None, full=False, bonus=0),
        ),
        **LAST_OF_MANY,
    ),
    "streets-columns": StreetsView(
        line=StreetLine.COLUMN,
        streets=(StreetRow(5, 25, 28, Side.RED, full=True, bonus=None),),
        **CHECKS,
    ),
    "companies": CompaniesView(
        player=LONG_SEATS[3],
        rank=4,
        final=168,
        companies=(
            CompanyRow("shipyard", 44, 4, complete=True),
            CompanyRow("brewery", 0, 3, complete=False),
            CompanyRow("post", 10, 4, complete=True),
        ),
        may_change=True,
        **LAST_OF_MANY,
    ),
}

CASES: dict[str, dict[str, View]] = {
    "device": DEVICE,
    "setup": SETUP,
    "doubts": DOUBTS,
    "results": RESULTS,
    "boards": BOARDS,
}

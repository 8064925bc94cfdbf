"""The pages of results of games known by pictures."""

from dataclasses import replace

import pytest
from firmware.board_games.options import ScoringOptions
from firmware.board_games.remarks import RemarkKind
from firmware.board_games.scan import score_boards
from firmware.board_games.spots import Spot, What
from firmware.screens.board_result import board_result_screens, board_result_views
from firmware.screens.board_views import (
    BoardCheckView,
    CheckKind,
    CompaniesView,
    PartsView,
    RemarkView,
    SidesWinnerView,
    StreetsView,
    UnsureSpotView,
)
from firmware.screens.result_views import MapView, WinnerView
from firmware.screens.setup_views import MenuEntry, MenuView, MenuWord, Piece

from firmware.language import LANGUAGES
from firmware.screens import is_result_file, render
from firmware.screens.words import board
from scoring.faces import Side
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    DICE_BOARD,
    EMPTY_ROW,
    FULL_BOARD,
    blocks,
    cards,
    city,
    piece,
    reading,
    sign,
    slots,
)
from tests.firmware.screen_looks import assert_nothing_is_cut_off, by_name, shown
from vision.editions.folder import own_edition, own_games


def cities_scan(**further):
    first = city(
        tourists={(0, 0): "red", (2, 2): "red", (0, 5): "red"},
        unsure=tuple((7, column) for column in range(8)),
        unsure_figures=((6, 1),),
    )
    second = city("." * 8 + "/" + "/".join(["SSCCPPWW"] * 7), {(1, 0): "blue"}, place=1)
    seen = reading(CITIES, first, second, **further)
    return score_boards(seen, CITIES, options=ScoringOptions(level=2))


def blocks_scan(*beside, text=FULL_BOARD):
    return score_boards(reading(CITY_BLOCKS, blocks(text, *beside)), CITY_BLOCKS)


def dice_scan():
    laid = [*sign(4, 4, "red-bakery"), *sign(0, 0, "red-theatre"), *sign(8, 0, "red-tramway")]
    laid += [(11, 11, "red-gasworks-nw", 0), *sign(8, 8, "blue-newspaper")[:2]]
    return score_boards(reading(DICE_BOARD, cards(*laid)), DICE_BOARD)


SCANS = {
    "cities": cities_scan(unread=["what lies here like a city cannot be read"]),
    "cities-alone": score_boards(reading(CITIES, city()), CITIES),
    "blocks": blocks_scan(*slots([7, 0, 15, 6, 1], [2, 4, 5, 8, 9, 10])),
    "collected": blocks_scan(piece("blue", 0, 7), piece("red", 0, 12), piece("row", 0, 3)),
    "dice": dice_scan(),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scan", SCANS.values(), ids=SCANS)
class TestEveryPage:
    def test_says_all_of_it(self, scan, language):
        for screen in board_result_screens(scan, language=language):
            assert_nothing_is_cut_off(screen)
            assert [text.whole for text in screen.texts] == shown(screen)

    def test_is_a_file_of_its_own(self, scan, language):
        names = [screen.name for screen in board_result_screens(scan, language=language)]
        assert len(set(names)) == len(names)
        assert all(is_result_file(f"{name}.png") for name in names)


class TestWinner:
    def test_of_cities_comes_first_with_the_points(self):
        first = board_result_views(SCANS["cities"])[0]
        assert isinstance(first, WinnerView)
        assert [seat.name for seat in first.winners] == ["Blue"]
        assert first.points == SCANS["cities"].sheet.players[1].final == 14

    def test_of_city_blocks_leads_while_streets_are_open(self):
        scan = blocks_scan(piece("row", 0, 7), text="bH1 bH2 bH3 bS2 bS3 rC" + EMPTY_ROW * 4)
        view = board_result_views(scan)[0]
        assert view == SidesWinnerView(
            winners=(Side.BLUE,), points=7, is_finished=False, page=view.page
        )
        firsts = [board_result_screens(scan, language=language)[0] for language in LANGUAGES]
        titles = [shown(screen)[0] for screen in firsts]
        assert titles == [board.LEADS.in_(language) for language in LANGUAGES]

    def test_of_city_blocks_wins_with_the_tiles_collected(self):
        view = board_result_views(SCANS["collected"])[0]
        assert (view.winners, view.points, view.is_finished) == ((Side.RED,), 12, True)

    def test_of_the_dice_board(self):
        view = board_result_views(SCANS["dice"])[0]
        assert ([seat.name for seat in view.winners], view.points) == (["Red"], 44 + 12 + 20)

    def test_is_provisional_while_something_is_to_be_checked(self):
        screen = board_result_screens(SCANS["cities"], language="en")[0]
        assert shown(screen)[0] == "Winner?"
        assert f"check {SCANS['cities'].doubts.count}" in shown(screen)


class TestWhatToCheck:
    def test_is_listed_by_kind(self):
        views = board_result_views(SCANS["cities"], check_list=True)
        pages = [view for view in views if isinstance(view, BoardCheckView)]
        counts = {view.kind: view.count for view in pages}
        assert counts == {CheckKind.FIELDS: 8, CheckKind.FIGURES: 2, CheckKind.MISSING: 8}
        assert [len(view.spots) for view in pages] == [6, 2, 2, 6, 2]
        screens = by_name(board_result_screens(SCANS["cities"], language="en"))
        assert "Check 8 fields" in shown(screens["check-1"])
        assert "A 7,0?" in shown(screens["check-1"])
        assert "B 0,0" in shown(screens["check-4"])

    def test_is_asked_one_by_one_on_the_appliance_but_for_what_misses(self):
        pages = board_result_views(SCANS["cities"])
        kinds = {view.kind for view in pages if isinstance(view, BoardCheckView)}
        assert kinds == {CheckKind.MISSING}

    def test_slots_are_called_by_their_line(self):
        screens = by_name(board_result_screens(SCANS["blocks"], language="de"))
        assert "Zeile 1?" in shown(screens["check-1"])

    def test_remarks_of_the_rules_have_a_page_each(self):
        views = board_result_views(SCANS["cities"])
        remarks = [view for view in views if isinstance(view, RemarkView)]
        assert [(view.kind, view.letters) for view in remarks] == [(RemarkKind.ON_WATER, ("A",))]

    def test_every_remark_has_words(self):
        assert set(board.REMARKS) == set(RemarkKind)
        assert set(board.CHECKS) == set(CheckKind)

    def test_an_unsaved_result_says_so_on_each_page(self):
        views = board_result_views(SCANS["dice"], unsaved=True)
        assert all(view.unsaved for view in views)
        assert [view.page.number for view in views] == list(range(1, len(views) + 1))


class TestPlayers:
    def test_tourists_are_listed_best_first(self):
        pages = [v for v in board_result_views(SCANS["cities"]) if isinstance(v, PartsView)]
        finals = [player.final for player in SCANS["cities"].sheet.players]
        assert [view.final for view in pages] == finals
        assert all(sum(view.parts) == view.final for view in pages)
        assert all(list(view.parts) == sorted(view.parts, reverse=True) for view in pages)

    def test_points_that_no_doubt_is_about_are_certain(self):
        sure, unsure = city(), city(unsure=((2, 3),), place=1)
        scan = score_boards(reading(CITIES, sure, unsure, unread=["dark"]), CITIES)
        pages = [v for v in board_result_views(scan) if isinstance(v, PartsView)]
        assert [view.may_change for view in pages] == [False, True]

    def test_value_tiles_add_up(self):
        pages = [v for v in board_result_views(SCANS["blocks"]) if isinstance(v, PartsView)]
        assert [view.player for view in pages] == list(Side)
        assert all(sum(view.parts) == view.final for view in pages)

    def test_every_street_is_shown_once(self):
        pages = [v for v in board_result_views(SCANS["blocks"]) if isinstance(v, StreetsView)]
        shown_streets = [(view.line, row.index) for view in pages for row in view.streets]
        sheet = SCANS["blocks"].sheet
        assert shown_streets == [(street.line, street.index) for street in sheet.streets]

    def test_of_tiles_collected_it_is_not_said_where_they_lay(self):
        pages = [v for v in board_result_views(SCANS["collected"]) if isinstance(v, StreetsView)]
        assert {row.bonus for view in pages for row in view.streets} == {None}

    def test_companies_are_listed_with_what_they_are_worth(self):
        pages = [v for v in board_result_views(SCANS["dice"]) if isinstance(v, CompaniesView)]
        assert [(v.player.name, v.rank, v.final) for v in pages] == [
            ("Red", 1, 76),
            ("Red", 1, 76),
            ("Blue", 2, 0),
        ]
        rows = {row.name: row for view in pages for row in view.companies}
        assert (rows["bakery"].points, rows["gasworks"].complete) == (44, False)
        screen = by_name(board_result_screens(SCANS["dice"], language="en"))["companies-3"]
        assert "2/4" in shown(screen)


class TestMap:
    def test_shows_where_several_cities_lie(self):
        last = board_result_views(SCANS["cities"])[-1]
        assert isinstance(last, MapView)
        assert len(last.table.cities) == 2

    @pytest.mark.parametrize("case", ["cities-alone", "blocks", "dice"])
    def test_is_left_out_for_one(self, case):
        assert not any(isinstance(view, MapView) for view in board_result_views(SCANS[case]))


def test_a_note_of_the_eye_has_a_page():
    seen = SCANS["cities-alone"]
    noted = replace(seen, reading=replace(seen.reading, notes=("the lamp flickers",)))
    screens = by_name(board_result_screens(noted, language="en"))
    assert "the lamp flickers" in " ".join(shown(screens["note-1"]))


def assert_all_is_said(screen):
    assert_nothing_is_cut_off(screen)
    assert [text.whole for text in screen.texts] == shown(screen)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", own_games())
class TestNamesOfPieces:
    """All faces and figures of the standard editions."""

    def names(self, game):
        description = own_edition(game).description
        faces = dict.fromkeys(
            name for face in description.faces for row in face.cells for name in row
        )
        return [*faces, *(token.kind for token in description.tokens)]

    def test_are_whole_where_they_are_asked_about(self, game, language):
        for name in self.names(game):
            for place in (Spot(What.TILE, 3, (11, 11)), Spot(What.BESIDE, 0, ("column", 5))):
                view = UnsureSpotView(
                    number=112, count=112, spot=place, lettered=True, guess=name, options=162
                )
                screen = render(view, language)
                assert_all_is_said(screen)
                assert "?" in " ".join(shown(screen)[1:]), "all of the name is there"

    def test_are_whole_in_the_menu(self, game, language):
        for name in self.names(game):
            entries = (MenuEntry(label=Piece(name), value="11,11"),)
            view = MenuView(title=MenuWord.CORRECT_TILE, entries=entries, selected=0)
            assert_all_is_said(render(view, language))

    def test_can_be_told_apart_in_the_menu(self, game, language):
        names = self.names(game)
        entries = [MenuEntry(label=Piece(name), value="11,11") for name in names]
        title = MenuWord.CORRECT_TILE
        screens = [
            shown(render(MenuView(title=title, entries=(entry,), selected=0), language))
            for entry in entries
        ]
        assert len(set(map(tuple, screens))) == len(names)

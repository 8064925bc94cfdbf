"""Page seen by a phone while buttons are pressed."""

import asyncio
import errno
import os
import re
from html import unescape

import cv2
import numpy as np
import pytest
from starlette.requests import Request

from firmware.appliance.features.reviewing import CorrectPlaces
from firmware.appliance.features.scanning import StartScan
from firmware.appliance.runner.launch import NoCamera
from firmware.base.language import LANGUAGES
from firmware.base.user_data import user_folder
from firmware.page import context, event_streams
from firmware.page.event_streams import EventStreams
from firmware.page.result_values import place_id
from firmware.settings import Settings, load_settings
from firmware.settings.defaults import PageSettings
from hardware.camera import SupervisedCamera
from hardware.errors import CameraError
from scoring.faces import Face
from scoring.games import GAMES
from tests.appliance.appliance_machine import corrections_of
from tests.appliance.fake_tables import FakeTables
from tests.appliance.whole_appliance import NEXT, OK, SCAN, kept_scans
from tests.faults.test_disk_full_or_read_only import refusing
from tests.firmware.board_samples import DICE_BOARD, cards, reading, sign
from tests.firmware.fake_eye import EXAMPLE, FakeEye
from tests.page.phone import UPLOADED, Scanner
from vision.reading import NoteCode, Place, PlaceKind, note

LONG_S = 60.0
UNSURE = {(0, (2, 3)): (Face.HOUSE,)}


@pytest.fixture
def scanner():
    eye = FakeTables()
    eye.between_two_cities = FakeEye(*EXAMPLE, unsure=UNSURE)
    return Scanner(eye=eye)


def points_in(expected):
    """The players' table."""
    return expected.partition("Rank")[2].partition("Names")[0]


def picture(answer):
    assert answer.headers["content-type"] == "image/jpeg"
    return cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)


def test_before_the_first_scan_it_says_what_to_do(scanner):
    assert "Who has won? Lay out the finished cities" in scanner.phone().see()


def test_a_phone_scans_and_the_display_shows_it(scanner):
    phone = scanner.phone()
    assert phone.send("/scan").headers["location"] == "/"
    assert "Winner" in scanner.words
    assert "wins with" in phone.see()
    assert len(kept_scans()) == 1


def test_a_scan_by_the_button_shows_on_the_phone_which_is_told(scanner):
    phone = scanner.phone()
    heard = []
    end = scanner.channel.listen(lambda: heard.append(scanner.channel.change_count))
    scanner.press(SCAN)
    end()
    assert heard
    assert "wins with" in phone.see()


def test_while_a_photo_is_read_phones_do_not_slow_that_down(scanner, monkeypatch):
    monkeypatch.setattr(event_streams, "GATHER_S", 0.0)
    monkeypatch.setattr(event_streams, "BUSY_INTERVAL_S", LONG_S)
    scanner.launch.hold.add("reading")

    async def count_changes():
        answer = await EventStreams(scanner.app._context).open(
            Request({"type": "http", "method": "GET"})
        )
        changes = answer.body_iterator
        await anext(changes)
        following = asyncio.ensure_future(anext(changes))
        for _ in range(9):
            await asyncio.sleep(0)
            scanner.press(SCAN)  # once; then it is busy
        before = scanner.channel.change_count
        assert not following.done()
        scanner.launch.release("reading")
        scanner.advance()
        text = await asyncio.wait_for(following, LONG_S)
        await changes.aclose()
        return before, int(text.rpartition("-")[2])

    before, after = asyncio.run(count_changes())
    assert 0 < before < after == scanner.channel.change_count


def test_a_phone_is_told_that_names_could_not_be_stored(scanner, monkeypatch):
    phone = scanner.phone()
    scanner.launch.hold.add("storing")
    phone.send("/setup", players="1", name0="Ann")
    assert "Not saved" not in phone.see("/setup")
    before = scanner.channel.change_count
    monkeypatch.setattr(os, "fsync", refusing(errno.ENOSPC))
    scanner.launch.release("storing")
    scanner.advance()
    assert scanner.channel.change_count > before
    phone.see("/setup")
    assert "Not saved" in phone.html


def test_form_from_before_restart_leaves_later_table_alone():
    def scanned():
        scanner = Scanner(eye=FakeEye(*EXAMPLE))
        scanner.press(SCAN)
        return scanner, str(scanner.appliance.state.result.result_id)

    before, table = scanned()
    before.close()
    phone = scanned()[0].phone()
    answer = phone.send("/place/A:1,1", answer="park", table=table)
    assert answer.status_code == 409
    assert "or the scanner was restarted" in answer.text
    assert kept_scans()[0].record.corrections == ()


def test_page_made_during_scan_is_not_the_newest(scanner, monkeypatch):
    # Else the phone would show the state before it for good: it loads anew what is older alone
    phone, status = scanner.phone(), context.status_values
    pressed = iter([SCAN])

    def status_during_a_scan(state, **more):
        for button in pressed:
            scanner.press(button)
        return status(state, **more)

    monkeypatch.setattr(context, "status_values", status_during_a_scan)
    assert "Who has won?" in phone.see()
    [shown] = re.findall(r'data-page-version="start-(\d+)"', phone.html)
    assert int(shown) < scanner.channel.change_count
    assert "wins with" in phone.see()


def test_doubts_come_first_and_lead_to_the_place(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    assert "One question: what is this? A, row 3, column 4" in phone.see()
    assert phone.html.index("/place/A%3A3%2C4") < phone.html.index('<h2 id="h-players"')
    text = phone.see("/place/A:3,4")
    assert "What is it?" in text
    assert "house" in text


def test_doubtful_city_is_one_line_with_its_cause():
    eye = FakeTables()
    unsure = {(0, (row, column)): () for row in range(4) for column in range(4)}
    dark = {0: [note(NoteCode.NO_TILE, (0, 0)), note(NoteCode.ALL_UNCLEAR)]}
    eye.between_two_cities = FakeEye(*EXAMPLE, unsure=unsure, city_notes=dark)
    scanner = Scanner(eye=eye)
    scanner.press(SCAN)
    text = scanner.phone().see()
    cause = "So much of this city is unclear that all of it must be checked."
    assert f"Question 1 of 16: what is this? {cause} City A: all 16 tiles" in text
    scanner.close()


@pytest.fixture
def page_with_unread_city():
    """Text of the result page of a table on which one city could not be read."""
    eye = FakeTables()
    eye.between_two_cities = FakeEye(*EXAMPLE, unread=[note(NoteCode.CITY_UNREADABLE)])
    scanner = Scanner(eye=eye)
    scanner.press(SCAN)
    yield scanner.phone().see()
    scanner.close()


def test_unread_city_marks_the_points_of_the_winner(page_with_unread_city):
    assert "wins with 62? points" in page_with_unread_city


def test_unread_city_is_not_called_sure(page_with_unread_city):
    assert "Nothing is unsure" not in page_with_unread_city


def test_a_correction_on_the_phone_changes_sheet_display_and_history(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    before, shown = phone.see(), scanner.words
    table = str(scanner.appliance.state.result.result_id)
    assert phone.send("/place/A:3,4", table=table, answer="park").headers["location"] == "/"
    after = phone.see()
    assert "what is this?" not in after
    assert points_in(after) != points_in(before)
    assert scanner.words != shown
    assert kept_scans()[0].record.corrections == ("A:3,4=park",)
    assert 'corrected"' in phone.html
    assert "Entered by hand." in phone.see("/place/A:3,4")


def test_a_correction_at_the_buttons_shows_on_the_phone(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    assert "One question" in phone.see()
    scanner.press(OK, OK)
    assert "what is this?" not in phone.see()


def test_place_asked_at_display_is_not_asked_again(scanner):
    phone = scanner.phone()
    scanner.press(SCAN, OK)
    assert "row 3" in scanner.words
    table = str(scanner.appliance.state.result.result_id)
    phone.send("/place/A:3,4", table=table, answer="park")
    assert "Winner" in scanner.words


def test_an_answer_about_an_earlier_table_changes_nothing(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    table = scanner.appliance.state.result.result_id
    answer = phone.send("/place/A:3,4", table=str(table - 1), answer="park")
    assert answer.status_code == 409
    assert scanner.appliance.state.result.corrections == ()


@pytest.mark.parametrize("expected", ["castle", "", "later; park", "park\0"])
def test_impossible_face_is_refused(scanner, expected):
    phone = scanner.phone()
    scanner.press(SCAN)
    table = str(scanner.appliance.state.result.result_id)
    assert phone.send("/place/A:3,4", table=table, answer=expected).status_code == 400


@pytest.mark.parametrize("place", ["A:9,9", "Z:1,1", "A:0,1", "x", "A:tourist:1,1", "row:1", "%00"])
def test_a_place_that_is_none_is_not_found(scanner, place):
    phone = scanner.phone()
    scanner.press(SCAN)
    assert "no such place" in phone.see(f"/place/{place}", status=404)


def test_names_follow_on_sheet_and_display_and_are_stored(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    table = str(scanner.appliance.state.result.result_id)
    names = {f"name{n}": name for n, name in enumerate(("Ann", "Ben", "Cid", "Dora", "Eve"))}
    answer = phone.send("/setup", players="1", follows=table, **names)
    assert answer.headers["location"] == "/"
    assert "Ann" in phone.see()
    assert load_settings()[0].players == ("Ann", "Ben", "Cid", "Dora", "Eve")
    assert any(name in scanner.words for name in names.values())


def test_names_for_the_next_game_leave_the_last_one_alone(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    text = phone.see("/setup")
    table = scanner.appliance.state.result.result_id
    assert f'name="follows" value="{table}"' in phone.html
    assert "For the last game For the next game Last game: Player 4 wins" in text
    answer = phone.send("/setup", players="1", name0="Ann", **{"for": "next"})
    assert answer.headers["location"] == "/setup"
    (scan,) = kept_scans()
    assert "Ann" not in scan.record.sheet["players"][0]["name"]
    assert "Ann" not in phone.see()
    assert load_settings()[0].players == ("Ann",)


def test_two_players_of_one_name_are_refused_with_a_word(scanner):
    answer = scanner.phone().send("/setup", players="1", name0="Ann", name1="Ann")
    assert answer.status_code == 400
    assert "all are different" in answer.text


def test_another_game_takes_the_level_and_edition_that_it_has(scanner):
    phone = scanner.phone()
    phone.send("/setup", game="cities")
    phone.send("/setup", level="3")
    assert (scanner.appliance.state.settings.game, scanner.appliance.state.settings.level) == (
        "cities",
        3,
    )
    assert "Cities" in scanner.words
    assert phone.send("/setup", level="9").status_code == 400
    assert phone.send("/setup", edition="../x").status_code == 400


def test_players_of_cities_stand_with_the_letter_of_their_city(scanner):
    phone = scanner.phone()
    phone.send("/setup", game="cities")
    scanner.press(SCAN)
    standings = phone.see().partition("Standings")[2].partition("The cities")[0]
    assert "City A" in standings
    assert "City B" in standings


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_sheet_its_places_and_its_pictures(scanner, game):
    phone = scanner.phone()
    phone.send("/setup", game=game)
    scanner.press(SCAN)
    text = phone.see()
    assert "Standings" in text
    assert "Where the points come from" in text
    assert len(phone.see("/reasons")) > 200
    assert picture(phone.client.get("/photo.jpg")).shape[2] == 3
    for doubt in scanner.appliance.state.result.open_places:
        place = scanner.channel.state.result.corrected_scan.naming.written_place(doubt)
        assert "What is it?" in phone.see(f"/place/{place}")


def test_pictures_of_photo_grid_and_place(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    assert picture(phone.client.get("/photo.jpg")).shape == (720, 960, 3)
    assert picture(phone.client.get("/grid/0.jpg")).shape == (560, 560, 3)
    assert picture(phone.client.get("/place/A:1,1/picture.jpg")).shape == (320, 320, 3)
    assert phone.client.get("/grid/77.jpg").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_the_language_of_the_phone_whatever_the_display_speaks(scanner, language):
    phone = scanner.phone(**{"Accept-Language": f"{language}-XY;q=0.9, fr"})
    scanner.press(SCAN)
    for path in (
        "/",
        "/reasons",
        "/place/A:3,4",
        "/setup",
        "/history",
        "/history/1",
        "/statistics",
        "/camera",
        "/doctor",
    ):
        phone.see(path)
        assert f'<html lang="{language}">' in phone.html
    text = {"en": ">Games<", "de": ">Partien<", "hu": ">Partik<"}[language]
    assert text in phone.html
    assert "Winner" in scanner.words


def test_a_language_that_was_chosen_stays(scanner):
    phone = scanner.phone()
    phone.see("/?lang=hu")
    phone.see("/setup")
    assert '<html lang="hu">' in phone.html


def test_while_somebody_writes_a_name_at_the_scanner_nothing_is_changed(scanner):
    phone = scanner.phone()
    scanner.choose_by_words("Who plays?")
    scanner.press(OK)
    before = scanner.words
    answer = phone.send("/scan")
    assert answer.status_code == 409
    assert "Somebody is using the scanner" in answer.text
    assert scanner.words == before


def test_command_refused_by_the_loop_alone_is_reported(scanner):
    """The page knows the state of the last pass only."""
    scanner.choose_by_words("Who plays?")
    scanner.press(OK)
    assert scanner.run_while(lambda: scanner.channel.submit(StartScan())) == "busy"


def test_correction_of_a_table_scanned_over_meanwhile_is_reported_as_refused(scanner):
    scanner.press(SCAN)
    result_id = scanner.appliance.state.result.result_id
    command = CorrectPlaces(result_id + 1, ((Place(PlaceKind.TILE, 0, (0, 0)), "park"),))
    assert scanner.run_while(lambda: scanner.channel.submit(command)) == "outdated"


@pytest.mark.parametrize(
    ("outcome", "status", "expected"),
    [
        ("busy", 409, "Somebody is using the scanner"),
        ("outdated", 409, "Meanwhile another game was scanned"),
        ("late", 503, "The scanner has not answered yet"),
    ],
)
def test_phone_learns_that_its_command_was_not_carried_out(scanner, outcome, status, expected):
    phone = scanner.phone()
    scanner.channel.submit = lambda _command: outcome
    answer = phone.send("/scan")
    assert answer.status_code == status
    assert expected in answer.text


def test_command_is_refused_once_the_scanner_ends(scanner):
    scanner.appliance.close()
    assert scanner.run_while(lambda: scanner.channel.submit(StartScan())) == "outdated"


def test_a_menu_that_was_left_open_keeps_nobody_from_scanning(scanner):
    scanner.press(SCAN, long=True)
    assert scanner.phone().send("/scan").status_code == 303
    assert "Winner" in scanner.words


def test_problems_of_camera_and_card_show_on_the_page():
    def unplugged():
        raise CameraError("camera-missing", "there is no camera: plug it in", "camera")

    scanner = Scanner(camera=lambda: SupervisedCamera(unplugged))
    phone = scanner.phone()
    assert "There is no camera: plug it in" in phone.client.get("/").text
    assert phone.send("/scan").status_code == 303
    assert "what is this?" not in phone.see()


def test_past_games_with_photo_sheet_exports_and_deleting(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    assert "P" in phone.see("/history")
    assert "City A" in phone.see("/history/1/reasons")
    shown = phone.see("/history/1")
    assert "Download" in shown
    assert picture(phone.client.get("/history/1/photo.jpg")).shape == (720, 960, 3)
    play = phone.client.get("/history/1/game.bgsplay").json()
    assert play["game"]["name"] == "Between Two Cities"
    assert {"name", "score", "winner", "rank", "startPlayer"} <= play["players"][0].keys()
    assert "bgstats://app.bgstatsapp.com/createPlay.html?data=%7B" in phone.html
    assert phone.client.get("/history/scans.csv").text.startswith("scan,time,")
    assert len(phone.client.get("/history/scans.json").json()["scans"]) == 1
    assert "1 game," in phone.see("/statistics")
    assert phone.send("/history/1/delete").headers["location"] == "/history?deleted=1"
    assert kept_scans() == []
    assert "Who has won?" in phone.see("/"), "it is no last result any more"
    assert phone.client.get("/history/1").status_code == 404


def test_a_photo_that_is_dropped_is_read_and_can_be_corrected():
    scanner = Scanner(serves=True)
    phone = scanner.phone(known=False)
    assert "Choose photos" in phone.see()
    data = cv2.imencode(".png", UPLOADED)[1].tobytes()
    assert phone.upload(data).status_code == 303
    assert "wins with" in phone.see()
    assert scanner.eye.photos[-1].name == "upload"
    table = str(scanner.appliance.state.result.result_id)
    phone.send("/place/B:1,1", table=table, answer="park")
    assert corrections_of(scanner.appliance.state.result) == ["B:1,1=park"]


@pytest.mark.parametrize("data", [b"", b"no picture", b"\xff\xd8\xff" * 9, b"\x89PNG\r\n\x1a\n"])
def test_a_photo_that_cannot_be_used_is_refused_with_a_word(data):
    answer = Scanner(serves=True).phone(known=False).upload(data)
    assert answer.status_code == 422
    assert "data-message" in answer.text


def test_the_camera_is_aimed_by_phone_and_display_at_once(scanner):
    phone = scanner.phone()
    scanner.launch.hold.add("reading")
    phone.send("/camera", do="start")
    scanner.launch.release("reading")
    scanner.launch.hold.add("reading")
    scanner.advance()
    phone.see("/camera")
    assert "Light" in phone.html
    assert picture(phone.client.get("/camera/picture.jpg")).shape[1] == 800
    phone.send("/camera", do="stop")
    scanner.launch.release("reading")
    scanner.advance()
    assert phone.client.get("/camera/picture.jpg").status_code == 404


def test_the_page_is_switched_on_and_off_at_the_scanner():
    scanner = Scanner(settings=Settings(language="en"))
    assert not hasattr(scanner, "link")
    scanner.choose_by_words("Open on phone")
    scanner.advance(1)
    assert "PIN" in scanner.words
    assert load_settings()[0].page.on
    scanner.press(NEXT, NEXT, OK)  # the menu: the second entry stops the page
    assert not load_settings()[0].page.on
    scanner.choose_by_words("Open on phone")
    scanner.advance(1)
    assert "192.168." in scanner.words


class TestOnAComputerWithoutACamera:
    def test_a_photo_has_to_be_given(self):
        scanner = Scanner(serves=True)
        phone = scanner.phone(known=False)
        assert 'action="/scan"' not in phone.client.get("/").text
        for path, values in (("/scan", {}), ("/camera", {"do": "start"})):
            answer = phone.send(path, **values)
            assert answer.status_code == 409
            assert "There is no camera here: give a photo" in answer.text
        german = scanner.phone(known=False, **{"Accept-Language": "de"})
        assert "keine Kamera" in german.send("/scan").text
        assert (scanner.eye.photos, kept_scans()) == ([], [])

    def test_of_the_sample_nothing_is_stored(self):
        scanner = Scanner(serves=True)
        phone = scanner.phone(known=False)
        assert "Try it with a sample photo" in phone.see()
        assert phone.send("/sample").status_code == 303
        assert "a trial, which is not stored" in phone.see()
        table = str(scanner.appliance.state.result.result_id)
        phone.send("/place/B:1,1", table=table, answer="park")
        assert "wins with" in phone.see()
        assert "/share.jpg" not in phone.html
        assert kept_scans() == []
        assert list(user_folder().rglob("*.jpg")) == []
        phone.upload(cv2.imencode(".png", UPLOADED)[1].tobytes())
        assert "a trial" not in phone.see()
        assert len(kept_scans()) == 1

    def test_computer_without_a_camera_gives_no_picture(self):
        with pytest.raises(CameraError) as caught:
            SupervisedCamera(NoCamera).capture(1.0)
        assert caught.value.code == "camera-missing"


def test_an_edition_that_cannot_be_used_is_told_with_its_reason():
    wanted = Settings(language="en", page=PageSettings(on=True), edition="gone")
    phone = Scanner(settings=wanted).phone()
    assert "there is no edition gone: known are standard" in unescape(phone.client.get("/").text)
    assert phone.client.get("/api/v1/status").json()["edition"] == "standard"


def undo_forms(phone):
    """Return the places and values of the forms that undo the last answer."""
    within = "(?:(?!action=).)*?"
    action = r'action="(?:/history/\d+)?/place/([^"]+)">'
    form = f'{action}{within}name="undo"{within}name="answer" value="([a-z-]+)"'
    return re.findall(form, phone.html, re.DOTALL)


def test_answer_is_undone_with_one_tap(scanner):
    phone = scanner.phone()
    phone.send("/scan")
    before = phone.see()
    result = scanner.appliance.state.result
    phone.send("/place/A:3,4", table=result.result_id, answer="park")
    assert "A, row 3, column 4: park " in phone.see()
    assert undo_forms(phone) == [("A%3A3%2C4", "later")]
    phone.send("/place/A:3,4", table=result.result_id, answer="later", undo="1")
    assert phone.see() == before
    assert undo_forms(phone) == []


def test_place_settled_by_another_answer_is_not_asked_on_the_phone():
    laid = [*sign(4, 4, "red-bakery"), *sign(0, 0, "blue-theatre"), (9, 9, "red-bakery-nw", 0)]
    seen = reading(DICE_BOARD, cards(*laid))
    settings = Settings(language="en", game="dice-board", page=PageSettings(on=True))
    scanner = Scanner(eye=FakeTables(dice_board=seen), settings=settings)
    phone = scanner.phone()
    phone.send("/scan")
    result = scanner.appliance.state.result
    assert len(result.open_places) == 2
    path = f"/place/{place_id(result.open_places[0], result.corrected_scan)}"
    answer = phone.send(path, table=result.result_id, answer="none")
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize("expected", ["park", "factory", "house"])
def test_answer_says_what_it_has_changed(scanner, expected):
    phone = scanner.phone()
    phone.send("/scan")
    result = scanner.appliance.state.result
    phone.send("/place/A:1,1", table=result.result_id, answer=expected)
    now = scanner.appliance.state.result.scan.sheet.players
    wanted = []
    for before, after in zip(result.scan.sheet.players, now, strict=True):
        points = after.final - before.final
        change = f"Player {after.name[1:]} {points:+d}".replace("-", "−")
        change += f", now rank {after.rank}" if after.rank != before.rank else ""
        if points:
            wanted.append((after.rank, change))
    assert wanted
    assert f" {' · '.join(each for _rank, each in sorted(wanted)[:3])}" in phone.see()


def test_answer_that_decides_nothing_says_so(scanner):
    phone = scanner.phone()
    phone.send("/scan")
    result = scanner.appliance.state.result
    read = result.reading_to_correct.grids[0].faces[0][0]
    phone.send("/place/A:1,1", table=result.result_id, answer=str(read))
    assert f"{read} No points and no ranks change. Undo" in phone.see()


def test_undo_brings_back_the_answer_before(scanner):
    phone = scanner.phone()
    phone.send("/scan")
    table = scanner.appliance.state.result.result_id
    for text in ("park", "none"):
        phone.send("/place/A:1,1", table=table, answer=text)
    phone.see()
    assert undo_forms(phone) == [("A%3A1%2C1", "park")]


def test_second_tap_on_scan_leads_to_the_same_page(scanner):
    phone = scanner.phone()
    scanner.launch.hold.add("reading")
    answers = [phone.send("/scan") for _ in range(2)]
    scanner.launch.release("reading")
    assert [each.headers["location"] for each in answers] == ["/", "/"]


def test_second_tap_on_an_answer_leads_to_the_same_place(scanner):
    phone = scanner.phone()
    scanner.eye.between_two_cities = FakeEye(*EXAMPLE, unsure=UNSURE | {(1, (0, 0)): (Face.PARK,)})
    phone.send("/scan")
    result = scanner.appliance.state.result
    first, second = (place_id(each, result.corrected_scan) for each in result.open_places[:2])
    for _ in range(2):
        answer = phone.send(f"/place/{first}", table=result.result_id, answer="park")
        assert answer.headers["location"] == f"/place/{second}"


def test_answer_of_two_taps_can_be_undone(scanner):
    phone = scanner.phone()
    phone.send("/scan")
    for _ in range(2):
        table = scanner.appliance.state.result.result_id
        phone.send("/place/A:1,1", table=table, answer="park")
    phone.see()
    assert undo_forms(phone) == [("A%3A1%2C1", "later")]


def test_undo_is_offered_to_the_phone_that_answered(scanner):
    phone, other = scanner.phone(), scanner.phone()
    phone.send("/scan")
    table = scanner.appliance.state.result.result_id
    phone.send("/place/A:1,1", table=table, answer="park")
    other.see()
    assert undo_forms(other) == []


def test_undo_ends_with_the_answer_of_another_phone(scanner):
    phone, other = scanner.phone(), scanner.phone()
    phone.send("/scan")
    table = scanner.appliance.state.result.result_id
    phone.send("/place/A:1,1", table=table, answer="park")
    other.send("/place/A:1,1", table=table, answer="house")
    phone.see()
    assert undo_forms(phone) == []


def test_undo_ends_with_another_table(scanner):
    phone = scanner.phone()
    phone.send("/scan")
    phone.send("/place/A:1,1", table=scanner.appliance.state.result.result_id, answer="park")
    phone.send("/scan")
    phone.see()
    assert undo_forms(phone) == []


def test_undone_answer_of_a_past_game_is_as_before(scanner):
    phone = scanner.phone()
    phone.send("/scan")
    phone.send("/same-table", table=scanner.appliance.state.result.result_id, same="no")
    phone.send("/scan")
    phone.send("/same-table", table=scanner.appliance.state.result.result_id, same="no")
    phone.send("/history/1/place/A:1,1", table="-1", answer="park")
    phone.see("/history/1")
    assert undo_forms(phone) == [("A%3A1%2C1", "later")]
    phone.send("/history/1/place/A:1,1", table="-1", answer="later", undo="1")
    phone.see("/history/1")
    assert undo_forms(phone) == []
    assert "mine" not in phone.html

"""After the game: what else the tiles could have scored, records, past games put right and sent."""

import csv
import io
from contextlib import closing

import cv2
import numpy as np
import pytest

from firmware.base.language import LANGUAGES
from firmware.base.user_data import user_folder
from firmware.history import History, NotSavedError
from firmware.page import past_game_pages
from scoring.faces import Face
from tests.appliance.appliance_machine import corrections_of
from tests.appliance.fake_tables import FakeTables
from tests.appliance.whole_appliance import NEXT, OK, SCAN, kept_scans
from tests.firmware.fake_eye import EXAMPLE, FakeEye
from tests.firmware.history_samples import open_history, record
from tests.page.phone import Scanner


@pytest.fixture
def scanner():
    eye = FakeTables()
    eye.between_two_cities = FakeEye(*EXAMPLE, unsure={(0, (2, 3)): (Face.HOUSE,)})
    return Scanner(eye=eye)


@pytest.fixture
def two_games(scanner):
    """Store a game of another evening, then the last one, which has equal cities by chance."""
    scanner.press(SCAN)
    scanner.press(NEXT, long=True)
    scanner.press(SCAN)
    scanner.choose_by_words("This is a new game")
    assert [scan.seq for scan in kept_scans()] == [2, 1]
    return scanner


def of(seq):
    return History(user_folder()).get(seq).record


def test_better_layout_is_shown_for_last_and_past_game(two_games):
    phone = two_games.phone()
    assert "What your tiles could have scored" in phone.see()
    text = phone.see("/better")
    assert "56 points as laid, 60 if laid best" in text
    assert "Most valuable (row/column), 9 points: shop 1/2 1/3" in text
    assert "tavern with food" in text
    assert phone.see("/history/1/better") == text
    phone.send("/setup", game="dice-board")
    two_games.press(SCAN)
    assert "could have scored" not in phone.see()
    phone.see("/better", status=404)


def test_taverns_are_called_by_all_their_words(scanner):
    phone = scanner.phone()
    scanner.press(SCAN)
    assert "tavern with bed" in phone.see()
    phone.see("/place/A:3,4")
    assert 'aria-label="tavern with drink' in phone.html


def test_a_past_game_is_put_right_and_what_was_stays(two_games):
    phone = two_games.phone()
    before, last, shown = of(1), of(2), two_games.words
    assert "One question: what is this? A, row 3, column 4" in phone.see("/history/1")
    assert "What is it?" in phone.see("/history/1/place/A:3,4")
    for path in ("/history/1/grid/0.jpg", "/history/1/place/A:3,4/picture.jpg"):
        assert phone.client.get(path).headers["content-type"] == "image/jpeg"
    answer = phone.send("/history/1/place/A:3,4", table="-1", answer="park")
    assert answer.headers["location"] == "/history/1"
    after = of(1)
    assert after.corrections == ("A:3,4=park",)
    assert after.before_correction["sheet"] == before.sheet
    assert after.photo == before.photo
    assert (of(2), two_games.words) == (last, shown), "the last result is another game"
    assert "Corrected later, before: Player 4 62" in phone.see("/history/1")
    assert after.sheet["cities"][0]["points"] != before.sheet["cities"][0]["points"]
    points = {one["name"]: one["final"] for one in after.sheet["players"]}
    rows = list(csv.DictReader(io.StringIO(phone.client.get("/history/scans.csv").text)))
    assert {r["player"]: int(r["points"]) for r in rows if r["scan"] == "1"} == points
    play = phone.client.get("/history/1/game.bgsplay").json()
    assert {one["sourcePlayerId"]: one["score"] for one in play["players"]} == points
    stored = phone.client.get("/history/scans.json").json()["scans"][0]
    assert (stored["sheet"], stored["was"]) == (after.sheet, after.before_correction)
    phone.send("/history/1/place/A:3,4", table="-1", answer="later")
    assert of(1).before_correction["sheet"] == before.sheet


def test_of_two_phones_that_put_one_right_at_once_none_is_overruled(two_games, monkeypatch):
    phone, other, scored = two_games.phone(), two_games.phone(), past_game_pages.with_score

    def meanwhile(result):
        monkeypatch.setattr(past_game_pages, "with_score", scored)
        assert other.send("/history/1/place/B:1,1", table="-1", answer="park").status_code == 303
        return scored(result)

    monkeypatch.setattr(past_game_pages, "with_score", meanwhile)
    assert phone.send("/history/1/place/A:3,4", table="-1", answer="park").status_code == 409
    assert of(1).corrections == ("B:1,1=park",)


def test_corrected_past_game_keeps_pictures_of_its_tiles(two_games):
    phone = two_games.phone()
    for place in ("A:3,4", "B:1,1"):
        phone.send(f"/history/1/place/{place}", table="-1", answer="park")
    assert set(of(1).patches) == {"A:3,4", "B:1,1"}


def test_last_result_can_be_corrected_from_the_history(two_games):
    phone = two_games.phone()
    phone.send("/history/2/place/A:3,4", table="-2", answer="park")
    result = two_games.appliance.state.result
    assert corrections_of(result) == ["A:3,4=park"]
    assert of(2).corrections == ("A:3,4=park",)
    assert of(2).before_correction is None, "it is the same evening"


def test_unfit_correction_changes_no_past_game(two_games):
    phone, before = two_games.phone(), of(1)
    for table, answered, status in (("-2", "park", 409), ("-1", "castle", 400)):
        answer = phone.send("/history/1/place/A:3,4", table=table, answer=answered)
        assert answer.status_code == status
    assert phone.send("/history/9/place/A:3,4", table="-9", answer="park").status_code == 404
    phone.see("/history/1/place/A:9,9", status=404)
    stranger = two_games.phone(known=False)
    answer = stranger.send("/history/1/place/A:3,4", table="-1", answer="park")
    assert answer.headers["location"].startswith("/pin")
    for row, column in ((row, column) for row in (2, 3, 4) for column in (1, 2, 3, 4)):
        for city in "ABC":  # until there are more parks than in the box
            where = f"/history/1/place/{city}:{row},{column}"
            answer = phone.send(where, table="-1", answer="park")
            if answer.status_code == 422:
                break
    assert "the game has" in answer.text
    assert len(of(1).corrections) < 36
    assert of(1).reading == before.reading


def test_records_stand_on_result_past_game_figures_and_display(scanner):
    with closing(open_history(user_folder())) as history:
        for _ in range(3):
            history.add(record(-20))
    phone = scanner.phone()
    phone.send("/setup", players="1", name3="Dan")
    scanner.press(SCAN)
    assert "A new record!" in scanner.words
    for path in ("/", "/history/4"):
        assert "★ Highest score ever: 62, Dan" in phone.see(path)
    assert "★" not in phone.see("/history/3")
    assert "Closest game ever: " in phone.see("/statistics")


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_picture_of_a_game_is_sent(two_games, language):
    phone = two_games.phone()
    answer = phone.client.get(f"/history/1/share.jpg?lang={language}")
    assert answer.headers["content-type"] == "image/jpeg"
    with_photo = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert with_photo.shape[1] == 1080
    assert "/history/2/share.jpg" in phone.client.get("/").text
    phone.send("/history/delete-photos")
    answer = phone.client.get("/history/1/share.jpg")
    without = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert with_photo.shape[0] - without.shape[0] == 810, "the photo is left out"


def test_one_press_deletes_all_photos_and_the_one_on_the_page(two_games):
    phone = two_games.phone()
    pictures = ("/photo.jpg", "/grid/0.jpg", "/place/A:3,4/picture.jpg", "/history/1/photo.jpg")
    for path in pictures:
        assert phone.client.get(path).status_code == 200
    stranger = two_games.phone(known=False)
    assert stranger.send("/history/delete-photos").headers["location"].startswith("/pin")
    assert len(list((user_folder() / "photos").iterdir())) == 2
    assert phone.send("/history/delete-photos").headers["location"] == "/history"
    assert list((user_folder() / "photos").iterdir()) == []
    for path in pictures:
        assert phone.client.get(path).status_code == 404
    assert "wins with" in phone.see()
    assert len(kept_scans()) == 2


def test_failure_to_store_is_shown(two_games, monkeypatch):
    def fails(*_about):
        raise NotSavedError("not-saved-read-only", "not saved, it is read-only: use another", "x")

    phone = two_games.phone()
    monkeypatch.setattr(History, "save_corrected_past_game", fails)
    monkeypatch.setattr(History, "delete_photos", fails)
    for path in ("/history/1/place/A:3,4", "/history/delete-photos"):
        answer = phone.send(path, table="-1", answer="park")
        assert answer.status_code == 507
        assert "it is read-only" in answer.text
    assert of(1).corrections == ()


def test_all_photos_are_deleted_by_the_menu(two_games):
    two_games.choose_by_words("Settings", "Delete photos")
    assert "Delete all | photos for good?" in two_games.words
    two_games.press(OK)
    assert "All photos | are deleted" in two_games.words
    assert list((user_folder() / "photos").iterdir()) == []
    assert two_games.appliance.state.result.photo is None

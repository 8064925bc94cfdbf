"""Several photos of one game that a phone sends to the page."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from firmware.appliance.features.photo_series import PhotoSeriesMode
from firmware.appliance.result import with_score
from firmware.base.user_data import user_folder
from firmware.history import History
from firmware.page.app import MAX_BODY_BYTES, UPLOAD
from firmware.scan import read_photos
from scoring.games.between_two_cities.notation import parse_city
from tests.appliance.whole_appliance import NEXT, kept_scans
from tests.firmware.fake_eye import EXAMPLE
from tests.firmware.samples import ring_reading
from tests.page.phone import URL, Scanner
from tests.page.test_page import picture
from vision.errors import PhotoError
from vision.reading import Note, NoteCode, Unread

SIZE_WH = 960, 720
RING = replace(
    ring_reading(4, grids=[parse_city(text).grid for text in EXAMPLE[:4]], size_wh=SIZE_WH),
    edition="standard",
)
"""Table of cities of 56, 57, 62 and 62 points."""
GREY_STEP = 10


@cache
def photo(*cities):
    """Return a photo that shows these cities of the table; without any, nothing of the game."""
    grey = 100 + GREY_STEP * sum(2**city for city in cities)
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), grey, np.uint8)
    return cv2.imencode(".png", image)[1].tobytes()


class PartEye:
    """Sees the cities that ``photo`` has put into the grey of a photo."""

    def __init__(self):
        self.photos = []

    def __call__(self, photo, edition=None):
        self.photos.append(photo)
        shown = (int(photo.image_bgr[0, 0, 0]) - 100) // GREY_STEP
        grids = tuple(grid for city, grid in enumerate(RING.grids) if shown >> city & 1)
        return replace(RING, photo_name=photo.name, grids=grids)


@pytest.fixture
def scanner():
    return Scanner(serves=True, eye=PartEye())


class Sender:
    """Phone that sends photos of one game."""

    def __init__(self, scanner, key="1"):
        self.scanner, self.phone, self.key = scanner, scanner.phone(known=False), key

    def send(self, data, number, count, **more):
        query = {"series": self.key, "number": number, "of": count, **more}
        headers = {"Origin": URL, "X-Form-Token": self.phone.form()}
        answer = self.phone.client.post("/photo", params=query, content=data, headers=headers)
        self.scanner.advance()
        return answer

    def send_all(self, *photos, **more):
        for number, data in enumerate(photos, 1):
            assert self.send(data, number, len(photos), **more).status_code == 303

    def see(self, path="/"):
        return self.phone.see(path)


@pytest.fixture
def sender(scanner):
    return Sender(scanner)


def result(scanner):
    return scanner.appliance.state.result


def seats(scanner):
    return [player.cities for player in result(scanner).scan.sheet.players]


def test_overlapping_photos_make_one_game(sender, scanner):
    sender.send_all(photo(0, 1, 2), photo(2, 3, 0))
    text = sender.see()
    assert "wins with" in text
    assert "City A is in 2 photos: it counts once." in text
    assert len(result(scanner).scan.sheet.cities) == 4


def test_photos_are_read_one_after_the_other(sender, scanner):
    sender.send(photo(0, 1), 1, 3)
    assert len(scanner.eye.photos) == 1
    text = sender.see()
    assert "Photo 2 of 3 is missing" in text
    assert "Who has won?" in text


def test_phone_knows_the_size_limit_of_the_scanner(sender):
    sender.see()
    assert f'data-most="{MAX_BODY_BYTES[UPLOAD]}"' in sender.phone.html
    assert f"The photo is larger than {MAX_BODY_BYTES[UPLOAD] // 1024**2} MiB" in sender.phone.html


def test_old_result_stays_while_photos_come(sender):
    sender.send_all(photo(0, 1, 2, 3))
    before = sender.see()
    sender.send(photo(0), 1, 2)
    text = sender.see()
    assert "Photo 2 of 2 is missing" in text
    assert before.partition("Standings")[2] == text.partition("Standings")[2]


def test_order_of_single_cities_is_asked_before_the_winner(sender):
    sender.send_all(photo(0), photo(1), photo(2), photo(3))
    text = sender.see()
    assert "How do the cities lie round the table?" in text
    assert "4 photos, one game" in text
    assert "wins" not in text
    assert "<title>4 photos, one game" in sender.phone.html


def test_said_order_seats_the_players(sender, scanner):
    sender.send_all(photo(0), photo(1), photo(2), photo(3))
    table = str(result(scanner).result_id)
    assert sender.phone.send("/order", table=table, order="0,2,1,3").status_code == 303
    assert seats(scanner) == [(0, 3), (2, 0), (1, 2), (3, 1)]
    assert "wins with" in sender.see()


def test_names_are_given_with_the_order(sender, scanner):
    sender.send_all(photo(0), photo(1), photo(2), photo(3))
    text = sender.see()
    assert "Who sits where? Between no. 4 and no. 1 Between no. 1 and no. 2" in text
    names = {"name0": "Ann", "name1": "", "name2": "Cid", "name3": ""}
    sender.phone.send("/order", table=str(result(scanner).result_id), order="0,2,1,3", **names)
    assert result(scanner).options.players == ("Ann", "P2", "Cid", "P4")
    assert seats(scanner)[0] == (0, 3)
    assert "Ann" in sender.see()
    assert scanner.appliance.state.settings.players == ("Ann", "", "Cid")


def test_one_name_at_two_seats_is_refused(sender, scanner):
    sender.send_all(photo(0), photo(1), photo(2), photo(3))
    table, names = str(result(scanner).result_id), {"name0": "Ann", "name1": "Ann"}
    assert sender.phone.send("/order", table=table, order="0,2,1,3", **names).status_code == 422
    assert result(scanner).options.order is None


@pytest.mark.parametrize("order", ["", "0,1,2", "0,1,2,2", "A,B,C,D", "0,1,2,3,4"])
def test_malformed_order_is_refused(sender, scanner, order):
    sender.send_all(photo(0), photo(1), photo(2), photo(3))
    table = str(result(scanner).result_id)
    assert sender.phone.send("/order", table=table, order=order).status_code == 400


def test_order_moves_by_links_without_a_script(sender):
    sender.send_all(photo(0), photo(1), photo(2), photo(3))
    sender.see()
    assert 'href="/?order=1,0,2,3#h-order"' in sender.phone.html
    sender.see("/?order=1,0,2,3")
    assert 'name="order" value="1,0,2,3"' in sender.phone.html


def test_said_order_stays_when_names_change(sender, scanner):
    sender.send_all(photo(0), photo(1), photo(2), photo(3))
    table = str(result(scanner).result_id)
    sender.phone.send("/order", table=table, order="0,2,1,3")
    sender.phone.send("/setup", players="1", follows=table, name0="Ann")
    assert result(scanner).options.order == (0, 2, 1, 3)


def test_game_with_its_photos_is_in_the_history(sender, scanner):
    sender.send_all(photo(0, 1, 2), photo(2, 3, 0))
    (scan,) = kept_scans()
    assert [each["name"] for each in scan.record.reading["join"]["photos"]] == ["1", "2"]
    assert "City A is in 2 photos" in sender.see(f"/history/{scan.seq}")
    for path in ("/photos/1.jpg", f"/history/{scan.seq}/photos/1.jpg"):
        answer = sender.phone.client.get(path)
        assert answer.headers["content-type"] == "image/jpeg"
        assert cv2.imdecode(np.frombuffer(answer.content, np.uint8), 1).shape == (600, 800, 3)


def test_order_of_a_past_game_can_be_said(sender):
    sender.send_all(photo(0), photo(1), photo(2), photo(3))
    sender.send_all(photo(0, 1, 2))
    text = sender.see("/history/1")
    assert "How do the cities lie round the table?" in text
    sender.phone.send("/history/1/order", table="-1", order="0,2,1,3")
    assert History(user_folder()).get(1).record.table["order"] == [0, 2, 1, 3]
    assert "How do the cities lie" not in sender.see("/history/1")


def test_tile_of_several_photos_is_corrected(sender, scanner):
    sender.send_all(photo(0, 1, 2), photo(2, 3, 0))
    table = str(result(scanner).result_id)
    sender.phone.send("/place/D:1,1", table=table, answer="park")
    assert [each.content for each in result(scanner).corrections] == ["park"]
    assert sender.phone.client.get("/place/D:1,1/picture.jpg").status_code == 200


def cities_in_order(scanner):
    table = result(scanner)
    return [table.reading_to_correct.grids[n].faces for n in table.options.order]


def test_said_order_stays_when_a_photo_adds_no_city(sender, scanner):
    sender.send_all(photo(0), photo(1), photo(2), photo(3))
    sender.phone.send("/order", table=str(result(scanner).result_id), order="0,2,1,3")
    said = cities_in_order(scanner)
    sender.send_all(photo(0, 2), adds=result(scanner).result_id)
    assert cities_in_order(scanner) == said


@pytest.fixture
def doubtful(monkeypatch, sender, scanner):
    """Sender of photos of four cities, two of which may be one, seen twice."""
    join_readings = read_photos.join_readings

    def joined(*given):
        reading = join_readings(*given)
        return replace(reading, join=replace(reading.join, perhaps_same=((0, 3),)))

    monkeypatch.setattr(read_photos, "join_readings", joined)
    sender.send_all(photo(0), photo(1), photo(2), photo(3))
    return sender


@pytest.mark.parametrize(("same", "count"), [("yes", 3), ("no", 4)])
def test_cities_are_asked_about_once_however_many_photos_follow(doubtful, scanner, same, count):
    table = str(result(scanner).result_id)
    doubtful.phone.send("/same-city", table=table, cities="0,3", count="4", same=same)
    doubtful.send_all(photo(1, 2), adds=result(scanner).result_id)
    reading = result(scanner).reading_to_correct
    assert (len(reading.grids), reading.join.perhaps_same) == (count, ())


@pytest.mark.parametrize(("same", "count"), [("yes", 3), ("no", 4)])
def test_second_tap_answers_no_other_question_about_cities(
    monkeypatch, sender, scanner, same, count
):
    join_readings = read_photos.join_readings

    def joined(*given):
        reading = join_readings(*given)
        return replace(reading, join=replace(reading.join, perhaps_same=((0, 1), (0, 2))))

    monkeypatch.setattr(read_photos, "join_readings", joined)
    sender.send_all(photo(0), photo(1), photo(2), photo(3))
    form = {"table": str(result(scanner).result_id), "cities": "0,1", "count": "4", "same": same}
    for _ in range(2):
        assert sender.phone.send("/same-city", **form).headers["location"] == "/"
    assert len(result(scanner).reading_to_correct.grids) == count


def test_undo_ends_when_cities_are_united(sender, scanner):
    sender.send_all(photo(0, 1), photo(2, 3, 0))
    state, table = scanner.appliance.state, result(scanner).result_id
    reading = result(scanner).reading_to_correct
    asked = replace(reading, join=replace(reading.join, perhaps_same=((0, 1),)))
    changed = replace(state.result, eye_reading=asked, reading_to_correct=asked)
    scanner.appliance.state = replace(state, result=with_score(changed))
    for place in ("D:1,1", "C:1,1"):
        sender.phone.send(f"/place/{place}", table=str(table), answer="park")
    sender.see()
    assert 'name="undo"' in sender.phone.html
    sender.phone.send("/same-city", table=str(table), cities="0,1", count="4", same="yes")
    assert len(result(scanner).reading_to_correct.grids) == 3
    sender.see()
    assert 'name="undo"' not in sender.phone.html


def test_share_picture_of_several_photos_is_made(sender):
    sender.send_all(photo(0, 1, 2), photo(2, 3, 0))
    assert sender.phone.client.get("/history/1/share.jpg").status_code == 200


def test_photo_is_added_to_a_game(sender, scanner):
    sender.phone.upload(photo(0, 1, 2))
    assert "Add a photo of this game" in sender.see()
    sender.send_all(photo(2, 3, 0), adds=result(scanner).result_id)
    assert len(result(scanner).scan.sheet.cities) == 4
    assert [len(scan.record.sheet["cities"]) for scan in kept_scans()] == [4]


def test_number_and_date_stay_when_a_photo_is_added(sender, scanner):
    sender.phone.upload(photo(0, 1, 2))
    (before,) = kept_scans()
    sender.phone.send(f"/history/{before.seq}", when="2025-03-01T20:15")
    sender.send_all(photo(2, 3, 0), adds=result(scanner).result_id)
    (scan,) = kept_scans()
    assert scan.seq == before.seq
    assert scan.at.utc.year == 2025


def test_correction_stays_when_a_photo_is_added(sender, scanner):
    sender.phone.upload(photo(0, 1, 2))
    sender.phone.send("/place/B:1,1", table=str(result(scanner).result_id), answer="park")
    sender.send_all(photo(2, 3, 0), adds=result(scanner).result_id)
    assert [each.content for each in result(scanner).corrections] == ["park"]


def test_past_game_that_is_updated_keeps_what_was_corrected_meanwhile(sender, scanner):
    sender.phone.upload(photo(0, 1, 2))
    sender.phone.upload(photo(1, 2, 3))
    assert result(scanner).possible_earlier.seq == 1
    sender.phone.send("/history/1/place/B:1,1", table="-1", answer="park")
    sender.phone.send("/same-table", table=str(result(scanner).result_id), same="yes")
    assert [(each.place.grid, each.content) for each in result(scanner).all_corrections] == [
        (0, "park")
    ]


def test_table_scanned_while_its_past_game_is_stored_gets_the_correction(
    sender, scanner, monkeypatch
):
    sender.phone.upload(photo(0, 1, 2))
    sender.phone.upload(photo(1, 2, 3))
    state, history = scanner.appliance.state, scanner.channel.history
    store = history.save_corrected_past_game

    def store_and_scan(*game):
        store(*game)
        scanner.channel.publish(state)

    before = replace(state, result=replace(state.result, possible_earlier=None))
    scanner.channel.publish(before)
    monkeypatch.setattr(history, "save_corrected_past_game", store_and_scan)
    sender.phone.send("/history/1/place/B:1,1", table="-1", answer="park")
    sender.phone.send("/same-table", table=str(result(scanner).result_id), same="yes")
    assert [(each.place.grid, each.content) for each in result(scanner).all_corrections] == [
        (0, "park")
    ]


@pytest.mark.parametrize("same", ["yes", "no"])
def test_second_tap_on_the_same_game_leads_to_the_same_page(sender, scanner, same):
    sender.phone.upload(photo(0, 1, 2))
    sender.phone.upload(photo(1, 2, 3))
    table = str(result(scanner).result_id)
    for _ in range(2):
        answer = sender.phone.send("/same-table", table=table, same=same)
        assert answer.headers["location"] == "/"


def test_photo_is_added_to_several(sender, scanner):
    sender.send_all(photo(0), photo(1), photo(2))
    sender.send_all(photo(0, 1, 2, 3), adds=result(scanner).result_id)
    assert len(result(scanner).reading_to_correct.join.photos) == 4
    assert "wins with" in sender.see()


def test_unusable_photo_is_named_and_others_count(sender, scanner):
    sender.send_all(photo(0, 1, 2, 3), b"no photo", photo(0))
    assert "Photo 2: this photo was left out, " in sender.see()
    assert len(result(scanner).scan.sheet.cities) == 4


def test_added_photo_takes_the_place_of_an_unusable_one(sender, scanner):
    sender.send_all(photo(0, 1, 2, 3), b"no photo")
    sender.send_all(photo(0), adds=result(scanner).result_id)
    assert "left out" not in sender.see()


def test_photo_of_nothing_is_named(sender):
    sender.send_all(photo(0, 1, 2, 3), photo())
    assert "Photo 2: nothing of the game was found" in sender.see()


def test_unusable_photos_leave_the_result(sender, scanner):
    sender.send_all(photo(0, 1, 2, 3))
    before = result(scanner)
    sender.send_all(b"no photo", b"none either")
    assert result(scanner) is before
    assert "Photo 1: " in sender.phone.client.get("/").text


def test_photos_that_all_fail_are_shown_with_what_is_wrong(sender):
    sender.send_all(photo(), b"no photo")
    text = sender.see()
    assert "Photo 1: nothing of the game was found" in text
    assert "Photo 2: this photo was left out" in text
    found = [sender.phone.client.get(f"/failed/{n}.jpg").status_code for n in range(3)]
    assert found == [200, 404, 404]


def test_repeated_photo_counts_once(sender, scanner):
    sender.send_all(photo(0, 1, 2), photo(0, 1, 2), photo(2, 3, 0))
    assert len(result(scanner).reading_to_correct.join.photos) == 2
    assert "the same photo as photo 1" in sender.see()


def test_photos_that_are_there_are_used(sender, scanner):
    sender.send(photo(0, 1, 2, 3), 1, 3)
    sender.phone.send("/photos", series="1", do="score")
    assert len(result(scanner).scan.sheet.cities) == 4


@pytest.mark.parametrize("way", ["page", "button"])
def test_cancelled_photos_are_forgotten(sender, scanner, way):
    sender.send(photo(0, 1, 2, 3), 1, 3)
    if way == "page":
        sender.phone.send("/photos", series="1", do="cancel")
    else:
        scanner.press(NEXT)
    assert not isinstance(scanner.appliance.state.mode, PhotoSeriesMode)
    assert result(scanner) is None


def test_photo_of_another_series_is_refused(sender, scanner):
    sender.send(photo(0, 1), 1, 2)
    other = Sender(scanner, key="2")
    assert other.send(photo(2), 2, 2).status_code == 409
    assert sender.send(photo(2, 3), 2, 2).status_code == 303


def test_photo_for_a_replaced_result_is_refused(sender, scanner):
    sender.phone.upload(photo(0, 1, 2))
    table = result(scanner).result_id
    sender.phone.upload(photo(1, 2, 3))
    assert sender.send(photo(3), 1, 1, adds=table).status_code == 409


def test_more_photos_than_one_table_may_have_are_refused(sender, scanner):
    assert sender.send(photo(0), 1, 9).status_code == 422
    sender.phone.upload(photo(0, 1, 2))
    assert sender.send(photo(0), 1, 8, adds=result(scanner).result_id).status_code == 422


@pytest.mark.parametrize(
    "query",
    [
        *({"number": "x", "of": 2}, {"number": 1}, {"number": 0, "of": 2}),
        {"number": 1, "of": 2, "series": 41 * "x"},
    ],
)
def test_malformed_number_or_key_is_refused(sender, query):
    headers = {"Origin": URL, "X-Form-Token": sender.phone.form()}
    params = {"series": "1", **query}
    answer = sender.phone.client.post("/photo", params=params, content=b"", headers=headers)
    assert answer.status_code == 400


def test_several_photos_in_one_form_are_refused(sender):
    files = [("photo", ("a.png", photo(0))), ("photo", ("b.png", photo(1)))]
    data = {"form_token": sender.phone.form()}
    headers = {"Origin": URL}
    answer = sender.phone.client.post("/photo", data=data, files=files, headers=headers)
    assert answer.status_code == 400
    assert "one photo at a time" in answer.text


@pytest.mark.parametrize(
    "fields", [{str(number): "x" for number in range(300)}, {"name": 17_000 * "x"}]
)
def test_form_with_too_many_or_too_long_fields_is_refused(sender, fields):
    data = {**fields, "form_token": sender.phone.form()}
    files, headers = {"photo": ("a.png", photo(0))}, {"Origin": URL}
    answer = sender.phone.client.post("/photo", data=data, files=files, headers=headers)
    assert answer.status_code == 400


class FailingEye(PartEye):
    """Refuses photos, or sees cities in them that it cannot read."""

    def __init__(self, *, refuses):
        super().__init__()
        self.refuses = refuses

    def __call__(self, photo, edition=None):
        if self.refuses:
            raise PhotoError("photo-too-dark", "the photo is too dark", photo.name)
        unread = Unread(((90, 90), (700, 90), (700, 600), (90, 600)), Note(NoteCode.DARK))
        return replace(RING, photo_name=photo.name, grids=(), unread=(unread,))


def test_failed_photo_is_shown_until_all_photos_are_deleted():
    phone = Scanner(serves=True, eye=FailingEye(refuses=True)).phone(known=False)
    assert phone.client.get("/failed.jpg").status_code == 404
    phone.upload(cv2.imencode(".png", np.full((2000, 3000, 3), 90, np.uint8))[1].tobytes())
    assert "The photo is too dark." in phone.see()
    assert "/failed.jpg" in phone.html
    assert picture(phone.client.get("/failed.jpg")).shape == (1000, 1500, 3)
    phone.send("/history/delete-photos")
    phone.see()
    assert "/failed.jpg" not in phone.html
    assert phone.client.get("/failed.jpg").status_code == 404


def test_failed_photo_has_marks_on_what_was_not_read():
    phone = Scanner(serves=True, eye=FailingEye(refuses=False)).phone(known=False)
    phone.upload(photo(0))
    shown = picture(phone.client.get("/failed.jpg"))
    assert shown.shape == (720, 960, 3)
    assert shown.std() > GREY_STEP

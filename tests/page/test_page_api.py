"""Other programs: all that the description says, and nothing else."""

import json
from importlib import resources
from pathlib import Path

import cv2
import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from firmware.appliance.runner import page_service
from firmware.page import api
from firmware.settings import Settings
from firmware.settings.defaults import PageSettings
from scoring.faces import Face
from tests.appliance.fake_tables import FakeTables
from tests.appliance.whole_appliance import SCAN
from tests.firmware.fake_eye import EXAMPLE, FakeEye
from tests.page.phone import UPLOADED, URL, Scanner
from tests.update_docs import described_api
from vision.photo import heic

API = json.loads((resources.files("firmware.page") / "static" / "openapi.json").read_text("utf-8"))
TABLE = {
    "game": "between-two-cities",
    "cities": [{"grid": [["park"] * 4, ["shop"] * 4, ["house"] * 4, ["office"] * 4]}] * 3,
}
TYPES = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


@pytest.fixture
def scanner():
    eye = FakeTables()
    eye.between_two_cities = FakeEye(*EXAMPLE, unsure={(0, (2, 3)): (Face.HOUSE,)})
    return Scanner(eye=eye)


class Program:
    """Checks each answer against the description."""

    def __init__(self, scanner):
        self.scanner = scanner
        self.client = scanner.phone(known=False).client
        self.headers = {}

    def ask_token(self):
        token = self.post("token", {"pin": self.scanner.access.pin})["token"]
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path, status=200):
        return self._checked("get", path, self.client.get(f"/api/v1/{path}"), status)

    def post(self, path, value=None, status=200, content=None):
        content = json.dumps(value).encode() if value is not None else content or b""
        answer = self.client.post(f"/api/v1/{path}", content=content, headers=self.headers)
        self.scanner.advance()
        return self._checked("post", path, answer, status)

    def _checked(self, method, path, answer, status):
        assert answer.status_code == status, answer.text
        name = "/" + ("history/{seq}" if path.startswith("history/") else path)
        response = API["paths"][name][method]["responses"][str(status)]
        value = answer.json()
        assert fits(value, response["content"]["application/json"]["schema"]), value
        return value


def fits(value, schema):
    """Return whether a value fits a schema, in the keywords that ours use."""
    if "$ref" in schema:
        schema = API["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    is_of_kind = any(type(value) is TYPES[kind] for kind in kinds)
    has_all = set(schema.get("required", ())) <= set(value if isinstance(value, dict) else ())
    parts = [
        fits(value[name], part)
        for name, part in schema.get("properties", {}).items()
        if isinstance(value, dict) and name in value
    ]
    each = [fits(one, schema["items"]) for one in value] if "items" in schema else []
    return is_of_kind and (has_all or not isinstance(value, dict)) and all(parts + each)


def test_the_description_has_every_address_and_no_other(scanner):
    described = {
        (f"/api/v1{path.replace('{seq}', '{seq:int}')}", method.upper())
        for path, methods in API["paths"].items()
        for method in methods
        if method != "parameters"
    }
    there = {
        (route.path, method)
        for route in scanner.app.build().routes
        if isinstance(route, Route) and route.path.startswith("/api/")
        for method in route.methods - {"HEAD"}
    }
    assert described == there
    served = scanner.phone().client.get("/static/openapi.json")
    assert served.text == described_api(), "run python -m tests.update_docs"


def test_a_program_scans_corrects_and_gets_the_sheet(scanner):
    program = Program(scanner)
    assert program.get("status")["table"] is None
    program.get("sheet", status=404)
    program.ask_token()
    program.post("scan")
    sheet = program.get("sheet")
    assert sheet["unsure"][0]["at"] == [2, 3]
    assert program.get("reading")["cities"][0]["name"] == "A"
    assert program.get("better")["better"][0]["total"] == 60
    program.post("corrections", {"table": sheet["table"], "set": ["A:3,4=park", "B:1,1=none"]})
    after = program.get("sheet")
    assert after["unsure"] == []
    assert after["cities"][0]["points"] != sheet["cities"][0]["points"]
    assert "Winner" in scanner.words
    assert program.get("history")["scans"][0]["scan"] == 1
    assert program.get("history/1")["corrections"] == ["A:3,4=park", "B:1,1=none"]
    assert program.get("statistics")["games"][0]["games"] == 1
    program.get("history/99", status=404)


def test_number_of_the_scan_stays_when_it_becomes_another_game(scanner):
    program = Program(scanner)
    program.ask_token()
    scanner.press(SCAN, SCAN)
    before = program.get("status")
    after = program.post("same-table", {"table": before["table"], "same": False})
    assert after["table"] != before["table"]
    assert after["scanned_as"] == before["scanned_as"]


def test_number_of_the_scan_is_another_one_after_each_scan(scanner):
    program = Program(scanner)
    scanner.press(SCAN)
    first = program.get("sheet")["scanned_as"]
    scanner.press(SCAN)
    assert program.get("sheet")["scanned_as"] > first > 0


def test_several_corrections_are_one_command(scanner, monkeypatch):
    """No press at the scanner comes between them."""
    program = Program(scanner)
    program.ask_token()
    scanner.press(SCAN)
    sent = []
    monkeypatch.setattr(scanner.channel, "submit", lambda command: sent.append(command) or "done")
    table = program.get("status")["table"]
    program.post("corrections", {"table": table, "set": ["A:3,4=park", "B:1,1=none"]})
    assert len(sent) == 1


def test_of_several_corrections_all_are_made_or_none(scanner):
    program = Program(scanner)
    program.ask_token()
    scanner.press(SCAN)
    table = program.get("status")["table"]
    for wrong in ("A:3,4=castle", "Z:1,1=park", "A:9,9=park", "nonsense", ""):
        body = {"table": table, "set": ["B:1,1=park", wrong]}
        program.post("corrections", body, status=422)
    program.post("corrections", {"table": table + 1, "set": []}, status=409)
    program.post("corrections", {"table": table, "set": "A:3,4=park"}, status=422)
    program.post("corrections", {"table": table, "set": 501 * ["B:1,1=park"]}, status=422)
    program.post("corrections", {"table": table}, status=422)
    assert scanner.appliance.state.result.corrections == ()


def test_missing_result_is_told_in_language_of_scanner():
    settings = Settings(language="de", page=PageSettings(on=True))
    error = Program(Scanner(settings=settings)).get("sheet", status=404)
    assert error["error"]["message"] == "Es wurde noch nichts gescannt."


def test_a_photo_is_read_that_a_program_sends(scanner):
    program = Program(scanner)
    program.ask_token()
    program.post("scan", content=cv2.imencode(".jpg", UPLOADED)[1].tobytes())
    assert program.get("sheet")["table"] == program.get("status")["table"]
    program.post("scan", content=b"no photo", status=422)


def test_a_table_is_scored(scanner):
    program = Program(scanner)
    program.ask_token()
    assert len(program.post("score", TABLE)["players"]) == 3
    for wrong in ([], {"game": "chess"}, {**TABLE, "cities": []}, {**TABLE, "colour": 1}):
        program.post("score", wrong, status=422)
    program.post("score", content=b"[" * 5000, status=422)


def test_without_a_token_nothing_is_changed(scanner):
    program = Program(scanner)
    program.headers = {"Authorization": "Bearer x"}
    for path in ("scan", "corrections", "score"):
        program.post(path, {}, status=401)
    program.headers = {}
    program.post("token", {"pin": "x"}, status=403)
    for _ in range(3):
        error = program.post("token", {"pin": "x"}, status=403)["error"]
        assert error["message"] == "this is not the PIN: see the display"
    error = program.post("token", {"pin": "x"}, status=429)["error"]
    assert error["message"] == "too many wrong PINs: wait 30 s"
    scanner.mono_s += 29.9
    right = {"pin": scanner.access.pin}
    error = program.post("token", right, status=429)["error"]
    assert error["message"] == "too many wrong PINs: wait 1 s"


@pytest.mark.parametrize(
    ("path", "value"),
    [("scan", None), ("corrections", {"set": ["B:1,1=park"]}), ("same-table", {"same": False})],
)
def test_change_that_the_loop_is_late_to_take_is_answered(scanner, monkeypatch, path, value):
    scanner.press(SCAN)
    scanner.press(SCAN)
    program = Program(scanner)
    program.ask_token()
    if value is not None:
        value["table"] = scanner.appliance.state.result.result_id
    monkeypatch.setattr(page_service, "COMMAND_LIMIT_S", 0.01)
    monkeypatch.setattr(scanner, "run_while", lambda work: work())
    assert program.post(path, value, status=503)["error"] == {
        "code": "too-slow",
        "message": "The scanner has not answered yet: see whether this was changed before trying "
        "again.",
        "where": "request",
    }


def cut(data):
    return data[: len(data) // 2]


JPEG = cv2.imencode(".jpg", UPLOADED)[1].tobytes()


@pytest.mark.parametrize(
    ("path", "content", "code", "where"),
    [
        ("scan", cut(JPEG), "photo-truncated", "upload"),
        ("scan", b"RIFF\x10\0\0\0WEBPVP8 ", "photo-unsupported-format", "upload"),
        ("scan", b"xx", "photo-not-an-image", "upload"),
        ("score", b"xx", "table-not-json", "request, column 1"),
        ("score", b"", "table-empty", "request"),
        ("score", b"[]", "wrong-type", "$"),
        ("score", b"{}", "missing-key", "$"),
        ("score", b'{"game": "chess"}', "unknown-game", None),
        ("score", json.dumps({**TABLE, "cities": []}).encode(), "city-count", None),
        ("corrections", b"xx", "body-malformed", "request"),
        ("corrections", b"{}", "body-malformed", "request"),
        ("corrections", b'{"table": 1, "set": []}', "nothing-scanned", "request"),
    ],
)
def test_refusal_has_the_code_and_place_of_its_error(scanner, path, content, code, where):
    program = Program(scanner)
    program.ask_token()
    status = 404 if code == "nothing-scanned" else 422
    error = program.post(path, content=content, status=status)["error"]
    assert error["code"] == code
    assert where in (None, error["where"])


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("corrections", b'{"table": 1, "sett": []}'),
        ("tables", b'{"is_connected": true, "tables": [], "sett": []}'),
    ],
)
def test_unknown_key_is_named(scanner, path, content):
    program = Program(scanner)
    program.ask_token()
    error = program.post(path, content=content, status=422)["error"]
    assert error["code"] == "body-malformed"
    assert "'sett'" in error["message"]


def test_a_photo_that_is_refused_is_told_to_people_in_their_language(scanner):
    german = scanner.phone(**{"Accept-Language": "de"})
    answer = german.upload(cut(JPEG))
    assert answer.status_code == 422
    assert "das Foto" in answer.text


def test_heic_without_its_reader_is_told_in_words_for_a_phone(scanner, monkeypatch):
    monkeypatch.setattr(heic, "_PACKAGE", "no_such_package")
    photo = (Path(__file__).parents[1] / "data" / "corners-upright.heic").read_bytes()
    answer = scanner.phone().upload(photo)
    assert "Most Compatible" in answer.text
    assert "pip" not in answer.text


def test_a_table_that_cannot_be_scored_has_its_code(scanner):
    program = Program(scanner)
    scanner.eye.between_two_cities = FakeEye(*EXAMPLE[:2])
    scanner.press(SCAN)
    assert program.get("sheet", status=409)["error"]["code"] == "city-count"


def test_while_somebody_sets_up_the_scanner_it_is_a_conflict(scanner):
    program = Program(scanner)
    program.ask_token()
    scanner.choose_by_words("Calibrate")
    assert program.post("scan", status=409)["error"]["code"] == "conflict"


def test_scan_without_a_photo_is_refused_on_a_computer():
    scanner = Scanner(serves=True)
    program = Program(scanner)
    program.headers = {"Authorization": "Bearer x"}  # which none is needed here
    error = program.post("scan", status=409)["error"]
    assert error == {
        "code": "camera-missing",
        "message": "there is no camera here: give a photo",
        "where": "stadtblick serve",
    }
    assert program.get("status")["table"] is None
    assert scanner.eye.photos == []
    program.post("scan", content=JPEG)
    assert program.get("sheet")["winners"]


def test_unknown_address_is_answered_in_json(scanner, monkeypatch):
    client = scanner.phone(known=False).client
    bears = {"Authorization": f"Bearer {'x' * 20}"}
    asked = {
        "not-found": client.get("/api/v1/nothing"),
        "method-not-allowed": client.get("/api/v1/scan"),
        "wrong-address": client.get("/api/v1/status", headers={"Host": "evil.example"}),
        "address-too-long": client.get("/api/v1/status?" + 3000 * "x"),
        "other-page": client.post("/api/v1/scan"),
        "length-needed": client.post("/api/v1/scan", content=iter([b"x"]), headers=bears),
        "token-needed": client.post("/api/v1/scan", content=JPEG * 9, headers=bears),
        "too-much": client.post("/api/v1/corrections", content=20_000 * b"x", headers=bears),
    }
    monkeypatch.setattr(api, "compute_stats", lambda _sheets: 1 / 0)
    failing = TestClient(scanner.guarded, base_url=URL, raise_server_exceptions=False)
    asked["internal-error"] = failing.get("/api/v1/statistics")
    assert {code: answer.json()["error"]["code"] for code, answer in asked.items()} == {
        code: code for code in asked
    }
    for answer in asked.values():
        assert answer.json()["error"]["where"] == "request"
    assert "text/plain" in client.post("/scan").headers["content-type"]


def test_every_refusal_is_told_in_the_language_of_the_request(scanner):
    client = scanner.phone(known=False).client
    german = {"Accept-Language": "de"}
    bears = {**german, "Authorization": "Bearer x"}
    asked = [
        client.get("/api/v1/nothing", headers=german),
        client.post("/api/v1/scan", headers=german),
        client.post("/api/v1/scan", headers=bears),
        client.post("/api/v1/token", json={"pin": "x"}, headers=german),
        client.post("/api/v1/token", json={}, headers=german),
    ]
    assert [answer.json()["error"]["message"] for answer in asked] == [
        "diese Adresse gibt es nicht: siehe die Beschreibung",
        "es ist nicht bekannt, woher das kommt",
        "ein Token angeben: POST /api/v1/token mit der PIN auf dem Display",
        "das ist nicht die PIN: siehe Display",
        "andere Schlüssel sind nötig: ein Objekt mit pin senden",
    ]
    page = client.post("/scan", headers=german)
    assert page.text == "es ist nicht bekannt, woher das kommt\n"

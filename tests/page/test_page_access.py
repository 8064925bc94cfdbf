"""Strangers and other pages: what they send is refused, by every address and before it is read."""

import re
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.routing import Route

from firmware.base.user_data import user_folder
from firmware.page.access import (
    FIRST_PIN_PAUSE_S,
    TOKEN_S,
    TRIES,
    Access,
    is_own_host,
    load_key,
)
from firmware.page.app import MAX_BODY_BYTES
from firmware.page.security import FORM_BYTES
from tests.appliance.whole_appliance import SCAN
from tests.cleanup import AT_THE_END
from tests.page.phone import HOST, KEY, URL, Scanner
from vision.photo.load import MAX_PHOTO_BYTES

FILLED = {
    "{index:int}": "0",
    "{place}": "A:1,1",
    "{seq:int}": "1",
    "{pin}": "000000",
    "{name}": "mine",
}
GUEST, OTHER = "192.168.1.30", "192.168.1.31"
UNGUARDED = {"/pin", "/api/v1/token"}
"""Addresses at which a PIN is given, so that none can be asked for."""


@pytest.fixture(scope="module")
def scanner():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGUAGE", "en")
        scanner = Scanner()
        scanner.press(SCAN)
        with AT_THE_END.pop_all():  # closed after the tests of this module, not after the first
            yield scanner


def addresses(scanner, method):
    """Every address that answers a method."""
    found = []
    for route in scanner.app.build().routes:
        if isinstance(route, Route) and method in route.methods:
            path = route.path
            for name, value in FILLED.items():
                path = path.replace(name, value)
            found.append(path)
    return found


def test_list_of_addresses_to_test_is_long(scanner):
    assert len(addresses(scanner, "GET")) > 20
    assert len(addresses(scanner, "POST")) > 10


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8080",
        "192.168.1.20",
        "192.168.1.20:80",
        "stadtblick.local.evil.example:8080",
        "192.168.1.20.evil.example:8080",
        "0x7f000001:8080",
        "[::1]:80",
        "",
        "stadtblick.local:8080@evil.example",
        "localhost:8080/",
        "x" * 5000,
    ],
)
def test_a_name_of_somebody_else_leads_nowhere(scanner, host):
    client = scanner.phone().client
    for method, path in (("GET", "/"), ("GET", "/api/v1/sheet"), ("POST", "/photo")):
        answer = client.request(method, path, headers={"Host": host, "Origin": URL})
        assert answer.status_code == 421, (method, path)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_address_answers_to_a_name_of_somebody_else(scanner, method):
    client = scanner.phone().client
    for path in addresses(scanner, method):
        answer = client.request(method, path, headers={"Host": "evil.example", "Origin": URL})
        assert answer.status_code == 421, path


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"https://{HOST}"},
        {"Origin": f"{URL}.evil.example"},
        {"Origin": "http://192.168.1.20"},
        {"Origin": URL, "Sec-Fetch-Site": "cross-site"},
        {"Origin": URL, "Sec-Fetch-Site": "same-site"},
        {},
    ],
)
def test_another_page_changes_nothing_though_the_phone_is_known(scanner, headers):
    phone = scanner.phone()
    before = scanner.appliance.state
    for path in addresses(scanner, "POST"):
        if path == "/api/v1/token" and not headers:
            continue  # a program without a token asks for one
        answer = phone.client.post(path, data={"answer": "park"}, headers=headers)
        assert answer.status_code == 403, path
    assert scanner.appliance.state.result is before.result
    assert scanner.appliance.state.settings == before.settings


def test_phone_without_the_pin_changes_nothing(scanner):
    stranger, before = scanner.phone(known=False), scanner.appliance.state
    for path in addresses(scanner, "POST"):
        if path in UNGUARDED:
            continue
        answer = stranger.send(path, form="x", answer="park")
        assert answer.status_code in (303, 401), path
        if answer.status_code == 303:
            assert answer.headers["location"].startswith("/pin?to=")
    assert scanner.appliance.state.result is before.result


@pytest.mark.parametrize("token", ["", "x", "a" * 40, "é"])
def test_a_form_that_was_not_given_to_this_phone_changes_nothing(scanner, token):
    phone, before = scanner.phone(), scanner.appliance.state
    for path in addresses(scanner, "POST"):
        if path in UNGUARDED or path.startswith("/api/"):
            continue
        assert phone.send(path, form=token, answer="park").status_code == 403, path
    other = scanner.phone()
    stolen = scanner.access.form_token(other.client.cookies["stadtblick"])
    assert phone.send("/scan", form=stolen).status_code == 403
    assert scanner.appliance.state.result is before.result


def test_too_much_is_refused_before_it_is_read(scanner):
    phone, read = scanner.phone(), []

    def body():
        read.append(1)
        yield b"x"

    for path in addresses(scanner, "POST"):
        for length in (str(MAX_PHOTO_BYTES + 1), "9" * 400, "-1", "1e3", "0x10", ""):
            headers = {"Origin": URL, "Content-Length": length}
            answer = phone.client.post(path, content=body(), headers=headers)
            assert answer.status_code in (411, 413), (path, length)
    assert phone.client.post("/scan", content=body(), headers={"Origin": URL}).status_code == 411


def test_more_than_was_said_is_not_taken(scanner):
    phone = scanner.phone()
    for path in set(addresses(scanner, "POST")) - set(MAX_BODY_BYTES):
        headers = {"Origin": URL, "Content-Length": "5", "Authorization": "Bearer x"}
        answer = phone.client.post(path, content=b"x" * (FORM_BYTES + 1), headers=headers)
        assert answer.status_code == 413, path


def test_of_a_phone_that_gave_no_pin_nothing_large_is_read(scanner):
    stranger = scanner.phone(known=False)
    for path in MAX_BODY_BYTES:
        headers = {"Origin": URL, "Content-Length": str(FORM_BYTES + 1)}
        answer = stranger.client.post(path, content=b"x", headers=headers)
        if path.startswith("/api/"):
            text = answer.json()["error"]["message"]
            assert (answer.status_code, text) == (403, "give the PIN first, at /pin"), path
        else:
            back = path.removesuffix("/photo") or "/"
            at = answer.headers["location"]
            assert (answer.status_code, at) == (303, f"/pin?to={back}"), path


NAMES = (
    "Accept Accept-Language Authorization Content-Type Cookie If-None-Match Origin Range "
    "Sec-Fetch-PageContext X-Form-Token X-Forwarded-For"
)
LATIN = st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f")
HEADERS = st.dictionaries(st.sampled_from(NAMES.split()), st.text(LATIN, max_size=300), max_size=5)
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "BREW")


@settings(max_examples=30)
@given(data=st.data())
def test_random_requests_do_not_stop_the_page(scanner, data):
    paths = addresses(scanner, "GET") + addresses(scanner, "POST")
    path = data.draw(st.sampled_from(paths) | st.text(max_size=60).map(lambda text: f"/{text}"))
    headers = {name: value.encode("latin-1") for name, value in data.draw(HEADERS).items()}
    phone = scanner.phone(known=data.draw(st.booleans()))
    if path == "/events":  # has no end
        return
    answer = phone.client.request(
        data.draw(st.sampled_from(METHODS)),
        quote(path, safe="/:,%"),
        headers=headers,
        content=data.draw(st.binary(max_size=400)),
    )
    assert answer.status_code < 500
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_display_code_fills_in_pin_and_foreign_pages_use_no_tries(scanner):
    phone = scanner.phone(known=False)
    for _ in range(2 * TRIES):  # an image, a frame, a window that another page opens
        phone.client.get("/P/000000")
        assert phone.client.post("/pin", headers={"Origin": "http://evil.example"}).is_error
    phone.see(f"/P/{scanner.access.pin}")
    [given] = re.findall(r'name="pin" value="(\d+)"', phone.html)
    assert phone.send("/pin", form="", pin=given).status_code == 303
    assert phone.client.get("/P/000000").headers["location"] == "/", "it is known already"


@pytest.mark.parametrize(
    "to", ["//evil.example", "http://evil.example", "/\\evil.example", "/x\r\nSet-Cookie: a=b", "é"]
)
def test_giving_the_pin_leads_to_no_other_page(scanner, to):
    phone = scanner.phone(known=False)
    answer = phone.send("/pin", form="", pin=scanner.access.pin, to=to)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_names_of_players_are_escaped(scanner):
    phone = scanner.phone()
    phone.send("/setup", players="1", name0="<b onload=x>", name1="{{7*7}}")
    phone.see("/setup")
    assert "&lt;b onload=x&gt;" in phone.html
    assert "{{7*7}}" in phone.html
    phone.send("/setup", players="1")


def test_the_cookie_is_for_this_page_alone(scanner):
    answer = scanner.phone(known=False).send("/pin", form="", pin=scanner.access.pin)
    text = answer.headers["set-cookie"].lower()
    assert "httponly" in text
    assert "samesite=strict" in text
    assert "domain" not in text


OUTSIDE = re.compile(r'<a href="https://boardgamegeek\.com/[^"]*" rel="noreferrer">')
"""The only link that leads outside: opened by a tap, and without the address of the scanner."""


def html_pages(scanner):
    phone = scanner.phone()
    for path in addresses(scanner, "GET"):
        if path == "/events" or path.startswith(("/api/", "/P/")):
            continue
        answer = phone.client.get(path)
        if answer.headers["content-type"].startswith("text/html"):
            yield answer.text


def test_no_page_loads_anything_from_outside(scanner):
    for page in html_pages(scanner):
        assert "http://" not in page
        assert "https://" not in OUTSIDE.sub("", page)


def test_no_page_has_a_script_or_style_in_it(scanner):
    for page in html_pages(scanner):
        assert "style=" not in page
        assert " onclick" not in page


class Clocks:
    def __init__(self):
        self.wall_s, self.mono_s = 1_790_000_000.0, 0.0
        self.access = Access(KEY, clock=lambda: self.mono_s, wall_clock=lambda: self.wall_s)

    def wrong(self):
        return self.access.token_for(f"{(int(self.access.pin) + 1) % 10**6:06}", GUEST)


def test_wrong_pins_make_their_address_wait_ever_longer():
    clocks = Clocks()
    for round_ in range(4):
        for _ in range(TRIES):
            assert not clocks.access.wait_s(GUEST)
            assert clocks.wrong() is None
        assert clocks.access.wait_s(GUEST) == FIRST_PIN_PAUSE_S * 2**round_
        assert clocks.access.token_for(clocks.access.pin, GUEST) is None, "not even the right one"
        clocks.mono_s += FIRST_PIN_PAUSE_S * 2**round_
    assert clocks.access.token_for(clocks.access.pin, GUEST) is not None


def test_wrong_pins_keep_no_other_address_waiting():
    clocks = Clocks()
    for _ in range(TRIES):
        clocks.wrong()
    assert clocks.access.token_for(clocks.access.pin, OTHER) is not None


def test_right_pin_is_not_called_wrong_while_the_pause_ends(scanner):
    phone = scanner.phone(known=False)
    for _ in range(TRIES):
        phone.send("/pin", form="", pin="x")
    scanner.mono_s += FIRST_PIN_PAUSE_S - 0.1
    answer = phone.send("/pin", form="", pin=scanner.access.pin)
    assert answer.status_code == 429
    assert "try again in 1 second." in answer.text


def test_a_year_of_guessing_finds_hardly_any_pin():
    clocks, tries = Clocks(), 0
    while clocks.mono_s < 365 * 86_400:
        tries += clocks.wrong() is None
        clocks.mono_s += clocks.access.wait_s(GUEST)
    assert tries < 10**6 * 0.05


def test_token_is_valid_until_old_and_for_its_key_alone():
    clocks = Clocks()
    token = clocks.access.token_for(clocks.access.pin, GUEST)
    assert clocks.access.allows(token)
    clocks.wall_s -= 10 * 365 * 86_400
    assert clocks.access.allows(token), "the computer did not know the time"
    clocks.wall_s += 10 * 365 * 86_400 + TOKEN_S
    assert not clocks.access.allows(token)
    assert not Access(b"other" * 6).allows(token)


@given(st.text(max_size=250))
def test_no_other_text_is_a_token(text):
    assert not Clocks().access.allows(text)


def test_the_key_is_kept_and_nobody_else_may_read_it():
    key = load_key()
    assert load_key() == key
    path = user_folder() / "page.key"
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_bytes(b"short")
    assert load_key() != b"short"


@pytest.mark.parametrize(
    "host", ["192.168.1.20:8080", "[fe80::1]:8080", "LOCALHOST:8080", "stadtblick.local.:8080"]
)
def test_addresses_in_figures_and_own_names_are_this_page(host):
    assert is_own_host(host, 8080, {"localhost", "stadtblick.local"})

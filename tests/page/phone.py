"""A phone at the page of a whole appliance with stand-ins for its devices."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from html import unescape

import numpy as np
from starlette.testclient import TestClient

from firmware.appliance.features.standard_modes import first_state
from firmware.appliance.page_channel import PageChannel
from firmware.base.user_data import user_folder
from firmware.history import History
from firmware.page.access import Access
from firmware.page.app import MAX_BODY_BYTES, PageApp
from firmware.page.context import PageContext
from firmware.page.security import SecurityMiddleware
from firmware.page.server import RunningPage
from firmware.settings import Settings
from firmware.settings.defaults import PageSettings
from tests.appliance.appliance_machine import CHOICES
from tests.appliance.whole_appliance import WholeAppliance

HOST = "192.168.1.20:8080"
URL = f"http://{HOST}"
KEY = b"k" * 32
UPLOADED = np.full((720, 960, 3), 120, np.uint8)


def still_channel():
    """Return a channel to an appliance in which nothing happens."""
    return PageChannel(first_state(Settings(language="en"), CHOICES), print, History(user_folder()))


class Scanner(WholeAppliance):
    """An appliance whose page is on; phones reach it without a network.

    Args:
        serves: True for the page alone, as with ``stadtblick serve``.
        **more: of the appliance.
    """

    def __init__(self, *, serves=False, **more):
        wanted = PageSettings(on=True)
        more.setdefault("settings", Settings(language="en", page=wanted))
        if serves:
            more["page_only"] = wanted
        self.wall_s, self.mono_s = 1_790_000_000.0, 50.0
        super().__init__(open_page=self._open, listen=self._listen, **more)
        self.appliance.prepare()
        self.advance(1)

    def _listen(self, port):
        assert port == 8080

    def _open(self, channel, _listening):
        self.channel = channel
        self.access = Access(
            KEY,
            open_to_all=self.appliance.parts.page_only is not None,
            clock=lambda: self.mono_s,
            wall_clock=lambda: self.wall_s,
        )
        context = PageContext(channel, self.access, "start")
        self.app = PageApp(context)
        self.guarded = SecurityMiddleware(
            self.app.build(),
            port=8080,
            host_names={"stadtblick.local"},
            max_bytes_by_path=MAX_BODY_BYTES,
            access=self.access,
            language_of=context.language_of,
        )
        return FakePage(self.access.pin)

    def run_while(self, work):
        """Run the loop, whenever it is woken, until work in another thread has ended."""
        woken = threading.Event()
        self.tasks.wake = woken.set
        with ThreadPoolExecutor(1) as pool:
            result = pool.submit(work)
            result.add_done_callback(lambda _result: woken.set())
            while woken.wait() and not result.done():
                woken.clear()
                self.appliance.run_due()
        return result.result()

    def phone(self, *, known=True, **headers):
        """A phone; ``known``: it has given the PIN."""
        self.mono_s += 4000.0  # however many wrong PINs there were
        phone = Phone(self, headers)
        if known:
            phone.give_pin()
        return phone


class FakePage(RunningPage):
    """A page at no socket."""

    def __init__(self, pin):
        object.__setattr__(self, "pin", pin)
        object.__setattr__(self, "close", lambda: None)

    @property
    def url(self):
        return URL


class PhoneClient(TestClient):
    """Client during whose requests the loop runs whenever it is woken."""

    def __init__(self, scanner, headers):
        super().__init__(scanner.guarded, base_url=URL, headers=headers, follow_redirects=False)
        self.scanner = scanner

    def request(self, method, *args, **kwargs):
        send = partial(super().request, method, *args, **kwargs)
        # The others send no command
        return self.scanner.run_while(send) if method == "POST" else send()


class Phone:
    """A browser without a script."""

    portal = None
    """Event loop that answers all requests; ``conftest.py`` opens it."""

    def __init__(self, scanner, headers):
        self.scanner = scanner
        self.client = PhoneClient(scanner, headers)
        self.client.portal = self.portal
        self.text = ""

    def give_pin(self):
        answer = self.send("/pin", form="", pin=self.scanner.access.pin)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")

    def see(self, path="/", status=200):
        """Open a page; gives its words."""
        answer = self.client.get(path)
        assert answer.status_code == status, answer.text
        self.html = answer.text
        return words_of(answer.text)

    def form(self):
        """Token in the forms given to this phone; the page of the PIN is made quickest."""
        return re.search(r'data-form-token="(\w+)"', self.client.get("/pin").text)[1]

    def send(self, path, form=None, **values):
        """Send a form, by default one that the page has given; then the appliance acts on it."""
        data = {"form_token": self.form() if form is None else form, **values}
        answer = self.client.post(path, data=data, headers={"Origin": URL})
        self.scanner.advance()
        return answer

    def upload(self, data):
        """Drop a photo."""
        headers = {"Origin": URL, "X-Form-Token": self.form()}
        answer = self.client.post("/photo", content=data, headers=headers)
        self.scanner.advance()
        return answer


def words_of(html):
    """All that a page says, tags left out."""
    body = html.partition("<main")[2] or html
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())

"""Clock of the scanner, which takes the time of a phone if nothing else sets it."""

import ipaddress
from contextlib import suppress
from datetime import timedelta
from http import HTTPStatus
from typing import Final

from starlette.responses import Response

from firmware.base.language import _
from firmware.base.user_data import user_folder
from firmware.club.evening import change_evening
from firmware.history import WallTime, wall_time
from firmware.history.clock import take_phone_time
from firmware.page.context import PageContext
from firmware.page.page_request import PageRequest, RequestRefused, client_address

_MAX_DIGITS: Final = 15


class PhoneClock:
    """Receiver of the time of phones.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context

    def take(self, request: PageRequest) -> Response:
        """Take the time of a phone over, unless the scanner knows it."""
        given = request.form.get("now_ms", "")
        if not (given.isascii() and given.isdigit() and len(given) <= _MAX_DIGITS):
            raise RequestRefused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
        before = wall_time()
        # A browser of this computer has the same wrong clock
        if not _is_of_this_computer(request) and take_phone_time(int(given) / 1000, before):
            self._correct_dates(before, wall_time())
        return Response(status_code=HTTPStatus.NO_CONTENT)

    def _correct_dates(self, before: WallTime, after: WallTime) -> None:
        """Correct the dates of games and of the club that came from the clock before."""
        self._context.history.date_scans()
        by = after.utc - before.utc
        self._context.channel.club.shift_clock(by)
        if before.since_boot is not None:
            start = before.utc - timedelta(seconds=before.since_boot.seconds)
            change_evening(user_folder(), lambda evening: evening.shifted(by, start))
        self._context.channel.notify_listeners()


def _is_of_this_computer(request: PageRequest) -> bool:
    address, server = client_address(request.http), request.http.scope.get("server")
    with suppress(ValueError):
        is_loopback = ipaddress.ip_address(address).is_loopback
        return is_loopback or (server is not None and address == server[0])
    return True

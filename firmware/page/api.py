"""API for programs, ``/api/v1``, as ``api_description`` describes it.

Responses are JSON as the commands of ``stadtblick`` print it. A change needs the token that
``/api/v1/token`` gives for the PIN: ``Authorization: Bearer TOKEN``. Refusals are translated, as a
program may show them, such as Home Assistant.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from math import ceil
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from firmware.appliance.features.reviewing import CorrectPlaces
from firmware.appliance.features.scanning import AnswerSameTable, StartScan
from firmware.appliance.result import Result
from firmware.base.checked_input import check_shape, parse_json
from firmware.base.errors import FirmwareError, UsageError, shorten, suggest_name
from firmware.base.language import _, in_language
from firmware.club.games import MAX_SENT_GAMES, games_message
from firmware.club.tables import BridgeReport
from firmware.games.registry import game_or_unscored, games
from firmware.history import wall_time
from firmware.history.export import stats_json, stored_scan_json
from firmware.history.stats import compute_stats
from firmware.page import result_values
from firmware.page.access import bearer_token
from firmware.page.api_description import ENDPOINTS, MAX_CORRECTIONS
from firmware.page.context import PageContext
from firmware.page.page_request import (
    RequestRefused,
    client_address,
    request_problem,
    status_of_unusable,
)
from firmware.page.status_values import status_values
from firmware.scan.corrections import parse_correction, unknown_places
from firmware.scan.json_output import reading_json, scan_json
from firmware.scan.table_input import parse_table
from firmware.screens.question_views import SpecialAnswer
from firmware.wording.problem_text import problem_json
from scoring.errors import ScoringError
from vision.errors import VisionError
from vision.message import Message

_MAX_GAMES: Final = 100
"""Number of past games in the list, the latest ones."""

ApiHandler = Callable[[Request, Any], Any]


def _refusal(code: str, status: HTTPStatus, message: Message) -> RequestRefused:
    """Return the refusal of a request of a program."""
    return RequestRefused(status, request_problem(code, message))


class Api:
    """Responses to programs.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context

    def routes(self) -> list[BaseRoute]:
        """Return the routes of all addresses."""
        handlers: dict[str, ApiHandler] = {
            "status": self._status,
            "sheet": self._sheet,
            "reading": self._reading,
            "better": self._better,
            "history": self._history,
            "history/{seq:int}": self._game,
            "statistics": self._statistics,
            "token": self._token,
            "scan": self._scan,
            "corrections": self._correct,
            "same-table": self._answer_same_table,
            "score": self._score,
            "games": self._games,
            "tables": self._take_report,
        }
        return [
            Route(
                f"/api/v1/{each.path}",
                self._context.limit.make_endpoint(
                    partial(self._respond, handle=handlers[each.path], changes=each.changes)
                ),
                methods=[each.method],
            )
            for each in ENDPOINTS
        ]

    def _respond(
        self, request: Request, body: bytes, handle: ApiHandler, *, changes: bool
    ) -> Response:
        with in_language(self._context.make_request(request).language):
            try:
                if changes:
                    self._check_token(request)
                return JSONResponse(handle(request, body))
            except RequestRefused as refused:
                if refused.error is None:  # one of a page
                    raise
                return JSONResponse(problem_json(refused.error), refused.status)
            except (FirmwareError, ScoringError, VisionError) as error:
                return JSONResponse(problem_json(error), status_of_unusable(error))

    def _check_token(self, request: Request) -> None:
        if not self._context.access.allows(bearer_token(request.headers)):
            why = Message("give a token: POST /api/v1/token with the PIN of the display")
            raise _refusal("token-needed", HTTPStatus.UNAUTHORIZED, why)

    def _status(self, _request: Request, _body: bytes) -> Any:
        state = self._context.channel.state
        values = status_values(state, has_devices=self._context.channel.has_devices)
        settings, result = state.settings, state.result
        return {
            "version": state.version,
            "is_free": values["is_free"],
            "stage": state.mode.stage.code if values["stage"] else None,  # type: ignore[attr-defined]
            "fault": values["fault"],
            "game": settings.game,
            "variant": settings.variant,
            "level": settings.level,
            "edition": settings.edition,
            "players": list(settings.players),
            # In JSON ``table`` is the result_id
            "table": None if result is None else result.result_id,
            "scanned_as": None if result is None else result.scanned_as,
            "again": None if result is None else result_values.same_table_values(result),
            # Places read and missing, but neither regions not read nor notes
            "unsure": 0 if result is None else len(result.open_places),
        }

    def _result(self) -> Result:
        result = self._context.last_result()
        if result is None:
            message = Message("Nothing was scanned yet.")
            raise _refusal("nothing-scanned", HTTPStatus.NOT_FOUND, message)
        return result

    def _sheet(self, _request: Request, _body: bytes) -> Any:
        result = self._result()
        if result.scan is None:
            problem: Any = result.scan_or_problem
            raise RequestRefused(
                HTTPStatus.CONFLICT, replace(problem, where=problem.where or "photo")
            )
        values = {
            "table": result.result_id,
            "scanned_as": result.scanned_as,
            "scan": result.seq,
            "again": result_values.same_table_values(result),
        }
        return {**values, **scan_json(result.scan)}

    def _reading(self, _request: Request, _body: bytes) -> Any:
        return reading_json(self._result().corrected_scan)

    def _better(self, _request: Request, _body: bytes) -> Any:
        result = self._result()
        game, scan = game_or_unscored(result.game_id), result.scan
        table = scan.table if scan is not None and game.has_best_arrangements else None
        better = [] if table is None else game.better_json(table)
        return {"table": result.result_id, "better": better}

    def _history(self, _request: Request, _body: bytes) -> Any:
        scans, _damaged = self._context.history.read_scans(_MAX_GAMES)
        games = []
        for scan in scans:
            values = stored_scan_json(scan)
            games.append(
                {key: values[key] for key in ("scan", "time", "time_known", "game", "sheet")}
            )
        return {"scans": games}

    def _statistics(self, _request: Request, _body: bytes) -> Any:
        return stats_json(compute_stats(self._context.all_games(sheets_only=True)))

    def _game(self, request: Request, _body: bytes) -> Any:
        return stored_scan_json(self._context.history.get(int(request.path_params["seq"])))

    def _token(self, request: Request, body: bytes) -> Any:
        address = client_address(request)
        token = self._context.access.token_for(str(_object(body, "pin")["pin"])[:20], address)
        if token is None:
            wait_s = ceil(self._context.access.wait_s(address))
            if wait_s:
                message = Message("too many wrong PINs: wait {wait_s} s", wait_s=wait_s)
                raise _refusal("wrong-pin", HTTPStatus.TOO_MANY_REQUESTS, message)
            message = Message("this is not the PIN: see the display")
            raise _refusal("wrong-pin", HTTPStatus.FORBIDDEN, message)
        return {"token": token}

    def _scan(self, request: Request, body: bytes) -> Any:
        if body:
            self._context.submit(StartScan(self._context.decode_upload(body)))
        else:
            self._context.submit(StartScan())
        return self._status(request, b"")

    def _correct(self, request: Request, body: bytes) -> Any:
        """Make all corrections, or none if one cannot be used."""
        given = _object(body, "table", "set")
        result = self._result_named(given["table"])
        texts = given["set"]
        if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
            raise _malformed_refusal(Message("set is no list of texts: give one"))
        if len(texts) > MAX_CORRECTIONS:
            raise _malformed_refusal(
                Message(
                    "there are more than {most} corrections: send fewer at a time",
                    most=MAX_CORRECTIONS,
                )
            )
        answers = []
        for text in texts:
            correction = parse_correction(text, result.description)
            answer = SpecialAnswer.NO_TILE if correction.content is None else correction.content
            answers.append((correction.place, answer))
        reading, places = result.corrected_scan.reading, [place for place, _answer in answers]
        unknown = unknown_places(reading, result.description, places)
        for text, place in zip(texts, places, strict=True):
            if place in unknown:
                raise UsageError(
                    "correction-off-grid", "there is no such place: see what was read", text[:80]
                )
        self._context.submit(CorrectPlaces(result.result_id, tuple(answers)))
        return self._sheet(request, b"")

    def _result_named(self, table: object) -> Result:
        """Return the last result, which a request has to name."""
        result = self._result()
        if table != result.result_id:
            message = Message("another table was scanned: ask for the sheet again")
            raise _refusal("other-table", HTTPStatus.CONFLICT, message)
        return result

    def _answer_same_table(self, request: Request, body: bytes) -> Any:
        """Update the game of the same table, or make it a new game."""
        given = _object(body, "table", "same")
        result, is_same = self._result_named(given["table"]), given["same"]
        if not isinstance(is_same, bool):
            raise _malformed_refusal(Message("same is neither true nor false: give one of them"))
        if result.earlier is None and result.possible_earlier is None:
            message = Message(
                "this table was not scanned before: there is no earlier game to update"
            )
            raise _refusal("new-table", HTTPStatus.CONFLICT, message)
        self._context.submit(AnswerSameTable(result.result_id, is_same))
        return self._status(request, b"")

    def _games(self, _request: Request, _body: bytes) -> Any:
        """Return the latest games, as they are sent to other scanners."""
        scans, _damaged = self._context.history.read_scans(MAX_SENT_GAMES, sheets_only=True)
        return {"now": wall_time().iso, "games": games_message(scans)}

    def _take_report(self, _request: Request, body: bytes) -> Any:
        """Take over the bridge's report on other scanners; return the tables that are known."""
        club, value = self._context.channel.club, _json(body)
        try:
            check_shape(value, BridgeReport, {})
        except UsageError as error:
            is_unknown_key = error.code == "unknown-key"
            message = Message("this is no report of a bridge: see the description")
            raise _malformed_refusal(error.message if is_unknown_key else message) from error
        report = msgspec.convert(value, BridgeReport)
        if club.receive(report):
            self._context.channel.notify_listeners()
        return {"tables": [each.table for each in club.all()]}

    def _score(self, _request: Request, body: bytes) -> Any:
        defaults = {name: game.table_defaults(None) for name, game in games().items()}
        game, table = parse_table(body, "request", defaults)
        return game.sheet_json(game.rules.score(table))


def routes(context: PageContext) -> list[BaseRoute]:
    """Return the routes of all addresses for programs."""
    return Api(context).routes()


def _json(body: bytes) -> Any:
    try:
        return parse_json("body-malformed", body)
    except UsageError as error:
        raise _malformed_refusal(Message("this is no JSON: correct it")) from error


def _object(body: bytes, *keys: str) -> dict[str, Any]:
    """Parse a JSON object with exactly these keys."""
    value = _json(body)
    unknown = [key for key in value if key not in keys] if isinstance(value, dict) else []
    if unknown:
        key, advice = repr(shorten(unknown[0])), suggest_name(unknown[0], keys)
        raise _malformed_refusal(Message("there is no key {key}: {advice}", key=key, advice=advice))
    if not isinstance(value, dict) or set(value) != set(keys):
        raise _malformed_refusal(
            Message("other keys are wanted: send an object with {keys}", keys=_(" and ").join(keys))
        )
    return value


def _malformed_refusal(message: Message) -> RequestRefused:
    return _refusal("body-malformed", HTTPStatus.UNPROCESSABLE_ENTITY, message)

"""Description of the API for programs: its endpoints, and OpenAPI made of them.

``python -m tests.update_docs`` writes ``openapi.json`` from it, which the page serves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

Schema = Mapping[str, Any]
"""JSON schema."""

MAX_CORRECTIONS: Final = 500
"""Largest number of corrections in one request."""
_REFUSALS: Final = {
    HTTPStatus.UNAUTHORIZED: "no token, or none of this scanner",
    HTTPStatus.FORBIDDEN: "wrong PIN, or the request comes from another page",
    HTTPStatus.NOT_FOUND: "there is none",
    HTTPStatus.CONFLICT: "it cannot be done now",
    HTTPStatus.UNPROCESSABLE_ENTITY: "what was sent cannot be used",
    HTTPStatus.TOO_MANY_REQUESTS: "too many wrong PINs",
    HTTPStatus.SERVICE_UNAVAILABLE: "the scanner has not answered in time, and may still do it",
}
"""Descriptions of the refusals by their status."""
_DESCRIPTION: Final = (
    "The scanner for other programs in the same network. docs/page.md tells more, docs/scoring.md "
    "the forms of tables and sheets, docs/errors.md the codes of errors."
)


def _typed(kind: str | list[str], description: str = "") -> Schema:
    return {"type": kind, "description": description} if description else {"type": kind}


def _with_keys(**keys: Schema) -> Schema:
    """Return the schema of an object with these keys."""
    return {"type": "object", "required": list(keys), "properties": keys}


def _exactly(**keys: Schema) -> Schema:
    """Return the schema of an object with these keys and no others."""
    return {**_with_keys(**keys), "additionalProperties": False}


def _with_names(*names: str) -> Schema:
    """Return the schema of an object with these keys, whatever they hold."""
    return {"type": "object", "required": list(names)}


def _list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _json(schema: Schema) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _part(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_ANYTHING: Final = _typed("object")
_STATUS, _ERROR = _part("Status"), _part("Error")
_PARTS: Final = {
    "Status": _with_keys(
        version=_typed("string"),
        is_free=_typed("boolean", "whether something can be asked for now"),
        stage=_typed(["string", "null"], "what a scan is doing; null: none is under way"),
        fault=_typed(["string", "null"]),
        game=_typed("string"),
        variant=_typed("string"),
        level=_typed("integer"),
        edition=_typed("string"),
        players=_list_of(_typed("string")),
        table=_typed(
            ["integer", "null"],
            "number of the last result; another one after each scan, each start, and when it "
            "becomes another game",
        ),
        scanned_as=_typed(
            ["integer", "null"],
            "number that the last result had when it was scanned, which stays when it becomes "
            "another game; below 0: it is a game of the history",
        ),
        unsure=_typed("integer", "how many places a person has to look at"),
        again=_part("Again"),
    ),
    "Error": _with_keys(
        error=_with_keys(code=_typed("string"), message=_typed("string"), where=_typed("string"))
    ),
    "Again": {
        **_with_keys(
            certain=_typed(
                "boolean",
                "true: its game in the history was updated; false: perhaps it is the same table, "
                "say so with same-table",
            ),
            scan=_typed(
                ["integer", "null"], "number of that game in the history; null: it is not stored"
            ),
        ),
        **_typed(["object", "null"], "the table was scanned before; null: it is new"),
    },
}
"""Schemas that several endpoints use."""


@dataclass(frozen=True, slots=True, eq=False)
class Endpoint:
    """Address for programs.

    Attributes:
        path: Path below ``/api/v1``, as Starlette writes it.
        summary: Purpose, in a line.
        returns: Schema of the response.
        takes: Schema of the body; None if it has none, or perhaps a photo.
        refusals: Statuses of its refusals, besides that of a missing token.
        changes: True if it needs a token.
    """

    path: str
    summary: str
    returns: Schema
    takes: Schema | None = None
    refusals: tuple[HTTPStatus, ...] = ()
    changes: bool = False

    @property
    def method(self) -> str:
        """HTTP method."""
        return "POST" if self.changes or self.takes is not None else "GET"

    def describe(self) -> dict[str, Any]:
        """Return the description of its method."""
        operation: dict[str, Any] = {"summary": self.summary}
        if self.changes:
            operation["security"] = [{"token": []}]
        if self.takes is not None:
            operation["requestBody"] = {"required": True, "content": _json(self.takes)}
        elif self.changes:
            photo = {"schema": {"type": "string", "format": "binary"}}
            content = {"image/jpeg": photo, "image/png": photo}
            operation["requestBody"] = {"required": False, "content": content}
        refusals = ((HTTPStatus.UNAUTHORIZED,) if self.changes else ()) + self.refusals
        operation["responses"] = {
            "200": {"description": self.summary, "content": _json(self.returns)},
            **{
                str(status.value): {"description": _REFUSALS[status], "content": _json(_ERROR)}
                for status in refusals
            },
        }
        return operation


_NONE, _NOT_NOW, _UNUSABLE, _LATE = (
    HTTPStatus.NOT_FOUND,
    HTTPStatus.CONFLICT,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
ENDPOINTS: Final = (
    Endpoint("status", "what goes on", _STATUS),
    Endpoint(
        "sheet",
        "the last sheet, as stadtblick scan --json, with the number of its table, also as it was "
        "scanned, its number in the history and whether the table was scanned before",
        _ANYTHING,
        refusals=(_NONE, _NOT_NOW),
    ),
    Endpoint(
        "reading", "the last reading, as stadtblick read --json", _ANYTHING, refusals=(_NONE,)
    ),
    Endpoint(
        "better",
        "what the tiles of each city of the last result could have scored, as stadtblick score "
        "--better; empty: that is not known of the game",
        _with_keys(
            table=_typed("integer"),
            better=_list_of(
                _with_names("name", "given", "total", "bound", "grid", "worth", "valuable")
            ),
        ),
        refusals=(_NONE,),
    ),
    Endpoint("history", "the latest hundred past games", _with_keys(scans=_list_of(_ANYTHING))),
    Endpoint(
        "history/{seq:int}", "a past game with all that is stored", _ANYTHING, refusals=(_NONE,)
    ),
    Endpoint("statistics", "statistics of all past games", _with_keys(games=_list_of(_ANYTHING))),
    Endpoint(
        "token",
        "a token for the PIN of the display",
        _with_keys(token=_typed("string")),
        takes=_exactly(pin=_typed("string")),
        refusals=(HTTPStatus.FORBIDDEN, _UNUSABLE, HTTPStatus.TOO_MANY_REQUESTS),
    ),
    Endpoint(
        "scan",
        "scan; or read a photo",
        _STATUS,
        refusals=(_NOT_NOW, _UNUSABLE, _LATE),
        changes=True,
    ),
    Endpoint(
        "corrections",
        "put places right: all of them or none; answers the sheet",
        _ANYTHING,
        takes=_exactly(
            table=_typed("integer"),
            set={
                **_list_of(_typed("string")),
                "maxItems": MAX_CORRECTIONS,
                "examples": [["A:3,4=park"]],
            },
        ),
        refusals=(_NONE, _NOT_NOW, _UNUSABLE, _LATE),
        changes=True,
    ),
    Endpoint(
        "same-table",
        "say whether the table is that of the game before, which is updated then, or a new game",
        _STATUS,
        takes=_exactly(table=_typed("integer"), same=_typed("boolean")),
        refusals=(_NONE, _NOT_NOW, _UNUSABLE, _LATE),
        changes=True,
    ),
    Endpoint(
        "score",
        "the sheet of a table",
        _ANYTHING,
        takes=_ANYTHING,
        refusals=(_UNUSABLE,),
        changes=True,
    ),
    Endpoint(
        "games",
        "the latest games with points, latest first, as they are sent to other scanners",
        _with_keys(
            now=_typed("string", "time by the clock that dates the games, in UTC"),
            games=_list_of(
                _with_names(
                    *("scan", "time", "time_known", "game", "to_check", "players"),
                    "winner_certain",
                )
            ),
        ),
    ),
    Endpoint(
        "tables",
        "take over the report of the MQTT bridge on other scanners; answers the tables that "
        "are known",
        _with_keys(tables=_list_of(_typed("string"))),
        takes=_exactly(
            is_connected=_typed("boolean", "whether the broker is there"),
            tables=_list_of(
                _exactly(
                    scanner=_typed("string"),
                    is_online=_typed("boolean"),
                    is_live=_typed("boolean", "whether the message came just now"),
                    said={
                        "description": "the message at the topic games; null: there is none any "
                        "longer"
                    },
                )
            ),
        ),
        refusals=(_UNUSABLE,),
        changes=True,
    ),
)
"""Endpoints in the order in which they are described."""


def openapi() -> dict[str, Any]:
    """Return the description of all endpoints, as OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        path = f"/{endpoint.path}".replace("{seq:int}", "{seq}")
        paths[path] = {endpoint.method.lower(): endpoint.describe()}
        if path != f"/{endpoint.path}":
            schema = {"name": "seq", "in": "path", "required": True, "schema": _typed("integer")}
            paths[path]["parameters"] = [schema]
    return {
        "openapi": "3.1.0",
        "info": {"title": "Stadtblick", "version": "1", "description": _DESCRIPTION},
        "servers": [{"url": "/api/v1"}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": _PARTS,
        },
    }

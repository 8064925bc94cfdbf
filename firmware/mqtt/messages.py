"""Messages to the broker: the scanner as a device of Home Assistant, and its last result."""

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from firmware.base.language import _
from firmware.games.player_words import shown_name
from firmware.games.registry import game_or_unscored
from firmware.games.scores import PlayerResult
from firmware.history.stored_sheet import summarize_winners
from firmware.wording.ranges import Range, RangeQuality, Ranges

DISCOVERY: Final = "homeassistant"
"""Topic prefix under which Home Assistant discovers devices."""
ONLINE, OFFLINE = "online", "offline"
SCANNED: Final = "scanned"
"""The only type of event."""
TOPICS_FROM_OTHER_SCANNERS: Final = ("games", "availability")
"""Last parts of the topics to which the bridge subscribes for all scanners, for club standings."""

_LONGEST_STATE: Final = 255
"""Letters that Home Assistant takes for the state of a sensor."""
_SERIAL: Final = Path("/sys/firmware/devicetree/base/serial-number")
_MACHINE: Final = Path("/etc/machine-id")


def scanner_id(folder: Path) -> str:
    """Return the permanent identifier of this scanner at a broker.

    The serial number distinguishes two Raspberry Pis with copied cards. Only a hash is sent.

    Args:
        folder: Folder of the user; several on one computer are several scanners.
    """
    number = b""
    for path in (_SERIAL, _MACHINE):
        with suppress(OSError):
            number = number or path.read_bytes()
    known = hashlib.sha256(b"stadtblick" + number + str(folder.absolute()).encode())
    return f"stadtblick_{known.hexdigest()[:10]}"


@dataclass(frozen=True, slots=True)
class Topics:
    """Topics of one scanner.

    Attributes:
        scanner_id: Identifier by the function ``scanner_id``.
    """

    scanner_id: str

    def topic(self, name: str) -> str:
        """Return a topic of this scanner.

        Args:
            name: ``availability``, ``result``, ``event``, ``photo``, ``games``; or ``scan``, for
                requests from the broker.
        """
        return f"stadtblick/{self.scanner_id}/{name}"

    @property
    def discovery(self) -> str:
        """Topic of the device description."""
        return f"{DISCOVERY}/device/{self.scanner_id}/config"

    def discovery_payload(self, version: str) -> str:
        """Return the device for the discovery of Home Assistant 2024.12 and later."""
        parts: dict[str, dict[str, Any]] = {
            "result": {
                "platform": "sensor",
                "name": _("Last result"),
                "icon": "mdi:trophy",
                "state_topic": self.topic("result"),
                "value_template": "{{ value_json.result }}",
                "json_attributes_topic": self.topic("result"),
            },
            "scan": {
                "platform": "button",
                "name": _("Scan"),
                "icon": "mdi:camera",
                "command_topic": self.topic("scan"),
            },
            "event": {
                "platform": "event",
                "name": _("Scan finished"),
                "icon": "mdi:scoreboard",
                "event_types": [SCANNED],
                "state_topic": self.topic("event"),
            },
            "photo": {
                "platform": "image",
                "name": _("Photo"),
                "image_topic": self.topic("photo"),
                "content_type": "image/jpeg",
            },
        }
        return json.dumps(
            {
                "device": {
                    "identifiers": [self.scanner_id],
                    "name": "Stadtblick",
                    "sw_version": version,
                },
                "origin": {"name": "Stadtblick", "sw_version": version},
                "availability_topic": self.topic("availability"),
                "qos": 1,
                "components": {
                    name: {**part, "unique_id": f"{self.scanner_id}_{name}"}
                    for name, part in parts.items()
                },
            }
        )


def parse_scanner_id(topic: str) -> str:
    """Return the identifier of the scanner in one of its topics."""
    return topic.partition("/")[2].partition("/")[0]


def last_part(topic: str) -> str:
    """Return the last part of a topic."""
    return topic.rpartition("/")[2]


def result_message(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of the last sheet in a sentence and in numbers.

    Args:
        sheet: JSON response of ``/api/v1/sheet``: the sheet, or an error.
    """
    if "error" in sheet:
        return {"result": str(sheet["error"]["message"])[:_LONGEST_STATE], "players": []}
    summary = summarize_winners(sheet)
    ranges = summary.shown_numbers.ranges
    return {
        "result": (summary.sentence or _("Read, no score"))[:_LONGEST_STATE],
        "game": _(game_or_unscored(str(sheet["game"])).title),
        "players": [_player(seat, one, ranges) for seat, one in enumerate(summary.players)],
        "winner_certain": summary.is_certain,
        "ranges_exact": ranges is None or ranges.quality is RangeQuality.EXACT,
        "to_check": summary.open_count,
    }


def _player(seat: int, result: PlayerResult, ranges: Ranges | None) -> dict[str, Any]:
    """Return the result of a player, with ranges of points and rank."""
    points, rank = Range(result.points, result.points), Range(result.rank, result.rank)
    if ranges is not None:
        points, rank = ranges.players[seat], ranges.ranks[seat]
    return {
        **result._asdict(),
        "name": shown_name(result.name),
        "points_range": [points.least, points.most],
        "rank_range": [rank.least, rank.most],
    }

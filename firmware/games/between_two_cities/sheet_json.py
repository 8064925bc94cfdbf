"""The JSON form of a sheet of Between Two Cities."""

from firmware.games.between_two_cities.sentences import reason_sentence, tie_break_sentence
from firmware.terminal import Json
from scoring.faces import city_name
from scoring.games.between_two_cities.sheet import (
    Category,
    CityScore,
    PlayerScore,
    Reason,
    Sheet,
)


def sheet_json(sheet: Sheet) -> Json:
    """A score sheet."""
    names = [player.name for player in sheet.players]
    return {
        "game": sheet.game,
        "variant": sheet.variant.value,
        "cities": [_city_score(city) for city in sheet.cities],
        "players": [_player_score(player, names) for player in sheet.players],
        "winners": list(sheet.winners),
        "missing": [{"city": city_name(city), "at": list(cell)} for city, cell in sheet.missing],
    }


def _city_score(city: CityScore) -> Json:
    return {
        "name": city.name,
        "points": {category.value: city.points[category] for category in Category},
        "total": city.total,
        "reasons": [_reason(reason) for reason in city.reasons],
    }


def _reason(reason: Reason) -> Json:
    return {
        "category": reason.category.value,
        "points": reason.points,
        "cells": [list(cell) for cell in reason.cells],
        "text": reason_sentence(reason),
        "kind": reason.kind.value,
    }


def _player_score(player: PlayerScore, names: list[str]) -> Json:
    tie_break = player.tie_break
    return {
        "name": player.name,
        "cities": list(player.cities),
        "final": player.final,
        "rank": player.rank,
        "tie_break": None if tie_break is None else tie_break_sentence(tie_break, names),
    }

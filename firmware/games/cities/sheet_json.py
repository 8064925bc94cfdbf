"""The JSON form of a sheet of Cities."""

from firmware.games.cities.sentences import reason_sentence, tie_break_sentence
from firmware.terminal import Json
from scoring.faces import city_name
from scoring.games.cities.sheet import Category, PlayerScore, Reason, Sheet


def sheet_json(sheet: Sheet) -> Json:
    """A score sheet."""
    names = [player.name for player in sheet.players]
    return {
        "game": sheet.game,
        "level": sheet.level,
        "players": [_player_score(player, names) for player in sheet.players],
        "winners": list(sheet.winners),
        "missing": [{"city": city_name(city), "at": list(cell)} for city, cell in sheet.missing],
    }


def _player_score(player: PlayerScore, names: list[str]) -> Json:
    tie_break = player.tie_break
    return {
        "name": player.name,
        "final": player.final,
        "rank": player.rank,
        "points": {category.value: player.points[category] for category in Category},
        "tourists": [
            {"at": list(tourist.at), "points": tourist.points} for tourist in player.tourists
        ],
        "reasons": [_reason(reason) for reason in player.reasons],
        "tie_break": None if tie_break is None else tie_break_sentence(tie_break, names),
    }


def _reason(reason: Reason) -> Json:
    return {
        "category": None if reason.category is None else reason.category.value,
        "points": reason.points,
        "cells": [list(cell) for cell in reason.cells],
        "text": reason_sentence(reason),
        "kind": reason.kind.value,
        "at": list(reason.tourist),
    }

"""Answers about the cities of several photos: which are one, and their order round the table."""

from dataclasses import dataclass, replace
from functools import partial
from math import dist

from firmware.appliance.base import Command, StepResult
from firmware.appliance.result import (
    CityAnswer,
    CityInPhoto,
    Result,
    with_given_options,
    with_score,
)
from firmware.appliance.saving import save_result
from firmware.appliance.state import State
from firmware.appliance.stored_settings import change_settings_without_rescoring
from firmware.appliance.transitions import continue_with
from firmware.base.photo_quads import mean_side_px, quad_centre
from firmware.games.registry import games
from firmware.games.scoring_options import ScoringOptions
from firmware.report.place_pictures import place_bitmap, place_patch
from firmware.scan.city_order import unite_cities
from firmware.settings import seat_names
from vision.reading import GridSighting, Join, JoinedPhoto, Quad, Reading, transform_quad


@dataclass(frozen=True, slots=True)
class SetCityOrder(Command):
    """Set the order of the cities round the table.

    Attributes:
        result_id: ``Result.result_id`` of the result.
        order: Grids clockwise, each once.
        players: Names in seat order, the first between the last and the first grid; None leaves
            them as they are.
    """

    result_id: int
    order: tuple[int, ...]
    players: tuple[str, ...] | None = None

    def run(self, state: State) -> StepResult:
        result = state.result
        if (
            result is None
            or result.result_id != self.result_id
            or not is_complete_order(result, self.order)
        ):
            return self.refuse(state)
        so_far = _save_and_show(state, result, with_order(result, self.order, self.players))
        if self.players is None:
            return so_far
        players = self.players
        return continue_with(
            so_far, lambda state: change_settings_without_rescoring(state, players=players)
        )


@dataclass(frozen=True, slots=True)
class AnswerSameCity(Command):
    """Answer whether two cities of several photos are one city, seen twice.

    Attributes:
        result_id: ``Result.result_id`` of the result.
        cities: Both grids.
        city_count: Number of grids when it was asked; each answer that two are one renumbers them.
        is_same: Whether they are one.
    """

    result_id: int
    cities: tuple[int, int]
    city_count: int
    is_same: bool

    def run(self, state: State) -> StepResult:
        result = state.result
        if result is None or result.result_id != self.result_id:
            return self.refuse(state)
        if not is_question_open(result, self.cities, self.city_count):
            return state, ()  # answered meanwhile, as by the first of two taps
        return _save_and_show(
            state, result, with_city_answer(result, self.cities, is_same=self.is_same)
        )


def is_complete_order(result: Result, order: tuple[int, ...]) -> bool:
    """Return whether an order names each city of a result exactly once."""
    return sorted(order) == list(range(len(result.reading_to_correct.grids)))


def is_question_open(result: Result, cities: tuple[int, int], city_count: int) -> bool:
    """Return whether it is still to be answered if two cities are one.

    Args:
        result: Result of several photos.
        cities: Both grids.
        city_count: Number of grids when it was asked.
    """
    reading = result.reading_to_correct
    return (
        reading.join is not None
        and cities in reading.join.perhaps_same
        and city_count == len(reading.grids)
    )


def with_order(
    result: Result, order: tuple[int, ...], players: tuple[str, ...] | None = None
) -> Result:
    """Return a result with the order of its cities that a person has given.

    All cities that are named in it are different ones.

    Args:
        result: Result before.
        order: Grids clockwise.
        players: Names in seat order; None leaves them as they are.
    """
    join = result.reading_to_correct.join
    for pair in () if join is None else join.perhaps_same:
        result = with_city_answer(result, pair, is_same=False)
    result, game = with_given_options(result, order=order), games().get(result.game_id)
    if players is not None and game is not None:
        count = game.player_count(len(result.reading_to_correct.grids), result.options)
        result = with_given_options(result, players=seat_names(players, count))
    return with_score(result)


def _save_and_show(state: State, before: Result, result: Result) -> StepResult:
    """Store a result that a command has changed; the display follows."""
    so_far = save_result(state, result)
    return continue_with(so_far, lambda state: state.mode.show_changed_result(state, before))


def with_city_answer(result: Result, cities: tuple[int, int], *, is_same: bool) -> Result:
    """Return a result with the answer whether two cities are one, which further photos keep."""
    join = result.reading_to_correct.join
    sightings = [_best_sighting(join, city) for city in cities if join is not None]
    answers = result.city_answers
    if len(sightings) == 2:
        answers = (*answers, CityAnswer((sightings[0], sightings[1]), is_same))
    answered = (with_united_cities if is_same else with_separate_cities)(result, cities)
    return replace(answered, city_answers=answers)


def with_known_cities(fresh: Result, last: Result) -> Result:
    """Return the result of further photos of a table, with what a person said about its cities.

    Cities that a photo shows beside each other are not united, whatever was said.

    Args:
        fresh: Result of all photos.
        last: Result of the photos before.
    """
    for answer in last.city_answers:
        join = fresh.reading_to_correct.join
        if join is None:
            break
        one, other = (_grid_at(join, each) for each in answer.sightings)
        if one is None or other is None or one == other:
            continue
        pair = min(one, other), max(one, other)
        shown = ({each.grid for each in photo.grids} for photo in join.photos)
        if not answer.is_same:
            fresh = with_separate_cities(fresh, pair)
        elif not any(grids >= set(pair) for grids in shown):
            fresh = with_united_cities(fresh, pair)
    return replace(fresh, city_answers=last.city_answers)


def _best_sighting(join: Join, grid: int) -> CityInPhoto:
    """Return the sighting that decides the tiles of a grid."""
    found = [(photo, each) for photo in join.photos for each in photo.grids if each.grid == grid]
    photo, sighting = max(found, key=lambda pair: pair[1].is_best)
    return CityInPhoto(photo.name, quad_centre(_outline(photo, sighting)))


def _grid_at(join: Join, city: CityInPhoto) -> int | None:
    """Return the grid at the place of a city in a photo; None if it is not found."""
    for photo in join.photos:
        for each in photo.grids if photo.name == city.photo else ():
            quad = _outline(photo, each)
            if dist(quad_centre(quad), city.centre_px) < mean_side_px(quad) / 2:
                return each.grid
    return None


def _outline(photo: JoinedPhoto, sighting: GridSighting) -> Quad:
    return transform_quad(sighting.corners_px, photo.to_photo_px)


def with_separate_cities(result: Result, cities: tuple[int, int]) -> Result:
    """Return a result in which two cities are different ones, and no longer asked about."""

    def without_question(reading: Reading) -> Reading:
        if reading.join is None:
            return reading
        left = tuple(pair for pair in reading.join.perhaps_same if pair != cities)
        return replace(reading, join=replace(reading.join, perhaps_same=left))

    return with_score(
        replace(
            result,
            eye_reading=without_question(result.eye_reading),
            reading_to_correct=without_question(result.reading_to_correct),
        )
    )


def with_united_cities(result: Result, cities: tuple[int, int]) -> Result:
    """Return a result in which two cities are one, with its own pictures."""
    keep, drop = min(cities), max(cities)
    description = result.description
    read = unite_cities(
        result.reading_to_correct, result.corrections, keep, drop, description, result.patches
    )
    asked = unite_cities(
        result.reading_to_correct, result.unconfirmed, keep, drop, description, result.patches
    )
    seen = unite_cities(result.eye_reading, (), keep, drop, description).reading
    united = replace(
        result.without_photo,
        eye_reading=seen,
        reading_to_correct=read.reading,
        corrections=read.corrections,
        unconfirmed=asked.corrections,
        patches=asked.patches | read.patches,
        options=_options_for(read.reading, result),
        series=result.series,
    )
    if result.photo is not None:
        source = result.photo, seen, description
        crop_at, patch_at = partial(place_bitmap, *source), partial(place_patch, *source)
        united = replace(united, photo=result.photo, crop_at=crop_at, patch_at=patch_at)
    return with_score(united)


def _options_for(reading: Reading, result: Result) -> ScoringOptions:
    """Return the options of a result for fewer cities; the last name is dropped."""
    options, game = replace(result.options, order=None, owners=None), games().get(result.game_id)
    if game is None or not options.players:
        return options
    count = game.player_count(len(reading.grids), options)
    return replace(options, players=options.players[:count])

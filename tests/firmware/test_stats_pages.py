"""Figures over past games on the display."""

import pytest

from firmware.base.language import LANGUAGES
from firmware.history import StoredScan, WallTime, make_record
from firmware.history.stats import compute_stats
from firmware.report.statistics_views import stats_views
from firmware.screens.render import render
from scoring.games.between_two_cities.score_sheet import TieBreaker
from tests.firmware.history_samples import START
from tests.firmware.samples import example
from tests.firmware.scan_samples import SCANS, stretched
from tests.firmware.screen_looks import assert_nothing_is_cut_off, body, shown, speaking


def stored(*scans):
    at = WallTime(START, known=True)
    return [StoredScan(n, at, make_record(scan)) for n, scan in enumerate(scans, start=1)]


def pages(*scans):
    return [render(view) for view in stats_views(compute_stats(stored(*scans)))]


def test_say_how_often_who_wins_and_what_brings_points():
    overall, players, shops, offices = pages(example(), example())
    assert shown(overall)[0] == "Between Two Cities"
    assert body(overall) == "2 games Average 55.8 Record: Emily 62"
    assert body(players) == "Emily 2/2 62.0 Ben 0/2 57.0"
    assert body(shops).startswith("shops")
    assert body(offices).startswith("offices")
    with speaking("de"):
        assert "55,8" in body(pages(example(), example())[0])
    texts = [body(page) for page in pages(SCANS["cities"], SCANS["reading-only"])]
    assert texts[0].startswith("Level 2 1 game")
    assert not pages(SCANS["reading-only"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_fit_with_the_longest_names_and_numbers(language):
    with speaking(language):
        for screen in pages(*[stretched(TieBreaker.SHOP_COUNT)] * 12, *SCANS.values()):
            assert_nothing_is_cut_off(screen)
            assert all(text.box[3] <= 52 or text.box[1] >= 52 for text in screen.texts)

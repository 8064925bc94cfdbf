"""Work beside the loop: handed back on its thread, given up when it takes too long."""

import threading
import time

import pytest

from firmware.appliance.runner.crew import Crew, Doorbell, InTurn, OverdueError
from tests.appliance.whole_appliance import HandClock, Launch
from tests.process_lines import LONG_S


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def launch():
    return Launch()


@pytest.fixture
def crew(clock, launch):
    return Crew(lambda: None, clock, launch)


def test_a_value_is_handed_back_by_the_next_turn(crew):
    got = []
    crew.begin("sum", lambda: 2 + 3, then=got.append)
    assert got == []
    crew.turn()
    assert [outcome.value for outcome in got] == [5]
    assert crew.is_free


def test_an_exception_is_handed_back(crew):
    got = []
    crew.begin("division", lambda: 1 // 0, then=got.append)
    crew.turn()
    assert isinstance(got[0].error, ZeroDivisionError)


def test_work_that_takes_too_long_is_given_up_and_its_late_result_goes_elsewhere(
    crew, clock, launch
):
    launch.hold.add("slow")
    in_time, late = [], []
    crew.begin("slow", lambda: "late", then=in_time.append, limit_s=5.0, late=late.append)
    clock.time_s += 4.9
    crew.turn()
    assert in_time == []
    assert crew.next_limit_s() == pytest.approx(105.0)
    clock.time_s += 0.1
    crew.turn()
    assert isinstance(in_time[0].error, OverdueError)
    assert crew.idle
    assert not crew.is_free
    launch.release("slow")
    crew.turn()
    assert len(in_time) == 1
    assert late[0].value == "late"
    assert crew.is_free


def test_a_thread_that_cannot_be_started_is_an_outcome():
    def no_threads(_name, _work):
        raise RuntimeError("can't start new thread")

    crew, got = Crew(lambda: None, HandClock(), no_threads), []
    crew.begin("anything", lambda: 1, then=got.append)
    crew.turn()
    assert isinstance(got[0].error, RuntimeError)
    assert crew.is_free


def test_real_threads_ring_the_bell_and_hand_back_on_the_thread_of_the_loop():
    bell, got = Doorbell(), []
    crew = Crew(bell.ring)
    crew.begin(
        "where",
        threading.get_ident,
        then=lambda outcome: got.append((outcome.value, threading.get_ident())),
    )
    until_s = time.monotonic() + LONG_S
    while not got and time.monotonic() < until_s:
        bell.wait(LONG_S)
        crew.turn()
    bell.close()
    ((worked_in, handed_back_in),) = got
    assert worked_in != handed_back_in == threading.get_ident()


def test_a_bell_rung_before_the_wait_ends_it_at_once_and_one_that_was_closed_may_be_rung():
    bell = Doorbell()
    for _ in range(100_000):  # more than a pipe takes
        bell.ring()
    bell.wait(LONG_S)
    bell.close()
    bell.ring()


def test_one_piece_of_work_after_the_other(crew, launch):
    launch.hold.add("disk")
    disk, got = InTurn(crew, "disk"), []
    for number in range(3):
        disk.begin(lambda number=number: number, lambda outcome: got.append(outcome.value))
    assert len(launch.held) == 1
    launch.release("disk")
    for _ in range(3):
        crew.turn()
    assert got == [0, 1, 2]


def test_work_that_fails_does_not_stop_the_next(crew):
    disk, got = InTurn(crew, "disk"), []
    disk.begin(lambda: 1 // 0, got.append)
    disk.begin(lambda: 7, got.append)
    for _ in range(3):
        crew.turn()
    assert isinstance(got[0].error, ZeroDivisionError)
    assert got[1].value == 7


def test_how_long_a_piece_lasts(crew, launch, clock):
    launch.hold.add("disk")
    disk = InTurn(crew, "disk")
    assert disk.lasts_s() == 0.0
    disk.begin(lambda: None, lambda _outcome: None)
    clock.time_s += 30.0
    assert disk.lasts_s() == 30.0


def test_something_is_tidied_up_after_each_piece(crew):
    tidied = []
    heavy = InTurn(crew, "heavy", lambda: tidied.append(1))
    heavy.begin(lambda: 1, lambda _outcome: None)
    heavy.begin(lambda: 2, lambda _outcome: None)
    for _ in range(4):
        crew.turn()
    assert tidied == [1, 1]


def test_work_that_was_given_up_is_not_waited_for(crew, launch):
    launch.hold.add("heavy")
    heavy, got = InTurn(crew, "heavy"), []
    for _ in range(2):
        heavy.begin(lambda: 1, got.append)
    heavy.give_up()
    assert crew.idle
    assert not crew.is_free
    launch.release("heavy")
    crew.turn()
    assert got == []
    assert launch.held == []

"""Work beside the loop: handed back on its thread, given up when it takes too long."""

import threading
import time

import pytest

from firmware.appliance.runner.tasks import OverdueError, SerialQueue, TaskRunner, WakeUp
from tests.appliance.whole_appliance import HandClock, Launch
from tests.process_lines import LONG_S


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def launch():
    return Launch()


@pytest.fixture
def tasks(clock, launch):
    return TaskRunner(lambda: None, clock, launch)


def test_a_value_is_handed_back_by_the_next_turn(tasks):
    got = []
    tasks.start("sum", lambda: 2 + 3, on_result=got.append)
    assert got == []
    tasks.run_due()
    assert [outcome.value for outcome in got] == [5]
    assert tasks.is_free


def test_an_exception_is_handed_back(tasks):
    got = []
    tasks.start("division", lambda: 1 // 0, on_result=got.append)
    tasks.run_due()
    assert isinstance(got[0].error, ZeroDivisionError)


def test_overdue_task_is_given_up_and_late_result_handed_over(tasks, clock, launch):
    launch.hold.add("slow")
    in_time, late = [], []
    tasks.start(
        "slow", lambda: "late", on_result=in_time.append, limit_s=5.0, on_late_result=late.append
    )
    clock.time_s += 4.9
    tasks.run_due()
    assert in_time == []
    assert tasks.next_limit_s() == pytest.approx(105.0)
    clock.time_s += 0.1
    tasks.run_due()
    assert isinstance(in_time[0].error, OverdueError)
    assert tasks.is_idle
    assert not tasks.is_free
    launch.release("slow")
    tasks.run_due()
    assert len(in_time) == 1
    assert late[0].value == "late"
    assert tasks.is_free


def test_a_thread_that_cannot_be_started_is_an_outcome():
    def no_threads(_name, _work):
        raise RuntimeError("can't start new thread")

    tasks, got = TaskRunner(lambda: None, HandClock(), no_threads), []
    tasks.start("anything", lambda: 1, on_result=got.append)
    tasks.run_due()
    assert isinstance(got[0].error, RuntimeError)
    assert tasks.is_free


def test_threads_ring_bell_and_hand_back_on_loop_thread():
    bell, got = WakeUp(), []
    tasks = TaskRunner(bell.wake)
    tasks.start(
        "where",
        threading.get_ident,
        on_result=lambda outcome: got.append((outcome.value, threading.get_ident())),
    )
    until_s = time.monotonic() + LONG_S
    while not got and time.monotonic() < until_s:
        bell.wait(LONG_S)
        tasks.run_due()
    bell.close()
    ((worked_in, handed_back_in),) = got
    assert worked_in != handed_back_in == threading.get_ident()


def test_bell_rung_early_ends_wait_and_closed_bell_may_ring():
    bell = WakeUp()
    for _ in range(100_000):  # more than a pipe takes
        bell.wake()
    bell.wait(LONG_S)
    bell.close()
    bell.wake()


def test_one_piece_of_work_after_the_other(tasks, launch):
    launch.hold.add("disk")
    disk, got = SerialQueue(tasks, "disk"), []
    for number in range(3):
        disk.add(lambda number=number: number, lambda outcome: got.append(outcome.value))
    assert len(launch.held) == 1
    launch.release("disk")
    for _ in range(3):
        tasks.run_due()
    assert got == [0, 1, 2]


def test_work_that_fails_does_not_stop_the_next(tasks):
    disk, got = SerialQueue(tasks, "disk"), []
    disk.add(lambda: 1 // 0, got.append)
    disk.add(lambda: 7, got.append)
    for _ in range(3):
        tasks.run_due()
    assert isinstance(got[0].error, ZeroDivisionError)
    assert got[1].value == 7


def test_serial_queue_tells_how_long_its_task_lasts(tasks, launch, clock):
    launch.hold.add("disk")
    disk = SerialQueue(tasks, "disk")
    assert disk.running_s() == 0.0
    disk.add(lambda: None, lambda _outcome: None)
    clock.time_s += 30.0
    assert disk.running_s() == 30.0


def test_something_is_tidied_up_after_each_piece(tasks):
    tidied = []
    heavy = SerialQueue(tasks, "heavy", lambda: tidied.append(1))
    heavy.add(lambda: 1, lambda _outcome: None)
    heavy.add(lambda: 2, lambda _outcome: None)
    for _ in range(4):
        tasks.run_due()
    assert tidied == [1, 1]


def test_work_that_was_given_up_is_not_waited_for(tasks, launch):
    launch.hold.add("heavy")
    heavy, got = SerialQueue(tasks, "heavy"), []
    for _ in range(2):
        heavy.add(lambda: 1, got.append)
    heavy.abandon()
    assert tasks.is_idle
    assert not tasks.is_free
    launch.release("heavy")
    tasks.run_due()
    assert got == []
    assert launch.held == []

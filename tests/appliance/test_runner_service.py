"""Messages to the service manager, on a real socket."""

import os
import socket

import pytest

from firmware.appliance.runner.service_manager import ServiceManager


@pytest.fixture
def listener(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


@pytest.fixture
def environment(listener):
    return {"NOTIFY_SOCKET": listener.getsockname(), "WATCHDOG_USEC": "8000000"}


def heard(listener):
    messages = []
    while True:
        try:
            messages.append(listener.recv(4096).decode())
        except BlockingIOError:
            return messages


def test_service_manager_is_told_of_start_and_stop(listener, environment):
    service = ServiceManager.from_environment(environment)
    service.ready("waits for\nthe button")
    service.stopping()
    assert heard(listener) == ["READY=1\nSTATUS=waits for the button", "STOPPING=1"]
    assert service.restarts_program


def test_signs_of_life_come_four_times_within_the_limit(listener, environment):
    service = ServiceManager.from_environment(environment)
    for tenth in range(81):
        service.alive(50.0 + tenth / 10)
    assert heard(listener) == ["WATCHDOG=1"] * 5


@pytest.mark.parametrize("beyond", [0, 1])
def test_a_watchdog_for_another_process_is_not_ours(listener, environment, beyond):
    other = str(os.getpid() + beyond) if beyond else "1"
    ServiceManager.from_environment({**environment, "WATCHDOG_PID": other}).alive(1.0)
    assert heard(listener) == []


def test_a_watchdog_for_this_process_is_ours(listener, environment):
    ServiceManager.from_environment({**environment, "WATCHDOG_PID": str(os.getpid())}).alive(1.0)
    assert heard(listener) == ["WATCHDOG=1"]


@pytest.mark.parametrize("limit", ["0", "-5", "soon", ""])
def test_a_limit_that_makes_no_sense_is_passed_over(listener, environment, limit):
    ServiceManager.from_environment({**environment, "WATCHDOG_USEC": limit}).alive(1.0)
    assert heard(listener) == []


def test_a_socket_without_a_file():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0stadtblick-test-{os.getpid()}")
        listening.setblocking(False)
        ServiceManager(f"@stadtblick-test-{os.getpid()}").stopping()
        assert heard(listening) == ["STOPPING=1"]


def test_nothing_is_sent_without_a_service_manager():
    service = ServiceManager.from_environment({})
    service.ready("ready")
    service.alive(1.0)
    service.stopping()
    assert not service.restarts_program


@pytest.mark.parametrize("address", ["/nowhere/notify", "/" + "x" * 500])
def test_a_manager_that_has_gone_is_not_missed(address):
    ServiceManager(address).ready("ready")


def test_a_manager_that_does_not_read_does_not_hold_up_the_loop(listener, environment):
    service = ServiceManager.from_environment(environment)
    for second in range(5000):
        service.alive(second * 10.0)
    assert 0 < len(heard(listener)) < 5000

"""The front of the scanner in a terminal: pictures of characters, keys as buttons."""

import io
import os
import pty
import select
import termios
from contextlib import contextmanager, suppress

import pytest

from firmware.appliance.runner.terminal_front import (
    TerminalKeys,
    TerminalOutput,
    TextOutput,
    muted,
    single_keys,
    words_of,
)
from firmware.screens.device_views import HandsOffView, ReadyView
from firmware.screens.render import render
from hardware.buttons import Button
from hardware.errors import ButtonsError

READY, HANDS_OFF = render(ReadyView(game="Cities")), render(HandsOffView())


@contextmanager
def pipe():
    source, target = os.pipe()
    try:
        yield source, target
    finally:
        for file in (source, target):
            with suppress(OSError):
                os.close(file)


@contextmanager
def terminal(columns, rows):
    keeper, own = pty.openpty()
    termios.tcsetwinsize(own, (rows, columns))
    try:
        yield keeper, own
    finally:
        os.close(keeper)
        os.close(own)


def pressed(typed):
    with pipe() as (source, target):
        found = TerminalKeys(source, lambda: None)
        os.write(target, typed)
        events = found.poll(1.0)
        return [(event.button, event.kind) for event in events if event.kind != "repeat"]


class TestKeys:
    @pytest.mark.parametrize(
        ("key", "button"), [("s", Button.SCAN), ("n", Button.NEXT), ("o", Button.OK)]
    )
    def test_a_letter_is_a_short_press_and_its_capital_a_long_one(self, key, button):
        assert pressed(key.encode()) == [(button, "short")]
        assert pressed(key.upper().encode()) == [(button, "long")]

    @pytest.mark.parametrize("typed", [b"x", b"\r", b"\x1b[A", b"\x1bOS", b"\xc3\xb6", b"\xff\x00"])
    def test_other_keys_do_nothing(self, typed):
        assert pressed(typed) == []

    def test_several_keys_come_in_their_order(self):
        shorts = [button for button, kind in pressed(b"sno") if kind == "short"]
        assert shorts == [Button.SCAN, Button.NEXT, Button.OK]

    @pytest.mark.parametrize("key", [b"q", b"Q", b"\x04"])
    def test_the_key_for_it_ends_the_program(self, key):
        ends = []
        with pipe() as (source, target):
            os.write(target, key)
            TerminalKeys(source, lambda: ends.append(1)).poll(1.0)
        assert ends == [1]

    def test_nothing_typed_is_nothing_pressed(self):
        with pipe() as (source, _target):
            assert TerminalKeys(source, lambda: None).poll(1.0) == []

    def test_the_end_of_a_pipe_is_no_end_of_the_program(self):
        ends = []
        with pipe() as (source, target):
            keys = TerminalKeys(source, lambda: ends.append(1))
            os.close(target)
            assert keys.poll(1.0) == []
            assert keys.files == ()
            assert keys.poll(2.0) == []
        assert ends == []

    def test_a_terminal_that_has_gone_is_an_error_of_the_buttons(self):
        with pipe() as (source, _target):
            keys = TerminalKeys(source, lambda: None)
            os.close(source)
            with pytest.raises(ButtonsError, match="terminal has gone"):
                keys.poll(1.0)


def sent(keeper):
    """All that was written to the terminal."""
    data = b""
    while select.select([keeper], [], [], 0)[0]:
        data += os.read(keeper, 4096)
    return data


def drawn(columns, rows, encoding="utf-8"):
    """Return the output for the ready screen on a terminal of this size, words included."""
    with terminal(columns, rows) as (keeper, own), open(own, "w", closefd=False) as out:
        out.reconfigure(encoding=encoding)
        output = TerminalOutput(out, "s SCAN", lambda: None)
        output.show(READY)
        return sent(keeper).decode(encoding)


class TestPicture:
    def test_half_blocks_where_there_is_room_and_the_keys(self):
        assert "▀" in drawn(128, 35)
        assert "s SCAN" in drawn(128, 35)

    @pytest.mark.parametrize("size", [(127, 40), (128, 34), (64, 19)])
    def test_dots_where_there_is_less(self, size):
        text = drawn(*size)
        assert "⣿" in text
        assert "▀" not in text

    @pytest.mark.parametrize("size", [(63, 40), (64, 18), (20, 6)])
    def test_words_where_there_is_none(self, size):
        text = drawn(*size)
        assert "Ready" in text
        assert "⣿" not in text

    def test_a_terminal_without_such_letters_gets_others(self):
        text = drawn(128, 35, "ascii")
        assert text.isascii()
        assert "::::" in text
        assert "Ready" in drawn(80, 24, "ascii")

    def test_only_what_changes_is_sent_again(self):
        with terminal(80, 24) as (keeper, own), open(own, "w", closefd=False) as out:
            output = TerminalOutput(out, "s SCAN", lambda: None)
            output.show(READY)
            first = sent(keeper)
            output.show_line("a line of the log")
            second = sent(keeper)
        assert b"a line of the log" in second
        assert len(second) < len(first) / 10

    def test_a_window_of_another_size_is_drawn_anew(self):
        with terminal(80, 24) as (keeper, own), open(own, "w", closefd=False) as out:
            output = TerminalOutput(out, "s SCAN", lambda: None)
            output.show(READY)
            sent(keeper)
            termios.tcsetwinsize(own, (40, 132))
            output.run_due(5.0)
            assert "▀" in sent(keeper).decode()

    def test_a_line_of_the_log_cannot_command_the_terminal(self):
        with terminal(80, 24) as (keeper, own), open(own, "w", closefd=False) as out:
            output = TerminalOutput(out, "s SCAN", lambda: None)
            output.show_line("\x1b]0;owned\x07")
            assert b"\x1b]0" not in sent(keeper)

    def test_a_terminal_that_has_gone_ends_the_program(self):
        ends = []
        keeper, own = pty.openpty()
        with open(own, "w", closefd=False) as out:
            output = TerminalOutput(out, "s SCAN", lambda: ends.append(1))
            os.close(keeper)
            output.show(READY)
        os.close(own)
        assert ends


class TestWords:
    def test_each_screen_is_a_line(self):
        out = io.StringIO()
        output = TextOutput(out, lambda: None)
        for screen in (READY, READY, HANDS_OFF):
            output.show(screen)
        first, second = out.getvalue().splitlines()
        assert "Ready" in first
        assert "Hands off" in second
        assert any("scan" in row and "menu" in row for row in words_of(READY))

    def test_nobody_reads_any_more(self):
        ends = []
        TextOutput(Unread(), lambda: ends.append(1)).show(READY)
        assert ends == [1]


class Unread(io.StringIO):
    def flush(self):
        raise BrokenPipeError


class TestMode:
    def test_the_terminal_comes_back_as_it_was_whatever_happens(self):
        with terminal(80, 24) as (_keeper, own):
            before = termios.tcgetattr(own)

            def fail():
                with single_keys(own):
                    assert not termios.tcgetattr(own)[3] & (termios.ECHO | termios.ICANON)
                    raise KeyError

            with pytest.raises(KeyError):
                fail()
            assert termios.tcgetattr(own) == before

    def test_control_c_still_interrupts_and_control_z_does_not_stop(self):
        with terminal(80, 24) as (_keeper, own), single_keys(own):
            mode = termios.tcgetattr(own)
            assert mode[3] & termios.ISIG
            assert mode[6][termios.VSUSP] == b"\0"

    def test_drivers_cannot_write_across_the_picture(self):
        with terminal(80, 24) as (keeper, own):
            with muted(own):
                os.write(own, b"a driver's message")
            os.write(own, b"after it")
            assert sent(keeper) == b"after it"
        with pipe() as (source, target):
            with muted(target):
                os.write(target, b"a driver's message")
            assert os.read(source, 100) == b"a driver's message"

"""From the levels of a line to presses, by recorded and invented edges."""

from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons import Button, Debouncer

GLITCH_S, PRESS_S, LONG_S = 0.004, 0.15, 2.5
START = Debouncer(Button.SCAN, down=False, level=False)


def presses(levels, until_s, contact=START):
    """What is said about (time, level) pairs, looked at again at ``until_s``."""
    said = []
    for at_s, down in [*levels, (until_s, None)]:
        level = contact.level if down is None else down
        contact, events = contact.hear(at_s, down=bool(level))
        said += events
    return said


def kinds(events):
    return [event.kind for event in events]


def test_a_clean_short_press():
    said = presses([(1.0, True), (1.2, False)], 2.0)
    assert kinds(said) == ["press", "short"]
    assert [event.button for event in said] == [Button.SCAN] * 2
    assert 1.0 <= said[0].at_s < 1.1 <= 1.2 <= said[1].at_s < 1.3


def test_nothing_is_acted_on_before_the_release():
    assert kinds(presses([(1.0, True)], 1.9)) == ["press"]


def test_a_long_press_is_told_while_it_lasts_and_its_release_says_nothing():
    assert kinds(presses([(1.0, True)], 3.1)) == ["press", "long"]
    assert kinds(presses([(1.0, True), (9.0, False)], 10.0)) == ["press", "long"]


def test_a_long_press_is_told_even_if_nobody_looked_while_it_lasted():
    said = presses([(1.0, True), (3.5, False)], 100.0)
    assert kinds(said) == ["press", "long"]
    assert said[1].at_s == 3.0


def test_a_press_just_under_two_seconds_is_short_even_if_it_is_looked_at_late():
    assert kinds(presses([(1.0, True), (2.98, False)], 100.0)) == ["press", "short"]


def test_bounce_at_both_ends_is_one_press():
    bouncing = [(1.0 + i * GLITCH_S, i % 2 == 0) for i in range(5)]
    opening = [(1.5 + i * GLITCH_S, i % 2 == 1) for i in range(5)]
    assert kinds(presses([*bouncing, *opening], 2.0)) == ["press", "short"]


def test_a_spike_is_no_press():
    assert presses([(1.0, True), (1.0 + GLITCH_S, False)], 2.0) == []


def test_a_spike_does_not_end_a_long_press():
    said = presses([(1.0, True), (2.0, False), (2.0 + GLITCH_S, True)], 3.2)
    assert kinds(said) == ["press", "long"]


def test_a_lost_edge_of_release_is_found_by_the_next_look():
    contact, said = START, []
    for at_s, down in [(1.0, True), (1.1, True), (1.4, False), (1.5, False)]:
        contact, events = contact.hear(at_s, down=down)
        said += events
    assert kinds(said) == ["press", "short"]


def test_down_from_the_start_says_nothing_until_it_has_been_up():
    unknown = Debouncer(Button.OK)
    assert presses([(0.0, True), (8.0, True), (9.0, False)], 10.0, unknown) == []
    said = presses([(0.0, True), (9.0, False), (10.0, True), (10.2, False)], 11.0, unknown)
    assert kinds(said) == ["press", "short"]


def test_stuck_says_long_once():
    levels = [(float(second), True) for second in range(1, 500)]
    assert kinds(presses(levels, 1000.0)) == ["press", "long"]


def test_two_presses_are_two():
    levels = [(1.0, True), (1.1, False), (1.2, True), (1.3, False)]
    assert kinds(presses(levels, 2.0)) == ["press", "short"] * 2


def test_a_time_before_the_last_one_counts_as_that_one():
    contact, _ = START.hear(5.0, down=True)
    contact, _ = contact.hear(1.0, down=True)
    contact, events = contact.hear(5.1, down=True)
    assert kinds(events) == ["press"]
    assert events[0].at_s >= 5.0


steps = st.lists(st.tuples(st.floats(0, 3), st.booleans()), max_size=60)


@given(steps)
def test_whatever_the_line_does_presses_begin_and_end_in_turn(steps):
    contact, now_s, said = START, 0.0, []
    for wait_s, down in [*steps, (1.0, False), (1.0, False)]:
        now_s += wait_s
        contact, events = contact.hear(now_s, down=down)
        said += events
    assert kinds(said)[::2] == ["press"] * (len(said) // 2)
    assert set(kinds(said)[1::2]) <= {"short", "long"}
    assert [event.at_s for event in said] == sorted(event.at_s for event in said)
    assert contact.down is False


bounces = st.lists(st.floats(0.0005, 0.004), max_size=6)


@given(
    st.lists(st.tuples(st.booleans(), bounces, bounces), min_size=1, max_size=8),
    st.sampled_from([0.01, 0.05, 0.2]),
)
def test_each_press_is_heard_once_however_it_bounces(wanted, look_every_s):
    """Edges as they come, and a look at the line now and then, as the appliance does it."""
    edges, now_s = [], 1.0
    for is_long, closing, opening in wanted:
        for down, bouncing in ((True, closing), (False, opening)):
            edges.append((now_s, down))
            for bounce_s in bouncing:
                edges += [(now_s + bounce_s / 2, not down), (now_s + bounce_s, down)]
                now_s += bounce_s
            now_s += (LONG_S if is_long else PRESS_S) if down else 0.3
    looks = [(i * look_every_s, None) for i in range(int((now_s + 1) / look_every_s))]
    contact, said, level = START, [], False
    for at_s, down in sorted([*edges, *looks], key=lambda item: item[0]):
        level = level if down is None else down
        contact, events = contact.hear(at_s, down=level)
        said += events
    expected = [
        kind for is_long, *_ in wanted for kind in ("press", "long" if is_long else "short")
    ]
    assert kinds(said) == expected

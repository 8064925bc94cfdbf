"""Every state that can be reached, with everything that can happen in it; and random stories."""

import sys
from collections import Counter, deque
from contextlib import contextmanager
from functools import cache
from inspect import isabstract

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.appliance import display_views, inputs, result
from firmware.appliance.base import Effect, FollowHistory, Job, Mode, Show, is_interruptible
from firmware.appliance.features.aiming import AimingMode
from firmware.appliance.features.calibrating import CalibratingMode
from firmware.appliance.features.past_games import ForgetDeletedGame, PastGamesMode
from firmware.appliance.features.ready import ReadyMode
from firmware.appliance.features.results import ResultMode
from firmware.appliance.inputs import ButtonPressed, CommandReceived, Tick
from firmware.appliance.machine import step
from firmware.appliance.menu import Menu, MenuMode
from firmware.appliance.transitions import CancelJob
from firmware.appliance.wizard import WizardCommand, WizardMode
from firmware.base.language import LANGUAGES, use_language
from firmware.report.scan_views import scan_views
from firmware.scan.make_scan import make_scan
from firmware.screens.device_views import MenuView
from firmware.screens.render import render
from firmware.screens.words import Hint
from hardware.buttons import Button
from tests.appliance.appliance_walk import (
    ONCE_A_KIND,
    STARTS,
    answers,
    page_commands,
    possible_events,
    presses,
    started,
    state_key,
)
from tests.firmware.screen_looks import assert_all_is_said

MAX_STATES = 20_000
MAX_KEPT = 100
WIZARDS_LEFT_OUT = ("two players", "another game in safe mode")
"""Starts from which wizards are not walked: they do the same as from another start of that game."""


def is_walked(start, mode):
    """Return whether a mode is walked from a start; calibrating, which knows no game, from one."""
    if isinstance(mode, CalibratingMode):
        return start == next(iter(STARTS))
    return not (isinstance(mode, WizardMode) and start in WIZARDS_LEFT_OUT)


@pytest.fixture(autouse=True, scope="module")
def _each_table_is_scored_once():
    """Keep the scores, which follow from the arguments alone: most steps score a table again."""
    kept = {}

    def make_scan_once(read, description, **how):
        key = id(read), description.game, *how.values()
        if key not in kept:
            kept[key] = read, make_scan(read, description, **how)
        return kept[key][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(result, "make_scan", make_scan_once)
        yield


def once_a_state(function):
    """Return a function that keeps what it has made of the last states and further arguments."""
    kept = {}

    def run(state, *more):
        key = id(state), *more
        if key not in kept:
            if len(kept) > MAX_KEPT:
                kept.clear()
            kept[key] = state, function(state, *more)
        return kept[key][1]

    return run


@contextmanager
def repeated_parts_kept():
    """Keep what many steps have in common: the later time of a state, and the views of a scan."""
    views = {}

    def views_once(scan, crop_at):
        key = id(scan), id(crop_at)
        if key not in views:
            views[key] = scan, crop_at, scan_views(scan, crop_at)
        return views[key][-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inputs, "advance_clock", once_a_state(inputs.advance_clock))
        patch.setattr(inputs, "wake_display", once_a_state(inputs.wake_display))
        patch.setattr(display_views, "scan_views", views_once)
        yield


@cache
@repeated_parts_kept()
def walk(start):
    """Walk to a state of each key that can be reached, with all events.

    Those of ``ONCE_A_KIND`` happen in one state of each kind.

    Returns:
        States by their key, for each the keys that each event leads to, and the names of
        the events by which something is seen to happen.
    """
    first = started(start)
    states = {state_key(first): first}
    ways, acts = {}, {}
    waiting = deque(states)
    kinds = set()
    while waiting:
        key = waiting.popleft()
        state = states[key]
        ways[key], acts[key] = {}, set()
        happens = possible_events(state)
        if kind_of(state) in kinds:
            happens = {name: event for name, event in happens.items() if name not in ONCE_A_KIND}
        kinds.add(kind_of(state))
        for name, event in happens.items():
            after, effects = step(state, event)
            check_step(state, event, after, effects)
            to = key if after is state else state_key(after)
            ways[key][name] = to
            if after.shown != state.shown or any(isinstance(each, Job) for each in effects):
                acts[key].add(name)
            if to not in states and is_walked(start, after.mode):
                assert len(states) < MAX_STATES, too_many(states)
                if not after.display_lost:
                    assert after.shown.view == after.mode.view(after), "the display shows how it is"
                states[to] = after
                waiting.append(to)
    return states, ways, acts


def too_many(states):
    """Say which mode has so many states that the walk does not end."""
    ((name, count),) = Counter(key[0] for key in states).most_common(1)
    return f"{count} states of {name}: leave times and counters out of its _STATE_KEYS"


def kind_of(state):
    """Mode and its part, freedom to act, result and conditions, which decide what happens."""
    seen = state.result and (state.result.scan is None, state.result.question_count)
    conditions = state.display_lost, state.expects_same_table, state.camera.problem is None
    name, _alike, part = state_key(state)
    return name, part, is_interruptible(state), seen, conditions


def check_step(state, event, after, effects):
    """Check the invariants of a step."""
    shown = [effect for effect in effects if isinstance(effect, Show)]
    assert all(isinstance(effect, Effect) for effect in effects)
    assert shown in ([], list(effects[-1:]))
    if after.display_lost:
        assert not shown
    check_jobs(state, event, after, effects)


def check_jobs(state, event, after, effects):
    """A job that is waited for was begun; one that is waited for no longer is cancelled."""
    before, now = state.mode.job_id, after.mode.job_id
    begun = [effect.job_id for effect in effects if isinstance(effect, Job)]
    if isinstance(event, CommandReceived) and isinstance(event.command, ForgetDeletedGame):
        begun = begun[1:]  # nobody waits for that
    assert begun == ([now] if now is not None and now != before else [])
    assert all(state.next_id <= job < after.next_id for job in begun), "a number of its own"
    cancelled = [effect.job_id for effect in effects if isinstance(effect, CancelJob)]
    left = before is not None and now != before and getattr(event, "job_id", None) != before
    assert cancelled == ([before] if left else [])


def is_kept(before, after, command):
    """Return whether a mode stays; one that shows what has changed in the history begins again."""
    if isinstance(command, FollowHistory):
        if isinstance(before, PastGamesMode):
            return isinstance(after, PastGamesMode)
        if before.ends_on_new_settings:
            return after in (before, ResultMode())
    return after == before


def is_list(state):
    """Return whether holding NEXT runs through the mode."""
    return state.mode.repeats_left(state, Button.NEXT) is not None


def can_reach_ready(ways, names):
    """The states from which some of these events lead to ready."""
    origins = {}
    for key, leads in ways.items():
        for name in names:
            origins.setdefault(leads[name], set()).add(key)
    reached = {key for key in ways if key[0] == "ReadyMode"}
    waiting = deque(reached)
    while waiting:
        for origin in origins.get(waiting.popleft(), set()) - reached:
            reached.add(origin)
            waiting.append(origin)
    return reached


@pytest.mark.parametrize("start", STARTS)
class TestEveryState:
    def test_takes_whatever_happens(self, start):
        states, ways, _acts = walk(start)
        assert states.keys() == ways.keys()

    def test_is_as_before_after_an_answer_that_nobody_waits_for(self, start):
        of_modes = {type(state.mode): state for state in walk(start)[0].values()}
        for state in of_modes.values():
            for event in answers(state, state.next_id).values():
                assert step(state, event) == (state, ())

    def test_leads_to_ready_by_short_presses_alone(self, start):
        states, ways, _acts = walk(start)
        names = [*(button.value for button in Button), "next much later"]
        assert set(states) - can_reach_ready(ways, names) == set()

    def test_leads_to_ready_at_once_by_holding_next(self, start):
        for key, leads in walk(start)[1].items():
            if key[0] != "SwitchingOffMode" and not is_list(walk(start)[0][key]):
                assert leads["next held"][0] == "ReadyMode", key

    def test_runs_by_holding_next_where_it_is_a_list(self, start):
        states, ways, _acts = walk(start)
        for key, state in states.items():
            if is_list(state):
                assert ways[key]["next held"] == key, "it has run meanwhile"
                assert ways[key]["next repeats"] in (key, ways[key]["next"])

    def test_asks_to_switch_off_by_holding_ok(self, start):
        for key, leads in walk(start)[1].items():
            if key[0] != "SwitchingOffMode":
                asking = leads["ok held"]
                assert asking[0] == "ConfirmShutDown", key
                assert walk(start)[1][asking]["ok"][0] == "SwitchingOffMode"

    def test_opens_the_menu_by_holding_scan(self, start):
        for key, leads in walk(start)[1].items():
            if key[0] not in ("SwitchingOffMode", "PlayerNameMode", "EditionNameMode"):
                assert leads["scan held"][0] == "MenuMode", key

    @repeated_parts_kept()
    def test_takes_whatever_is_asked_for_on_the_page(self, start):
        """In one state of each kind."""
        some = {kind_of(state): state for state in walk(start)[0].values()}
        for state in some.values():
            for event in page_commands(state).values():
                after, effects = step(state, event)
                check_step(state, event, after, effects)
                guides = isinstance(state.mode, WizardMode)
                goes_on = guides and isinstance(event.command, WizardCommand)
                is_open = goes_on or isinstance(state.mode, AimingMode)
                if not (is_open or is_interruptible(state)):
                    waited, _effects = step(state, Tick(event.now_s))
                    assert is_kept(waited.mode, after.mode, event.command), event.command

    def test_has_hints_that_are_true(self, start):
        """A button with a hint does something, one without does nothing."""
        states, _ways, acts = walk(start)
        for key, state in states.items():
            if state.display_lost:
                continue
            for name, hint in vars_of(state.shown.view.hints).items():
                chosen = in_use(state.shown.view) and hint is Hint.CHOOSE
                assert chosen or (name in acts[key]) == (hint is not Hint.NOTHING), (key, name)


def test_every_view_fits_whole_in_every_language():
    states = [state for start in STARTS for state in walk(start)[0].values()]
    views = {state.shown.view for state in states if state.shown is not None}
    for view in views:
        for language in LANGUAGES:
            use_language(language)
            screen = render(view)
            assert_all_is_said(screen)
            assert screen.texts, view


def vars_of(hints):
    return {"scan": hints.scan, "next": hints.next, "ok": hints.ok}


def in_use(view):
    """Return whether the marked entry is the choice in use: choosing it may change nothing."""
    return isinstance(view, MenuView) and view.entries[view.selected].ticked


def concrete_subclasses(base):
    """Return all subclasses that are not abstract."""
    direct = [each for each in base.__subclasses__() if is_in_module(each)]
    found = {each for each in direct if not isabstract(each)}
    return found.union(*map(concrete_subclasses, direct))


def is_in_module(kind):
    """Return whether a class is no leftover of ``dataclass(slots=True)``, which makes a new one."""
    return getattr(sys.modules[kind.__module__], kind.__name__) is kind


def test_the_walk_comes_to_every_mode_and_every_menu():
    states = [state for start in STARTS for state in walk(start)[0].values()]
    reached = {type(state.mode) for state in states}
    assert reached == concrete_subclasses(Mode)
    menus = {
        type(level.menu)
        for state in states
        if isinstance(state.mode, MenuMode)
        for level in state.mode.levels
    }
    assert menus == concrete_subclasses(Menu)


def outcome(state, event):
    """A step in a form that can be compared."""
    after, effects = step(state, event)
    return state_key(after), after.shown, [type(effect) for effect in effects]


@settings(max_examples=30)
@given(data=st.data())
def test_no_story_ends_where_nobody_gets_out(data):
    state = started(data.draw(st.sampled_from(sorted(STARTS))))
    for _ in range(data.draw(st.integers(0, 60))):
        # Someone presses buttons more often than something else happens.
        happens = data.draw(st.sampled_from((presses, presses, possible_events, page_commands)))(
            state
        )
        event = happens[data.draw(st.sampled_from(sorted(happens)))]
        assert outcome(state, event) == outcome(state, event), "the same again"
        after, effects = step(state, event)
        check_step(state, event, after, effects)
        state = after
    assert ready_by_presses(state)


def ready_by_presses(state, most=400):
    """Return whether some order of presses and waits leads to *ready*."""
    seen = {with_marked_key(state)}
    waiting = deque([state])
    while waiting and len(seen) < most:
        state = waiting.popleft()
        if isinstance(state.mode, ReadyMode):
            return True
        late = [ButtonPressed(button, kind="short", now_s=state.now_s + 500) for button in Button]
        for event in (*presses(state).values(), *late):
            after, _effects = step(state, event)
            if with_marked_key(after) not in seen:
                seen.add(with_marked_key(after))
                waiting.append(after)
    return False


def with_marked_key(state):
    """Likeness, and the marked key of a name: the one that leaves is some presses away."""
    return state_key(state), getattr(state.mode, "selected", None)

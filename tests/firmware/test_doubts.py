from firmware.doubts import Doubts, doubts_of
from tests.firmware.samples import ring_reading, scored, square, two_player
from vision.reading import Note, NoteCode, Unread, tile_places

UNREAD = Unread(square((90, 90), 80, 0), Note(NoteCode.CITY_UNREADABLE))
NO_FACTORY, FACTORIES = "SSPP/SSPP/EBMD/HHHH", "PPHH/SSPP/FFFF/FHBB"


def may_change(**doubts):
    """Which of three cities may still change; the first has no factory."""
    scan = scored(NO_FACTORY, FACTORIES, NO_FACTORY, **doubts)
    return [scan.game.may_change(scan, index) for index in range(3)]


def test_a_sure_reading_has_none():
    assert doubts_of(ring_reading(3)) == Doubts()
    assert Doubts().count == 0


def test_everything_to_look_at_is_found_and_counted():
    reading = ring_reading(3, unsure={1: ((2, 3),)}, absent={2: ((0, 0),)}, unread=(UNREAD,))
    doubts = doubts_of(reading, missing=((2, (0, 0)),))
    assert [each.place for each in doubts.unsure] == [*tile_places([(2, 3)], 1)]
    assert [each.place for each in doubts.missing] == [*tile_places([(0, 0)], 2)]
    assert doubts.unread == (UNREAD,)
    assert doubts.count == 3
    assert two_player(owners_known=False).doubts.count == 1


def test_an_unsure_gap_is_counted_once():
    reading = ring_reading(3, unsure={1: ((2, 3),)}, absent={1: ((2, 3),)})
    doubts = doubts_of(reading, missing=((1, (2, 3)),))
    assert doubts.count == 1
    assert not doubts.missing


def test_a_tile_may_change_its_city_and_all_with_factories():
    assert may_change(unsure={0: ((0, 0),)}) == [True, True, False]


def test_an_unread_city_may_change_all_with_factories():
    assert may_change(unread=(UNREAD,)) == [False, True, False]


def test_unknown_owners_change_no_city():
    scan = two_player(owners_known=False)
    assert not any(scan.game.may_change(scan, index) for index in range(4))

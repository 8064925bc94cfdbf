from firmware.doubts import Doubts, doubts_of
from tests.firmware.samples import ring_reading, scored, square
from vision.reading import Unread

UNREAD = Unread(square((90, 90), 80, 0), "too dark")


def test_a_sure_reading_has_none():
    assert doubts_of(ring_reading(3)) == Doubts()
    assert Doubts().count == 0


def test_everything_to_look_at_is_found_and_counted():
    reading = ring_reading(3, unsure={1: ((2, 3),)}, absent={2: ((0, 0),)}, unread=(UNREAD,))
    doubts = doubts_of(reading, owners_known=False)
    assert doubts == Doubts(((1, (2, 3)),), ((2, (0, 0)),), (UNREAD,), owners_known=False)
    assert doubts.count == 4


def test_an_unsure_gap_is_counted_once():
    doubts = doubts_of(ring_reading(3, unsure={1: ((2, 3),)}, absent={1: ((2, 3),)}))
    assert doubts.unsure == doubts.missing == ((1, (2, 3)),)
    assert doubts.count == 1


def test_a_tile_may_change_its_city_and_all_with_factories():
    doubts = doubts_of(
        scored("SSPP/SSPP/EBMD/HHHH", *["PPHH/SSPP/FFFF/FHBB"] * 2, unsure={0: ((0, 0),)})[1]
    )
    assert doubts.may_change_total(0, has_factories=False)
    assert doubts.may_change_total(1, has_factories=True)
    assert not doubts.may_change_total(1, has_factories=False)


def test_an_unread_city_may_change_all_with_factories():
    assert Doubts(unread=(UNREAD,)).may_change_total(0, has_factories=True)
    assert not Doubts(unread=(UNREAD,)).may_change_total(0, has_factories=False)


def test_unknown_owners_change_no_city():
    assert not Doubts(owners_known=False).may_change_total(0, has_factories=True)

"""The tile readers see many crops at once, and say of each what they say of it alone."""

import numpy as np

from scoring.faces import Face
from vision.arrays import Image
from vision.networks import (
    EMBLEM_CLASSES,
    EMBLEM_SHEET,
    EMBLEM_SIZE_PX,
    EMBLEM_WINDOW,
    FACE_CLASSES,
    FACE_MARGIN,
    FACE_SHEET,
    FACE_SIZE_PX,
    GREY,
    Sheet,
    read_emblems,
    read_faces,
)
from vision.simulate.faces import draw_face


def noise(seed: int, count: int, side: int) -> Image:
    return np.random.default_rng(seed).integers(0, 256, (count, side, side, 3), np.uint8)


def drawn_faces() -> Image:
    """Face crops of all faces, their margin black."""
    margin = round(FACE_SIZE_PX * FACE_MARGIN / (1 + 2 * FACE_MARGIN))
    crops = np.zeros((len(Face), FACE_SIZE_PX, FACE_SIZE_PX, 3), np.uint8)
    for crop, face in zip(crops, Face, strict=True):
        crop[margin:-margin, margin:-margin] = draw_face(face, FACE_SIZE_PX - 2 * margin)
    return crops


def drawn_emblems() -> Image:
    whole_px = round(EMBLEM_SIZE_PX / EMBLEM_WINDOW[2])
    crops = [draw_face(face, whole_px)[:EMBLEM_SIZE_PX, :EMBLEM_SIZE_PX] for face in Face]
    return np.stack(crops)


def test_faces_are_read_whatever_lies_beside_them_on_the_sheet() -> None:
    crops = drawn_faces()
    chances, offsets = read_faces(crops)
    assert chances.argmax(axis=1).tolist() == list(range(len(Face)))
    for crop, of_face, of_corners in zip(crops, chances, offsets, strict=True):
        alone, corners = read_faces([crop])
        assert np.allclose(alone[0], of_face, atol=1e-4)
        assert np.allclose(corners[0], of_corners, atol=1e-4)


def test_emblems_are_read_whatever_lies_beside_them_on_the_sheet() -> None:
    crops = np.concatenate([drawn_emblems()] * 2)  # more than one sheet
    chances = read_emblems(crops)
    assert chances.argmax(axis=1).tolist() == list(range(len(Face))) * 2
    for crop, of_emblem in zip(crops, chances, strict=True):
        assert np.allclose(read_emblems([crop])[0], of_emblem, atol=1e-4)


def test_no_crops_no_opinions() -> None:
    chances, offsets = read_faces([])
    assert chances.shape == (0, FACE_CLASSES)
    assert offsets.shape == (0, 4, 2)
    assert read_emblems([]).shape == (0, EMBLEM_CLASSES)


def test_opinions_are_probabilities() -> None:
    chances, _ = read_faces(noise(2, 3, FACE_SHEET.crop_px))
    emblems = read_emblems(noise(3, 3, EMBLEM_SHEET.crop_px))
    for shares in (chances, emblems):
        assert (shares >= 0).all()
        assert np.allclose(shares.sum(axis=1), 1, atol=1e-5)


def test_a_sheet_holds_its_crops_row_by_row_with_room_between() -> None:
    sheet = Sheet(crop_px=8, output_px=2, rows=2, columns=3)
    assert sheet.pitch_px == 10
    crops = noise(4, 5, 8)
    (planes,) = sheet.of(crops)
    assert planes.shape == (3, *sheet.size_hw)
    pitch = sheet.pitch_px
    fifth = planes[:, pitch : pitch + 8, pitch : pitch + 8]
    assert np.array_equal(fifth, crops[4].transpose(2, 0, 1).astype(int) - GREY)
    assert not planes[:, 8:pitch].any()
    assert not planes[:, :, 8:pitch].any()


def test_what_does_not_fit_on_a_sheet_goes_on_the_next() -> None:
    sheet = Sheet(crop_px=8, output_px=4, rows=1, columns=2)
    crops = noise(5, 3, 8)
    first, second = sheet.of(crops)
    alone = [sheet.of(crops[:2])[0], sheet.of(crops[2:])[0]]
    assert np.array_equal(first, alone[0])
    assert np.array_equal(second, alone[1])
    assert not second[:, :, 8:].any()

"""The tile readers see many crops at once, and say of each what they say of it alone."""

import cv2
import numpy as np

from scoring.faces import Face
from vision.arrays import Image
from vision.editions.own import face_picture
from vision.networks import (
    EMBLEM_CLASSES,
    EMBLEM_PATCH_PX,
    EMBLEM_SIZE_PX,
    EMBLEM_WINDOW,
    FACE_CLASSES,
    FACE_MARGIN,
    FACE_SIZE_PX,
    Sheet,
    locate,
    read_emblem_patches,
    read_faces,
)
from vision.stems import in_patches


def noise(seed: int, count: int, side: int) -> Image:
    return np.random.default_rng(seed).integers(0, 256, (count, side, side, 3), np.uint8)


def read_emblems(crops: Image) -> np.ndarray:  # type: ignore[type-arg]
    """What is read in crops (n, h, w, 3)."""
    return read_emblem_patches(in_patches(crops, EMBLEM_PATCH_PX))


def drawn_faces() -> Image:
    """Face crops of all faces, their margin black."""
    margin = round(FACE_SIZE_PX * FACE_MARGIN / (1 + 2 * FACE_MARGIN))
    crops = np.zeros((len(Face), FACE_SIZE_PX, FACE_SIZE_PX, 3), np.uint8)
    for crop, face in zip(crops, Face, strict=True):
        crop[margin:-margin, margin:-margin] = face_picture(face, FACE_SIZE_PX - 2 * margin)
    return crops


def drawn_emblems() -> Image:
    whole_px = round(EMBLEM_SIZE_PX / EMBLEM_WINDOW[2])
    crops = [face_picture(face, whole_px)[:EMBLEM_SIZE_PX, :EMBLEM_SIZE_PX] for face in Face]
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
        assert np.allclose(read_emblems(crop[None])[0], of_emblem, atol=1e-4)


def test_no_crops_no_opinions() -> None:
    chances, offsets = read_faces([])
    assert chances.shape == (0, FACE_CLASSES)
    assert offsets.shape == (0, 4, 2)
    assert read_emblems(noise(1, 0, EMBLEM_SIZE_PX)).shape == (0, EMBLEM_CLASSES)


def test_opinions_are_probabilities() -> None:
    chances, _ = read_faces(noise(2, 3, FACE_SIZE_PX))
    emblems = read_emblems(noise(3, 3, EMBLEM_SIZE_PX))
    for shares in (chances, emblems):
        assert (shares >= 0).all()
        assert np.allclose(shares.sum(axis=1), 1, atol=1e-5)


def features(seed: int, crops: int, side: int) -> np.ndarray:  # type: ignore[type-arg]
    return np.random.default_rng(seed).normal(size=(crops * side**2, 3)).astype(np.float32)


def test_a_sheet_holds_its_crops_row_by_row_with_room_between() -> None:
    sheet = Sheet(side=4, rows=2, columns=3)
    assert sheet.size_hw == (10, 15)
    seen = features(4, 5, sheet.side)
    (planes,) = sheet.of(seen)
    assert planes.shape == (3, *sheet.size_hw)
    fifth = planes[:, 5:9, 5:9]
    assert np.array_equal(fifth, seen[4 * 16 :].reshape(4, 4, 3).transpose(2, 0, 1))
    assert not planes[:, 4::5].any()
    assert not planes[:, :, 4::5].any()


def test_where_a_sheet_has_no_crop_there_is_nothing() -> None:
    sheet = Sheet(side=4, rows=1, columns=2)
    (planes,) = sheet.of(features(5, 1, sheet.side))
    assert planes[:, :, :4].any()
    assert not planes[:, :, 4:].any()


def test_what_the_locator_says_of_a_place_is_the_same_in_a_larger_picture() -> None:
    # Further from the place than its eight layers see
    picture = np.asarray(cv2.GaussianBlur(noise(6, 1, 384)[0], (0, 0), 3), np.uint8)
    part = picture[64:320, 64:320]
    whole = locate(picture)[:, 8:40, 8:40]
    assert np.allclose(locate(part)[:, 12:20, 12:20], whole[:, 12:20, 12:20], atol=1e-3)

"""Write files and folders atomically: whenever the program is killed, the old or the new is there.

Everything is written to a draft beside what it replaces, flushed to the disk, and put in place by
one call of the system:

- a file by ``rename``,
- a folder by ``renameat2`` with ``RENAME_EXCHANGE``, which swaps it with its previous version,
- several files of a folder by changing the target of one link: for a moment their names lead
  through it to the old files, then to the new ones, before they are plain files again.

Disks that know no such exchange or no links, such as exFAT sticks, get a series of renames; what a
kill interrupts there is repaired before anything else is written or listed.

One writer at a time works in a folder. What killed writers left in it is cleared by the next one.
"""

import ctypes
import errno
import fcntl
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

LOCK_WAIT_S: Final = 30.0
"""Longest wait for another writer in the same folder, which may be stopped."""
_LOCK_POLL_S: Final = 0.02

_DRAFT: Final = re.compile(r"\.unfinished-[0-9a-f]{8}")
_REPLACING: Final = ".replacing"
"""Folder with the old and new files while the names in the folder above change over."""
_OLD, _NEW, _NOW, _LINK = "old", "new", "now", "link"
"""Names in ``_REPLACING``: the folders of the old and of the new files, the link to the folder in
force, and a link that is about to be renamed into its place."""
_PREVIOUS: Final = ".before-"
_ASIDE: Final = ".aside-"
"""Beginning of the name that a folder has during an exchange by three renames."""

_PRIVATE: Final = 0o600
_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2
_NOT_SUPPORTED: Final = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP)
_NO_LINKS: Final = (*_NOT_SUPPORTED, errno.EPERM, errno.EMLINK, errno.EXDEV)


def write_file(path: Path, data: bytes, mode: int) -> None:
    """Write a file; its folder must exist.

    Raises:
        OSError: The file cannot be written, and stays as it was.
    """
    with sole_writer(path.parent):
        draft = _draft_name(path.parent)
        try:
            _write_flushed(draft, data, _PRIVATE)
            draft.chmod(mode)
            draft.replace(path)
        except BaseException:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder; one that it replaces becomes its previous version.

    A kill between the two last steps leaves the old folder in place and the new one as the version
    to go back to.

    Args:
        target: Folder; those above it are made.
        files: Content by file name.

    Raises:
        OSError: The folder cannot be written, and stays as it was.
    """
    parent, previous = target.parent, previous_version(target)
    parent.mkdir(parents=True, exist_ok=True)
    with sole_writer(parent):
        draft = _draft_name(parent)
        try:
            draft.mkdir()
            for name, data in files.items():
                _write_flushed(draft / name, data)
            sync_folder(draft)
            _remove(previous)
            if not os.path.lexists(target):
                draft.rename(target)
            else:
                draft.rename(previous)
                try:
                    _exchange(target, previous)
                except OSError:
                    previous.rename(draft)
                    raise
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        sync_folder(parent)


def previous_version(target: Path) -> Path:
    """Return the place of a folder as it was before it was changed last."""
    return target.with_name(f"{_PREVIOUS}{target.name}")


def swap_versions(target: Path) -> None:
    """Exchange a folder with its previous version.

    Raises:
        OSError: One of them is missing or cannot be moved; both stay.
    """
    with sole_writer(target.parent):
        _exchange(target, previous_version(target))
        sync_folder(target.parent)


def remove_folder(target: Path) -> None:
    """Remove a folder and its previous version; of a link, the link alone.

    Raises:
        OSError: The folder cannot be removed.
    """
    with sole_writer(target.parent):
        _remove(previous_version(target))
        _remove(target)
        sync_folder(target.parent)


@contextmanager
def replace_files(folder: Path, old: Callable[[Path], Iterable[Path]]) -> Iterator[Path]:
    """Give an empty folder to write to; at the end its files replace others, all at once.

    Args:
        folder: Folder of the files; it must exist.
        old: Function that returns the files in the folder to replace or, without a new one, remove.

    Raises:
        OSError: The files cannot be written; those in the folder stay as they were.
    """
    with sole_writer(folder):
        work = _draft_name(folder)
        try:
            (work / _NEW).mkdir(parents=True)
            yield work / _NEW
            _change_over(folder, work, [path.relative_to(folder) for path in old(folder)])
        except BaseException:
            with suppress(OSError):
                _finish_replacing(folder)
            shutil.rmtree(work, ignore_errors=True)
            raise


def clear_leftovers(folder: Path) -> None:
    """Repair or remove what killed writers left in a folder, if it can be written."""
    with suppress(OSError), sole_writer(folder):
        pass


def restore_interrupted(folder: Path) -> None:
    """Put folders back in place whose exchange by renames was interrupted; else do nothing."""
    with suppress(OSError):
        if any(path.name.startswith(_ASIDE) for path in folder.iterdir()):
            clear_leftovers(folder)


def sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, so that renames and removals outlast a power cut.

    Raises:
        OSError: The folder is missing or its disk fails.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Keep other writers, of this or another process, out of a folder; clear leftovers first.

    Where the disk knows no locks, or the folder may not be read, nothing is locked or cleared.

    Raises:
        OSError: Another writer is busy there for ``LOCK_WAIT_S``.
    """
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        yield
        return
    try:
        if _locked(handle):
            _clear(folder)
        yield
    finally:
        with suppress(OSError):  # closing alone does not unlock what another thread has a copy of
            fcntl.flock(handle, fcntl.LOCK_UN)
        os.close(handle)


def _locked(handle: int) -> bool:
    until_s = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until_s:
                raise
            time.sleep(_LOCK_POLL_S)
        except OSError:
            return False
        else:
            return True


def _clear(folder: Path) -> None:
    with suppress(OSError):
        _finish_replacing(folder)
        for path in list(folder.iterdir()):
            if path.name.startswith(_ASIDE):
                _put_back(path)
            elif _DRAFT.fullmatch(path.name):
                _delete(path)


def _draft_name(folder: Path) -> Path:
    return folder / f".unfinished-{os.urandom(4).hex()}"


def _write_flushed(path: Path, data: bytes, mode: int = 0o666) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _remove(path: Path) -> None:
    """Remove whatever has a name; a folder vanishes whole before its files are deleted."""
    if path.is_dir() and not path.is_symlink():
        draft = _draft_name(path.parent)
        path.rename(draft)
        shutil.rmtree(draft)
    else:
        path.unlink(missing_ok=True)


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def _exchange(target: Path, previous: Path) -> None:
    """Swap two names in one step, or in three where the system cannot."""
    sys.audit("os.rename", str(target), str(previous), -1, -1)
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is not None:
        names = os.fsencode(target), os.fsencode(previous)
        if call(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0:
            return
        number = ctypes.get_errno()
        if number not in _NOT_SUPPORTED:
            raise OSError(number, os.strerror(number), str(target))
    aside = target.with_name(f"{_ASIDE}{target.name}")
    target.rename(aside)
    try:
        previous.rename(target)
        aside.rename(previous)
    except OSError:
        _put_back(aside)
        raise


def _put_back(aside: Path) -> None:
    target = aside.with_name(aside.name.removeprefix(_ASIDE))
    aside.rename(previous_version(target) if os.path.lexists(target) else target)


def _change_over(folder: Path, work: Path, old: list[Path]) -> None:
    """Put the new files in place of the old ones, by links if the disk has such."""
    new = _files_below(work / _NEW)
    try:
        for path in old:
            (work / _OLD / path).parent.mkdir(parents=True, exist_ok=True)
            os.link((folder / path).resolve(), work / _OLD / path)
        (work / _OLD).mkdir(exist_ok=True)
        (work / _NOW).symlink_to(_OLD)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _change_over_by_renames(folder, work, old, new)
        return
    _flush(work)
    replacing = work.rename(folder / _REPLACING)
    for path in sorted({*old, *new}):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        _put_link(replacing, _path_through_link(folder, path, replacing), folder / path)
    _sync_parents(folder, {*old, *new})
    _put_link(replacing, _NEW, replacing / _NOW)  # from here on all names mean the new files
    sync_folder(replacing)
    _finish_replacing(folder)
    _sync_parents(folder, {*old, *new})


def _change_over_by_renames(folder: Path, work: Path, old: list[Path], new: list[Path]) -> None:
    """Remove all old files, then move the new ones: a kill leaves no mixture, but may leave few."""
    _flush(work)
    for path in old:
        (folder / path).unlink(missing_ok=True)
    for path in new:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (work / _NEW / path).replace(folder / path)
    shutil.rmtree(work, ignore_errors=True)
    _sync_parents(folder, {*old, *new})


def _finish_replacing(folder: Path) -> None:
    """Make plain files of all names that lead through the link, and remove it."""
    replacing = folder / _REPLACING
    if not replacing.is_dir():
        return
    (replacing / _LINK).unlink(missing_ok=True)
    for path in {*_files_below(replacing / _OLD), *_files_below(replacing / _NEW)}:
        target, file = folder / path, replacing / _NOW / path
        if file.is_file():
            if target.is_symlink() or not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                os.link(file.resolve(), replacing / _LINK)
                (replacing / _LINK).replace(target)
        elif target.is_symlink():
            target.unlink()
    _remove(replacing)


def _path_through_link(folder: Path, path: Path, replacing: Path) -> str:
    """Return the target of a link to a file, by way of the link to the folder in force."""
    beside = (folder / path).parent.resolve()
    return os.path.relpath(replacing.resolve() / _NOW / path, beside)


def _put_link(replacing: Path, to: str, at: Path) -> None:
    (replacing / _LINK).symlink_to(to)
    (replacing / _LINK).replace(at)


def _files_below(folder: Path) -> list[Path]:
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def _sync_parents(folder: Path, files: Iterable[Path]) -> None:
    for each in {folder, *((folder / path).parent for path in files)}:
        sync_folder(each)


def _flush(work: Path) -> None:
    """Flush a folder, with all files and folders below it, to the disk."""
    for path in [work, *work.rglob("*")]:
        if not path.is_symlink():
            sync_folder(path)

"""``stadtblick simulate``: photos of tables with their ground truth."""

import json
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from rich.text import Text

from firmware.commands.progress import Progress
from firmware.errors import ExitCode, OutputError, UsageError, printable, suggestion
from firmware.language import _, _n
from firmware.result_folder import prepare_folder
from firmware.terminal import printing
from firmware.user_data import write_safely
from vision.simulate.conditions import CONDITIONS, FULL_SIZE_WH, check_size, take_photo


def run(
    out: Path,
    *,
    count: int | None = None,
    seed: int = 1,
    conditions: Sequence[str] | None = None,
    size_wh: tuple[int, int] = FULL_SIZE_WH,
) -> ExitCode:
    """Write photos and their truth: ``CONDITION-SEED.jpg`` and ``CONDITION-SEED.json``.

    Args:
        out: folder, made if need be.
        count: photos in all; None: one of each condition.
        seed: of the first photo; each further one has the next.
        conditions: in turn; None: all.
        size_wh: of the photos.

    Raises:
        UsageError: ``unknown-condition`` or ``size-not-usable``.
        OutputError: ``out-has-photos``, ``out-not-a-folder`` or ``out-not-writable``.
    """
    chosen = list(conditions) if conditions else list(CONDITIONS)
    for name in chosen:
        if name not in CONDITIONS:
            advice = suggestion(name, list(CONDITIONS))
            raise UsageError("unknown-condition", f"there is no {name}: {advice}", "--condition")
    try:
        check_size(size_wh)
    except ValueError as error:
        wrong = f"{size_wh[0]}x{size_wh[1]} is no size for a table: {error}"
        raise UsageError("size-not-usable", wrong, "--size") from error
    total = len(chosen) if count is None else count
    plan = [
        (f"{condition}-{seed + number:05d}", condition, seed + number)
        for number, condition in enumerate(islice(cycle(chosen), total))
    ]
    prepare_folder(out)
    _check_nothing_in_the_way(out, [name for name, *_rest in plan])
    with Progress() as progress:
        for number, (name, condition, photo_seed) in enumerate(plan):
            said = _("Photo {n} of {total}: {name}")
            progress.show(said.format(n=number + 1, total=total, name=name))
            shot = take_photo(condition, photo_seed, size_wh, name)
            _write(out / f"{name}.jpg", shot.jpeg)
            _write(out / f"{name}.json", _json_bytes(shot.truth))
    with printing() as console:
        said = _n(
            "{n} photo with its ground truth: {folder}",
            "{n} photos with their ground truth: {folder}",
            total,
            folder=printable(str(out)),
        )
        console.print(Text(said), soft_wrap=True)
    return ExitCode.DONE


def _check_nothing_in_the_way(out: Path, names: Sequence[str]) -> None:
    for name in names:
        for path in (out / f"{name}.jpg", out / f"{name}.json"):
            if path.exists() or path.is_symlink():
                raise OutputError(
                    "out-has-photos",
                    f"{path.name} is there already: name another folder or --seed",
                    str(out),
                )


def _write(path: Path, data: bytes) -> None:
    try:
        write_safely(path, data)
    except OutputError as error:
        cause = error.__cause__
        why = getattr(cause, "strerror", None) or type(cause).__name__
        raise OutputError(
            "out-not-writable",
            f"the photo cannot be written ({why}): make room or name another folder",
            str(path),
        ) from error


def _json_bytes(truth: dict[str, Any]) -> bytes:
    return (json.dumps(truth, ensure_ascii=False, indent=1) + "\n").encode()

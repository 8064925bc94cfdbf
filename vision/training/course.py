"""What all training commands do alike: arguments, photos held out, the training itself."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import cv2
import torch
from torch import Tensor, nn

from vision.training.streams import SELDOM, Reuse, SampleMaker, batches
from vision.training.truth import PhotoTruth, load_folder

GOING_ON = 0.4
"""Share of the learning rate with which an already trained network goes on learning."""
STEPS_A_REPORT = 100

Shares = dict[str, tuple[int, int]]
"""What a batch went like, by name: so many of so many."""

Model = TypeVar("Model", bound=nn.Module)

Judge = Callable[[nn.Module, list[Tensor]], tuple[Tensor, Shares]]
"""Runs the network on a batch; returns the loss to lower, and what to report."""


@dataclass(frozen=True, slots=True)
class Course:
    """How long to train, on what, and where from.

    Attributes:
        out: the ONNX file to write.
        start: state (.pt) of a network to go on from; None for a new one.
        steps: how many batches to learn from.
        batch: samples a batch.
        workers: processes that make samples; 0 for none but this one.
        seed: all that is random follows from it and from ``workers``.
        reuse: how samples come again.
    """

    out: Path
    start: Path | None
    steps: int
    batch: int
    workers: int
    seed: int
    reuse: Reuse


def add_arguments(parser: ArgumentParser, batch: int) -> None:
    """Add the arguments of a course; ``batch`` is the default."""
    add_photos(parser)
    parser.add_argument("--out", type=Path, required=True, help="the .onnx file to write")
    parser.add_argument("--start", type=Path, help="state (.pt) to go on from")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--uses",
        type=_at_least_one,
        default=SELDOM.uses,
        help="how often a sample comes on average",
    )
    parser.add_argument(
        "--kept",
        type=_at_least_one,
        default=SELDOM.kept,
        help="how many samples each worker keeps to come again",
    )


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ArgumentTypeError("must be at least 1")
    return number


def add_photos(parser: ArgumentParser) -> None:
    """Add the arguments that name photos."""
    parser.add_argument(
        "--photos", type=Path, action="append", default=[], help="ground-truthed folder"
    )
    parser.add_argument("--skip", default="", help="comma-separated photo names to hold out")


def photos_of(arguments: Namespace) -> tuple[PhotoTruth, ...]:
    """The photos that parsed arguments name.

    Raises:
        ValueError: ``--skip`` names a photo that is in none of the folders.
    """
    photos = [photo for folder in arguments.photos for photo in load_folder(folder)]
    held_out = names_held_out(arguments)
    refuse_unknown(held_out, [photo.name for photo in photos])
    return tuple(photo for photo in photos if photo.name not in held_out)


def names_held_out(arguments: Namespace) -> frozenset[str]:
    """The names of the photos that parsed arguments hold out."""
    return frozenset(filter(None, arguments.skip.split(",")))


def refuse_unknown(held_out: Set[str], names: Iterable[str]) -> None:
    """Complain about photos to hold out that are not there.

    Raises:
        ValueError: one of them is none of these names.
    """
    unknown = held_out - set(names)
    if unknown:
        raise ValueError(f"--skip: no photo is named {', '.join(sorted(unknown))}")


def course_of(arguments: Namespace) -> Course:
    """The course that parsed arguments ask for."""
    return Course(
        out=arguments.out,
        start=arguments.start,
        steps=arguments.steps,
        batch=arguments.batch,
        workers=arguments.workers,
        seed=arguments.seed,
        reuse=Reuse(arguments.uses, arguments.kept),
    )


def trained(
    course: Course,
    new_model: Callable[[], Model],
    make: SampleMaker,
    judge: Judge,
    peak_rate: float,
) -> Model:
    """Take a network through the course and return it, ready for export.

    Args:
        course: how long, on what, and where from.
        new_model: makes the network; the seed of the course decides its first weights.
        make: makes the samples.
        judge: runs the network on a batch.
        peak_rate: highest learning rate of a network that starts from nothing.
    """
    cv2.setNumThreads(1)  # the workers share the processor already
    torch.manual_seed(course.seed)
    model = new_model()
    if course.start:
        model.load_state_dict(torch.load(course.start, weights_only=True))
        peak_rate *= GOING_ON
    optimiser = torch.optim.AdamW(model.parameters(), weight_decay=0.02)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, peak_rate, total_steps=course.steps)
    stream = batches(make, course.seed, course.batch, course.workers, course.reuse)
    progress = Progress(course.steps)
    model.train()
    for batch in (next(stream) for _ in range(course.steps)):
        loss, shares = judge(model, batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        rates.step()
        progress.add(float(loss.detach()), shares)
    model.eval()
    return model


class Progress:
    """Prints now and then how the steps since the last line went on average."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.done = 0
        self.losses: list[float] = []
        self.shares: Shares = {}

    def add(self, loss: float, shares: Shares) -> None:
        """Take in one step, and print if a line is due."""
        self.done += 1
        self.losses.append(loss)
        for name, (part, whole) in shares.items():
            parts, wholes = self.shares.get(name, (0, 0))
            self.shares[name] = parts + part, wholes + whole
        if self.done % STEPS_A_REPORT == 0 or self.done == self.steps:
            print(self.line(), flush=True)
            self.losses, self.shares = [], {}

    def line(self) -> str:
        """The averages as text."""
        averages = [f"loss {sum(self.losses) / len(self.losses):.3f}"]
        averages += [
            f"{name} {part / max(whole, 1):.4f}" for name, (part, whole) in self.shares.items()
        ]
        return "  ".join([f"step {self.done}/{self.steps}", *averages])

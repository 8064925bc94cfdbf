"""Train the reader of joints: ``python -m vision.training.train_joints ...``."""

from argparse import ArgumentParser

from torch import Tensor, nn
from torch.nn import functional

from vision.joints import STRIP_HW
from vision.training.course import Shares, add_arguments, course_of, photos_of, trained
from vision.training.export import export
from vision.training.joint_reader import ContrastedReader, JointReader
from vision.training.joint_samples import JointSamples

SCENES = 3000


def judge_joints(model: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Shares]:
    """The loss of the joint reader, and how many joints it reads right."""
    images, label = batch
    logits = model(images.float())[:, 0]
    loss = functional.binary_cross_entropy_with_logits(logits, label.float())
    right = int(((logits > 0) == (label > 0)).sum())
    return loss, {"right": (right, len(label))}


def main() -> None:
    """Read the arguments, train, write the network."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=SCENES, help="cities to compose")
    add_arguments(parser, batch=128)
    arguments = parser.parse_args()
    course = course_of(arguments)
    make = JointSamples(photos_of(arguments), arguments.scenes, course.seed)
    model = trained(course, JointReader, make, judge_joints, peak_rate=2e-3)
    export(model, (3, *STRIP_HW), course.out, ContrastedReader(model))


if __name__ == "__main__":
    main()

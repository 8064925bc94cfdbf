"""Average two networks weight by weight: one in use, and one that was trained on from it.

python -m vision.lab.training.average_weights BEFORE.onnx AFTER.onnx --share 0.8 --out FILE.onnx

The average keeps what the network could before, and most of what it has learned (Wortsman et al.,
"Robust fine-tuning of zero-shot models", CVPR 2022).
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx


def average(before: onnx.ModelProto, after: onnx.ModelProto, share: float) -> onnx.ModelProto:
    """Return the network before, its convolutions averaged with those of the one after.

    Args:
        before: Network before it was trained on.
        after: Network of the same form after it.
        share: Share of the network after, 0 to 1.

    Raises:
        ValueError: The networks differ in form.
    """
    averaged = onnx.ModelProto()
    averaged.CopyFrom(before)
    stored = {weights.name: weights for weights in averaged.graph.initializer}
    new = {weights.name: weights for weights in after.graph.initializer}
    for mine, other in zip(_convolution_inputs(averaged), _convolution_inputs(after), strict=True):
        values = onnx.numpy_helper.to_array(stored[mine])
        others = onnx.numpy_helper.to_array(new[other])
        if values.shape != others.shape:
            raise ValueError(f"the shapes of {mine} and {other} differ")
        mixed = (1 - share) * values.astype(np.float32) + share * others.astype(np.float32)
        stored[mine].CopyFrom(onnx.numpy_helper.from_array(mixed.astype(values.dtype), mine))
    return averaged


def _convolution_inputs(model: onnx.ModelProto) -> Iterator[str]:
    """Yield the names of weights and biases of the convolutions, from input to output."""
    for node in model.graph.node:
        if node.op_type == "Conv":
            yield from node.input[1:]


def main() -> None:
    """Average two files."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--share", type=float, required=True, help="of the network after, 0 to 1")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    averaged = average(onnx.load(options.before), onnx.load(options.after), options.share)
    onnx.save(averaged, options.out)


if __name__ == "__main__":
    main()

"""Pictures compared roughly: with few pixels, along the main axes of the pictures of an edition.

Method: principal components, as in M. Turk and A. Pentland, "Eigenfaces for recognition", Journal
of Cognitive Neuroscience 1991. What a tile has besides these axes is unlike all pictures alike.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.boards.looks import Looks, Vectors, Windows, apart, looks_of, products

MOST_AXES = 64
"""They hold 94 % of what the 640 pictures of the dice board's cards have in all."""


@dataclass(frozen=True, slots=True, eq=False)
class CoarseFaces:
    """Pictures as they are compared roughly.

    Attributes:
        axes: (k, d) orthonormal.
        along: (n, k) the textures of the pictures along these.
        textured: (n,) see ``Looks``.
    """

    axes: Vectors
    along: Vectors
    textured: NDArray[np.float32]

    @classmethod
    def of(cls, windows: Windows) -> "CoarseFaces":
        """Of the means of the blocks of tiles, (n, 3, h, w)."""
        looks = looks_of(windows)
        _powers, weakest_first = np.linalg.eigh(looks.texture.T.astype(np.float64) @ looks.texture)
        main = np.ascontiguousarray(weakest_first[:, ::-1][:, :MOST_AXES].T, np.float32)
        return cls(main, products(looks.texture, main), looks.textured)

    def distances(self, tiles: Looks) -> NDArray[np.float32]:
        """About the squared distances (tiles, pictures) of the textures.

        Args:
            tiles: of the means of their blocks.
        """
        along = products(tiles.texture, self.axes)
        return apart(tiles.textured, self.textured, products(along, self.along))

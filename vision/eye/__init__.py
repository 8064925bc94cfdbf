"""Image recognition: from a photo to a reading; ``read`` names the stages in their order."""

"""Pictures of single tiles: cutting, embedding, comparison."""

"""Teaching: learn editions from photos of tiles and of what lies where in them."""

"""What lies on a simulated table of each game: a module a game, found by its name."""

"""Contents of simulated tables: a module for each game, found by its name."""

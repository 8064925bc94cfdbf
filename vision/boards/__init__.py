"""Reading games whose tiles, cards and boards are known by pictures and a description."""

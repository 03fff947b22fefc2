"""Bo Bing (博饼): dice → hand → awards; a game as decide/evolve over frozen events."""

"""What a throw is worth and what a game is: pure functions, no clock, no randomness, no I/O."""

"""Makers of training pictures and the training of the dice model; never imported at run time."""

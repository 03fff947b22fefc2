"""The shipped dice model, its manifest and model card."""

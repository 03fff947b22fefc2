"""The cheap maker of training pictures: dice, bowls and cameras from numpy and OpenCV alone, several pictures a second."""

from models.training.cheap.scene import make_scene

__all__ = ["make_scene"]

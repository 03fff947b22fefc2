"""From trained nets to `models/*.onnx`: batch norms folded, pictures of any size, answers equal to the trained net's."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from models.training.nets import FACE_SIDE, SLANT_SIDE, Face, Finder, Slant

NETS: dict[str, type[nn.Module]] = {"finder": Finder, "face": Face, "slant": Slant}


def folded(net: nn.Module) -> nn.Module:
    """Each convolution followed by a batch norm as one convolution."""
    for name, part in net.named_children():
        folded(part)
        if isinstance(part, nn.Sequential):
            layers: list[nn.Module] = []
            for layer in part:
                if isinstance(layer, nn.BatchNorm2d) and layers and isinstance(layers[-1], nn.Conv2d):
                    layers[-1] = fuse_conv_bn_eval(layers[-1], layer)
                else:
                    layers.append(layer)
            setattr(net, name, nn.Sequential(*layers))
    return net


def export(kind: str, checkpoint: Path, out: Path) -> None:
    """Write the averaged net of a checkpoint of fit.py as ONNX and check that it answers alike."""
    net = NETS[kind]()
    net.load_state_dict(torch.load(checkpoint, map_location="cpu")["mean"])
    net = folded(net.eval()).eval()
    sides = {"face": (FACE_SIDE, FACE_SIDE), "slant": (SLANT_SIDE, SLANT_SIDE)}.get(kind, (128, 160))
    trial = torch.randint(0, 255, (2, *sides, 3), dtype=torch.uint8)
    axes = {"picture": {0: "n"}, "answer": {0: "n"}}
    if kind == "finder":
        axes = {"picture": {0: "n", 1: "height", 2: "width"}, "answer": {0: "n", 2: "rows", 3: "columns"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (trial,), str(out), input_names=["picture"], output_names=["answer"], dynamic_axes=axes,
            opset_version=17, dynamo=False,
        )
    with torch.no_grad():
        expected = net(trial).numpy()
    actual = ort.InferenceSession(str(out), providers=["CPUExecutionProvider"]).run(None, {"picture": trial.numpy()})[0]
    if not np.allclose(expected, actual, atol=1e-3, rtol=1e-3):
        raise ValueError(f"{out}: answers otherwise than the trained net")

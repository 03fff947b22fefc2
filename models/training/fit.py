"""One training loop for every net: seeds fixed, resumable, on CUDA where there is one, with an average of the weights."""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

Loss = Callable[[nn.Module, Any], dict[str, Tensor]]


def device_here() -> torch.device:
    """CUDA where there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def fit(
    net: nn.Module,
    batches: Iterable[Any],
    loss: Loss,
    folder: Path,
    name: str,
    steps: int,
    rate: float = 2e-3,
    keep_every: int = 100,
    fresh: bool = False,
) -> nn.Module:
    """Train `net` to `steps` in all (counting those of an earlier, broken-off run) and return the averaged net.

    Checkpoints go to folder/name.pt, a line of figures each 50 steps to folder/name.log.
    """
    folder.mkdir(parents=True, exist_ok=True)
    device = device_here()
    net.to(device)
    mean = copy.deepcopy(net)
    chooser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    done = 0
    path = folder / f"{name}.pt"
    if path.exists() and not fresh:
        kept = torch.load(path, map_location=device)
        net.load_state_dict(kept["net"])
        mean.load_state_dict(kept["mean"])
        chooser.load_state_dict(kept["chooser"])
        done = int(kept["done"])
    sums: dict[str, float] = {}
    began = time.perf_counter()
    net.train()
    for batch in batches:
        if done >= steps:
            break
        warm = min(1.0, (done + 1) / 100)
        for group in chooser.param_groups:
            group["lr"] = rate * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done / steps)))
        parts = loss(net, batch)
        total = torch.stack(list(parts.values())).sum()
        chooser.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        chooser.step()
        done += 1
        _average(mean, net, min(0.995, done / (done + 30)))
        for key, value in parts.items():
            sums[key] = sums.get(key, 0.0) + float(value.detach())
        if done % 50 == 0:
            line = {"step": done, "s": round(time.perf_counter() - began), **{k: round(v / 50, 4) for k, v in sums.items()}}
            with (folder / f"{name}.log").open("a", encoding="utf-8") as log:
                log.write(json.dumps(line) + "\n")
            sums = {}
        if done % keep_every == 0 or done == steps:
            state = {"net": net.state_dict(), "mean": mean.state_dict(), "chooser": chooser.state_dict(), "done": done}
            part = path.with_suffix(".part")
            torch.save(state, part)
            part.replace(path)
    return mean


def _average(mean: nn.Module, net: nn.Module, keep: float) -> None:
    with torch.no_grad():
        for a, b in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if a.dtype.is_floating_point:
                a.mul_(keep).add_(b, alpha=1 - keep)
            else:
                a.copy_(b)

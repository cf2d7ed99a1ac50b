#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs short drives with the nandscape that this Python imports. `check` compares the results of two installations.

  drives.py FOLDER

FOLDER/NAME.txt has the statistics of a drive without the wall time, one figure per line. FOLDER/wrong_key.log has the
error message for an unknown key. Together the drives open every kind of file that a wheel carries."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nandscape as ns
from nandscape.data import bundled_trace

AGED = {"simulation.cells": "statistical", "nand.condition.pe_cycles": 1000, "nand.condition.retention_days": 180}
REAL_BYTES = {"simulation.data": "stored", "ecc.decoder": "bit_true"}

# The preset of each drive, and the keys that are changed.
DRIVES: dict[str, tuple[str, dict[str, Any]]] = {
    "code_table": ("drive_tlc_3d", {"host.workload.requests": 5000}),
    "read_timing_table": (
        "bare",
        {
            **AGED,
            "controller.read_retry.pipelined": True,
            "controller.read_retry.adaptive": True,
            "host.workload.requests": 5000,
        },
    ),
    "real_bytes": ("bare", {**AGED, **REAL_BYTES, "host.workload.requests": 200}),
    "single_cells": ("bare", {**AGED, "simulation.cells": "per_cell", "host.workload.requests": 200}),
    "profile": ("retention_mlc", {"host.workload.kind": "volume", "host.workload.profile": "hd1"}),
}


def figures(stats: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Yields one line for each statistic, with its full name."""
    for name, value in stats.items():
        if isinstance(value, Mapping):
            yield from figures(value, f"{prefix}{name}.")
        elif prefix + name != "simulation.wall_s":
            yield f"{prefix}{name}: {value!r}\n"


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "nandscape", *arguments], capture_output=True, text=True, check=False)


def replay(folder: Path) -> dict[str, Any]:
    """Runs the bundled trace from the command line, with a plot, as `make demo` does. Returns the statistics."""
    result, plot = folder / "trace.json", folder / "trace.png"
    asked = ["run", "default", "--trace", str(bundled_trace()), "--json", str(result), "--plot", str(plot)]
    done = command(*asked)
    if done.returncode != 0 or not plot.exists():
        sys.exit(f"nandscape {' '.join(asked)} ends with status {done.returncode}:\n{done.stderr}")
    plot.unlink()
    statistics = json.loads(result.read_text())["statistics"]
    result.unlink()
    return statistics


def wrong_key(folder: Path) -> str:
    """Runs the command with an unknown key. Returns its error message."""
    configuration = folder / "wrong.yaml"
    configuration.write_text("extends: bare\nnand: {timing: {t_prgo_us: 700}}\n")
    done = command("run", str(configuration))
    configuration.unlink()
    if done.returncode == 0 or "did you mean nand.timing.t_prog_us?" not in done.stderr:
        sys.exit(f"the command with an unknown key ends with status {done.returncode}:\n{done.stderr}")
    return done.stderr.replace(str(folder), "")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (preset, changes) in DRIVES.items():
        (folder / f"{name}.txt").write_text("".join(figures(ns.run(ns.load(preset, changes)).stats)))
    (folder / "trace.txt").write_text("".join(figures(replay(folder))))
    (folder / "wrong_key.log").write_text(wrong_key(folder))

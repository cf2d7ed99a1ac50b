# SPDX-License-Identifier: Apache-2.0
"""Fixtures for all tests: a small device, short workloads, and functions that run the command and the scenarios as
child processes.
"""

from __future__ import annotations

import copy
import json
import math
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nandscape as ns

# If the tests run as a background job of a shell, Ctrl-C is ignored. Restore its effect, since some tests send Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

SMALL_DEVICE = {
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 2,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": 64,
    "nand.geometry.pages_per_block": 96,
    "controller.mapping.over_provisioning": 0.4,
}

# The least that most tests of one part need, without a cache.
TINY_DEVICE = {
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 2,
    "nand.geometry.blocks_per_plane": 16,
    "nand.geometry.pages_per_block": 24,
    "controller.mapping.over_provisioning": 0.7,
    "controller.cache.policy": "none",
}

TRACE = ["time_us,operation,offset_bytes,size_bytes", "0,flush,0,0"]
TRACE += [f"{100 * k},{('write', 'read')[k % 2]},{4096 * (k // 2)},4096" for k in range(1, 41)]


@pytest.fixture
def small() -> ns.Config:
    """A device with 4 dies of 128 blocks, and a workload of 2000 requests."""
    return ns.load("bare", {**SMALL_DEVICE, "host.workload": [ns.synthetic(requests=2000, queue_depth=8)]})


@pytest.fixture
def trace_file(tmp_path: Path) -> Path:
    """A trace file with a flush in line 2, followed by 20 reads and 20 writes in turn in lines 3 to 42."""
    path = tmp_path / "short.csv"
    path.write_text("\n".join(TRACE) + "\n")
    return path


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Returns a function that runs `nandscape` with its arguments in an empty folder."""

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "nandscape", *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


@pytest.fixture
def small_arguments() -> list[str]:
    """The configuration of the small device and its workload, as arguments of the command."""
    keys = {**SMALL_DEVICE, "host.workload.requests": 2000, "host.workload.queue_depth": 8}
    return ["bare", *(f"--set={key}={value}" for key, value in keys.items())]


def with_nan(tree: Any) -> Any:
    """Replaces unknown figures by NaN in statistics that were read from JSON. The same NaN object is used everywhere,
    because dicts with the same NaN object compare equal."""
    if isinstance(tree, dict):
        return {name: with_nan(entry) for name, entry in tree.items()}
    unknown = tree is None or (isinstance(tree, float) and math.isnan(tree))
    return math.nan if unknown else tree


def simulated(stats: dict[str, Any]) -> dict[str, Any]:
    """Returns a copy of the statistics without the wall time. Unknown figures, which are null in JSON, are replaced by
    NaN.
    """
    kept = with_nan(copy.deepcopy(stats))
    del kept["simulation"]["wall_s"]
    return kept


@pytest.fixture(scope="module")
def done(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Runs the scenario that the test module names as SCENARIO, a file in scenarios/validation, with --quick. Returns
    the ended process and its output folder.
    """
    scenario = Path(__file__).parents[2] / "scenarios" / "validation" / request.module.SCENARIO
    folder = tmp_path_factory.mktemp(scenario.stem)
    arguments = ["--quick", "--json", "rows.json", "--plot-folder", "pictures"]
    process = subprocess.run(
        [sys.executable, scenario, *arguments], cwd=folder, capture_output=True, text=True, timeout=1800, check=False
    )
    return process, folder


def pictures_of(done: tuple[subprocess.CompletedProcess[str], Path], named: str = "*.png") -> int:
    """Checks that the run succeeded and that its stderr is empty. Returns the number of pictures whose names match
    `named`.
    """
    process, folder = done
    assert process.returncode == 0, process.stderr
    assert process.stderr == "", "no progress bar where there is no terminal"
    return len(list((folder / "pictures").glob(named)))


def check_standings(rows: dict[str, Any]) -> dict[str, int]:
    """Checks that each row of a scenario passes, and that each row could fail.

    Returns the number of rows of each standing.
    """
    for name, row in rows.items():
        assert row["standing"] != "outside", name
        assert (row["standing"] == "predicted") == ("exception" in row), name
        assert (row["standing"] == "fitted") == ("fitted" in row), name
        assert (row["standing"] == "by construction") == ("by_construction" in row), name
        if "exception" in row:
            low, high = row["band"]
            assert low < row["expected"] < high, name
            assert low <= row["ours"] <= high, name
            if isinstance(row["paper"], int | float):
                assert not low <= row["paper"] <= high, f"{name} has no need to be an exception"
        else:
            assert row["within"], name
    return Counter(row["standing"] for row in rows.values())


@pytest.fixture(scope="module")
def rows(done: tuple[subprocess.CompletedProcess[str], Path]) -> dict[str, Any]:
    """The rows of the scenario's run, by their names."""
    return json.loads((done[1] / "rows.json").read_text(encoding="utf-8"))["figures"]


def check_shown(rows: dict[str, Any], scenario: str) -> None:
    """Checks that the figures in the documentation (docs/_figures) are up to date: that they have the same published
    values and the same results as this run.
    """
    study = Path(scenario).stem
    path = Path(__file__).parents[2] / "docs" / "_figures" / f"{study}.json"
    kept = json.loads(path.read_text(encoding="utf-8"))["figures"]
    renew = f"renew what the documentation shows: make figures STUDIES={study}"
    assert list(kept) == list(rows), renew
    for name, row in rows.items():
        for key in ("figure", "paper", "unit", "source", "standing"):
            assert kept[name][key] == row[key], f"{name}: {renew}"
        for shown, figure in zip(*(np.ravel(ours) for ours in (kept[name]["ours"], row["ours"])), strict=True):
            same = math.isclose(shown, figure, rel_tol=0.01) if isinstance(figure, np.number) else shown == figure
            assert same, f"{name}: {renew}"

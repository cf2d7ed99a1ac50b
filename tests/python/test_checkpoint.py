# SPDX-License-Identifier: Apache-2.0
"""Tests that a simulation restored from a checkpoint behaves like one that was not interrupted."""

import json

import numpy as np
import pytest

import nandscape as ns
from nandscape.cli.main import main
from test_power import PAGE, SMALL, drive


def told(simulation):
    stats = simulation.stats()
    del stats["simulation"]["wall_s"]
    return stats


@pytest.mark.parametrize("cells", ["ideal", "statistical"])
def test_goes_on_the_same(tmp_path, cells):
    first = drive(**{"simulation.cells": cells, "simulation.request_log": True})
    first.run()
    first.checkpoint(tmp_path / "drive")
    second = ns.Simulation.restore(tmp_path / "drive")
    assert second.config == first.config
    for simulation in (first, second):
        simulation.run()
    assert told(first) == told(second)
    assert first.now_us == second.now_us
    for name, column in first.result().requests.items():
        assert np.array_equal(column, second.result().requests[name])


def test_data_are_restored(tmp_path):
    first = drive()
    first.write(64, b"x" * PAGE)
    first.checkpoint(tmp_path / "drive")
    assert ns.Simulation.restore(tmp_path / "drive").read(64, PAGE) == b"x" * PAGE


def test_keys_that_may_change(tmp_path):
    drive().checkpoint(tmp_path / "drive")
    other = ns.Simulation.restore(tmp_path / "drive", {"host.workload.requests": 10})
    other.run()
    assert other.stats()["host"]["all"]["count"] == 10  # no workload had run before
    with pytest.raises(ns.ConfigError, match="pages_per_block"):
        ns.Simulation.restore(tmp_path / "drive", {"nand.geometry.pages_per_block": 192})
    with pytest.raises(ns.InputError):
        ns.Simulation.restore(__file__)


def test_from_the_shell(tmp_path):
    settings = [f"--set={key}={value}" for key, value in SMALL.items()]
    file = str(tmp_path / "drive")
    main(["run", "bare", *settings, "--no-progress", "--checkpoint", file])
    main(["run", "--restore", file, "--set=host.workload.requests=10", "--no-progress", "--json", file + ".json"])
    assert json.loads((tmp_path / "drive.json").read_text())["statistics"]["host"]["all"]["count"] == 10

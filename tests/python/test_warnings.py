# SPDX-License-Identifier: Apache-2.0
"""Tests of the warnings of a simulation: for keys without effect, for too little spare flash, and for loads that the
drive cannot serve.
"""

import warnings

import pytest

import nandscape as ns


def open_loop(rate_iops, requests=3000):
    return ns.synthetic(
        read_percent=100, block_bytes=4096, pacing="open", rate_iops=rate_iops, queue_depth=1024, requests=requests
    )


def test_a_key_that_does_nothing_is_told_once_at_the_start(small):
    worn = small.override({"nand.condition.pe_cycles": 100_000})
    with pytest.warns(
        ns.ConfigWarning, match=r"nand.condition.pe_cycles does nothing, since simulation.cells is ideal"
    ):
        ns.Simulation(worn)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ns.Simulation(worn.override({"simulation.cells": "statistical", "nand.condition.pe_cycles": 100}))
        ns.Simulation(ns.load(worn.to_dict()))


def test_what_is_remembered_of_reads_is_of_no_use_without_a_prediction(small):
    worn = small.override({"simulation.cells": "statistical", "controller.precondition.last_read_share": 0.2})
    with pytest.warns(
        ns.ConfigWarning,
        match=r"precondition.last_read_share does nothing, since controller.read_retry.start is default_levels",
    ):
        ns.Simulation(worn)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ns.Simulation(worn.override({"controller.read_retry.start": "last_of_block_and_layer"}))


def test_an_unused_class_is_reported(small):
    urgent = small.override({"host.workload.priority": "urgent"})
    with pytest.warns(
        ns.ConfigWarning, match=r"host.workload.priority does nothing, since host.nvme.arbitration is round"
    ):
        ns.Simulation(urgent)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ns.Simulation(urgent.override({"host.nvme.arbitration": "weighted_round_robin"}))
        for policy in ("priority", "flin"):
            ns.Simulation(urgent.override({"controller.scheduler.policy": policy}))
        ns.Simulation(urgent.override({"host.workload.priority": "medium"}))


def test_what_a_file_extends_is_not_meant(tmp_path):
    (tmp_path / "base.yaml").write_text("extends: bare\nnand: {condition: {pe_cycles: 100}}\n")
    own = tmp_path / "own.yaml"
    own.write_text("extends: base.yaml\nnand: {condition: {retention_days: 3}}\n")
    with pytest.warns(ns.ConfigWarning) as told:
        ns.Simulation(ns.load(own))
    assert [str(warning.message) for warning in told] == [
        "nand.condition.retention_days does nothing, since simulation.cells is ideal"
    ]


def test_the_command_tells_on_stderr(command, small_arguments):
    done = command("run", *small_arguments, "--set=nand.condition.pe_cycles=5", "--no-progress")
    assert done.returncode == 0
    assert done.stderr == (
        "nandscape: warning: nand.condition.pe_cycles does nothing, since simulation.cells is ideal\n"
    )


def test_effective_over_provisioning_is_that_of_the_full_blocks():
    config = ns.load("bare", {"nand.geometry.blocks_per_plane": 400, "controller.mapping.over_provisioning": 0.07})
    held = 400 / 1.07
    # On average, 3.5 blocks of a plane are free, and two blocks are open and half written.
    assert config.effective_over_provisioning == pytest.approx((400 - 5.5) / (held - 1) - 1, abs=1e-6)


def test_spare_flash_that_small_planes_use_up_is_told():
    small = ns.load("bare", {"controller.mapping.over_provisioning": 0.07})
    with pytest.warns(ns.ConfigWarning, match=r"over_provisioning of 0.07 acts as 0.049: of the 228 blocks of a plane"):
        ns.Simulation(small)


@pytest.mark.parametrize(
    "preset",
    ["bare", "cached", "client_qlc", "client_tlc", "default", "drive_tlc_3d", "drive_qlc_3d", "enterprise_tlc"],
)
def test_presets_have_the_spare_flash_that_they_state(preset, recwarn):
    config = ns.load(preset)
    config.warn()
    assert not recwarn.list
    cached = config["controller.slc_cache.static_percent"] / 100
    stated = (1 + config["controller.mapping.over_provisioning"]) * (1 - cached) - 1
    assert config.effective_over_provisioning > 0.75 * stated


def test_a_load_that_the_drive_cannot_serve_is_told_with_what_is_full(small):
    with pytest.warns(
        ns.SaturationWarning, match=r"arrived at [\d,]+ per second and were served at [\d,]+.*the array of a die"
    ):
        result = ns.run(small, workload=open_loop(2_000_000))
    host = result.stats["host"]
    assert host["saturated"] == 1
    assert host["offered_iops"] == pytest.approx(2_000_000, rel=0.1)
    assert host["iops"] < 0.2 * host["offered_iops"]
    assert result.stats["utilisation"]["die"] > 0.8
    assert all(0 <= share <= 1 for share in result.stats["utilisation"].values())


def test_a_slow_link_is_what_is_full(small):
    narrow = small.override({"host.link.generation": 1, "host.link.lanes": 1, "channel.count": 8})
    with pytest.warns(ns.SaturationWarning, match="the PCIe link"):
        ns.run(narrow, workload=open_loop(500_000))


def test_a_load_that_the_drive_serves_is_no_warning(small):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        served = ns.run(small, workload=open_loop(5_000, requests=1000)).stats["host"]
        closed = ns.run(small, workload=ns.synthetic(read_percent=100, requests=1000, queue_depth=8)).stats["host"]
    assert served["saturated"] == 0
    assert served["offered_iops"] == pytest.approx(served["iops"], rel=0.1)
    assert closed["saturated"] == closed["offered_iops"] == 0

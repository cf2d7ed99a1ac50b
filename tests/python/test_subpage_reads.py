# SPDX-License-Identifier: Apache-2.0
"""Tests of single-operation reads of subpages in a whole drive: their gains, the data, and refused configurations."""

from __future__ import annotations

import pytest

import nandscape as ns

MODES = ["none", "soml", "srs"]
SOFT = {
    "controller.read_retry.policy": "soft",
    "ecc.codec": "ldpc",
    "ecc.decoder": "table",
    "ecc.codeword_bytes": 4096,
    "nand.geometry.spare_bytes": 2208,
}
# Pages of this age need one to seven sensing levels, and a few of them also a step of the retry table.
OLD = {
    "simulation.cells": "statistical",
    "nand.cells.set": "tlc_3d_48",
    "nand.condition.retention_days": 7,
    "controller.precondition.occupancy": 1,
    "controller.mapping.unit_bytes": 4096,
}


def reads(queue_depth: int, block_bytes: int = 4096, read_percent: int = 100) -> dict:
    workload = ns.synthetic(
        requests=3000, queue_depth=queue_depth, read_percent=read_percent, block_bytes=block_bytes, alignment_bytes=4096
    )
    return {"host.workload": [workload]}


def run(config: ns.Config, mode: str) -> tuple[float, dict]:
    """Returns the mean latency of reads in a run, in microseconds, and the statistics of the controller."""
    changes = {"controller.subpages.reads": mode, "simulation.check_protocol": True}
    stats = ns.run(config.override(changes)).stats
    assert stats["host"]["all"]["errors"] == 0
    return stats["host"]["read"]["latency_us"]["mean"], stats["controller"]


def test_subpages_that_go_together_are_read_sooner_and_soonest_where_retries_hold_nothing(small):
    old = small.override({**OLD, **SOFT, **reads(64)})
    results = {mode: run(old, mode) for mode in MODES}
    latency = {mode: mean for mode, (mean, _) in results.items()}
    assert latency["srs"] < 0.8 * latency["soml"]
    assert latency["soml"] < 0.9 * latency["none"]
    scheduler = {mode: controller["scheduler"] for mode, (_, controller) in results.items()}
    assert scheduler["none"]["multi_location_operations"] == 0
    for mode in ("soml", "srs"):
        assert scheduler[mode]["locations_per_operation"] > 2
        assert scheduler[mode]["multi_plane_operations"] > 0
    # A read that joins the retry of another page begins with more than one sensing level, so it needs fewer retries.
    retries = {mode: controller["read_retry"] for mode, (_, controller) in results.items()}
    assert retries["soml"]["sensing_levels"]["levels_1"] >= 3000 > retries["srs"]["sensing_levels"]["levels_1"]
    assert retries["srs"]["steps"] < 0.9 * retries["soml"]["steps"]


def test_whole_pages_of_several_planes_go_together_whatever_their_numbers(small):
    whole = {**OLD, **SOFT, **reads(64, block_bytes=16384), "controller.mapping.unit_bytes": 0}
    whole |= {"nand.condition.retention_days": 0, "host.workload.0.alignment_bytes": 16384}
    results = {mode: run(small.override(whole), mode) for mode in MODES}
    scheduler = {mode: controller["scheduler"] for mode, (_, controller) in results.items()}
    for mode in MODES[1:]:
        assert scheduler[mode]["planes_per_operation"] > 1.2 * scheduler["none"]["planes_per_operation"]
        assert scheduler[mode]["subpages_per_operation"] == 4 * scheduler[mode]["locations_per_operation"]
        assert results[mode][0] < 0.95 * results["none"][0]


@pytest.mark.parametrize("mode", MODES[1:])
def test_an_operation_takes_what_no_two_share_bitlines_for_on_each_plane(small, mode):
    planes = small["nand.geometry.planes_per_die"]
    old = small.override({**OLD, **SOFT, **reads(256, block_bytes=8192)})
    subpages = {}
    for multi_plane in (True, False):
        scheduler = run(old.override({"controller.scheduler.multi_plane": multi_plane}), mode)[1]["scheduler"]
        subpages[multi_plane] = scheduler["subpages_per_operation"]
        assert (scheduler["planes_per_operation"] > 1.5) == multi_plane
    assert 2.2 < subpages[False] <= 4
    assert 1.5 * subpages[False] < subpages[True] <= 4 * planes


def test_where_pages_go_as_cache_reads_they_are_in_no_such_operation(small):
    whole = {**SOFT, **reads(32, block_bytes=16384), "host.workload.0.alignment_bytes": 16384}
    whole |= {"controller.scheduler.cache_read": True, "controller.precondition.occupancy": 1}
    results = [run(small.override(whole), mode) for mode in MODES]
    assert results[0] == results[1] == results[2]


def test_an_idle_drive_reads_a_subpage_as_fast_as_a_page(small):
    old = small.override({**OLD, **SOFT, **reads(1)})
    latency = {mode: run(old, mode)[0] for mode in MODES}
    # The latency differs only by a prefix of one bus cycle.
    assert latency["soml"] == latency["srs"]
    assert latency["none"] < latency["soml"] < 1.001 * latency["none"]


@pytest.mark.parametrize(
    "retry",
    [
        {"policy": "none"},
        {"policy": "regular"},
        {"policy": "soft"},
        {"policy": "regular", "pipelined": True},
        {"policy": "regular", "pipelined": True, "adaptive": True},
    ],
    ids=["none", "regular", "soft", "pipelined", "both"],
)
@pytest.mark.parametrize("mode", MODES[1:])
def test_programs_and_collection_go_on_beside_them(small, mode, retry):
    worn = {**OLD, **SOFT, **reads(64, read_percent=70)}
    worn |= {f"controller.read_retry.{key}": value for key, value in retry.items()}
    worn |= {"controller.precondition.distribution": "steady_state", "nand.condition.retention_days": 4}
    worn |= {"controller.garbage_collection.preemptible": False}
    _, controller = run(small.override(worn), mode)
    assert controller["scheduler"]["suspends"] > 50
    assert controller["scheduler"]["locations_per_operation"] > 1.02
    assert controller["gc"]["victims"] > 0
    assert controller["read_retry"]["failed_reads"] == 0
    assert (controller["read_retry"]["steps"] > 0) == (retry != {"policy": "none"})


@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize(
    "fidelity",
    [
        {},
        {"ecc.decoder": "bit_true", "simulation.cells": "per_cell"},
        {"controller.read_retry.policy": "regular", "controller.read_retry.pipelined": True},
        {"controller.parity.stripe_dies": 4, "controller.mapping.over_provisioning": 1.5},
        {"simulation.cells": "ideal"},
    ],
    ids=["drawn", "bit_true", "held", "parity", "ideal"],
)
def test_data_come_back_whatever_they_were_read_with(small, mode, fidelity):
    device = {**SOFT, "nand.geometry.page_bytes": 8192, "nand.geometry.spare_bytes": 896}
    device |= {"ecc.codeword_bytes": 2048, "ecc.ldpc_parity_bytes": 128, "controller.mapping.unit_bytes": 2048}
    device |= {"simulation.cells": "statistical", "nand.cells.set": "tlc_3d_48", "nand.condition.pe_cycles": 2000}
    device |= {"simulation.data": "stored", "controller.subpages.reads": mode, **fidelity}
    # Blocks are small, so that the data are spread over many blocks.
    device |= {"nand.geometry.pages_per_block": 12, "simulation.check_protocol": True}
    simulation = ns.Simulation(small.override(device))
    units = [(k % 251 + 1).to_bytes(1, "little") * 2048 for k in range(1200)]
    for k in range(0, 1200, 8):
        simulation.write(4 * k, b"".join(units[k : k + 8]))
    simulation.flush()
    simulation.advance("2d")
    for step in (7, 11):
        commands = {k: simulation.start_read(4 * k, 2048) for k in range(0, 1200, step)}
        simulation.wait_all()
        assert all(command.data == units[k] for k, command in commands.items())
    # Read several units at a time, each of them a part of a page, so that a read covers two or three subpages.
    commands = {k: simulation.start_read(4 * k, 3 * 2048) for k in range(0, 1197, 5)}
    simulation.wait_all()
    assert all(command.data == b"".join(units[k : k + 3]) for k, command in commands.items())
    for k in range(0, 140, 7):  # reads across a unit boundary
        assert simulation.read(4 * k + 2, 2048) == units[k][:1024] + units[k + 1][:1024]
    stats = simulation.stats()["controller"]
    assert stats["scheduler"]["subpages_per_operation"] > 2
    assert (stats["read_retry"]["retried_reads"] > 0) == (
        "simulation.cells" not in fidelity or "ecc.decoder" in fidelity
    )


@pytest.mark.parametrize("mode", MODES[1:])
def test_pages_that_make_up_for_lost_ones_go_along(small, mode):
    lost = {**OLD, **SOFT, **reads(64), "nand.cells.read_levels.retry_steps": 0, "nand.condition.retention_days": 20}
    lost |= {"controller.parity.stripe_dies": 4, "controller.mapping.over_provisioning": 1.5}
    lost |= {"controller.subpages.reads": mode, "simulation.check_protocol": True}
    controller = ns.run(small.override(lost)).history["controller"]  # most rebuilds take place after the last request
    assert controller["parity"]["failed_rebuilds"] > 100
    assert controller["scheduler"]["locations_per_operation"] > 1.2
    assert controller["scheduler"]["subpages_per_operation"] > 4


def test_what_layers_need_is_remembered_with_a_checkpoint(small, tmp_path):
    old = small.override({**OLD, **SOFT, **reads(64), "controller.subpages.reads": "srs"})
    first = ns.Simulation(old)
    first.run()
    first.checkpoint(tmp_path / "read")
    more = {"host.workload": [ns.synthetic(requests=1000, queue_depth=64, read_percent=100, block_bytes=4096)]}
    goes_on, forgetful = (
        ns.Simulation.restore(tmp_path / "read", {**more, "controller.subpages.reads": mode})
        for mode in ("srs", "soml")
    )
    forgetful.checkpoint(tmp_path / "forgotten")
    begins_anew = ns.Simulation.restore(tmp_path / "forgotten", {"controller.subpages.reads": "srs"})
    for simulation in (goes_on, begins_anew):
        simulation.run()
    assert goes_on.stats()["controller"]["scheduler"] != begins_anew.stats()["controller"]["scheduler"]


@pytest.mark.parametrize("mode", MODES[1:])
def test_codewords_must_not_reach_beyond_a_subpage(small, mode):
    with pytest.raises(ns.ConfigError, match=r"subpages\.reads.*ecc\.codeword_bytes to 4096"):
        small.override({**SOFT, "ecc.codeword_bytes": 8192, "controller.subpages.reads": mode})

# SPDX-License-Identifier: Apache-2.0
"""Tests of the read-retry policies in a whole drive: their gains, the data, and refused configurations."""

from __future__ import annotations

import pytest

import nandscape as ns

KEY = "controller.read_retry."
ORACLE = {KEY + "policy": "none"}
REGULAR: dict = {}
PIPELINED = {KEY + "pipelined": True}
ADAPTIVE = {KEY + "adaptive": True}
BOTH = PIPELINED | ADAPTIVE
TECHNIQUES = {"regular": REGULAR, "pipelined": PIPELINED, "adaptive": ADAPTIVE, "both": BOTH}
WORN = {
    "simulation.cells": "statistical",
    "nand.cells.set": "tlc_3d_48",
    "nand.condition.pe_cycles": 2000,
    "nand.condition.retention_days": 180,
    "controller.precondition.occupancy": 1,
}


def mixed(read_percent: int, queue_depth: int = 8) -> dict:
    return {
        "host.workload": [
            ns.synthetic(requests=2000, queue_depth=queue_depth, read_percent=read_percent, block_bytes=16384)
        ]
    }


def statistics(config: ns.Config) -> dict:
    simulation = ns.Simulation(config.override({"simulation.check_protocol": True}))
    simulation.run()
    return simulation.stats()


LDPC = {"ecc.codec": "ldpc", "ecc.decoder": "table", "ecc.codeword_bytes": 4096, "nand.geometry.spare_bytes": 2208}


@pytest.mark.parametrize("read_percent", [100, 60])
def test_each_technique_shortens_reads_and_both_together_most(small, read_percent):
    worn = small.override({**WORN, **mixed(read_percent)})
    latency = {}
    for name, keys in {"none": ORACLE, **TECHNIQUES}.items():
        stats = statistics(worn.override(keys))
        latency[name] = stats["host"]["read"]["latency_us"]["mean"]
        assert stats["controller"]["read_retry"]["failed_reads"] == 0
    assert latency["none"] < latency["both"] < min(latency["pipelined"], latency["adaptive"])
    assert max(latency["pipelined"], latency["adaptive"]) < latency["regular"]


def test_all_techniques_take_the_same_steps(small):
    worn = small.override({**WORN, **mixed(100)})
    retries = {name: statistics(worn.override(keys))["controller"]["read_retry"] for name, keys in TECHNIQUES.items()}
    # The tolerance is needed because errors are drawn for each read in the order of execution, which depends on the
    # technique.
    for name in TECHNIQUES:
        assert retries[name]["steps"] == pytest.approx(retries["regular"]["steps"], abs=0.05)
    assert retries["regular"]["needless_steps"] == retries["adaptive"]["needless_steps"] == 0
    assert retries["pipelined"]["needless_steps"] == retries["pipelined"]["retried_reads"]
    assert retries["adaptive"]["shortened"] == retries["adaptive"]["retried_reads"]
    assert retries["adaptive"]["fallbacks"] == 0


@pytest.mark.parametrize("retry", [ORACLE, *TECHNIQUES.values()], ids=["none", *TECHNIQUES])
@pytest.mark.parametrize(
    "fidelity",
    [
        {"ecc.decoder": "threshold"},
        {"ecc.decoder": "bit_true", "simulation.cells": "per_cell", "nand.geometry.page_bytes": 4096},
        {"ecc.decoder": "threshold", "controller.mapping.unit_bytes": 4096},
        {"ecc.decoder": "threshold", "controller.parity.stripe_dies": 4},
    ],
    ids=["drawn", "bit_true", "units", "parity"],
)
def test_data_come_back_whatever_step_gave_them(small, retry, fidelity):
    worn = {**WORN, "simulation.data": "stored", "nand.condition.retention_days": 0, **fidelity}
    worn |= {"controller.precondition.occupancy": 0, **retry}
    simulation = ns.Simulation(small.override({**worn, "simulation.check_protocol": True}))
    page = simulation.config["nand.geometry.page_bytes"]
    # A wordline holds three pages. Until all three pages have been written, they are read from the latches of the die.
    for k in range(72):
        simulation.write(k * page // 512, bytes([k + 1]) * page)
    simulation.flush()
    simulation.advance("3mo")
    for k in range(72):
        assert simulation.read(k * page // 512, page) == bytes([k + 1]) * page
    assert (simulation.stats()["controller"]["read_retry"]["retried_reads"] > 0) == (retry != ORACLE)


@pytest.mark.parametrize(
    "fidelity",
    [
        {"ecc.decoder": "table"},
        {"ecc.decoder": "bit_true", "simulation.cells": "per_cell"},
        {"ecc.decoder": "table", "controller.mapping.unit_bytes": 2048},
        {"ecc.decoder": "table", "controller.parity.stripe_dies": 4},
    ],
    ids=["drawn", "bit_true", "units", "parity"],
)
def test_data_come_back_whatever_sensing_level_gave_them(small, fidelity):
    soft = {"ecc.codec": "ldpc", "ecc.codeword_bytes": 2048, "ecc.ldpc_parity_bytes": 128}
    soft |= {"controller.read_retry.policy": "soft", "nand.geometry.page_bytes": 4096, "nand.geometry.spare_bytes": 448}
    worn = {**WORN, **soft, "simulation.data": "stored", "controller.precondition.occupancy": 0}
    simulation = ns.Simulation(small.override({**worn, **fidelity, "simulation.check_protocol": True}))
    for k in range(72):
        simulation.write(8 * k, bytes([k + 1]) * 4096)
    simulation.flush()
    simulation.advance("2d")
    for k in range(72):
        assert simulation.read(8 * k, 4096) == bytes([k + 1]) * 4096
    assert simulation.stats()["controller"]["read_retry"]["sensing_levels"]["levels_3"] > 0


def test_pages_alike_start_where_the_last_one_was_read(small):
    worn = small.override({**WORN, **mixed(100)}).override(
        {"nand.geometry.blocks_per_plane": 12, "controller.mapping.over_provisioning": 1.5}
    )

    def steps(start):
        return statistics(worn.override({"controller.read_retry.start": start}))["controller"]["read_retry"]["steps"]

    assert steps("last_of_block_and_layer") < 0.5 * steps("default_levels")
    assert steps("last_of_block") < 0.5 * steps("default_levels")
    assert steps("last_of_layer") < 0.5 * steps("default_levels")


def test_what_is_remembered_from_before_is_as_good_as_it_is_young(small):
    worn = small.override({**WORN, **mixed(100), "controller.read_retry.start": "last_of_block_and_layer"})

    def steps(share, search="upwards"):
        memory = {"controller.precondition.last_read_share": share, "controller.read_retry.step_order": search}
        return statistics(worn.override(memory))["controller"]["read_retry"]["steps"]

    by_share = [steps(share) for share in (0.05, 0.2, 0.6, 1)]
    assert by_share == sorted(by_share, reverse=True)
    assert by_share[-1] < 0.5
    assert by_share[0] > 5
    # The remembered step is too low, so every second step of an outward search is on the wrong side.
    assert steps(0.2, "outwards") > 1.3 * by_share[1]


@pytest.mark.parametrize("start", ["last_of_block", "last_of_layer", "last_of_block_and_layer"])
def test_what_is_remembered_comes_back_from_a_checkpoint(small, tmp_path, start):
    worn = small.override({**WORN, **mixed(100), "controller.read_retry.start": start})
    saved = ns.Simulation(worn.override({"controller.precondition.last_read_share": 0.2}))
    saved.run_until("1ms")
    saved.checkpoint(tmp_path / "drive.ckpt")
    restored = ns.Simulation.restore(tmp_path / "drive.ckpt")
    for simulation in (saved, restored):
        simulation.run()
    assert restored.stats()["controller"]["read_retry"] == saved.stats()["controller"]["read_retry"]


def test_steps_that_are_too_short_are_taken_again_at_the_default_timing(small, tmp_path):
    table = tmp_path / "too_short.yaml"
    table.write_text("pe_cycles: [3000]\nretention_months: [12]\nprecharge_reduction: [[230]]\n")
    worn = small.override({**WORN, **mixed(100)})
    for keys in (ADAPTIVE, BOTH):
        stats = statistics(worn.override({**keys, KEY + "timing_table": str(table)}))
        retries = stats["controller"]["read_retry"]
        assert retries["fallbacks"] == retries["shortened"] == retries["retried_reads"] == 2000
        assert retries["failed_reads"] == 0
        # All steps with shortened timing fail, and the required steps follow at the default timing.
        assert retries["steps"] > worn["nand.cells.read_levels.retry_steps"]


def test_a_table_is_needed_to_shorten_anything(small):
    with pytest.raises(ns.ConfigError, match=r"timing_table.*profile-rpt"):
        small.override(
            {
                "nand.cells.set": "qlc_3d",
                "nand.coding": "qlc_4434",
                "nand.geometry.pages_per_block": 96,
                **ADAPTIVE,
            }
        )
    with pytest.raises(ns.ConfigError, match="tlc_3d_48"):
        small.override({**ADAPTIVE, KEY + "timing_table": "tlc_3d_84"})
    assert small.override({"controller.read_retry.timing_table": "tlc_3d_84"})


def test_more_sensing_levels_save_steps_of_the_table(small):
    young = {"nand.condition.pe_cycles": 0, "nand.condition.retention_days": 4}
    worn = small.override({**WORN, **mixed(100), **LDPC, **young})
    hard, soft = (
        statistics(worn.override({"controller.read_retry.policy": policy}))["controller"]["read_retry"]
        for policy in ("regular", "soft")
    )
    levels = [soft["sensing_levels"][f"levels_{k}"] for k in range(1, 8)]
    # Each page is first read with one sensing level. Pages that fail are read again.
    assert levels[0] >= 2000
    assert levels == sorted(levels, reverse=True)
    assert sum(levels) == pytest.approx(2000 * (1 + soft["steps"]))
    assert hard["sensing_levels"]["levels_1"] == pytest.approx(2000 * (1 + hard["steps"]))
    assert levels[0] - 2000 < 0.2 * 2000 * hard["steps"]
    assert soft["failed_reads"] == 0


def flow_of(**settings) -> dict:
    return {f"controller.read_retry.{key}": value for key, value in {"policy": "recovery_flow", **settings}.items()}


def test_the_recovery_flow_is_as_fast_as_hard_retries_where_they_succeed(small):
    worn = small.override({**WORN, **mixed(100), **LDPC})
    hard, soft, flow, search = (
        statistics(worn.override(policy))
        for policy in (
            {"controller.read_retry.policy": "regular"},
            {"controller.read_retry.policy": "soft"},
            flow_of(),
            flow_of(hard_retries=0, search_stride=8),
        )
    )
    iops = [stats["host"]["iops"] for stats in (hard, soft, flow, search)]
    assert iops[2] == pytest.approx(iops[0], rel=0.01)
    assert iops[1] < 0.2 * iops[0]
    assert iops[3] > 2 * iops[0]
    stages = flow["controller"]["read_retry"]["stages"]
    assert stages["first_read"]["reads"] == 2000
    assert stages["hard_retry"]["reads"] == pytest.approx(2000 * flow["controller"]["read_retry"]["steps"])
    assert stages["first_read"]["pages"] + stages["hard_retry"]["pages"] == 2000
    assert stages["soft_2bit"]["reads"] == stages["soft_3bit"]["reads"] == 0
    assert search["controller"]["read_retry"]["stages"]["vref_search"]["pages"] > 0


@pytest.mark.parametrize("flow", [{}, {"hard_retries": 0, "search_stride": 4}], ids=["table", "search"])
def test_soft_stages_recover_what_no_hard_step_does(small, flow):
    old = {"nand.cells.set": "tlc_planar_cai", "nand.condition.pe_cycles": 3000, "nand.condition.retention_days": 365}
    worn = small.override({**WORN, **mixed(100), **LDPC, **old})
    hard = statistics(worn)
    staged = statistics(worn.override(flow_of(**flow)))
    assert hard["host"]["read"]["unrecovered"] > 200
    assert staged["host"]["read"]["unrecovered"] < 0.1 * hard["host"]["read"]["unrecovered"]
    stages = staged["controller"]["read_retry"]["stages"]
    assert stages["soft_3bit"]["reads"] == stages["soft_2bit"]["reads"] - stages["soft_2bit"]["pages"]
    levels = staged["controller"]["read_retry"]["sensing_levels"]
    assert levels["levels_3"] == stages["soft_2bit"]["reads"]
    assert sum(stage["pages"] for stage in stages.values()) == 2000 - staged["host"]["read"]["unrecovered"]


@pytest.mark.parametrize("fidelity", ["drawn", "bit_true"])
def test_data_come_back_from_every_stage(small, fidelity):
    """Some of the 72 pages can be read at the default levels. The others need soft reads, since the retry table is
    empty.
    """
    soft = {"ecc.codec": "ldpc", "ecc.codeword_bytes": 4096, "ecc.ldpc_parity_bytes": 256, **flow_of()}
    soft |= {"nand.geometry.page_bytes": 4096, "nand.geometry.spare_bytes": 448}
    soft |= {"nand.cells.read_levels.retry_steps": 0}
    bit_true = {"ecc.decoder": "bit_true", "simulation.cells": "per_cell"}
    worn = {**WORN, **soft, "simulation.data": "stored", "controller.precondition.occupancy": 0}
    worn |= {"nand.condition.pe_cycles": 0, "nand.condition.retention_days": 0}
    worn |= bit_true if fidelity == "bit_true" else {"ecc.decoder": "table"}
    simulation = ns.Simulation(small.override({**worn, "simulation.check_protocol": True}))
    for k in range(72):
        simulation.write(8 * k, bytes([k + 1]) * 4096)
    simulation.flush()
    simulation.advance("35h")
    for k in range(72):
        assert simulation.read(8 * k, 4096) == bytes([k + 1]) * 4096
    pages = {name: stage["pages"] for name, stage in simulation.stats()["controller"]["read_retry"]["stages"].items()}
    assert min(pages["first_read"], pages["soft_2bit"], pages["soft_3bit"]) > 0
    assert sum(pages.values()) == 72


@pytest.mark.parametrize("ecc", [{}, {"ecc.codec": "ldpc"}, {"ecc.decoder": "table"}])
def test_soft_reads_need_a_soft_decoder(small, ecc):
    with pytest.raises(ns.ConfigError, match=r"read_retry\.policy.*ecc\.codec to ldpc.*table"):
        small.override({"controller.read_retry.policy": "soft", **ecc})


def test_suspended_programs_survive_needless_retry_steps(small):
    worn = small.override({**WORN, **mixed(50, queue_depth=32), **BOTH})
    stats = statistics(worn)
    assert stats["controller"]["scheduler"]["suspends"] > 50
    assert stats["controller"]["scheduler"]["resets"] < stats["controller"]["read_retry"]["needless_steps"]
    assert stats["nand"]["failures"] == 0
    assert stats["controller"]["failed_programs"] == 0


@pytest.mark.parametrize("retry", [PIPELINED, BOTH], ids=["pipelined", "both"])
@pytest.mark.parametrize("t_read_us", range(4, 80, 4))
def test_the_last_step_may_end_while_the_next_one_moves_out(small, retry, t_read_us):
    """Tests many ratios of the sensing time to the times for transferring and decoding a page."""
    worn = small.override({**WORN, **mixed(60)}).override(
        {
            **retry,
            "nand.timing.read": "per_page_type",
            "nand.timing.t_read_us": [t_read_us] * 3,
        }
    )
    stats = statistics(worn)["controller"]["read_retry"]
    assert stats["steps"] > 1
    assert stats["failed_reads"] == 0

# SPDX-License-Identifier: Apache-2.0
"""Tests of fullpages over the layers of a whole drive: their placement, their gains, the data, and refused
configurations.
"""

from __future__ import annotations

import pytest

import nandscape as ns

# Each plane has 16 groups of four blocks. Pages of the worst layers need two or more sensing levels.
FPA = {
    "controller.mapping.unit_bytes": 4096,
    "controller.mapping.over_provisioning": 1.2,
    "controller.fullpages.allocation": "fpa",
    # the quarters for the subpages L1 to L4; in this cell set, quarter 3 is the strongest
    "controller.fullpages.layer_groups": [2, 1, 3, 0],
    "controller.fullpages.wait_ms": 20,
    "controller.subpages.reads": "srs",
    "controller.precondition.order": "sequential",
    "controller.precondition.invalid_page_ratio": 0,
    "controller.precondition.occupancy": 1,
    "controller.fullpages.precondition_percent": 100,
    "controller.read_retry.policy": "soft",
    "ecc.codec": "ldpc",
    "ecc.decoder": "table",
    "ecc.codeword_bytes": 4096,
    "nand.geometry.first_layer": "by_block",
    "nand.geometry.blocks_per_plane": 64,
    "nand.geometry.pages_per_block": 48,
    "nand.geometry.spare_bytes": 2208,
    "nand.cells.set": "tlc_3d_48",
    "nand.condition.retention_days": 2,
    "simulation.cells": "statistical",
    "simulation.check_protocol": True,
}
IN_ONE_PAGE = {"controller.fullpages.allocation": "in_one_page"}


def load(kind: dict) -> dict:
    return {"host.workload": [ns.synthetic(**({"requests": 2000, "queue_depth": 32} | kind))]}


def run(config: ns.Config, changes: dict | None = None) -> dict:
    stats = ns.run(config.override(changes or {})).stats
    assert stats["host"]["all"]["errors"] == 0
    return stats


FULLPAGES = {"block_bytes": 16384, "alignment_bytes": 16384, "read_percent": 100}
SUBPAGES = {"block_bytes": 4096, "read_percent": 100}


@pytest.fixture
def drive(small):
    return small.override(FPA)


def test_a_fullpage_of_four_layers_is_read_in_one_operation(drive):
    # Data without retention age are decoded at the first read.
    config = drive.override({"nand.condition.retention_days": 0}).override(load(FULLPAGES | {"queue_depth": 1}))
    spread, whole = run(config), run(config, IN_ONE_PAGE)
    scheduler = spread["controller"]["scheduler"]
    # The last fullpages of each plane do not fill a block. Each of them is stored in one page and not over four layers.
    assert scheduler["multi_location_operations"] == pytest.approx(2000, rel=0.05)
    assert scheduler["locations_per_operation"] == pytest.approx(4, rel=0.03)
    assert spread["controller"]["fullpages"]["lone_reads"] == 0
    assert whole["controller"]["scheduler"]["locations_per_operation"] == 1
    for stats in (spread, whole):
        assert stats["controller"]["scheduler"]["subpages_per_operation"] == 4
    mean = {name: stats["host"]["read"]["latency_us"]["mean"] for name, stats in (("fpa", spread), ("one", whole))}
    assert mean["fpa"] == pytest.approx(mean["one"], rel=0.02)


def test_a_weak_subpage_alone_takes_another_page_along(drive):
    config = drive.override(load(SUBPAGES))
    stats = run(config)["controller"]
    # One of the four subpages of a fullpage borrows parity, so a quarter of the reads need another page. The last
    # fullpages of a plane do not fill a block, and each of them is stored in one page.
    assert stats["fullpages"]["lone_reads"] == pytest.approx(2000 / 4, rel=0.2)
    operations = stats["scheduler"]
    read = operations["multi_location_operations"] * operations["locations_per_operation"]
    assert read == pytest.approx(
        2000 + stats["fullpages"]["lone_reads"] + stats["read_retry"]["steps"] * 2000, rel=1e-6
    )


def test_the_subpage_beside_it_is_that_page(drive):
    simulation = ns.Simulation(drive)

    def lone_reads(subpage: int, subpages: int) -> int:
        before = simulation.stats()["controller"]["fullpages"]["lone_reads"]
        for fullpage in range(20):
            simulation.read(8 * (4 * fullpage + subpage), 4096 * subpages)
        return simulation.stats()["controller"]["fullpages"]["lone_reads"] - before

    assert [lone_reads(subpage, 1) for subpage in range(4)] == [0, 0, 0, 20]
    assert lone_reads(2, 2) == 0
    assert lone_reads(0, 4) == 0
    assert lone_reads(3, 2) == 20


def test_weak_codewords_take_fewer_levels_with_borrowed_parity(drive):
    # The queue depth is 1, so that no read is combined with another one that needs more sensing levels. At this age,
    # few reads need all levels.
    config = drive.override(load(SUBPAGES | {"queue_depth": 1}) | {"nand.condition.retention_days": 4})
    borrowing = run(config, {"controller.fullpages.borrowed_parity_bytes": 64})
    steps = [stats["controller"]["read_retry"]["steps"] for stats in (borrowing, run(config, IN_ONE_PAGE))]
    assert steps[0] < 0.95 * steps[1]


def test_borrowed_parity_corrects_more_and_lent_parity_less(drive):
    # All layers have the same error rate. It is lower than a codeword with borrowed parity can correct, and higher than
    # a codeword with lent parity can correct.
    cells = {"set": "nie_2020", "variation.layer_width": 0, "variation.width_sigma": 0}
    steps = {"decoder": "steps", "step_error_rates": [0.008, 0.1], "parity_gain": 4}
    config = drive.override({f"nand.cells.{key}": value for key, value in cells.items()} | {"nand.coding": "tlc_232"})
    config = config.override({f"ecc.{key}": value for key, value in steps.items()} | load(SUBPAGES))

    def mean_steps(changes: dict) -> float:
        return run(config, changes)["controller"]["read_retry"]["steps"]

    weak = {"ecc.step_error_rates": [0.002, 0.1]}
    once_each = mean_steps(weak | {"ecc.parity_gain": 1})
    assert mean_steps(weak) / once_each == pytest.approx(3 / 4, rel=0.05), "a subpage in four borrows what it needs"
    assert mean_steps({}) / once_each == pytest.approx(1 / 4, rel=0.15), "a subpage in four lends what it needs"
    assert mean_steps({"ecc.parity_gain": 1}) == 0
    assert mean_steps(IN_ONE_PAGE) == 0


def test_the_subpages_of_fullpages_gather_until_wordlines_are_full(drive):
    writes = FULLPAGES | {"read_percent": 0, "queue_depth": 128}
    stats = run(drive.override(load(writes)))["controller"]
    fullpages = stats["fullpages"]
    assert fullpages["written"] % 12 == 0
    # The number is less than 2000 if pages were overwritten in the buffer before they reached the flash.
    assert 1950 < fullpages["written"] + fullpages["in_one_page"] <= 2000
    assert fullpages["written"] > 1000
    assert stats["gc"]["moved_units"] == 0
    assert stats["write_amplification"] < 1.03


def test_fullpages_are_written_by_multi_plane_programs(drive):
    writes = load(FULLPAGES | {"read_percent": 0, "queue_depth": 256})
    results = {}
    for multi_plane in (True, False):
        stats = run(drive.override(writes | {"controller.scheduler.multi_plane": multi_plane}))
        results[multi_plane] = stats["controller"]["scheduler"]["planes_per_operation"]
        assert stats["controller"]["fullpages"]["written"] > 1500
    assert results[False] == 1
    assert results[True] > 1.8


def test_small_writes_go_to_pages_of_their_own(drive):
    stats = run(drive.override(load({"block_bytes": 4096, "read_percent": 0, "pattern": "uniform"})))["controller"]
    assert stats["fullpages"]["written"] == 0


@pytest.mark.parametrize("mode", ["soml", "srs"])
@pytest.mark.parametrize(
    "retry",
    [
        {"policy": "none"},
        {"policy": "regular"},
        {"policy": "soft"},
        {"policy": "regular", "pipelined": True, "adaptive": True},
    ],
    ids=["none", "regular", "soft", "locked"],
)
def test_collection_programs_and_failures_go_on_beside_them(drive, mode, retry):
    config = drive.override(
        {
            "controller.subpages.reads": mode,
            "nand.cells.failures.program_failure": 1e-3,
            "controller.mapping.over_provisioning": 0.9,
            "nand.geometry.pages_per_block": 24,
            **{f"controller.read_retry.{key}": value for key, value in retry.items()},
        }
    ).override(load(FULLPAGES | {"read_percent": 30, "requests": 10_000, "queue_depth": 256}))
    stats = run(config)["controller"]
    assert stats["gc"]["victims"] > 0
    assert stats["fullpages"]["written"] > 0


@pytest.mark.parametrize("protection", ["capacitor", "none"])
def test_what_was_written_is_there_after_a_power_cut(drive, protection):
    config = drive.override(
        {
            "simulation.data": "stored",
            "controller.power_loss.protection": protection,
            "controller.precondition.occupancy": 0,
            "host.workload": [],
        }
    )
    simulation = ns.Simulation(config)
    pages = {piece: bytes([piece]) * 16384 for piece in range(1, 130)}
    for piece, data in pages.items():
        simulation.start_write(32 * piece, data)
    simulation.wait_all()
    simulation.flush()
    assert simulation.stats()["controller"]["fullpages"]["written"] > 0
    # These pages are not flushed, so the power cut may lose them. Some of them are being written at that time.
    for piece in range(130, 230):
        simulation.start_write(32 * piece, bytes([piece]) * 16384)
    simulation.run_until("1ms")
    simulation.power_cut()
    simulation.power_on()
    for piece, data in pages.items():
        assert simulation.read(32 * piece, 16384) == data
    for piece in range(130, 230):
        sectors = simulation.read(32 * piece, 16384)
        assert set(sectors) <= {0, piece}


def test_a_drive_that_is_read_back_knows_its_fullpages(drive, tmp_path):
    simulation = ns.Simulation(drive.override({"simulation.data": "stored", "host.workload": []}))
    for piece in range(130):
        simulation.start_write(32 * piece, bytes([piece]) * 16384)
    simulation.wait_all()
    simulation.checkpoint(tmp_path / "drive.ckpt")
    again = ns.Simulation.restore(tmp_path / "drive.ckpt")

    def lone_reads(of: ns.Simulation) -> int:
        before = of.stats()["controller"]["fullpages"]["lone_reads"]
        for piece in range(130):
            assert of.read(32 * piece + 24, 4096) == bytes([piece]) * 4096
        return of.stats()["controller"]["fullpages"]["lone_reads"] - before

    assert lone_reads(again) == lone_reads(simulation) > 50


REFUSED = [
    ({"controller.subpages.reads": "none"}, r"subpages\.reads"),
    ({"controller.mapping.unit_bytes": 8192}, "unit_bytes to 4096"),
    ({"nand.geometry.first_layer": "lowest"}, "first_layer"),
    ({"nand.geometry.pages_per_block": 50}, "pages_per_block a multiple of 12"),
    ({"nand.geometry.blocks_per_plane": 62}, "blocks_per_plane"),
    ({"ecc.decoder": "threshold", "controller.read_retry.policy": "regular"}, "ecc.decoder to table or steps"),
    ({"ecc.decoder": "steps", "ecc.step_error_rates": [0.02, 0.01]}, "none lower than the one before"),
    ({"ecc.decoder": "steps", "ecc.step_error_rates": []}, "one for each number of sensing levels"),
    ({"ecc.decoder": "steps", "ecc.decode_time": "iterations"}, "counts no iterations"),
    ({"controller.fullpages.borrowed_parity_bytes": 512}, "leaves the lending codeword"),
    ({"controller.fullpages.borrowed_parity_bytes": 96}, "no table comes with nandscape for ldpc_4096_416"),
    ({"controller.parity.stripe_dies": 2}, "choose one of them"),
    ({"controller.garbage_collection.copyback": True}, "leave it off"),
    ({"controller.fullpages.layer_groups": [0, 1, 2]}, "each quarter of the layers once"),
    ({"controller.fullpages.layer_groups": [0, 1, 2, 2]}, "each quarter of the layers once"),
    ({"controller.precondition.order": "random"}, "precondition_percent"),
]


@pytest.mark.parametrize(("change", "complaint"), REFUSED, ids=lambda v: v if isinstance(v, str) else "")
def test_unsupported_settings_are_refused_with_the_right_ones(drive, change, complaint):
    with pytest.raises(ns.ConfigError, match=complaint):
        drive.override(change)

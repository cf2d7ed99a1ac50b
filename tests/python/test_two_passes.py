# SPDX-License-Identifier: Apache-2.0
"""Tests of drives whose wordlines are programmed in two passes: write rate, memory, flushes and reads."""

import pytest

import nandscape as ns

BITS, PAGE, PLANES = 4, 16384, 4
FIRST_US, SECOND_US, LOAD_US, BLOCK = 2000.0, 4000.0, 3.0, 131072
QLC = {
    "channel.count": 1,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": PLANES,
    "nand.geometry.blocks_per_plane": 64,
    "nand.geometry.pages_per_block": 96,
    "nand.coding": "qlc_4434",
    "nand.timing.program_unit": "wordline",
    "nand.timing.t_load_us": LOAD_US,
    "nand.timing.t_prog_us": SECOND_US,
    "controller.mapping.layout": "superpage",
    "controller.mapping.over_provisioning": 0.5,
    "controller.precondition.occupancy": 0.0,
    "controller.cache.policy": "none",
}
TWO_PASSES = {"nand.timing.program_passes": 2, "nand.timing.t_prog_first_us": FIRST_US}
WRITES = ns.synthetic(read_percent=0, block_bytes=BLOCK, pattern="sequential", queue_depth=64, requests=1000)


def wordline_us(drive, passes):
    """Returns the time that a stream needs for a wordline of all planes: in each pass, the transfers of all pages, the
    loads of all but the last, and tPROG."""
    bus_us = PAGE / drive["channel.rate_mt_s"]  # MT/s of one byte
    transfers = passes * BITS * PLANES * bus_us
    loads = passes * (BITS - 1) * LOAD_US
    return transfers + loads + SECOND_US + (passes - 1) * FIRST_US


@pytest.mark.parametrize("passes", [1, 2])
def test_the_write_rate_is_that_of_both_passes_with_their_transfers(passes):
    drive = ns.load("bare", QLC | (TWO_PASSES if passes == 2 else {}))
    result = ns.run(drive, workload=WRITES)
    by_hand = BITS * PLANES * PAGE / wordline_us(drive, passes)  # MB/s
    measured = 1.048576 * result.stats["host"]["bandwidth_mib_s"]
    assert measured == pytest.approx(by_hand, rel=0.03)
    limits = ns.ceilings(drive.override({"nand.timing.t_bers_us": 0.001}), workload=WRITES, write_amplification=1)
    assert measured == pytest.approx(1e-6 * BLOCK * limits.bound("sequential_write"), rel=0.02)


def test_pages_of_two_wordlines_are_held_and_all_pages_are_sent_again():
    """Before the second pass of a wordline begins, it and the next one are held, on all planes."""
    stats = ns.run(ns.load("bare", QLC | TWO_PASSES), workload=WRITES).stats["controller"]
    assert stats["second_passes"]["most_held_pages"] == 2 * BITS * PLANES
    assert stats["second_passes"]["pages"] == pytest.approx(stats["programmed_pages"], abs=2 * BITS * PLANES)


@pytest.mark.parametrize("passes", [1, 2])
def test_a_flush_costs_the_rest_of_the_wordline_and_the_first_pass_of_the_next_one(passes):
    volatile = {"controller.power_loss.protection": "none"}
    simulation = ns.Simulation(ns.load("bare", QLC | volatile | (TWO_PASSES if passes == 2 else {})))
    simulation.write(0, bytes(PAGE))
    simulation.flush()
    padding = simulation.stats()["controller"]["padding_pages"]
    assert padding == passes * BITS - 1
    assert simulation.last_latency_us == pytest.approx(
        SECOND_US if passes == 1 else 2 * FIRST_US + SECOND_US, rel=0.08
    )  # fmt: skip


def test_data_are_read_before_and_after_the_second_pass():
    cells = {"simulation.data": "stored", "simulation.cells": "statistical", "nand.cells.set": "qlc_3d"}
    simulation = ns.Simulation(ns.load("bare", QLC | TWO_PASSES | cells))
    pages = [bytes([k + 1]) * PAGE for k in range(3 * BITS * PLANES)]
    for k, page in enumerate(pages):
        simulation.write(k * PAGE // 512, page)
        assert simulation.read(0, PAGE) == pages[0]
        assert simulation.read(k * PAGE // 512, PAGE) == page
    # The pages of two wordlines are read from memory, and take no time at the flash.
    simulation.read((len(pages) - 1) * PAGE // 512, PAGE)
    assert simulation.last_latency_us < 30
    simulation.flush()
    for k, page in enumerate(pages):
        assert simulation.read(k * PAGE // 512, PAGE) == page


@pytest.mark.parametrize("protection", ["none", "capacitor"])
def test_a_power_cut_keeps_what_is_promised(protection):
    simulation = ns.Simulation(
        ns.load(
            "bare", QLC | TWO_PASSES | {"simulation.data": "stored", "controller.power_loss.protection": protection}
        )
    )
    old, new = bytes([1]) * PAGE, bytes([2]) * PAGE
    for k in range(2 * BITS * PLANES):
        simulation.write(k * PAGE // 512, old)
    simulation.flush()
    for k in range(BITS * PLANES):
        simulation.write(k * PAGE // 512, new)
    simulation.power_cut()
    simulation.power_on()
    kept = new if protection == "capacitor" else old
    for k in range(BITS * PLANES):
        assert simulation.read(k * PAGE // 512, PAGE) == kept


def test_a_trim_outlives_a_power_cut_although_the_journal_is_written_in_two_passes():
    keys = {"simulation.data": "stored", "controller.power_loss.protection": "none"}
    simulation = ns.Simulation(ns.load("bare", QLC | TWO_PASSES | keys))
    for k in range(BITS):
        simulation.write(k * PAGE // 512, bytes([1]) * PAGE)
    simulation.trim(0, PAGE // 512)
    simulation.flush()
    # A wordline of records, and the first pass of the next one.
    assert simulation.stats()["controller"]["recovery"]["journal_pages"] == 2 * BITS
    simulation.power_cut()
    simulation.power_on()
    assert simulation.read(0, PAGE) == bytes(PAGE)
    assert simulation.read(PAGE // 512, PAGE) == bytes([1]) * PAGE

# SPDX-License-Identifier: Apache-2.0
"""Tests of drives with an SLC cache from Python: single requests, pauses, and the blocks of the cache."""

import math

import numpy as np
import pytest

import nandscape as ns
from nandscape.blocks import CELL_MODES

STATIC_PERCENT, IDLE_MS, BLOCK = 15, 20, 131072
CACHED = {
    "nand.geometry.blocks_per_plane": 96,
    "nand.geometry.pages_per_block": 96,
    "controller.mapping.layout": "superpage",
    "controller.mapping.over_provisioning": 0.35,
    "controller.precondition.occupancy": 0.0,
    "controller.cache.policy": "none",
    "controller.slc_cache.static_percent": STATIC_PERCENT,
    "controller.slc_cache.fold_idle_ms": IDLE_MS,
}
PLANES, BITS, PAGE = 32, 3, 16384


def cached_units(simulation):
    return simulation.stats()["controller"]["slc_cache"]["cached_units"]


@pytest.mark.parametrize("protection", ["none", "capacitor"])
def test_a_forced_write_and_its_read_take_one_program_and_one_sense(protection):
    """A page in SLC mode is a wordline of its own, so it needs no padding to be durable."""
    drive = ns.load("bare", CACHED | {"controller.power_loss.protection": protection})
    simulation = ns.Simulation(drive)
    latency = simulation.write(0, bytes(PAGE), fua=True)
    assert latency == pytest.approx(drive["nand.timing.t_prog_slc_us"], abs=30)
    assert simulation.stats()["controller"]["padding_pages"] == 0
    simulation.read(0, PAGE)
    sense_us = sum(drive[f"nand.timing.{phase}"] for phase in ("t_pre_us", "t_eval_us", "t_disch_us"))
    assert simulation.last_latency_us == pytest.approx(sense_us + drive["ecc.t_decode_us"], abs=30)


def test_a_pause_gives_back_as_much_of_the_cache_as_is_folded_in_it():
    """A page of the cache is folded in the time of a program in native mode, of a read in SLC mode and of its share of
    an erase. The cache is known to the superblock, of which it has 15."""
    drive = ns.load("bare", CACHED)
    fresh = drive.override({
        "nand.timing.t_bers_us": 0.001, "host.workload": [ns.synthetic(read_percent=0, block_bytes=PAGE)],
    })  # fmt: skip
    plain, cached = (ns.ceilings(fresh, write_amplification=1, cached=cached) for cached in (False, True))
    page_s = 1 / plain.bound("sequential_write") + 1 / cached.iops["dies"]["sequential_read"]
    superblock = drive["nand.geometry.pages_per_block"] // BITS * PLANES
    fold_s = superblock * page_s + 1e-6 * drive["nand.timing.t_bers_us"]
    superblocks = math.ceil(STATIC_PERCENT / 100 * drive["nand.geometry.blocks_per_plane"])
    pauses = [0.3 * superblocks * fold_s, 0.7 * superblocks * fold_s, 1.5 * superblocks * fold_s]

    async def write_and_pause(host, clock, simulation):
        taken, lba = [], 0
        for pause in [0.0, *pauses]:
            await clock.delay(s=pause)
            before = cached_units(simulation)
            for _ in range(superblocks * superblock * PAGE // BLOCK // 64 + 1):
                for write in [host.write(lba + k * BLOCK // 512, bytes(BLOCK)) for k in range(64)]:
                    await write
                lba += 64 * BLOCK // 512
            taken.append((cached_units(simulation) - before) / superblock)
        return taken

    (taken,) = ns.Simulation(drive).play(write_and_pause)
    assert taken[0] == pytest.approx(superblocks, abs=0.3)
    for pause, got in zip(pauses, taken[1:], strict=True):
        expected = min(superblocks, (pause - 1e-3 * IDLE_MS) / fold_s)
        assert got == pytest.approx(expected, abs=1.1)


def test_blocks_tell_their_mode_and_their_erases_in_it():
    drive = ns.load("bare", CACHED | {"controller.slc_cache.when_full": "fold", "controller.slc_cache.fold_idle_ms": 0})
    filled = ns.synthetic(read_percent=0, block_bytes=BLOCK, pattern="sequential", queue_depth=32, requests=8000)
    simulation = ns.Simulation(drive.override({"host.workload": [filled]}))
    simulation.run()
    blocks = simulation.blocks()
    slc = blocks.cells == CELL_MODES.index("slc")
    statistics = simulation.stats()["controller"]
    assert np.count_nonzero(slc) == statistics["slc_cache"]["blocks"] > 0
    assert blocks.valid_units[slc].sum() == statistics["slc_cache"]["valid_units"]
    assert (blocks.units[slc] * BITS == blocks.units.max()).all()
    assert blocks.slc_erases.sum() == statistics["gc"]["folded_blocks"] > 0
    assert (blocks.slc_erases <= blocks.erases).all()

# SPDX-License-Identifier: Apache-2.0
"""Tests of drives with an SLC cache from Python: single requests, pauses, folds, and the blocks of the cache."""

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


FOLD_BY = "controller.slc_cache.fold_by"
ONE_PLANE = CACHED | {
    "channel.count": 1,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 1,
    "nand.geometry.blocks_per_plane": 48,
    "nand.geometry.pages_per_block": 144,  # so that the pages of a block of the cache fill whole wordlines
    "controller.mapping.layout": "plane",
    "controller.mapping.over_provisioning": 0.6,
}


def fold(drive):
    """Fills the static cache, pauses until it has been folded, and returns the time for each page of a plane in
    microseconds, with the statistics of the controller."""
    shape = drive["nand.geometry"]
    planes = drive["channel.count"] * shape["chips_per_channel"] * shape["dies_per_chip"] * shape["planes_per_die"]
    of_plane = math.ceil(STATIC_PERCENT / 100 * shape["blocks_per_plane"]) * shape["pages_per_block"] // BITS

    async def fill_and_pause(host, clock, simulation):
        for first in range(0, of_plane * planes, 32):
            for write in [host.write(k * PAGE // 512, bytes(PAGE)) for k in range(first, first + 32)]:
                await write
        cache = simulation.stats()["controller"]["slc_cache"]
        assert cache["valid_units"] == of_plane * planes
        ends = []
        for left in (cache["blocks"] - planes, 0):
            while simulation.stats()["controller"]["slc_cache"]["blocks"] > left:
                await clock.delay(us=100)
            ends.append(simulation.now_us)
        return (ends[1] - ends[0]) / (of_plane - shape["pages_per_block"] // BITS)

    simulation = ns.Simulation(drive)
    (page_us,) = simulation.play(fill_and_pause)
    return page_us, simulation.stats()["controller"]


def sense_us(timing):
    return sum(timing[f"{phase}_us"] for phase in ("t_pre", "t_eval", "t_disch"))


def array_us(drive):
    """Returns the time that the arrays need to fold a page of each plane: a sense, the mean program of a wordline, and
    the share of the page in an erase."""
    timing = drive["nand.timing"]
    program = timing["t_prog_us"]
    if timing["program_unit"] == "wordline":
        program = (program + (BITS - 1) * timing["t_load_us"]) / BITS
    return sense_us(timing) + program + timing["t_bers_us"] / (drive["nand.geometry.pages_per_block"] // BITS)


@pytest.mark.parametrize("program_unit", ["page", "wordline"])
@pytest.mark.parametrize("planes", [1, 4])
def test_a_direct_fold_takes_the_time_of_its_array_operations(program_unit, planes):
    """The planes of a die fold together after sequential writes. Only the first page of a block goes alone, on the
    plane that begins first."""
    drive = ns.load("bare", ONE_PLANE | {
        FOLD_BY: "copyback",
        "nand.timing.program_unit": program_unit,
        "nand.geometry.planes_per_die": planes,
        "nand.timing.t_bers_us": 5000 if planes == 1 else 1,
    })  # fmt: skip
    timing, pages = drive["nand.timing"], drive["nand.geometry.pages_per_block"] // BITS
    alone_us = sense_us(timing) + (timing["t_prog_us"] if program_unit == "page" else timing["t_load_us"])
    expected_us = array_us(drive) + (alone_us / pages if planes > 1 else 0)
    page_us, statistics = fold(drive)
    assert statistics["scheduler"]["copybacks"] == statistics["gc"]["moved_units"] > 0
    assert page_us == pytest.approx(expected_us, rel=0.03)


def test_a_block_stays_until_the_wordline_of_its_last_copies_is_complete():
    """Its pages do not fill whole wordlines. The next block completes the last one, except after the last block."""
    drive = ns.load("bare", ONE_PLANE | {FOLD_BY: "copyback", "nand.geometry.pages_per_block": 96})
    blocks = math.ceil(STATIC_PERCENT / 100 * drive["nand.geometry.blocks_per_plane"])
    pages = blocks * 96 // BITS
    assert pages % BITS != 0

    async def fill_and_pause(host, clock, simulation):
        for write in [host.write(k * PAGE // 512, bytes(PAGE)) for k in range(pages)]:
            await write
        await clock.delay(s=2)
        return simulation.stats()["controller"]["slc_cache"]

    (cache,) = ns.Simulation(drive).play(fill_and_pause)
    assert (cache["blocks"], cache["valid_units"]) == (1, 0)


def test_direct_folds_of_many_dies_do_not_wait_for_their_channel():
    """Through the controller, each page crosses the channel twice."""
    drive = ns.load("bare", ONE_PLANE | {
        "nand.geometry.dies_per_chip": 8,
        "nand.timing.program_unit": "wordline",
        "nand.timing.t_bers_us": 1,
        "channel.rate_mt_s": 400,
    })  # fmt: skip
    shape = drive["nand.geometry"]
    transfer_us = (shape["page_bytes"] + shape["spare_bytes"]) / drive["channel.rate_mt_s"]
    through_controller, _ = fold(drive)
    direct, statistics = fold(drive.override({FOLD_BY: "copyback"}))
    assert through_controller == pytest.approx(2 * 8 * transfer_us, rel=0.03)
    assert direct == pytest.approx(array_us(drive), rel=0.03)
    assert statistics["scheduler"]["copybacks"] == statistics["gc"]["moved_units"]


WORN = ONE_PLANE | {
    "nand.geometry.page_bytes": 4096,
    "nand.geometry.spare_bytes": 544,
    "nand.condition.pe_cycles": 3000,
    "simulation.cells": "statistical",
    "controller.slc_cache.fold_idle_ms": 0,
    "controller.slc_cache.when_full": "fold",
}


def read_after_fold(keys, kept="0h"):
    """Fills the cache, keeps the data there for some time, writes as much again, which folds it, and reads the data.
    Returns the bits that were corrected during the fold and during the reads, the reads that failed, and the pages that
    were copied."""
    drive = ns.load("bare", WORN | keys)
    simulation = ns.Simulation(drive)
    shape = drive["nand.geometry"]
    size = shape["page_bytes"]
    pages = math.ceil(STATIC_PERCENT / 100 * shape["blocks_per_plane"]) * shape["pages_per_block"] // BITS
    corrected, failed = [], 0
    for first in (0, pages):
        for k in range(first, first + pages):
            simulation.write(k * size // 512, bytes(size))
        simulation.flush()
        corrected.append(simulation.stats()["ecc"]["corrected_bits"])
        if first == 0:
            simulation.advance(kept)
    assert simulation.stats()["controller"]["gc"]["moved_units"] == pages
    for k in range(pages):
        try:
            simulation.read(k * size // 512, size)
        except ns.RequestError:
            failed += 1
    statistics = simulation.stats()
    corrected.append(statistics["ecc"]["corrected_bits"])
    return *np.diff(corrected), failed, statistics["controller"]["scheduler"]["copybacks"]


@pytest.mark.parametrize("fidelity", [
    {}, {"simulation.data": "stored"}, {"simulation.data": "stored", "ecc.decoder": "bit_true"},
    {"simulation.cells": "per_cell"},
])  # fmt: skip
def test_a_direct_fold_keeps_the_errors_of_the_cache(fidelity):
    """Errors of the read in SLC mode, which the controller would have corrected, add to those of the native cells."""
    in_cache, native, _, _ = read_after_fold(fidelity)
    during, after, failed, copies = read_after_fold(fidelity | {FOLD_BY: "copyback"})
    assert (during, failed) == (0, 0)
    assert copies > 0
    deviation = math.sqrt(2 * (in_cache + native))
    assert in_cache > 10 * deviation
    assert after == pytest.approx(in_cache + native, abs=4 * deviation)


def test_aged_data_are_folded_through_the_controller():
    """After a year, the cells in SLC mode can only be read with retries. A copy has none, so its data would be lost."""
    direct = {FOLD_BY: "copyback"}
    *_, failed, copies = read_after_fold(direct, kept="1y")
    assert (failed, copies) == (0, 0)
    *_, failed, copies = read_after_fold(direct | {"controller.slc_cache.copyback_hours": 1e6}, kept="1y")
    assert failed == copies > 0

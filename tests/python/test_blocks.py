# SPDX-License-Identifier: Apache-2.0
"""The view of all blocks of a drive."""

import dataclasses
import os

import numpy as np
import pytest

import nandscape as ns
from conftest import simulated
from nandscape.blocks import BLOCK_STATES

PLANES, BLOCKS_PER_PLANE, PAGES_PER_BLOCK = 4, 16, 24
BLOCKS = PLANES * BLOCKS_PER_PLANE
UNIT = 16384  # a mapping unit of this drive is a flash page
DRIVE = {
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": BLOCKS_PER_PLANE,
    "nand.geometry.pages_per_block": PAGES_PER_BLOCK,
    "controller.mapping.over_provisioning": 0.6,
    "controller.garbage_collection.start_free_blocks": 2,
    "controller.mapping.unit_bytes": UNIT,
}


def drive(**changes):
    return ns.Simulation(ns.load("bare", DRIVE | changes))


def write(simulation, units):
    """Writes the units in this order, and lets the drive come to rest."""
    for k, unit in enumerate(units):
        simulation.start_write(lba=int(unit) * UNIT // 512, data=bytes(UNIT))
        if k % 32 == 31:
            simulation.wait_all()
    simulation.flush()
    simulation.run_until(f"{simulation.now_us + 1e6:.0f}us")


def check_equal(ours, theirs):
    for column in dataclasses.fields(ns.Blocks):
        np.testing.assert_array_equal(getattr(ours, column.name), getattr(theirs, column.name), column.name)


def mapped(simulation):
    return simulation.capacity_bytes // UNIT


def test_a_new_drive():
    blocks = drive(**{"controller.precondition.occupancy": 0, "nand.condition.pe_cycles": 70}).blocks()
    assert len(blocks) == BLOCKS
    assert blocks.superblock.tolist() == list(range(BLOCKS))
    assert blocks.plane.tolist() == [plane for plane in range(PLANES) for _ in range(BLOCKS_PER_PLANE)]
    assert (blocks.die == blocks.plane // 2).all()
    assert (blocks.channel == blocks.die).all()
    assert (blocks.cycles == 70).all()
    assert not blocks.erases.any()
    assert not blocks.valid_units.any()
    assert not blocks.programmed_pages[~blocks.in_state("journal")].any()
    assert (blocks.units == PAGES_PER_BLOCK).all()
    assert np.isnan(blocks.age_hours).all()
    assert np.isnan(blocks.reads).all()
    assert (blocks.in_state("free") | blocks.in_state("journal")).all()


def test_overwriting_in_order_erases_each_block_once_per_pass():
    simulation = drive(**{"controller.garbage_collection.policy": "fifo", "controller.precondition.occupancy": 0})
    pages = BLOCKS * PAGES_PER_BLOCK
    in_order = np.arange(4 * pages) % mapped(simulation)
    write(simulation, in_order[: 2 * pages])
    before, programmed = simulation.blocks(), simulation.stats("all")["controller"]["programmed_pages"]
    write(simulation, in_order[2 * pages :])
    after, stats = simulation.blocks(), simulation.stats("all")
    assert stats["controller"]["programmed_pages"] - programmed == 2 * pages  # a write amplification of 1
    assert (after.erases - before.erases == 2).all()
    assert after.valid_units.sum() == mapped(simulation)
    # Data that are written in order become invalid in order, so only the oldest block in use of a plane is in part
    # valid; the block being written is the other one that is not whole.
    partly = (after.valid_units > 0) & (after.valid_units < PAGES_PER_BLOCK)
    for plane in range(PLANES):
        assert (partly & (after.plane == plane)).sum() <= 2
    assert (after.programmed_pages[after.in_state("full")] == PAGES_PER_BLOCK).all()


def test_overwriting_at_random_keeps_the_sum_of_valid_units():
    simulation = drive()
    write(simulation, np.random.default_rng(1).integers(mapped(simulation), size=4000))
    blocks = simulation.blocks()
    assert blocks.valid_units.sum() == mapped(simulation)
    assert (blocks.valid_units <= blocks.programmed_pages).all()
    assert not blocks.valid_units[blocks.in_state("free")].any()
    counts, _ = np.histogram(blocks.cycles, bins=10)
    assert counts.sum() == BLOCKS
    stats = simulation.stats("all")
    wear, erases = stats["controller"]["wear"], stats["nand"]["block_erases"]
    assert blocks.erases.sum() == erases > 0
    assert (wear["least_cycles"], wear["most_cycles"]) == (blocks.cycles.min(), blocks.cycles.max())
    assert wear["mean_cycles"] == pytest.approx(blocks.cycles.mean())


def test_the_view_is_exact_at_any_instant_and_changes_nothing():
    workload = ns.synthetic(read_percent=50, block_bytes=UNIT, queue_depth=16, requests=20_000)
    config = ns.load("bare", DRIVE | {"host.workload": [workload]})
    watched, unwatched = ns.Simulation(config), ns.Simulation(config)
    sums = []
    watched.run(lambda *_: sums.append(watched.blocks().valid_units.sum()))
    for step in range(1, 20):
        watched.run_until(f"{watched.now_us + step:.0f}us")
        watched.blocks()
    unwatched.run()
    unwatched.run_until(f"{watched.now_us:.3f}us")
    assert sums
    assert set(sums) == {mapped(watched)}
    assert simulated(watched.stats()) == simulated(unwatched.stats())
    check_equal(watched.blocks(), unwatched.blocks())


def test_wear_and_ages_outlive_a_power_cut():
    simulation = drive(**{"controller.precondition.occupancy": 0.5})
    write(simulation, np.random.default_rng(2).integers(mapped(simulation) // 2, size=3000))
    simulation.advance("10 d", powered=True)
    before = simulation.blocks()
    simulation.power_cut()
    with pytest.raises(ns.RequestError, match="no power"):
        simulation.blocks()
    simulation.advance("20 d", powered=False)
    simulation.power_on()
    after = simulation.blocks()
    assert before.erases.sum() > 0
    assert (after.erases == before.erases).all()
    assert (after.valid_units == before.valid_units).all()
    np.testing.assert_allclose(after.age_hours, before.age_hours + 20 * 24, atol=0.01)


def test_ages_follow_advance():
    simulation = drive(**{"nand.condition.retention_days": 5, "controller.precondition.occupancy": 0.5})
    simulation.advance("10 d", powered=False)
    write(simulation, range(PLANES * PAGES_PER_BLOCK))
    simulation.advance("2 d", powered=False)
    simulation.advance("1 d", powered=True)
    ages = simulation.blocks().age_hours
    ages = ages[~np.isnan(ages)] / 24
    assert set(ages.round(3)) == {3.0, 18.0}


def test_a_restored_drive_and_a_fork_show_the_same_blocks(tmp_path):
    simulation = drive(**{"controller.read_disturb.limit_reads": 1000})
    write(simulation, np.random.default_rng(3).integers(mapped(simulation), size=3000))
    simulation.advance("3 d", powered=False)
    for unit in range(100):
        simulation.read(unit * UNIT // 512, UNIT)
    simulation.checkpoint(tmp_path / "drive.checkpoint")
    ours = simulation.blocks()
    check_equal(ns.Simulation.restore(tmp_path / "drive.checkpoint").blocks(), ours)
    assert ours.reads.sum() >= 100
    if (child := os.fork()) == 0:
        try:
            check_equal(simulation.blocks(), ours)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_superblocks_over_several_dies():
    blocks = drive(**{"controller.parity.stripe_dies": 2}).blocks()
    assert len(blocks) == BLOCKS // 2
    assert (blocks.channel == -1).all()
    assert (blocks.die == -1).all()


def test_a_failed_block_is_retired():
    simulation = drive()
    simulation.fail_block(5)
    write(simulation, np.random.default_rng(4).integers(mapped(simulation), size=3000))
    blocks = simulation.blocks()
    assert blocks.superblock[blocks.in_state("retired")].tolist() == [5]
    assert (
        simulation.stats("all")["controller"]["wear"]["least_cycles"]
        == blocks.cycles[~blocks.in_state("retired")].min()
    )


def test_the_table_names_states():
    pytest.importorskip("pandas")
    blocks = drive().blocks()
    frame = blocks.to_frame()
    assert len(frame) == len(blocks)
    assert list(frame["state"]) == [BLOCK_STATES[state] for state in blocks.state]
    assert set(frame["cells"]) == {"native"}
    assert repr(blocks).startswith("<Blocks at 0 us: ")
    with pytest.raises(ValueError, match="the states are free, open, full"):
        blocks.in_state("empty")

# SPDX-License-Identifier: Apache-2.0
"""Tests of the initial contents of a drive. They are placed as the drive's own writes would place them, in the steady
state if this is configured.
"""

import pytest

import nandscape as ns

# The drive is so small that it can be overwritten several times within a second or two.
QUICK = {
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 96,
    "controller.mapping.over_provisioning": 0.6,
    "controller.cache.policy": "none",  # a cache would still hold the last writes
}
PIECES = 20_000  # of 16 KiB


def latency_at_depth_one(simulation):
    latencies = []
    for k in range(200):
        simulation.read(lba=(k * 7919 % PIECES) * 32, nbytes=16384)
        latencies.append(simulation.last_latency_us)
    return sum(latencies) / len(latencies)


@pytest.mark.parametrize(
    ("order", "pattern", "block_bytes"), [("random", "uniform", 4096), ("sequential", "sequential", 131072)]
)
def test_reads_take_as_long_as_after_the_drives_own_writing(order, pattern, block_bytes):
    config = ns.load("cached", {**QUICK, "controller.precondition.order": order})
    as_preconditioned = latency_at_depth_one(ns.Simulation(config))
    fill = ns.synthetic(
        read_percent=0,
        block_bytes=block_bytes,
        footprint_bytes=PIECES * 16384,
        pattern=pattern,
        requests=300_000 if order == "random" else PIECES * 16384 // block_bytes,
        queue_depth=64,
    )
    written = ns.Simulation(config.override({"host.workload": [fill]}))
    written.run()
    written.flush()
    assert as_preconditioned == pytest.approx(latency_at_depth_one(written), rel=0.1)


def test_units_lie_on_the_planes_of_their_addresses_where_the_drive_puts_them_there():
    by_address = ns.load("cached", {**QUICK, "controller.mapping.plane": "by_address"})
    freely = ns.load("cached", QUICK)
    # The four pages of a read are read one after the other if they are on one plane, and in parallel if they are on
    # several planes.
    assert latency_at_depth_one(ns.Simulation(by_address)) > 2 * latency_at_depth_one(ns.Simulation(freely))


def write_amplification(requests):
    """Returns the write amplification of a run, including the garbage collection that follows its last write."""
    workload = ns.synthetic(read_percent=70, queue_depth=64, requests=requests)
    changes = {"controller.precondition.distribution": "steady_state", "simulation.request_log": False}
    simulation = ns.Simulation(ns.load("cached", {**changes, "host.workload": [workload]}))
    simulation.run()
    return simulation.stats("all")["controller"]["write_amplification"]


@pytest.mark.filterwarnings("ignore::nandscape.TransientWarning")
def test_a_steady_state_does_not_begin_with_collection_on_all_planes():
    assert write_amplification(20_000) < 1.5 * write_amplification(200_000)

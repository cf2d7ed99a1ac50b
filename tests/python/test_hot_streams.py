# SPDX-License-Identifier: Apache-2.0
"""Tests the statistics of streams of hot and cold data against the write amplification and the workload."""

import pytest

import nandscape as ns

PAGES = 24
DRIVE = {
    "channel.count": 1,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 1,
    "nand.geometry.blocks_per_plane": 300,
    "nand.geometry.pages_per_block": PAGES,
    "controller.mapping.over_provisioning": 0.2,
    "controller.precondition.distribution": "steady_state",
    "controller.garbage_collection.policy": "cost_benefit",
    "controller.streams.known_hot_percent": 10,
}


@pytest.mark.parametrize("layout", ["plane", "superpage"])
def test_the_statistics_account_for_the_write_amplification(layout):
    writes = ns.synthetic(
        read_percent=0,
        block_bytes=16384,
        requests=60_000,
        pattern="hot_cold",
        hot_space_percent=10,
        hot_access_percent=90,
    )
    keys = {"controller.streams.policy": "hot_cold", "controller.mapping.layout": layout}
    run = ns.load("bare", DRIVE | keys | {"simulation.warmup.requests": 30_000})
    stats = ns.run(run, workload=writes).stats["controller"]
    streams = stats["streams"]
    written = streams["hot_written_units"] + streams["cold_written_units"]
    assert written == pytest.approx(30_000, rel=0.01)
    assert streams["hot_written_units"] / written == pytest.approx(0.9, abs=0.01)
    moved = PAGES * sum(streams[f"{side}_victims"] * streams[f"{side}_valid_share"] for side in ("hot", "cold"))
    # Victims that the preconditioning filled belong to no stream; after the warm-up few are left.
    assert 1 + moved / written == pytest.approx(stats["write_amplification"], rel=0.05)
    assert streams["hot_valid_share"] < 0.6 * streams["cold_valid_share"]
    assert streams["precision"] > 0.98
    assert streams["recall"] > 0.98


def test_a_policy_without_hot_streams_counts_nothing():
    writes = ns.synthetic(read_percent=0, block_bytes=16384, requests=2_000)
    stats = ns.run("bare", workload=writes).stats["controller"]["streams"]
    assert {name: value for name, value in stats.items() if value == value and value != 0} == {}

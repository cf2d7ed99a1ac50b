# SPDX-License-Identifier: Apache-2.0
"""Tests of a write-back cache over mapping units that are smaller than a page: units that are written back must share
pages.
"""

import pytest

import nandscape as ns

DRIVE = {
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.blocks_per_plane": 96,
    "controller.mapping.over_provisioning": 0.28,
    "controller.precondition.distribution": "steady_state",
}
CACHE = {"controller.cache.policy": "write_back", "controller.cache.capacity_bytes": 2 << 20}
SMALL_UNITS = {"nand.geometry.pages_per_block": 48, "controller.mapping.unit_bytes": 4096}
REQUESTS = 60_000


def random_writes(keys):
    workload = ns.synthetic(read_percent=0, block_bytes=4096, queue_depth=32, requests=REQUESTS)
    return ns.run(ns.load("bare", {**DRIVE, **keys}), workload=workload).stats["controller"]


@pytest.mark.parametrize(
    "keys",
    [{}, {"controller.mapping.plane": "least_busy"}, {"controller.power_loss.protection": "none"}],
    ids=["by_address", "least_busy", "no_capacitor"],
)
def test_written_back_units_fill_their_pages(keys):
    # With pages of 4 KiB, a write of 4 KiB always fills a page. This is the reference.
    full = random_writes({"nand.geometry.page_bytes": 4096, "nand.geometry.pages_per_block": 192})
    cached = random_writes({**SMALL_UNITS, **CACHE, **keys})
    assert full["host_pages"] == REQUESTS
    written_back = cached["cache"]["write_backs"]
    assert written_back > 0.98 * REQUESTS
    assert written_back / cached["host_pages"] > 3.95
    assert cached["write_amplification"] < 1.1 * full["write_amplification"]
    # Few units of pages remain unfilled, since only garbage collection writes incomplete pages.
    assert cached["unfilled_units"] < 0.1 * cached["gc"]["moved_units"]


def test_room_left_empty_in_pages_is_counted():
    bare = random_writes(SMALL_UNITS)
    assert bare["padding_pages"] == 0
    assert bare["host_pages"] > 0.9 * REQUESTS, "units of random addresses hardly meet"
    units = 4 * bare["programmed_pages"] - bare["unfilled_units"]
    assert units == pytest.approx(REQUESTS + bare["gc"]["moved_units"], rel=0.001)


def test_a_drive_with_a_cache_takes_small_writes_into_its_cache():
    workload = ns.synthetic(read_percent=0, block_bytes=4096, queue_depth=1, requests=3000)
    few = ns.run("cached", workload=workload).stats["host"]["write"]["latency_us"]
    assert few["max"] < 50, "they fit into the cache"
    workload = ns.synthetic(read_percent=70, block_bytes=4096, queue_depth=16, requests=60_000)
    many = ns.run("cached", workload=workload).stats
    assert many["controller"]["write_amplification"] < 1.5
    assert many["controller"]["cache"]["write_backs"] / many["controller"]["host_pages"] > 3.9

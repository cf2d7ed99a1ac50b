# SPDX-License-Identifier: Apache-2.0
"""Tests of the priority classes of workloads: with arbitration, and with the scheduling policies `priority` and
`flin`.
"""

import pytest

import nandscape as ns

FULL = {
    "nand.geometry.blocks_per_plane": 64,
    "controller.mapping.over_provisioning": 0.28,
    "controller.precondition.distribution": "steady_state",
}


def latency(stats, workload, kind):
    return stats["host"]["workloads"][workload][kind]["latency_us"]


def rate(stats, workload):
    return stats["host"]["workloads"][workload]["iops"]


def beside_a_writer(policy, priority, requests=3000):
    """Runs a quiet reader and, at the same time, a workload that keeps the drive busy with writes. Returns the
    statistics.
    """
    quiet = ns.synthetic(
        name="quiet", read_percent=100, pacing="open", rate_iops=4000, requests=requests, priority=priority
    )
    noisy = ns.synthetic(name="noisy", read_percent=20, block_bytes=65536, duration_ms=requests / 4, requests=10**7)
    drive = ns.load("bare", FULL | {"controller.scheduler.policy": policy})
    return ns.run(drive, workload=[quiet, noisy]).stats


def test_an_urgent_reader_is_not_slower_than_without_classes():
    without = latency(beside_a_writer("out_of_order", "medium"), "quiet", "read")["p99"]
    assert latency(beside_a_writer("priority", "urgent"), "quiet", "read")["p99"] < 1.2 * without
    # A reader in the same class as the writer is not slower either, since reads are served first within a class.
    assert latency(beside_a_writer("priority", "medium"), "quiet", "read")["p99"] < 1.2 * without


def test_the_class_decides_who_goes_first():
    """A reader in a lower class than a busy writer must wait much longer than a reader in a higher class."""
    behind = latency(beside_a_writer("priority", "low"), "quiet", "read")
    before = latency(beside_a_writer("priority", "high"), "quiet", "read")
    assert behind["mean"] > 10 * before["mean"]


def test_a_queue_behind_busy_ones_goes_once_in_its_aging_times():
    """A write of the low class waits for at most four aging times, and then for one command from each of the other
    queues.
    """
    aging_ms = 2.0
    drive = ns.load(
        "bare", {"controller.scheduler.policy": "priority", "controller.scheduler.aging_us": aging_ms * 1000}
    )
    readers = [
        ns.synthetic(name=name, read_percent=100, block_bytes=16384, queue_depth=256, requests=10**7, duration_ms=400)
        | {"priority": name}
        for name in ("urgent", "high", "medium")
    ]
    writer = ns.synthetic(
        name="low", read_percent=0, block_bytes=16384, queue_depth=1, requests=10**7, duration_ms=400, priority="low"
    )
    stats = ns.run(drive, workload=[*readers, writer]).stats
    longest = latency(stats, "low", "write")["max"] / 1000
    program_ms = drive["nand.timing.t_prog_us"] / 1000
    # The factor of 2: once the write's program has started, reads may suspend it for as long again, until it has aged,
    # too.
    assert longest < 2 * (4 * aging_ms + 4 * program_ms)
    assert latency(stats, "low", "write")["mean"] > aging_ms * 1000
    assert rate(stats, "urgent") > rate(stats, "high") > 0


def test_weights_divide_the_fetched_commands():
    drive = ns.load(
        "bare",
        {
            "host.nvme.arbitration": "weighted_round_robin",
            "host.nvme.arbitration_burst": 0,
            "host.nvme.command_slots": 8,
            "host.driver": {"high_weight": 6, "medium_weight": 3, "low_weight": 1},
        },
    )
    names = ("high", "medium", "low")
    workloads = [
        ns.synthetic(name=name, priority=name, read_percent=100, queue_depth=64, requests=10**7, duration_ms=50)
        for name in names
    ]
    rates = [rate(ns.run(drive, workload=workloads).stats, name) for name in names]
    shares = [value / sum(rates) for value in rates]
    assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.02)
    # Round robin ignores classes.
    even = drive.override({"host.nvme.arbitration": "round_robin"})
    rates = [rate(ns.run(even, workload=workloads).stats, name) for name in names]
    assert max(rates) < 1.05 * min(rates)


def writes_per_second(policy, **workload):
    drive = ns.load("bare", FULL | {"controller.scheduler.policy": policy})
    writes = ns.synthetic(read_percent=0, block_bytes=16384, queue_depth=64) | {"requests": 30000} | workload
    return ns.run(drive, workload=writes).stats["host"]["iops"]


def test_flin_serves_a_writer_that_is_alone():
    """A writer without competition must be as fast as without `flin`: the drive collects garbage in pauses until it
    runs out of free blocks."""
    assert writes_per_second("flin") > 0.9 * writes_per_second("out_of_order")

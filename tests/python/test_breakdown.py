# SPDX-License-Identifier: Apache-2.0
"""Tests of `simulation.breakdown`, which divides the latency of each request into its parts."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nandscape as ns
from conftest import SMALL_DEVICE
from nandscape import _core
from nandscape.bottleneck import FULL, bottleneck
from nandscape.result import LATENCY_PARTS, REQUEST_KINDS

PARTS = [f"{part}_ps" for part in LATENCY_PARTS]

FULL_DRIVE = {
    "controller.precondition.distribution": "steady_state",
    "controller.mapping.over_provisioning": 0.4,
    "nand.geometry.blocks_per_plane": 24,
}
CACHED = {"controller.cache.policy": "read_write", "controller.cache.capacity_bytes": 1 << 20}
AGED = {
    "simulation.cells": "statistical",
    "nand.cells.set": "tlc_3d_48",
    "nand.condition.pe_cycles": 1500,
    "nand.condition.retention_days": 180,
}
FIRMWARE = {"controller.firmware.read_cycles": 2000, "controller.firmware.write_cycles": 3000}
SLOW_DRIVER = {"host.driver.submit_ns": 700.0, "host.driver.completion_ns": 900.0}


def load(**workload: Any) -> dict[str, Any]:
    return {"host.workload": [ns.synthetic(**{"requests": 1500, "queue_depth": 16, **workload})]}


READS = load(read_percent=100, block_bytes=16384)
WRITES = load(read_percent=0, block_bytes=16384)
MIXED = load(read_percent=60, block_bytes=16384)
SMALL_MIXED = load(read_percent=60, block_bytes=4096)
LARGE_MIXED = load(read_percent=50, block_bytes=200 * 1024, requests=300)

DRIVES: dict[str, dict[str, Any]] = {
    "reads": READS,
    "writes": WRITES | FULL_DRIVE,
    "mixed": MIXED | FULL_DRIVE,
    "parts of pages": SMALL_MIXED | FULL_DRIVE | FIRMWARE,
    "several pages and commands": LARGE_MIXED | SLOW_DRIVER | {"host.nvme.max_transfer_kib": 64},
    "suspended programs and erases": MIXED | FULL_DRIVE | {"controller.scheduler.suspend": "program_erase"},
    "nothing suspended": MIXED | FULL_DRIVE | {"controller.scheduler.suspend": "none"},
    "a cache": SMALL_MIXED | CACHED | FULL_DRIVE | FIRMWARE,
    "a cache that reads ahead": load(read_percent=90, pattern="sequential")
    | CACHED
    | {"controller.cache.prefetch_pages": 4},
    "a cache that keeps no writes": SMALL_MIXED | CACHED | {"controller.cache.policy": "read"},
    "units of 4 KiB": SMALL_MIXED | FULL_DRIVE | {"controller.mapping.unit_bytes": 4096},
    "mapping on flash": SMALL_MIXED | {"controller.mapping.cache_bytes": 65536},
    "mapping in DRAM": SMALL_MIXED | {"controller.mapping.memory": "dram"},
    "mapping in host memory": SMALL_MIXED
    | {"controller.mapping.cache_bytes": 16384, "controller.mapping.memory": "host"},
    "retries": MIXED | AGED,
    "pipelined retries": MIXED
    | AGED
    | {"controller.read_retry.pipelined": True, "controller.read_retry.adaptive": True},
    "soft reads": READS
    | AGED
    | {
        "controller.read_retry.policy": "soft",
        "ecc.codec": "ldpc",
        "ecc.codeword_bytes": 4096,
        "ecc.decoder": "table",
    },
    "retries while programs are suspended": MIXED
    | AGED
    | FULL_DRIVE
    | {"controller.read_retry.pipelined": True, "controller.scheduler.suspend": "program_erase"},
    "fair queues": MIXED | FULL_DRIVE | {"controller.scheduler.policy": "flin"},
    "cache reads and programs": MIXED
    | {"controller.scheduler.cache_read": True, "controller.scheduler.cache_program": True},
    "planes that read on their own": MIXED | FULL_DRIVE | {"nand.independent_plane_reads": True},
    "retries of planes that read on their own": MIXED
    | AGED
    | {"controller.read_retry.pipelined": True, "nand.independent_plane_reads": True},
    "copyback": WRITES | FULL_DRIVE | {"controller.garbage_collection.copyback": True},
    "parity": MIXED | {"controller.parity.stripe_dies": 4},
    "trims and flushes": load(read_percent=30, trim_percent=10, requests=600) | CACHED,
}


@pytest.fixture
def device() -> ns.Config:
    return ns.load("bare", SMALL_DEVICE | {"simulation.breakdown": True})


def check_sums(result: ns.Result) -> None:
    requests = result.requests
    total = np.zeros_like(requests["latency_ps"])
    for part in PARTS:
        assert (requests[part] <= requests["latency_ps"]).all(), part
        total = total + requests[part]
    assert np.array_equal(total, requests["latency_ps"])


@pytest.mark.parametrize("name", DRIVES)
def test_the_parts_are_the_latency_to_the_tick(device, name):
    result = ns.run(device.override(DRIVES[name]))
    assert len(result.requests["latency_ps"]) >= 300
    check_sums(result)


@pytest.mark.parametrize("name", ["mixed", "a cache", "pipelined retries", "several pages and commands"])
def test_nothing_is_changed_by_looking(device, name):
    looked_at = ns.run(device.override(DRIVES[name]))
    alone = ns.run(device.override(DRIVES[name] | {"simulation.breakdown": False}))
    for column, values in alone.requests.items():
        assert np.array_equal(values, looked_at.requests[column]), column
    kept = copy.deepcopy(looked_at.stats)
    del kept["busy"]
    for requests in (kept["host"], *kept["host"]["workloads"].values()):
        for kind in ("read", "write", "other", "all"):
            for group in ("breakdown_us", "slowest_breakdown_us"):
                requests[kind].pop(group, None)
    for stats in (kept, alone.stats):
        del stats["simulation"]
    assert kept == alone.stats


@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_the_parts_are_the_latency_whatever_is_combined(seed):
    drawn = random.Random(seed)
    drive = dict(SMALL_DEVICE) | {"simulation.breakdown": True, "simulation.seed": seed % 1000}
    for _ in range(4):
        drive |= DRIVES[drawn.choice(list(DRIVES))]
    drive["host.workload"] = load(
        read_percent=drawn.choice([0, 30, 70, 100]),
        block_bytes=drawn.choice([512, 4096, 16384, 100 * 1024]),
        queue_depth=drawn.choice([1, 4, 32, 200]),
        requests=300,
    )["host.workload"]
    try:
        config = ns.load("bare", drive)
        simulation = ns.Simulation(config)
    except ns.ConfigError:
        return  # the drawn settings contradict each other
    simulation.run()
    check_sums(simulation.result())


def only(result: ns.Result, kind: str = "read") -> dict[str, float]:
    """Returns the parts of the mean latency that are not zero, in microseconds, for this kind of request."""
    parts = result.stats["host"][kind]["breakdown_us"]
    return {part: mean for part, mean in parts.items() if mean != 0}


def test_a_read_alone_is_what_it_takes(device):
    times = {
        "nand.timing.read": "per_page_type",
        "nand.timing.t_read_us": [40.0, 40.0, 40.0],
        "ecc.t_decode_us": 7.0,
        "ecc.decode_mb_s": 1e6,
    }
    result = ns.run(device.override(times | load(read_percent=100, block_bytes=16384, queue_depth=1, requests=200)))
    parts = only(result)
    assert parts.keys() == {"queue", "link", "array", "transfer", "ecc"}
    assert parts["array"] == pytest.approx(40, rel=1e-9)
    assert parts["ecc"] == pytest.approx(7, rel=1e-3)
    bytes_moved = 16384 + device["nand.geometry.spare_bytes"]
    us = 1e6 / (device["channel.rate_mt_s"] * 1e6 * device["channel.width_bits"] / 8)
    assert 16384 * us < parts["transfer"] < 1.2 * bytes_moved * us


def test_a_program_alone_is_what_it_takes(device):
    result = ns.run(
        device.override(
            {"nand.timing.t_prog_us": 500.0, "ecc.t_encode_us": 3.0}
            | load(read_percent=0, block_bytes=16384, queue_depth=1, requests=200)
        )
    )
    parts = only(result, "write")
    assert parts.keys() == {"queue", "link", "array", "transfer", "ecc"}
    assert parts["array"] == pytest.approx(500, rel=1e-9)
    assert parts["ecc"] == pytest.approx(3, rel=1e-9)


def test_reads_of_one_die_wait_for_the_die(device):
    one_die = {
        "channel.count": 1,
        "nand.geometry.dies_per_chip": 1,
        "nand.geometry.planes_per_die": 1,
        "nand.geometry.blocks_per_plane": 128,
    }
    parts = only(ns.run(device.override(one_die | load(read_percent=100, block_bytes=16384, queue_depth=32))))
    assert parts["die"] > 0.9 * sum(parts.values())
    assert "collection" not in parts


def test_reads_of_many_dies_wait_for_a_narrow_channel(device):
    narrow = {
        "channel.count": 1,
        "channel.rate_mt_s": 100,
        "nand.geometry.dies_per_chip": 8,
        "nand.geometry.planes_per_die": 1,
    }
    result = ns.run(device.override(narrow | load(read_percent=100, block_bytes=16384, queue_depth=8)))
    parts = only(result)
    waits = {part: parts.get(part, 0) for part in ("die", "channel", "collection", "queue")}
    assert max(waits, key=waits.__getitem__) == "channel"
    assert result.stats["busy"]["channel"]["0"] > FULL
    assert str(bottleneck(result.stats)).startswith("channel 0, busy ")


def test_collection_is_in_the_way_of_a_full_drive_only(device):
    long = load(read_percent=30, block_bytes=16384, requests=6000)
    full = ns.run(device.override(long | FULL_DRIVE | {"controller.scheduler.suspend": "none"}))
    for kind, share in {"read": 0.7, "write": 0.3}.items():
        parts = only(full, kind)
        assert parts["collection"] > share * sum(parts.values())
    fresh = only(ns.run(device.override(MIXED | {"controller.precondition.occupancy": 0.0})), "write")
    assert "collection" not in fresh


def test_retries_are_those_of_aged_data(device):
    fresh = only(ns.run(device.override(READS)))
    aged = only(ns.run(device.override(READS | AGED)))
    assert "retries" not in fresh
    assert aged["retries"] > 3 * aged["array"]


def test_a_cache_answers_writes(device):
    parts = only(ns.run(device.override(load(read_percent=0, requests=100, queue_depth=1) | CACHED)), "write")
    assert parts.keys() == {"queue", "link", "cache"}


def test_firmware_takes_its_cycles(device):
    cycles = {"controller.firmware.read_cycles": 5000, "controller.firmware.clock_mhz": 500.0}
    one = load(read_percent=100, block_bytes=16384, queue_depth=1, requests=100)
    parts = only(ns.run(device.override(cycles | one)))
    assert parts["firmware"] == pytest.approx(10, rel=1e-9)


def test_the_latency_of_a_command_is_part_of_the_firmware_and_takes_no_cores(device):
    latency = {"controller.firmware.command_latency_us": 4.0, "controller.firmware.read_latency_us": 2.5}
    one = load(read_percent=100, block_bytes=65536, queue_depth=1, requests=100)
    runs = [ns.run(device.override(more | one)) for more in ({}, latency)]
    without, parts = (only(run) for run in runs)
    assert parts["firmware"] == pytest.approx(without.get("firmware", 0) + 6.5, rel=1e-9)
    assert sum(parts.values()) == pytest.approx(sum(without.values()) + 6.5, rel=1e-9)
    assert runs[1].stats["utilisation"]["firmware"] == 0


def test_the_driver_is_at_the_host(device):
    # The driver finishes the processing of a completion before it sends the next request.
    one = load(read_percent=100, block_bytes=16384, queue_depth=1, requests=100, think_time_us=20)
    slow = {"host.driver.submit_ns": 3000.0, "host.driver.completion_ns": 4000.0}
    quick = {"host.driver.submit_ns": 0.0, "host.driver.completion_ns": 0.0}
    with_driver, without = (only(ns.run(device.override(one | driver)))["queue"] for driver in (slow, quick))
    assert with_driver - without == pytest.approx(7, abs=0.01)


def test_statistics_are_means_of_the_requests(device):
    result = ns.run(device.override(load(read_percent=60, block_bytes=16384, requests=3000) | FULL_DRIVE))
    requests = result.requests
    for kind in ("read", "write"):
        host = result.stats["host"][kind]
        of_kind = requests["kind"] == REQUEST_KINDS.index(kind)
        latencies = requests["latency_ps"][of_kind]
        slowest = np.argsort(latencies)[::-1][: len(latencies) // 100]
        for part in LATENCY_PARTS:
            values = requests[f"{part}_ps"][of_kind] * 1e-6
            assert host["breakdown_us"][part] == pytest.approx(values.mean(), rel=1e-9, abs=1e-9)
        total = sum(host["slowest_breakdown_us"].values())
        assert total == pytest.approx(latencies[slowest].mean() * 1e-6, rel=0.01)
        assert sum(host["breakdown_us"].values()) == pytest.approx(host["latency_us"]["mean"], rel=1e-9)


def test_workloads_have_their_own(device):
    two = [
        {"name": "a", **ns.synthetic(read_percent=100, requests=200)},
        {"name": "b", **ns.synthetic(read_percent=100, requests=300)},
    ]
    host = ns.run(device.override({"host.workload": two})).stats["host"]
    whole = host["read"]["breakdown_us"]["array"]
    a, b = (host["workloads"][name]["read"]["breakdown_us"]["array"] for name in "ab")
    assert (200 * a + 300 * b) / 500 == pytest.approx(whole)


def test_open_loops_wait_at_the_host(device):
    result = ns.run(device.override(load(pacing="open", rate_iops=1000, requests=300, block_bytes=16384)))
    check_sums(result)
    assert bottleneck(result.stats).name == "host arrivals"


def test_commands_one_by_one_and_what_ends_without_a_completion(device):
    simulation = ns.Simulation(device.override({"simulation.data": "stored"} | WRITES))
    simulation.write(0, bytes(16384))
    simulation.read(0, 16384)
    reads = [simulation.start_read(0, 16384) for _ in range(40)]
    reads[0].wait()
    simulation.reset()
    writes = [simulation.start_write(64 * k, bytes(16384)) for k in range(40)]
    writes[0].wait()
    simulation.power_cut()
    simulation.power_on()
    simulation.read(0, 16384)
    simulation.flush()
    simulation.trim(0, 64)
    assert {"aborted", "ok"} <= {read.status for read in reads}
    assert "power_lost" in {write.status for write in writes}
    check_sums(simulation.result())


def test_it_goes_through_a_checkpoint(device, tmp_path):
    simulation = ns.Simulation(device.override(MIXED))
    simulation.run()
    simulation.checkpoint(tmp_path / "with")
    restored = ns.Simulation.restore(tmp_path / "with")
    for column, values in simulation.result().requests.items():
        assert np.array_equal(values, restored.result().requests[column]), column
    assert restored.stats()["host"] == simulation.stats()["host"]

    without = ns.Simulation.restore(tmp_path / "with", {"simulation.breakdown": False})
    without.run()
    assert "breakdown_us" not in without.stats()["host"]["read"]
    without.checkpoint(tmp_path / "without")
    later = ns.Simulation.restore(tmp_path / "without", {"simulation.breakdown": True})
    later.run()
    result = later.result()
    check_sums(result)
    # For requests before the restore, only the latency is known, so their parts are zero.
    assert (result.requests["array_ps"][:3000] == 0).all()
    assert (result.requests["array_ps"][3000:] > 0).any()


def test_busy_is_of_the_workloads_alone(device, tmp_path):
    simulation = ns.Simulation(device.override(load(read_percent=0, block_bytes=16384)))
    simulation.run()
    simulation.checkpoint(tmp_path / "written")
    few = load(read_percent=100, block_bytes=16384, queue_depth=1, requests=50)
    restored = ns.Simulation.restore(tmp_path / "written", few)
    restored.run_until("2s")  # idle
    restored.run()
    stats = restored.stats()
    reads = len(restored.result().latencies("read"))
    array = restored.stats()["host"]["read"]["breakdown_us"]["array"]
    window_us = restored.result().latencies("read").sum()
    busy = stats["busy"]
    assert sum(busy["die"].values()) == pytest.approx(reads * array / window_us, rel=0.02)
    assert stats["utilisation"]["die"] == max(busy["die"].values())
    assert stats["utilisation"]["link"] == max(busy["link"].values())


def test_a_busy_die_is_named(device):
    one_die = {"channel.count": 1, "nand.geometry.dies_per_chip": 1, "nand.geometry.blocks_per_plane": 256}
    found = bottleneck(ns.run(device.override(one_die | READS)).stats)
    assert found.name == found.busiest == "die 0"
    assert FULL < found.busy <= 1
    assert str(found) == f"die 0, busy {found.busy:.0%}"
    idle = bottleneck(ns.run(device.override(load(queue_depth=1, requests=300))).stats)
    assert idle.name == "host queue depth"
    assert idle.busy < FULL


def test_off_by_default(small):
    result = ns.run(small)
    assert small["simulation.breakdown"] is False
    assert not set(PARTS) & result.requests.keys()
    assert "busy" not in result.stats
    assert "breakdown_us" not in result.stats["host"]["read"]


def test_the_table_of_requests_has_the_parts(device):
    table = ns.run(device.override(MIXED)).to_frame()
    parts = table[[f"{part}_us" for part in LATENCY_PARTS]].sum(axis=1)
    assert np.allclose(parts, table["latency_us"])


def test_the_names_are_those_of_the_simulator(device):
    assert tuple(_core.Simulation(device._core).requests().parts) == LATENCY_PARTS


def test_the_command_prints_it(command, small_arguments):
    done = command("run", *small_arguments, "--set=simulation.breakdown=true")
    assert done.returncode == 0, done.stderr
    assert "latency part" in done.stdout
    for part in ("queue", "link", "array", "transfer", "ecc"):
        assert f"\n{part} " in done.stdout
    assert "retries" not in done.stdout
    assert "\nbottleneck: " in done.stdout

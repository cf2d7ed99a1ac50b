# SPDX-License-Identifier: Apache-2.0
"""Compares calculated ceilings with simulations, which must come close to the ceilings but not exceed them."""

from __future__ import annotations

import math
from typing import Any

import pytest

import nandscape as ns
from conftest import SMALL_DEVICE
from nandscape.ceilings import ACCESSES, Capacity, ceilings_of_run

# All resources are fast, so that a single resource that a test slows down is the bottleneck.
WIDE = {
    "host.link.generation": 5,
    "host.link.lanes": 16,
    "host.driver.memory_page_bytes": 16384,
    "channel.interface": "nv_ddr4",
    "channel.rate_mt_s": 3200,
    "ecc.decode_mb_s": 1e5,
    "ecc.encode_mb_s": 1e5,
    "ecc.t_decode_us": 0,
    "controller.precondition.occupancy": 1.0,
    "controller.mapping.over_provisioning": 0.4,
    "controller.scheduler.suspend": "none",
}
PAGE = 16384
BUS_CYCLES = ("cycle", "wb", "rr", "adl", "whr", "preamble", "postamble", "dbsy")

# For each case: the settings that slow down a resource, the workload, the resource that limits it, and the smallest
# share of the ceiling that a run must reach. The remaining share is idle time, for example of dies that are chosen at
# random.
NARROW: dict[str, tuple[dict[str, Any], dict[str, Any], str, float]] = {
    "link, reads": (
        {"host.link.generation": 1, "host.link.lanes": 1},
        {"read_percent": 100, "queue_depth": 128},
        "link upstream",
        0.97,
    ),
    "link, reads of 4 KiB": (
        {
            "host.link.generation": 1,
            "host.link.lanes": 1,
            "nand.timing.read": "per_page_type",
            "nand.timing.t_read_us": [5.0, 5.0, 5.0],
        },
        {"read_percent": 100, "queue_depth": 128, "block_bytes": 4096},
        "link upstream",
        0.93,
    ),
    "link, writes": (
        {"host.link.generation": 1, "host.link.lanes": 1, "nand.timing.t_prog_us": 50, "host.nvme.data_transfers": 16},
        {"read_percent": 0, "queue_depth": 128, "requests": 500},
        "link downstream",
        0.93,
    ),
    "firmware": (
        {"controller.firmware.cores": 2, "controller.firmware.read_cycles": 90_000},
        {"read_percent": 100, "queue_depth": 64},
        "firmware",
        0.97,
    ),
    "firmware, large commands": (
        {
            "controller.firmware.cores": 2,
            "controller.firmware.command_cycles": 300_000,
            "controller.firmware.read_cycles": 75_000,
            "controller.firmware.command_latency_us": 20,
        },
        {"read_percent": 100, "queue_depth": 64, "block_bytes": 65536},
        "firmware",
        0.97,
    ),
    "channels, reads": (
        {"channel.rate_mt_s": 100, "channel.count": 2},
        {"read_percent": 100, "queue_depth": 256},
        "channels",
        0.93,
    ),
    "channels, reads of 4 KiB": (
        {"channel.rate_mt_s": 100, "channel.count": 2, "nand.timing.t_eval_us": 1, "nand.timing.t_pre_us": 1},
        {"read_percent": 100, "queue_depth": 256, "block_bytes": 4096},
        "channels",
        0.93,
    ),
    "channels, writes": (
        {"channel.rate_mt_s": 50, "channel.count": 2, "nand.timing.t_prog_us": 100},
        {"read_percent": 0, "queue_depth": 256, "requests": 1000, "pattern": "sequential"},
        "channels",
        0.9,
    ),
    # Without this setting, deep queues of reads on short blocks would be combined to multi-plane reads.
    "dies, reads": (
        {"controller.scheduler.multi_plane": False},
        {"read_percent": 100, "queue_depth": 512, "requests": 8000},
        "dies",
        0.93,
    ),
    "dies, reads of each plane": (
        {"nand.independent_plane_reads": True},
        {"read_percent": 100, "queue_depth": 512, "requests": 8000},
        "dies",
        0.93,
    ),
    "dies, sequential writes": (
        # A new drive erases nothing.
        {"controller.precondition.occupancy": 0.0, "nand.timing.t_bers_us": 0.001},
        {"read_percent": 0, "queue_depth": 256, "pattern": "sequential", "requests": 3000},
        "dies",
        0.9,
    ),
    "decoders": (
        {"ecc.decode_mb_s": 20},
        {"read_percent": 100, "queue_depth": 256},
        "decoders",
        0.93,
    ),
    "encoders": (
        {"ecc.encode_mb_s": 10, "controller.precondition.occupancy": 0.0, "nand.timing.t_prog_us": 50},
        {"read_percent": 0, "queue_depth": 256, "pattern": "sequential"},
        "encoders",
        0.93,
    ),
    "DRAM": (
        {
            "controller.cache.policy": "write_back",
            "controller.cache.capacity_bytes": 64 << 20,
            "controller.cache.writes_in_flight": 1024,
            "controller.cache.dirty_high_percent": 0,
            "controller.cache.dirty_low_percent": 0,
            "controller.dram.rate_mt_s": 100,
            "controller.dram.bus_bits": 8,
            "controller.precondition.occupancy": 0.0,
            "nand.timing.t_prog_us": 20,
        },
        {"read_percent": 0, "queue_depth": 256, "pattern": "sequential"},
        "dram",
        0.9,
    ),
    "DRAM, bursts of look-ups": (
        {"controller.mapping.memory": "dram", "controller.dram.rate_mt_s": 1, "controller.dram.bus_bits": 8},
        {"read_percent": 100, "queue_depth": 64},
        "dram",
        0.97,
    ),
    "DRAM, rows of look-ups": (
        {
            "controller.mapping.memory": "dram",
            "controller.dram.banks": 1,
            "controller.dram.row_bytes": 64,
            "controller.dram.t_rcd_ns": 30_000,
            "controller.dram.t_rp_ns": 30_000,
        },
        {"read_percent": 100, "queue_depth": 64},
        "dram",
        0.97,
    ),
    "DRAM, look-ups and changes of writes": (
        {
            "controller.mapping.memory": "dram",
            "controller.dram.rate_mt_s": 1,
            "controller.dram.bus_bits": 8,
            "controller.precondition.occupancy": 0.0,
            "nand.timing.t_prog_us": 100,
        },
        {"read_percent": 0, "queue_depth": 64, "requests": 1500},
        "dram",
        0.97,
    ),
}


def narrow(name: str) -> tuple[ns.Config, str, float]:
    changes, load, resource, least = NARROW[name]
    whole = {"block_bytes": PAGE, "requests": 3000, **load}
    return ns.load("bare", SMALL_DEVICE | WIDE | changes | {"host.workload": [ns.synthetic(**whole)]}), resource, least


@pytest.mark.parametrize("name", NARROW)
def test_a_run_reaches_its_ceiling_and_is_not_above(name):
    config, resource, least = narrow(name)
    limits = ns.ceilings(config, write_amplification=1)
    assert limits.least("workload") == resource
    result = ns.run(config)
    # The upper limit is above 1, since the buffers of the drive accept the last writes of a run before they are
    # programmed.
    assert least * limits.bound("workload") < result.stats["host"]["iops"] < 1.01 * limits.bound("workload")


def test_random_writes_in_balance_reach_the_ceiling_of_their_amplification():
    """The dies are the bottleneck if the ceiling is calculated with the write amplification of the run, which is close
    to the theory.
    """
    config = ns.load(
        "bare",
        SMALL_DEVICE
        | WIDE
        | {
            "nand.geometry.planes_per_die": 1,
            "nand.geometry.blocks_per_plane": 128,
            "controller.precondition.distribution": "steady_state",
            "host.workload": [
                ns.synthetic(read_percent=0, block_bytes=PAGE, queue_depth=256, requests=8000, pattern="uniform")
            ],
        },
    )
    result = ns.run(config)
    assert ns.ceilings(config).write_amplification == pytest.approx(
        result.stats["controller"]["write_amplification"], rel=0.15
    )
    limits = ceilings_of_run(config, result.stats)
    assert limits.least("workload") == "dies"
    # The rate may exceed the ceiling, since a part of the garbage collection that these writes cause takes place after
    # the run.
    assert 0.85 < result.stats["host"]["iops"] / limits.bound("workload") < 1.05


def test_they_are_closed_forms():
    """The parameters of the drive are round numbers, so that the ceilings can be calculated by hand."""
    config = ns.load(
        "bare",
        SMALL_DEVICE
        | {
            "channel.count": 2,
            "channel.rate_mt_s": 1000,
            "channel.transfer_spare": False,
            **{f"channel.t_{cycles}_ns": 0 for cycles in BUS_CYCLES},
            "nand.geometry.chips_per_channel": 3,
            "nand.geometry.dies_per_chip": 1,
            "nand.geometry.planes_per_die": 2,
            "nand.timing.read": "per_page_type",
            "nand.timing.t_read_us": [30.0, 60.0, 90.0],
            "nand.timing.t_prog_us": 600.0,
            "nand.timing.t_bers_us": 4800.0,
            "nand.geometry.pages_per_block": 48,
            "controller.firmware.cores": 4,
            "controller.firmware.clock_mhz": 500,
            "controller.firmware.command_cycles": 600,
            "controller.firmware.command_latency_us": 5,
            "controller.firmware.read_cycles": 300,
            "controller.firmware.completion_cycles": 100,
            "ecc.decode_mb_s": 800,
            "ecc.encode_mb_s": 400,
        },
    )
    limits = ns.ceilings(config, workload=ns.synthetic(read_percent=100, block_bytes=PAGE), write_amplification=1)
    page_us = PAGE / 1000
    reads = {access: limits.iops["dies"][access] for access in ("random_read", "sequential_read")}
    assert reads["random_read"] == pytest.approx(6e6 / (60 + page_us))
    assert reads["sequential_read"] == pytest.approx(6e6 * 2 / (60 + 2 * page_us))
    status_us = 1e-3
    program_us = (600 + 2 * (page_us + status_us)) / 2 + 4800 / 48 / 2
    assert limits.iops["dies"]["random_write"] == pytest.approx(6e6 / program_us)
    assert limits.iops["channels"]["random_read"] == pytest.approx(2e6 / page_us)
    assert limits.iops["firmware"]["random_read"] == pytest.approx(4 * 500e6 / 1000)
    eight = ns.ceilings(config, workload=ns.synthetic(read_percent=100, block_bytes=8 * PAGE), write_amplification=1)
    assert eight.iops["firmware"]["random_read"] == pytest.approx(4 * 500e6 / (600 + 8 * 400))
    assert limits.iops["decoders"]["random_read"] == pytest.approx(2 * 800e6 / PAGE)
    assert limits.iops["encoders"]["random_write"] == pytest.approx(2 * 400e6 / PAGE)
    pool = config.override({"ecc.engines": "pool", "ecc.pool_engines": 5})
    of_pool = ns.ceilings(pool, workload=ns.synthetic(read_percent=100, block_bytes=PAGE), write_amplification=1)
    assert of_pool.iops["decoders"]["random_read"] == pytest.approx(5 * 800e6 / PAGE)
    assert of_pool.iops["encoders"]["random_write"] == pytest.approx(5 * 400e6 / PAGE)
    assert math.isinf(limits.iops["dram"]["random_read"])
    assert limits.mib_s("channels", "random_read") == pytest.approx(2e6 / page_us * PAGE / 2**20)
    # For each page that garbage collection moves, the dies perform a read, a program and a share of an erase.
    twice = ns.ceilings(config, workload=ns.synthetic(block_bytes=PAGE), write_amplification=2)
    moved_us = 2 * program_us + (60 + 2 * page_us) / 2
    assert twice.iops["dies"]["random_write"] == pytest.approx(6e6 / moved_us)


def test_a_write_of_less_than_a_unit_fills_it():
    """A write of a part of a unit is merged with the rest of the unit, which the drive must read unless another write
    overwrites it.
    """
    config = ns.load("bare", SMALL_DEVICE)
    whole, quarter = (ns.ceilings(config, workload=ns.synthetic(block_bytes=size)) for size in (PAGE, PAGE // 4))
    assert quarter.write_amplification == pytest.approx(4 * whole.write_amplification)
    assert 1 / quarter.iops["dies"]["random_write"] == pytest.approx(
        1 / whole.iops["dies"]["random_write"] + 1 / whole.iops["dies"]["random_read"]
    )
    assert quarter.iops["encoders"]["sequential_write"] == pytest.approx(4 * whole.iops["encoders"]["sequential_write"])


def test_runs_of_small_writes_are_not_above_theirs():
    config = ns.load(
        "bare", SMALL_DEVICE | {"host.workload": [ns.synthetic(read_percent=50, queue_depth=256, requests=4000)]}
    )
    result = ns.run(config)
    assert 0.5 < result.stats["host"]["iops"] / ceilings_of_run(config, result.stats).bound("workload") < 1.05


def test_a_mix_takes_the_time_of_its_parts():
    config = ns.load("bare", SMALL_DEVICE)
    limits = ns.ceilings(config, workload=ns.synthetic(read_percent=70, block_bytes=PAGE))
    dies = limits.iops["dies"]
    assert 1 / dies["workload"] == pytest.approx(0.7 / dies["random_read"] + 0.3 / dies["random_write"])
    sizes = [{"block_bytes": PAGE, "weight": 3}, {"block_bytes": 4 * PAGE, "weight": 1}]
    mixed = ns.ceilings(config, workload=ns.synthetic(read_percent=100, block_mix=sizes))
    one, four = (ns.ceilings(config, workload=ns.synthetic(read_percent=100, block_bytes=k * PAGE)) for k in (1, 4))
    assert 1 / mixed.bound("random_read") == pytest.approx(
        0.75 / one.iops[mixed.least("random_read")]["random_read"]
        + 0.25 / four.iops[mixed.least("random_read")]["random_read"]
    )


def test_the_table_marks_the_least_of_each_column():
    limits = ns.ceilings(ns.load("default"))
    lines = str(limits).splitlines()
    for column, access in enumerate(limits.accesses):
        mib_s = limits.mib_s(limits.least(access), access)
        marked = [line for line in lines if f"{limits.bound(access):,.0f}, {mib_s:,.0f}*" in line]
        assert marked, (column, access)
    assert limits.accesses == (*ACCESSES, "workload")
    with pytest.raises(ns.Error, match="unknown access 'reads'; expected one of random_read"):
        limits.bound("reads")
    with pytest.raises(ns.Error, match="must be 0 or more"):
        ns.ceilings(ns.load("default"), write_amplification=-1)


def test_they_tell_how_many_planes_a_program_fills():
    """Small random writes that fill only one plane at a time cannot use multi-plane programs, even in a deep queue. The
    ceiling that a run reaches is then that of single-plane programs."""
    load = ns.synthetic(read_percent=0, block_bytes=4096, queue_depth=256, requests=4000, pattern="uniform")
    config = ns.load("bare", {"nand.timing.t_prog_us": 600, "host.workload": [load]})
    limits = ns.ceilings(config)
    assert limits.planes_at_once == config["nand.geometry.planes_per_die"] == 2
    assert "each program fills 2 planes of its die; random writes that fill fewer stay below" in str(limits)
    alone = config.override({"controller.scheduler.multi_plane": False})
    assert ns.ceilings(alone).planes_at_once == 1
    assert "each program fills" not in str(ns.ceilings(alone))
    result = ns.run(config)
    assert result.stats["controller"]["scheduler"]["planes_per_operation"] == pytest.approx(1, abs=0.1)
    # The rate may be a tenth higher, since the buffers accept the last writes of a short run before they are
    # programmed.
    one_plane = ceilings_of_run(alone, result.stats).bound("workload")
    assert 0.9 < result.stats["host"]["iops"] / one_plane < 1.1
    both = ceilings_of_run(config, result.stats).bound("workload")
    assert one_plane < 0.6 * both


def test_reads_of_a_drive_without_dram_reach_the_ceiling_of_their_misses():
    """The buffer maps 68.7 of the 500 GB that the drive holds; 86 % of the reads first read a translation page."""
    reads = ns.synthetic(read_percent=100, block_bytes=4096, queue_depth=256, requests=20_000)
    config = ns.load("client_qlc", {"simulation.warmup.requests": 10_000, "host.workload": [reads]})
    limits = ns.ceilings(config)
    near = ns.ceilings(config, workload=reads | {"footprint_bytes": 4_000_000_000})
    missed = 1 - (64 << 20) / 4 / (0.5 * Capacity.of(config).exported_bytes / 4096)
    assert limits.least("random_read") == near.least("random_read") == "dies"
    assert limits.bound("random_read") == pytest.approx(near.bound("random_read") / (1 + missed), rel=1e-3)
    assert 0.95 < ns.run(config).stats["host"]["iops"] / limits.bound("random_read") < 1.02


def test_look_ups_in_host_memory_cross_the_link():
    """A look-up reads a line of 64 bytes by a request of 20 and an answer of 84 bytes. A load writes a translation page
    of 4 KiB in 16 packets to the buffer."""
    lane = {"host.link.generation": 1, "host.link.lanes": 1, "controller.mapping.host_buffer_bytes": 1 << 26}
    drive = ns.load("client_qlc", lane | {"controller.mapping.cache_bytes": 1 << 20})
    byte_s = 8e-9 * 1.25 / 2.5

    def seconds(config: ns.Config, direction: str, footprint_bytes: int) -> float:
        reads = ns.synthetic(read_percent=100, block_bytes=4096, footprint_bytes=footprint_bytes)
        return 1 / ns.ceilings(config, workload=reads).iops[f"link {direction}"]["random_read"]

    in_sram, in_buffer, beyond = 1 << 30, 1 << 32, 1 << 38  # the SRAM maps 2^30 bytes, the buffer 2^36
    for direction, line, page in (("upstream", 20, 4096 + 16 * 20), ("downstream", 84, 0)):
        base = seconds(drive, direction, in_sram)
        assert seconds(drive, direction, in_buffer) == pytest.approx(base + 0.75 * line * byte_s, rel=1e-6)
        misses = (1 / 4 - 1 / 256) * line + 3 / 4 * page
        assert seconds(drive, direction, beyond) == pytest.approx(base + misses * byte_s, rel=1e-6)


@pytest.mark.parametrize("preset", [name for name, _ in ns._core.list_presets()])
def test_all_presets_have_them(preset):
    config = ns.load(preset)
    limits = ns.ceilings(config)
    for access in ACCESSES:
        assert 0 < limits.bound(access) < math.inf
    capacity = Capacity.of(config)
    assert 0 < capacity.exported_bytes < capacity.raw_bytes
    assert 0 < capacity.effective_spare <= config["controller.mapping.over_provisioning"]


def test_capacity_is_that_of_the_drive():
    config = ns.load("bare", SMALL_DEVICE)
    assert Capacity.of(config).exported_bytes == ns.Simulation(config).capacity_bytes


def test_the_commands_print_them(command, small_arguments):
    shown = command("show", "default")
    assert shown.returncode == 0, shown.stderr
    assert "GB exported from" in shown.stdout
    assert "effective spare" in shown.stdout
    assert "*" in shown.stdout
    done = command("run", *small_arguments)
    assert done.returncode == 0, done.stderr
    assert "\nceiling: " in done.stdout
    assert "\nshare of the ceiling " in done.stdout

# SPDX-License-Identifier: Apache-2.0
"""Tests of the bottleneck that is found for a run: a resource, a limit on outstanding work, the host, or unknown."""

from __future__ import annotations

import random
from typing import Any

import pytest

import nandscape as ns
from conftest import SMALL_DEVICE
from nandscape.bottleneck import FULL, Resource, bottleneck

# With these settings, writes of whole pages wait for the small number of writes in flight, since all other parts of the
# drive are many times faster.
WINDOW = {
    "simulation.breakdown": True,
    "controller.cache.policy": "write_back",
    "controller.cache.capacity_bytes": 4 << 20,
    "controller.cache.writes_in_flight": 2,
    "controller.precondition.occupancy": 0.0,
}


def writes(**options: Any) -> dict[str, Any]:
    return ns.synthetic(**{"read_percent": 0, "block_bytes": 16384, "queue_depth": 64, "requests": 4000, **options})


def reads(**options: Any) -> dict[str, Any]:
    return writes(**{"read_percent": 100, **options})


@pytest.fixture
def device() -> ns.Config:
    return ns.load("bare", SMALL_DEVICE | {"simulation.breakdown": True})


def run(config: ns.Config, load: dict[str, Any]) -> dict[str, Any]:
    return ns.run(config, workload=load).stats


def test_a_narrow_window_of_write_back_is_named(device):
    narrow = device.override(WINDOW)
    stats = run(narrow, writes())
    found = bottleneck(stats)
    assert found.name == "write-back window"
    assert found.key == "controller.cache.writes_in_flight"
    assert "write-back window (controller.cache.writes_in_flight), full" in str(found)
    rate = stats["host"]["iops"]
    assert run(narrow, writes(queue_depth=1024))["host"]["iops"] == pytest.approx(rate, rel=0.1)
    assert run(narrow.override({found.key: 4}), writes())["host"]["iops"] > 1.3 * rate


def test_little_room_in_the_cache_is_named(device):
    small = device.override(
        WINDOW | {"controller.cache.capacity_bytes": 2 * 16384, "controller.cache.writes_in_flight": 1024}
    )
    stats = run(small, writes())
    found = bottleneck(stats)
    assert (found.name, found.key) == ("cache room", "controller.cache.capacity_bytes")
    wider = run(small.override({found.key: 4 * 16384}), writes())
    assert wider["host"]["iops"] > 1.3 * stats["host"]["iops"]


def test_few_command_slots_are_named(device):
    few = device.override({"host.nvme.command_slots": 2})
    stats = run(few, reads())
    found = bottleneck(stats)
    assert (found.name, found.key) == ("command slots", "host.nvme.command_slots")
    wider = run(few.override({found.key: 4}), reads())
    assert wider["host"]["iops"] > 1.3 * stats["host"]["iops"]


def test_few_transfers_on_a_long_link_are_named(device):
    far = device.override(
        {
            "host.nvme.data_transfers": 1,
            "host.link.propagation_ns": 20_000,
            "nand.timing.t_prog_us": 50,
            "controller.precondition.occupancy": 0.0,
        }
    )
    stats = run(far, writes())
    found = bottleneck(stats)
    assert (found.name, found.key) == ("data transfers downstream on the link", "host.nvme.data_transfers")
    wider = run(far.override({found.key: 2}), writes())
    assert wider["host"]["iops"] > 1.3 * stats["host"]["iops"]


def test_a_die_that_waits_for_its_bytes_is_taken(device):
    """If a channel has only one die, the array and the bus work alternately. Each of them is idle for a part of the
    time, but the die is always occupied."""
    alone = device.override(
        {
            "channel.rate_mt_s": 400,
            "channel.count": 2,
            "nand.geometry.chips_per_channel": 1,
            "nand.geometry.dies_per_chip": 1,
            "nand.geometry.planes_per_die": 1,
            "nand.geometry.blocks_per_plane": 256,
            "nand.timing.read": "per_page_type",
            "nand.timing.t_read_us": [40.0, 40.0, 40.0],
        }
    )
    stats = run(alone, reads())
    assert max(stats["utilisation"][kind] for kind in ("die", "channel")) < FULL
    found = bottleneck(stats)
    assert found.name.startswith("page buffers of die ")
    more = run(alone.override({"nand.geometry.chips_per_channel": 2}), reads())
    assert more["host"]["iops"] > 1.3 * stats["host"]["iops"]


def test_one_decoder_for_all_channels_is_named(device):
    shared = device.override({"ecc.engines": "shared", "ecc.decode_mb_s": 100})
    assert bottleneck(run(shared, reads())).name == "decoder 0"


def test_a_full_fifo_is_named(device):
    """A single job fills the FIFO. The decoder works only on the codewords of this job, so it is not always busy. Later
    jobs wait on the bus.
    """
    found = bottleneck(run(device.override({"ecc.engines": "shared", "ecc.decode_fifo_pages": 1}), reads()))
    fifo = next(one for one in found.resources if one.kind == "ecc_fifo" and "decoder" in one.name)
    assert fifo.key == "ecc.decode_fifo_pages"
    assert fifo.busy > 0


def test_processor_cores_are_named(device):
    slow = device.override({"controller.firmware.cores": 1, "controller.firmware.read_cycles": 50_000})
    assert bottleneck(run(slow, reads())).name == "processor cores"


def test_a_shallow_queue_is_named(device):
    stats = run(device, reads(queue_depth=1, requests=500))
    found = bottleneck(stats)
    assert (found.name, found.key) == ("host queue depth", None)
    assert run(device, reads(queue_depth=2, requests=500))["host"]["iops"] > 1.5 * stats["host"]["iops"]


def test_writes_that_wait_for_one_another_are_unknown(device):
    """All writes go to the same logical page, so each must wait for the previous one. Each goes to another die, so no
    die is busy, and a deeper queue does not help.
    """
    same = writes(footprint_bytes=16384, requests=400)
    in_turn = device.override({"controller.mapping.plane": "least_busy"})
    stats = run(in_turn, same)
    assert bottleneck(stats).name == "unknown"
    deeper = run(in_turn, same | {"queue_depth": 128})
    assert deeper["host"]["iops"] == pytest.approx(stats["host"]["iops"], rel=0.1)


def test_ceilings_of_resources_are_their_rates_at_full_use(device):
    stats = run(device, reads())
    for one in bottleneck(stats).resources:
        assert 0 <= one.busy <= 1
        if one.key is None and one.busy > 0:
            assert one.ceiling == pytest.approx(stats["host"]["iops"] / one.busy)
        else:
            assert one.ceiling is None or one.busy == 0


def test_without_breakdown_it_says_what_is_missing(small):
    with pytest.raises(ns.Error, match=r"run with simulation\.breakdown"):
        bottleneck(ns.run(small).stats)


# --- drawn drives

# For each bottleneck, the keys that relieve it and the factors by which the test changes them.
RELIEF: dict[str, dict[str, float]] = {
    "link": {"host.link.lanes": 2},
    "firmware": {"controller.firmware.cores": 2},
    "ecc": {"ecc.decode_mb_s": 2, "ecc.encode_mb_s": 2},
    "channel": {"channel.rate_mt_s": 2},
    "die": {"nand.geometry.chips_per_channel": 2, "nand.geometry.blocks_per_plane": 0.5},
    "page_buffers": {"nand.geometry.chips_per_channel": 2, "nand.geometry.blocks_per_plane": 0.5},
    "write_back_window": {"controller.cache.writes_in_flight": 2},
    "cache_room": {"controller.cache.capacity_bytes": 2},
    "command_slots": {"host.nvme.command_slots": 2},
    "data_transfers": {"host.nvme.data_transfers": 2},
}


# For each bottleneck, the settings that cause it. The rest of the drive is drawn at random.
CACHE = {"controller.cache.policy": "write_back", "controller.cache.capacity_bytes": 256 * 16384}
NARROW: dict[str, dict[str, Any]] = {
    "link": {"host.link.lanes": 1, "host.link.generation": 1},
    "firmware": {"controller.firmware.cores": 1, "controller.firmware.completion_cycles": 400_000},
    "ecc": {"ecc.decode_mb_s": 10, "ecc.encode_mb_s": 10},
    "channel": {"channel.rate_mt_s": 20},
    "die": {"channel.count": 1, "nand.geometry.chips_per_channel": 1, "nand.timing.t_pre_us": 100},
    "write_back_window": CACHE | {"controller.cache.writes_in_flight": 2},
    "cache_room": CACHE | {"controller.cache.capacity_bytes": 3 * 16384},
    "command_slots": {"host.nvme.command_slots": 2},
    "data_transfers": {"host.nvme.data_transfers": 1, "host.link.propagation_ns": 300_000},
    "host": {},
}


def drawn(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draws a drive with a certain bottleneck and a workload for it."""
    draw = random.Random(seed)
    narrow = list(NARROW)[seed % len(NARROW)]
    drive: dict[str, Any] = {
        "simulation.breakdown": True,
        "simulation.seed": seed,
        "channel.count": draw.choice([2, 4]),
        "channel.rate_mt_s": draw.choice([800, 1600]),
        "channel.interface": "nv_ddr4",
        "nand.geometry.chips_per_channel": draw.choice([2, 4]),
        "nand.geometry.dies_per_chip": 1,
        "nand.geometry.planes_per_die": 1,
        "nand.geometry.blocks_per_plane": 128,
        "nand.geometry.pages_per_block": 48,
        "nand.timing.t_prog_us": draw.choice([200, 400]),
        "controller.mapping.over_provisioning": 0.6,
        "controller.precondition.occupancy": 0.6,
        "controller.firmware.cores": draw.choice([2, 4]),
        "controller.firmware.completion_cycles": draw.choice([100, 2000]),
        "controller.scheduler.suspend": draw.choice(["none", "program_erase"]),
        "host.link.lanes": draw.choice([4, 8]),
        "host.link.generation": draw.choice([3, 4]),
        "host.driver.memory_page_bytes": draw.choice([4096, 16384]),
        "ecc.decode_mb_s": draw.choice([1000, 2000]),
    }
    writing = narrow in ("write_back_window", "cache_room", "data_transfers")
    load = ns.synthetic(
        read_percent=0 if writing else draw.choice([0, 50, 100]),
        block_bytes=16384,
        queue_depth=2 if narrow == "host" else 64,
        requests=1500,
    )
    return drive | NARROW[narrow], load


def relieved(config: ns.Config, kind: str) -> ns.Config:
    changes = {key: type(config[key])(config[key] * factor) for key, factor in RELIEF[kind].items()}
    return config.override(changes)


def relieve(config: ns.Config, load: dict[str, Any], found: Any) -> tuple[ns.Config, dict[str, Any]]:
    if found.name == "host queue depth":
        return config, load | {"queue_depth": 2 * load["queue_depth"]}
    named = next(one for one in found.resources if one.name == found.name)
    return relieved(config, named.kind), load


def idlest(resources: tuple[Resource, ...]) -> str:
    """Returns the kind of resource that is used least. Kinds that are not used at all do not count, since relieving
    them could not have an effect.
    """
    fullest: dict[str, float] = {}
    for one in resources:
        if one.kind in RELIEF:
            fullest[one.kind] = max(fullest.get(one.kind, 0.0), one.busy)
    return min((kind for kind in fullest if fullest[kind] > 0), key=lambda kind: fullest[kind])


@pytest.mark.parametrize("seed", range(50))
def test_relief_of_what_is_named_helps_and_of_the_idlest_does_not(seed):
    drive, load = drawn(seed)
    config = ns.load("bare", drive)
    stats = run(config, load)
    rate = stats["host"]["iops"]
    found = bottleneck(stats)
    assert found.name != "unknown"
    better = run(*relieve(config, load, found))["host"]["iops"]
    # A die and the link may be full at once. Relief of one of them then leaves the rate to the other.
    full = [one for one in found.resources if one.key is None and one.busy > max(FULL, 0.95 * found.busy)]
    kinds = {one.kind for one in full} - {"page_buffers"}
    assert better > (1.15 if len(kinds) <= 1 else 0.98) * rate, str(found)
    other = idlest(found.resources)
    same = run(relieved(config, other), load)["host"]["iops"]
    assert same == pytest.approx(rate, rel=0.05), other

# SPDX-License-Identifier: Apache-2.0
"""Tests of what a look-up of the mapping costs: in DRAM, in SRAM, in a host memory buffer, and on flash.

Each test reads single units, and compares each latency with that of a drive whose look-ups take no time."""

import numpy as np
import pytest

import nandscape as ns

UNIT, ENTRY, LINE = 4096, 4, 64
PER_PAGE = UNIT // ENTRY  # entries of a translation page
PER_LINE = LINE // ENTRY
MEMORY = "controller.mapping.memory"
SRAM = 16 * UNIT
SMALL = {
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 48,
    "controller.mapping.unit_bytes": UNIT,
    "controller.mapping.over_provisioning": 1,
}
ON_FLASH = SMALL | {"controller.mapping.cache_bytes": SRAM}
IN_HOST = ON_FLASH | {MEMORY: "host", "controller.mapping.host_buffer_bytes": 64 * UNIT}
NO_BUFFER = IN_HOST | {"host.driver.host_buffer_bytes": 0}


def drive(changes):
    return ns.Simulation(ns.load("bare", changes))


def latencies(simulation, units):
    found = []
    for unit in units:
        simulation.read(unit * UNIT // 512, UNIT)
        found.append(simulation.last_latency_us)
    return np.array(found)


def added(changes, units, base=SMALL):
    """Returns what look-ups add to the latency of each read, and the statistics, in us."""
    simulation = drive(changes)
    return latencies(simulation, units) - latencies(drive(base), units), simulation.stats()


def line_us(config):
    """A read of a line: the request, the answer, and both ways over the link."""
    byte_us = 8 * 130 / 128 / 8000 / config["host.link.lanes"]  # generation 3
    return 1e-3 * 2 * config["host.link.propagation_ns"] + (8 + 12 + 8 + 12 + LINE) * byte_us


def test_a_look_up_in_dram_takes_the_time_of_a_random_access():
    simulation = drive(SMALL | {MEMORY: "dram", "controller.dram.t_rfc_ns": 0})
    config = simulation.config
    # 4 KiB of a row hold 1024 entries. Rows lie in 8 banks in turn.
    units = [0, 1, 1024, 8 * 1024, 0]
    found = latencies(simulation, units) - latencies(drive(SMALL), units)
    rp, rcd, cl = (config[f"controller.dram.t_{name}_ns"] for name in ("rp", "rcd", "cl"))
    burst = 1e3 * LINE * 8 / config["controller.dram.bus_bits"] / config["controller.dram.rate_mt_s"]
    expected = [rcd + cl, cl, rcd + cl, rp + rcd + cl, rp + rcd + cl]
    assert found * 1e3 == pytest.approx(np.array(expected) + burst, abs=0.01)
    stats = simulation.stats()
    assert stats["controller"]["mapping_memory"]["dram"] == 5
    assert stats["controller"]["dram"]["bytes_read"] == 5 * LINE
    activations = stats["controller"]["dram"]["row_misses"]
    joules = 5 * LINE * 8 * 1e-12 * config["controller.dram.energy_pj_per_bit"]
    joules += activations * 1e-9 * config["controller.dram.activate_nj"]
    assert stats["energy"]["dram_j"] == pytest.approx(joules)


def test_the_units_of_a_page_are_looked_up_together_and_sensed_once():
    reads = ns.synthetic(read_percent=100, pattern="sequential", block_bytes=131072, queue_depth=8, requests=200)
    drive = ns.load("cached", {"controller.precondition.order": "sequential", "controller.cache.policy": "none"})
    ideal, dram = (ns.run(drive.override({MEMORY: memory}), workload=reads).stats for memory in ("ideal", "dram"))
    assert dram["nand"]["senses"] == ideal["nand"]["senses"]
    assert dram["host"]["bandwidth_mib_s"] == pytest.approx(ideal["host"]["bandwidth_mib_s"], rel=0.01)
    # 32 units of 4 KiB have their entries in two lines, or in three if the request does not begin with a line.
    lines = dram["controller"]["dram"]["bytes_read"] / LINE
    assert 2 * 200 <= lines <= 3 * 200


def test_translation_pages_in_dram_cost_a_look_up_and_an_absent_one_a_read_of_flash():
    units = [0, 1, 1]
    plain, _ = added(ON_FLASH, units)
    found, stats = added(ON_FLASH | {MEMORY: "dram"}, units)
    assert plain[1] == plain[2] == 0
    assert 0.01 < found[1] < 0.06
    # The page is written to DRAM before its entry is read.
    assert found[0] - plain[0] == pytest.approx(UNIT / 9600, abs=0.1)
    assert stats["controller"]["mapping_memory"]["flash"] == 1
    assert stats["controller"]["dram"]["bytes_written"] == UNIT


def test_look_ups_cost_what_their_level_costs():
    config = ns.load("bare", IN_HOST)
    in_line, in_page = PER_LINE - 1, PER_PAGE - 1
    units = [0, in_line, in_page, in_page, PER_PAGE]
    # A translation page that was read from flash costs what it costs without a buffer: it is written to the buffer
    # behind the look-up.
    found, stats = added(IN_HOST, units, ON_FLASH)
    assert found == pytest.approx([0, 0, line_us(config), 0, 0], abs=2e-3)
    miss, hit = latencies(drive(IN_HOST), [0, 0])
    assert miss - hit > config["nand.timing.t_pre_us"] + config["ecc.t_decode_us"]
    memory = stats["controller"]["mapping_memory"]
    assert {level: memory[level] for level in ("sram", "host", "flash")} == {"sram": 2, "host": 1, "flash": 2}
    assert memory["host_bytes_read"] == LINE
    assert memory["host_bytes_written"] == 2 * UNIT
    assert memory["granted_bytes"] == 64 * UNIT
    assert memory["host_ratio"] == pytest.approx(0.2)


def test_the_sram_holds_as_many_lines_and_the_buffer_as_many_pages_as_fit():
    lines, pages = SRAM // LINE, 64
    simulation = drive(IN_HOST)
    assert simulation.capacity_bytes > (pages + 1) * PER_PAGE * UNIT
    latencies(simulation, np.arange(pages) * PER_PAGE)  # loads 64 pages

    def levels(units):
        before = simulation.stats()["controller"]["mapping_memory"]
        latencies(simulation, units)
        after = simulation.stats()["controller"]["mapping_memory"]
        return [after[level] - before[level] for level in ("sram", "host", "flash")]

    fits = np.arange(lines) * PER_LINE
    levels(fits)
    assert levels(fits) == [lines, 0, 0]
    too_many = np.arange(2 * lines) * PER_LINE  # the least recently used line makes room, so none is there when needed
    levels(too_many)
    assert levels(too_many) == [0, 2 * lines, 0]
    assert levels(np.arange(pages) * PER_PAGE + 5 * PER_LINE)[2] == 0
    assert levels([pages * PER_PAGE, 0]) == [0, 0, 2]


@pytest.mark.parametrize("granted", [0, SRAM - 4096])
def test_a_host_that_grants_too_little_leaves_the_sram_alone(granted):
    reads = ns.synthetic(read_percent=60, queue_depth=16, requests=3000)
    with_none, plain = (
        ns.run(ns.load("bare", changes), workload=reads)
        for changes in (NO_BUFFER | {"host.driver.host_buffer_bytes": granted}, ON_FLASH)
    )
    for name, column in with_none.requests.items():
        assert np.array_equal(column, plain.requests[name]), name
    assert with_none.stats["controller"]["mapping_memory"]["granted_bytes"] == 0
    assert with_none.stats["controller"]["mapping_memory"]["host"] == 0


def test_the_driver_grants_at_most_what_it_may():
    simulation = drive(IN_HOST | {"host.driver.host_buffer_bytes": 24 * UNIT})
    simulation.read(0, UNIT)
    assert simulation.stats()["controller"]["mapping_memory"]["granted_bytes"] == 24 * UNIT


def test_changed_lines_go_to_the_buffer_and_changed_pages_to_flash():
    writes = ns.synthetic(read_percent=0, queue_depth=8, requests=6000)
    small = {"controller.mapping.cache_bytes": UNIT, "controller.mapping.host_buffer_bytes": 20 * UNIT}
    result = ns.run(ns.load("bare", IN_HOST | small), workload=writes)
    memory, cache = (result.stats["controller"][name] for name in ("mapping_memory", "mapping_cache"))
    assert cache["stores"] > 100
    # Each page that is loaded is written to the buffer, each that is stored is read from it; the rest are lines.
    lines_read = memory["host_bytes_read"] - cache["stores"] * UNIT
    lines_written = memory["host_bytes_written"] - cache["loads"] * UNIT
    assert lines_read % LINE == lines_written % LINE == 0
    assert lines_read > 0
    assert lines_written > 0


def test_a_checkpoint_holds_the_buffer(tmp_path):
    simulation = drive(IN_HOST)
    units = np.arange(40) * PER_PAGE
    latencies(simulation, units)
    simulation.checkpoint(tmp_path / "warm")
    restored = ns.Simulation.restore(tmp_path / "warm")
    again = units + PER_PAGE - 1
    assert np.array_equal(latencies(simulation, again), latencies(restored, again))
    assert simulation.stats()["controller"]["mapping_memory"]["flash"] == 40
    # A host that grants less takes a part of it away, here all but the pages that were used last.
    less = ns.Simulation.restore(tmp_path / "warm", {"host.driver.host_buffer_bytes": 24 * UNIT})
    latencies(less, again[::-1][:24])
    assert less.stats()["controller"]["mapping_memory"]["flash"] == 40
    none = ns.Simulation.restore(tmp_path / "warm", {"host.driver.host_buffer_bytes": 0})
    latencies(none, again[::-1][:16])
    assert none.stats()["controller"]["mapping_memory"]["flash"] == 40
    latencies(none, again[:1])
    assert none.stats()["controller"]["mapping_memory"]["flash"] == 41


def test_a_reset_takes_the_buffer_away_and_the_driver_grants_it_again():
    simulation = drive(IN_HOST)
    latencies(simulation, [0, PER_LINE])
    simulation.reset()
    latencies(simulation, [0, PER_LINE])
    memory = simulation.stats()["controller"]["mapping_memory"]
    assert (memory["flash"], memory["host"], memory["granted_bytes"]) == (2, 2, 64 * UNIT)


@pytest.mark.parametrize("protection", ["none", "capacitor"])
def test_the_buffer_is_lost_with_the_power_but_no_data_are(protection):
    changes = IN_HOST | {"controller.power_loss.protection": protection, "simulation.data": "stored"}
    simulation = drive(changes)
    for unit in range(0, 3000, 7):
        simulation.write(unit * UNIT // 512, bytes([unit % 251]) * UNIT, fua=True)
    before = simulation.stats()["controller"]["mapping_memory"]["flash"]
    simulation.power_cut()
    simulation.power_on()
    for unit in range(0, 3000, 7):
        assert simulation.read(unit * UNIT // 512, UNIT) == bytes([unit % 251]) * UNIT
    assert simulation.stats()["controller"]["mapping_memory"]["flash"] >= before + 3
    assert simulation.stats()["controller"]["mapping_memory"]["granted_bytes"] == 64 * UNIT


def test_the_buffer_competes_with_data_for_the_link():
    """Random reads of 4 KiB at a deep queue: the lines of the buffer take their share of the link."""
    reads = ns.synthetic(read_percent=100, queue_depth=64, requests=20_000, footprint_fraction=0.5)
    narrow = {"host.link.generation": 1, "host.link.lanes": 1}
    warm = {"simulation.warmup.requests": 5000}
    results = {
        name: ns.run(ns.load("bare", changes | narrow | warm), workload=reads)
        for name, changes in (("free", SMALL), ("host", IN_HOST | {"controller.mapping.host_buffer_bytes": 1 << 20}))
    }
    memory = results["host"].stats["controller"]["mapping_memory"]
    assert memory["flash"] == 0
    assert memory["host"] > 0.5 * (memory["host"] + memory["sram"])
    link = {name: result.stats["host"]["link"] for name, result in results.items()}
    extra = link["host"]["downstream_bytes"] - link["free"]["downstream_bytes"]
    assert extra == pytest.approx(memory["host_bytes_read"] / LINE * (LINE + 20), rel=0.01)


@pytest.mark.parametrize(("base", "memory"), [(SMALL, "dram"), (IN_HOST, "host")])
def test_each_unit_that_collection_moves_is_looked_up_once(base, memory):
    writes = ns.synthetic(read_percent=0, block_bytes=UNIT, queue_depth=32, requests=30_000)
    full = {"controller.mapping.over_provisioning": 0.7, "simulation.request_log": False, "host.workload": [writes]}
    simulation = drive(base | full | {MEMORY: memory})
    simulation.run()
    controller = simulation.stats()["controller"]
    looked_up, moved = controller["mapping_memory"]["moves"], controller["gc"]["moved_units"]
    assert moved > 5000
    if memory == "dram":
        # Those that the host overwrites during their move are looked up, too.
        assert moved <= looked_up <= 1.05 * moved
        assert controller["mapping_memory"]["dram"] == pytest.approx(30_000 + looked_up, rel=0.01)
    else:
        # Units whose translation page is on flash are moved without a look-up.
        assert 0 < looked_up <= 1.05 * moved

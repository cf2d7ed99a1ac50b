# SPDX-License-Identifier: Apache-2.0
"""Tests of power cuts, shelf time and failures, as seen from Python."""

import os
import subprocess
import sys
import tempfile

import pytest

import nandscape as ns

SMALL = {
    "simulation.data": "stored",
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 96,
    "controller.mapping.over_provisioning": 0.5,
    "host.workload.requests": 1000,
}
PAGE = 16384


def drive(**changes):
    return ns.Simulation(ns.load("bare", {**SMALL, **changes}))


def test_commands_end_with_the_power():
    simulation = drive()
    write = simulation.start_write(0, bytes(PAGE))
    simulation.power_cut()
    assert write.status == "power_lost"
    assert not simulation.has_power
    with pytest.raises(ns.RequestError, match="no power"):
        simulation.read(0, 512)
    assert simulation.stats()["controller"]["power_loss"]["cuts"] == 1


def test_times_are_told_apart():
    simulation = drive()
    simulation.advance("6mo", temperature_c=40)
    simulation.advance("12h", powered=False)
    with pytest.raises(ValueError, match="not a time"):
        simulation.advance("6 moons")
    with pytest.raises(ns.RequestError, match="program"):
        simulation.fail_next(0, "read")


@pytest.mark.parametrize("protection", ["capacitor", "none"])
def test_flushed_data_survive(protection):
    simulation = drive(**{"controller.power_loss.protection": protection})
    pages = [bytes([k]) * PAGE for k in range(30)]
    for _ in range(3):
        for k, page in enumerate(pages):
            simulation.write(32 * k, page)
        simulation.flush()
        simulation.power_cut()
        simulation.power_on()
        assert [simulation.read(32 * k, PAGE) for k in range(30)] == pages
    log = simulation.smart_log()
    assert (log["power_cycles"], log["unsafe_shutdowns"]) == (4, 3)


def test_a_shut_down_is_safe():
    simulation = drive(**{"controller.cache.policy": "write_back"})
    simulation.write(0, b"a" * PAGE)
    simulation.shut_down()
    simulation.advance("1 y", powered=False)
    simulation.power_on()
    assert simulation.read(0, PAGE) == b"a" * PAGE
    assert simulation.smart_log()["unsafe_shutdowns"] == 0


def recovery(simulation):
    return simulation.stats()["controller"]["recovery"]


def test_only_what_was_written_since_a_checkpoint_is_looked_through():
    simulation = drive(**{"controller.power_loss.protection": "none"})
    blocks = 8 * 24  # blocks of eight planes
    simulation.power_cut()
    simulation.power_on()
    assert recovery(simulation)["scanned_pages"] == blocks
    # Recovery also scans the blocks written since the checkpoint, each up to its first page that is not programmed.
    for k in range(12):
        simulation.write(32 * k, bytes([k]) * PAGE, fua=True)
    programmed = simulation.stats()["controller"]["programmed_pages"]
    simulation.power_cut()
    simulation.power_on()
    assert blocks < recovery(simulation)["scanned_pages"] <= blocks + programmed
    assert [simulation.read(32 * k, PAGE) for k in range(12)] == [bytes([k]) * PAGE for k in range(12)]

    everything = drive(**{"controller.power_loss.mapping_checkpoints": False})
    everything.power_cut()
    everything.power_on()
    assert recovery(everything)["scanned_pages"] > 60 * blocks
    assert recovery(everything)["recovery_us"] > 20 * recovery(simulation)["recovery_us"]


@pytest.mark.parametrize("unit_bytes", [0, 4096])
@pytest.mark.parametrize("protection", ["capacitor", "none"])
def test_a_drive_that_was_shut_down_knows_its_mapping(protection, unit_bytes):
    simulation = drive(**{"controller.power_loss.protection": protection, "controller.mapping.unit_bytes": unit_bytes})
    for turn in range(3):
        for k in range(40):
            simulation.write(32 * k, bytes([turn + k]) * PAGE)
        simulation.trim(32 * 40, 32 * 10 + 8)
        written = recovery(simulation)["checkpoint_pages"]
        simulation.shut_down()
        assert recovery(simulation)["checkpoint_pages"] > written
        simulation.power_on()
        assert recovery(simulation)["scanned_pages"] == 0
        assert recovery(simulation)["recovery_us"] > 0
        assert [simulation.read(32 * k, PAGE) for k in range(40)] == [bytes([turn + k]) * PAGE for k in range(40)]
        assert simulation.read(32 * 40, 11 * PAGE) == bytes(11 * PAGE)
        # After this power failure, the mapping in the checkpoint is still valid except for later writes and trims.
        simulation.write(32 * 3, b"n" * PAGE)
        simulation.trim(32 * 5, 32)
        simulation.flush()
        simulation.power_cut()
        simulation.power_on()
        assert recovery(simulation)["scanned_pages"] > 0
        assert simulation.read(32 * 2, 4 * PAGE) == bytes([turn + 2]) * PAGE + b"n" * PAGE + bytes(
            [turn + 4]
        ) * PAGE + bytes(PAGE)
        assert simulation.read(32 * 40, 11 * PAGE) == bytes(11 * PAGE)


def test_an_obsolete_journal_is_not_a_block_to_write_to():
    simulation = drive()
    for turn in range(3):
        simulation.trim(0, 32)
        simulation.power_cut()
        simulation.power_on()
        for k in range(64):
            simulation.write(32 * k, bytes([turn + k]) * PAGE)
        assert simulation.read(32 * 63, PAGE) == bytes([turn + 63]) * PAGE


def test_a_whole_drive_that_was_trimmed_stays_so():
    for protection in ("capacitor", "none"):
        simulation = drive(**{"controller.power_loss.protection": protection})
        simulation.write(32 * 7, b"o" * PAGE)
        simulation.trim(0, simulation.capacity_bytes // 512)
        simulation.write(32 * 9, b"n" * PAGE)
        simulation.flush()
        simulation.power_cut()
        simulation.power_on()
        assert simulation.read(32 * 7, 3 * PAGE) == bytes(2 * PAGE) + b"n" * PAGE
        before = simulation.stats()["controller"]["unmapped_reads"]
        simulation.read(32 * 100, PAGE)
        assert simulation.stats()["controller"]["unmapped_reads"] == before + 1


def test_a_large_drive_comes_back_in_little_memory():
    """The drive has 13 TiB, which are 0.9 billion mapping units. Most of them were never used, so they must need no
    memory.
    """
    script = """
import sys, nandscape as ns
drive = ns.Simulation(ns.load("bare", {
    "nand.geometry.chips_per_channel": 4, "nand.geometry.dies_per_chip": 4, "nand.geometry.planes_per_die": 4,
    "nand.geometry.blocks_per_plane": 1888, "nand.geometry.pages_per_block": 1792, "simulation.data": "stored"}))
drive.write(0, b"w" * 65536)
drive.power_cut()
drive.power_on()
assert drive.read(0, 65536) == b"w" * 65536
drive.checkpoint(sys.argv[1])
drive = ns.Simulation.restore(sys.argv[1])
drive.trim(0, drive.capacity_bytes // 512)
drive.write(0, b"x" * 16384)
drive.shut_down()
drive.power_on()
drive.power_cut()
drive.power_on()
assert drive.read(0, 65536) == b"x" * 16384 + bytes(49152)
status = open("/proc/self/status").read()
print(next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) / 1024)
"""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", script, f"{folder}/drive.checkpoint"]
        # By default, the address sanitizer does not return freed memory at once, which would distort the result.
        options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=0"
        environment = os.environ | {"ASAN_OPTIONS": options}
        child = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300, env=environment)
    assert float(child.stdout) < 500, "MiB"


def test_a_drive_outlives_a_bad_block():
    simulation = drive()
    simulation.fail_next(0, "program", 2)
    pages = [bytes([k]) * PAGE for k in range(200)]
    for k, page in enumerate(pages):
        simulation.write(32 * k, page)
    assert [simulation.read(32 * k, PAGE) for k in range(200)] == pages
    assert simulation.stats()["controller"]["failed_programs"] == 2

# SPDX-License-Identifier: Apache-2.0
"""Tests of `controller.write_mode.by_content`: its requirements, and data that are written at all speeds to real cells
with real codes.
"""

import random

import pytest

import nandscape as ns

PAGE = 4096
SECTORS = PAGE // 512
UNITS = 96

# The device of Sha et al., at the end of its rated life.
DRIVE = {
    "simulation.data": "stored",
    "simulation.cells": "per_cell",
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 1,
    "nand.geometry.blocks_per_plane": 16,
    "nand.geometry.pages_per_block": 16,
    "nand.geometry.page_bytes": PAGE,
    "nand.geometry.spare_bytes": 216,
    "nand.coding": "mlc_13",
    "nand.cells.set": "mlc_planar_15k",
    "nand.condition.pe_cycles": 15000,
    "nand.timing.program": "ispp",
    "nand.timing.read": "senses",
    "ecc.decoder": "bit_true",
    "ecc.codeword_bytes": PAGE,
    "ecc.correctable_bits": 55,
    "ecc.scrambler": False,
    "controller.mapping.over_provisioning": 1,
    "controller.precondition.occupancy": 0,
    "controller.read_retry.policy": "none",
    "controller.write_mode.by_content": True,
}


class Drive:
    """A drive together with the data that it must contain. Each page has its own share of ones."""

    def __init__(self, **changes):
        self.config = ns.load("bare", DRIVE | changes)
        self.simulation = ns.Simulation(self.config)
        self.random = random.Random(11)
        self.data: dict[int, bytes] = {}

    def write(self, unit: int, ones: float) -> None:
        bits = "".join("1" if self.random.random() < ones else "0" for _ in range(8 * 64))
        pattern = int(bits, 2).to_bytes(64, "little")
        self.data[unit] = pattern * (PAGE // 64)
        self.simulation.write(unit * SECTORS, self.data[unit])

    def fill(self, units: int = UNITS) -> None:
        for unit in range(units):
            self.write(unit, (0.05, 0.5, 0.8, 0.9, 0.98, 1.0)[unit // 4 % 6])

    def wrong(self) -> list[int]:
        return [unit for unit, data in self.data.items() if self.simulation.read(unit * SECTORS, PAGE) != data]


def mean_program_us(drive: Drive, ones: float) -> float:
    before = drive.simulation.now_us
    for unit in range(32):
        drive.write(unit, ones)
    drive.simulation.flush()
    return (drive.simulation.now_us - before) / 32


def test_data_are_as_written_at_every_speed_when_they_have_been_kept_for_a_year():
    drive = Drive()
    drive.fill()
    drive.simulation.flush()
    assert drive.wrong() == []
    drive.simulation.advance("12mo")
    assert drive.wrong() == []
    # Garbage collection must also rewrite the pages correctly.
    for _ in range(3):
        drive.fill()
    assert drive.wrong() == []


def test_pages_of_ones_are_programmed_faster_and_pages_of_zeros_as_fast_as_ever():
    usual = {"controller.write_mode.by_content": False}
    # Only the second page of a wordline is programmed faster, because the second page is not yet known when the first
    # one is programmed.
    fast, slow = mean_program_us(Drive(), 1.0), mean_program_us(Drive(**usual), 1.0)
    assert fast < 0.8 * slow
    # With this setting, the first page waits for a second page of the wordline, but no second page comes.
    waits = {"controller.mapping.wordline_wait_us": 20}
    alone = mean_program_us(Drive(**usual), 0.0)
    assert mean_program_us(Drive(**waits), 0.0) == pytest.approx(alone + 10, abs=1)


@pytest.mark.parametrize("faster", ["lsb", "msb"])
def test_some_pages_only(faster):
    drive = Drive(**{"controller.content.faster_pages": faster})
    drive.fill()
    assert drive.wrong() == []


def test_data_survive_power_cuts_at_any_instant():
    drive = Drive()
    for cut in range(12):
        flushed = {}
        for unit in range(24):
            drive.write(unit, (0.1, 0.7, 1.0)[(unit + cut) % 3])
            if unit == 15:
                drive.simulation.flush()
                flushed = dict(drive.data)
        drive.simulation.run_until(f"{drive.simulation.now_us + 37.0 * cut}us")
        drive.simulation.power_cut()
        drive.simulation.power_on()
        for unit, data in flushed.items():
            read = drive.simulation.read(unit * SECTORS, PAGE)
            assert read in (data, drive.data[unit])
            drive.data[unit] = read
        for unit in range(16, 24):
            drive.data[unit] = drive.simulation.read(unit * SECTORS, PAGE)


def test_a_checkpoint_goes_on_as_the_drive_does(tmp_path):
    drive = Drive()
    drive.fill(33)
    drive.simulation.checkpoint(tmp_path / "drive")
    drive.write(40, 0.9)
    restored = ns.Simulation.restore(tmp_path / "drive")
    restored.write(40 * SECTORS, drive.data[40])
    assert restored.stats()["nand"] == drive.simulation.stats()["nand"]


PROFILED = {
    "simulation.data": "none",
    "simulation.cells": "ideal",
    "ecc.decoder": "threshold",
}
WRITES = ns.synthetic(read_percent=0, requests=400, queue_depth=1)


def write_us(**changes) -> float:
    config = ns.load("bare", DRIVE | PROFILED | changes)
    return ns.run(config, workload=WRITES).stats["host"]["write"]["latency_us"]["mean"]


def test_a_profile_says_what_pages_hold_where_there_are_no_bytes():
    usual = write_us(**{"controller.write_mode.by_content": False})
    by_wordline = write_us()
    by_page = write_us(**{"controller.content.step_rule": "page"})
    mapped = write_us(**{"controller.content.step_rule": "page", "controller.content.state_mapping": True})
    assert mapped < by_page < by_wordline < usual
    exact = write_us(**{"controller.content.step_rule": "page", "controller.content.bound": "exact"})
    assert exact <= by_page


def test_statistical_cells_are_correctable_when_they_have_been_kept_for_a_year():
    config = ns.load("bare", DRIVE | PROFILED | {"simulation.cells": "statistical", "host.workload": [WRITES]})
    simulation = ns.Simulation(config)
    simulation.run()
    simulation.advance("12mo")
    for unit in range(UNITS):
        simulation.read(unit * SECTORS, PAGE)
    stats = simulation.stats()["ecc"]
    assert stats["failed_decodes"] == 0
    assert stats["corrected_bits"] > 0


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"nand.coding": "mlc_12"}, "nand.coding"),
        ({"controller.content.step_rule": "page"}, "controller.content.step_rule"),
        ({"controller.content.steps_mv": [400, 350]}, "controller.content.steps_mv"),
        ({"controller.content.steps_mv": [200]}, "controller.content.steps_mv"),
        ({"ecc.selection": "cdber"}, "controller.write_mode.by_content"),
    ],
)
def test_contradicting_settings_are_refused(changes, key):
    with pytest.raises(ns.ConfigError, match=key):
        ns.load("bare", DRIVE | changes)

# SPDX-License-Identifier: Apache-2.0
"""Tests of state mappings: with each of the 24 mappings, both pages of a wordline must be read back correctly."""

import itertools
import random

import numpy as np
import pytest

import nandscape as ns

PAGE = 4096
SECTORS = PAGE // 512
CHANNELS = 2
STATES = ("11", "10", "01", "00")  # the left digit is the bit in the MSB page, the right digit the bit in the LSB page
# orders of the states by their number of cells; each order leads to another mapping
ORDERS = list(itertools.permutations(STATES))

DRIVE = {
    "simulation.data": "stored",
    "channel.count": CHANNELS,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 1,
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 12,
    "nand.geometry.page_bytes": PAGE,
    "nand.geometry.spare_bytes": 544,
    "nand.coding": "mlc_13",
    "nand.cells.set": "mlc_planar_15k",
    "nand.condition.pe_cycles": 8000,
    "ecc.codeword_bytes": PAGE,
    "ecc.correctable_bits": 55,
    "ecc.scrambler": False,
    "controller.mapping.over_provisioning": 0.6,
    "controller.precondition.occupancy": 0,
}
CELLS = ("nand.cells.set", "nand.condition.pe_cycles")  # settings that apply only to cells with errors
BY_CODE = {"ecc.selection": "cdber", "ecc.state_mapping": "by_share"}
BY_SPEED = {
    "controller.write_mode.by_content": True,
    "controller.content.state_mapping": True,
    "nand.timing.program": "ispp",
}
DECODERS = [
    ("threshold", "ideal"),
    ("threshold", "per_cell"),
    ("table", "statistical"),
    ("bit_true", "statistical"),
    ("bit_true", "per_cell"),
]


class Drive:
    """A drive and the data that it must contain. Each write fills one wordline on each channel."""

    def __init__(self, *changes: dict, seed: int = 11):
        config = DRIVE
        for change in changes:
            config = config | change
        if config.get("simulation.cells") == "ideal":
            config = {key: value for key, value in config.items() if key not in CELLS}
        self.simulation = ns.Simulation(ns.load("bare", config))
        self.random = random.Random(seed)
        self.cells = np.random.default_rng(seed)
        self.data: dict[int, bytes] = {}
        self.units = self.simulation.capacity_bytes // PAGE // (2 * CHANNELS) * (2 * CHANNELS)

    def wordline(self, order: tuple[str, ...]) -> tuple[bytes, bytes]:
        """Returns an LSB page and an MSB page. Their cells are in the given states; the first state is the most
        frequent.
        """
        states = self.cells.choice(4, size=8 * PAGE, p=(0.55, 0.25, 0.15, 0.05))
        digits = np.array([[int(digit) for digit in state] for state in order], dtype=np.uint8)[states]
        return np.packbits(digits[:, 1]).tobytes(), np.packbits(digits[:, 0]).tobytes()

    def wordlines(self, order: tuple[str, ...]) -> bytes:
        """Returns the data of one wordline per channel, in the order of pages in which a write command must contain
        them.
        """
        pairs = [self.wordline(order) for _ in range(CHANNELS)]
        return b"".join(lsb for lsb, _ in pairs) + b"".join(msb for _, msb in pairs)

    def keep(self, unit: int, data: bytes) -> None:
        for k in range(2 * CHANNELS):
            self.data[unit + k] = data[k * PAGE :][:PAGE]

    def write(self, unit: int, order: tuple[str, ...]) -> None:
        data = self.wordlines(order)
        self.keep(unit, data)
        self.simulation.write(unit * SECTORS, data)

    def any_place(self) -> int:
        return self.random.randrange(0, self.units, 2 * CHANNELS)

    def overwrite(self, times: int) -> None:
        for _ in range(times):
            self.write(self.any_place(), self.random.choice(ORDERS))

    def fill(self) -> None:
        for unit in range(0, self.units, 2 * CHANNELS):
            self.write(unit, ORDERS[unit // (2 * CHANNELS) % len(ORDERS)])

    def wrong(self) -> list[int]:
        read = self.simulation.read
        return [unit for unit, data in self.data.items() if read(unit * SECTORS, PAGE) != data]

    def state_map_reads(self) -> int:
        return self.simulation.stats()["controller"]["state_map_reads"]


@pytest.mark.parametrize(("decoder", "cells"), DECODERS)
def test_bytes_come_back_at_each_map(decoder, cells):
    drive = Drive(BY_CODE, {"ecc.decoder": decoder, "simulation.cells": cells})
    for k, order in enumerate(ORDERS):
        drive.write(4 * k, order)
    assert drive.state_map_reads() == 0
    assert drive.wrong() == []
    # With sixteen of the mappings, a page cannot be decoded without the other page of the wordline, so it is read, too.
    assert drive.state_map_reads() == 2 * 16 * CHANNELS
    for _ in range(50):
        unit, sector = drive.random.randrange(4 * len(ORDERS)), drive.random.randrange(SECTORS)
        part = drive.simulation.read(unit * SECTORS + sector, 512)
        assert part == drive.data[unit][512 * sector :][:512]


@pytest.mark.parametrize("variant", [BY_CODE, BY_CODE | {"ecc.state_mapping": "best"}, BY_SPEED])
def test_bytes_come_back_after_collection_and_time(variant):
    drive = Drive(variant, {"ecc.decoder": "bit_true", "simulation.cells": "per_cell"})
    drive.fill()
    drive.overwrite(150)
    assert drive.simulation.stats()["controller"]["gc"]["moved_units"] > 20
    assert drive.wrong() == []
    assert drive.state_map_reads() > 50
    drive.simulation.advance("30d")
    assert drive.wrong() == []


@pytest.mark.parametrize("variant", [BY_CODE, BY_SPEED])
def test_a_checkpoint_knows_maps(variant, tmp_path):
    drive = Drive(variant, {"ecc.decoder": "bit_true", "simulation.cells": "statistical"})
    drive.fill()
    drive.simulation.checkpoint(tmp_path / "drive")
    drive.simulation = ns.Simulation.restore(tmp_path / "drive")
    assert drive.wrong() == []
    drive.overwrite(20)
    assert drive.wrong() == []


@pytest.mark.parametrize("protection", ["capacitor", "none"])
@pytest.mark.parametrize("variant", [BY_CODE, BY_SPEED])
@pytest.mark.parametrize("seed", range(3))
def test_bytes_come_back_after_power_cuts_at_any_instant(variant, protection, seed):
    drive = Drive(
        variant,
        {"ecc.decoder": "bit_true", "simulation.cells": "statistical", "controller.power_loss.protection": protection},
        seed=seed,
    )
    drive.fill()
    for _ in range(8):
        drive.overwrite(6)
        drive.simulation.flush()
        unanswered = {}
        for _ in range(6):
            unit = drive.any_place()
            if unit not in unanswered:
                unanswered[unit] = drive.wordlines(drive.random.choice(ORDERS))
                drive.simulation.start_write(unit * SECTORS, unanswered[unit])
        drive.simulation.run_until(int(drive.simulation.now_us * 1000 + drive.random.uniform(0, 8e6)) * 1000)
        drive.simulation.power_cut()
        drive.simulation.power_on()
        for first, data in unanswered.items():
            for k in range(2 * CHANNELS):
                read = drive.simulation.read((first + k) * SECTORS, PAGE)
                assert read in (data[k * PAGE :][:PAGE], drive.data[first + k])
                drive.data[first + k] = read
        assert drive.wrong() == []


def test_programs_that_fail_lose_nothing():
    failing = {"nand.cells.failures.program_failure": 2e-4, "controller.mapping.over_provisioning": 2}
    drive = Drive(BY_CODE, {"ecc.decoder": "bit_true", "simulation.cells": "statistical"}, failing)
    drive.fill()
    drive.overwrite(60)
    assert drive.wrong() == []
    assert drive.simulation.stats()["controller"]["failed_programs"] > 0


def write_us(drive: Drive, data: bytes) -> float:
    before = drive.simulation.now_us
    for k in range(8):
        drive.simulation.write(4 * k * SECTORS, data)
    return (drive.simulation.now_us - before) / 8


def test_both_pages_of_a_wordline_that_is_gathered_are_faster():
    """If the drive programs a first page before it knows the second page, it assumes the worst second page."""
    ones = bytes([255]) * PAGE
    speed = {**BY_SPEED, "controller.content.state_mapping": False}
    usual = write_us(Drive({"nand.timing.program": "ispp"}), ones * 2 * CHANNELS)
    gathered = write_us(Drive(speed), ones * 2 * CHANNELS)
    alone = write_us(Drive(speed, {"controller.content.faster_pages": "msb"}), ones * 2 * CHANNELS)
    assert gathered < 0.6 * usual
    assert gathered < alone < 0.9 * usual


def test_lsb_pages_of_a_wordline_that_is_gathered_are_divided():
    """Cells in the states 11 and 10 are not weak in either page, so such pages have the most segments."""
    drive = Drive({"ecc.selection": "cdber"}, {"ecc.decoder": "bit_true", "simulation.cells": "statistical"})
    ones, noise = bytes([255]) * PAGE, drive.random.randbytes(PAGE)
    for k in range(6):
        drive.keep(4 * k, noise * CHANNELS + ones * CHANNELS)
        drive.simulation.write(4 * k * SECTORS, noise * CHANNELS + ones * CHANNELS)
    ecc = drive.simulation.stats()["ecc"]
    assert ecc["segments_8"]["encoded_pages"] == 24
    assert drive.wrong() == []


def test_the_other_page_is_read_where_no_data_are_kept_too():
    workload = ns.synthetic(read_percent=100, requests=500, queue_depth=1)
    drive = {"simulation.data": "none", "controller.precondition.occupancy": 1, "host.workload": [workload]}
    us = {}
    for mapping in ("none", "by_share"):
        config = ns.load("bare", DRIVE | BY_CODE | drive | {"ecc.state_mapping": mapping})
        stats = ns.run(config).stats
        us[mapping] = stats["host"]["read"]["latency_us"]["mean"]
        assert (stats["controller"]["state_map_reads"] > 200) == (mapping == "by_share")
    assert us["by_share"] > 1.3 * us["none"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (BY_CODE | {"ecc.scrambler": True, "ecc.decoder": "bit_true"}, "ecc.scrambler to false"),
        (BY_SPEED | {"ecc.scrambler": True, "ecc.decoder": "bit_true"}, "ecc.scrambler to false"),
        (BY_SPEED | {"controller.garbage_collection.copyback": True}, "copyback"),
        (BY_SPEED | {"controller.parity.stripe_dies": 2}, "stripe_dies to 0"),
        (BY_CODE | {"controller.refresh.policy": "ida"}, "ida"),
    ],
)
def test_settings_that_contradict_maps_are_refused(changes, message):
    with pytest.raises(ns.ConfigError, match=message):
        ns.load("bare", DRIVE | changes)

# SPDX-License-Identifier: Apache-2.0
"""Tests of write modes that relax retention: host writes are faster, and no block becomes older than its guarantee."""

import random

import pytest

import nandscape as ns

WEEK = 7 * 24
RATIOS = {10: 1.86, 2: 2.33}  # by weeks
KEPT_WEEKS = "controller.write_mode.kept_weeks"
RATIO = "controller.write_mode.step_ratio"

DRIVE = {
    "simulation.data": "stored",
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 1,
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 12,
    "nand.geometry.page_bytes": 4096,
    "nand.geometry.spare_bytes": 512,
    "controller.mapping.over_provisioning": 1.0,
    "controller.precondition.occupancy": 0,
    KEPT_WEEKS: 2,
    RATIO: 2.33,
}
# The cells for which the speedups were published, at the end of their rated endurance. The code corrects twice as many
# errors as required.
MLC = {
    "nand.cells.set": "mlc_planar_72nm",
    "nand.coding": "mlc_12",
    "nand.condition.pe_cycles": 10_000,
    "ecc.correctable_bits": 48,
}


class Drive:
    """A drive, the data that it must contain, and its elapsed time at 30 °C."""

    def __init__(self, seed: int = 1, **changes):
        config = ns.load("bare", DRIVE | changes)
        self.simulation = ns.Simulation(config)
        self.answered_is_durable = config["controller.power_loss.protection"] == "capacitor"
        self.random = random.Random(seed)
        self.page = 4096
        self.units = self.simulation.capacity_bytes // self.page * 3 // 4
        self.data: dict[int, bytes] = {}
        self.hours = 0.0

    def write(self, unit: int, fua: bool = False) -> float:
        self.data[unit] = self.random.randbytes(self.page)
        return self.simulation.write(unit * self.page // 512, self.data[unit], fua=fua)

    def overwrite(self, count: int) -> None:
        for _ in range(count):
            self.write(self.random.randrange(self.units))

    def advance(self, hours: float, powered: bool = True) -> None:
        self.simulation.advance(f"{hours}h", temperature_c=30, powered=powered)
        self.hours += hours

    def cut_at_any_instant(self) -> None:
        """Cuts the power at a random time during writes. Afterwards, each written unit may hold its old or its new
        data.
        """
        before = dict(self.data)
        writes = {}
        for unit in self.random.sample(range(self.units), 8):
            self.data[unit] = self.random.randbytes(self.page)
            writes[unit] = self.simulation.start_write(unit * self.page // 512, self.data[unit])
        now_ps = round(self.simulation.now_us * 1e6)
        self.simulation.run_until(now_ps + self.random.randrange(1, 3_000_000_000))
        self.simulation.power_cut()
        kept = {unit for unit, write in writes.items() if write.status == "ok" and self.answered_is_durable}
        self.unsure = {unit: before.get(unit) for unit in writes if unit not in kept}

    def power_on(self) -> None:
        self.simulation.power_on()
        for unit, before in self.unsure.items():
            found = self.simulation.read(unit * self.page // 512, self.page)
            assert found in (self.data[unit], before or bytes(self.page))
            self.data[unit] = found

    def wrong(self) -> list[int]:
        read = self.simulation.read
        return [unit for unit, data in self.data.items() if read(unit * self.page // 512, self.page) != data]

    @property
    def guarantees(self):
        return self.simulation.stats()["controller"]["guarantees"]

    @property
    def nand(self):
        return self.simulation.stats()["nand"]


@pytest.mark.parametrize("weeks", RATIOS)
def test_writes_of_the_host_are_faster_by_the_ratio_and_no_others(weeks):
    def latency_us(**changes) -> float:
        return Drive(**changes).write(0, fua=True)

    plain = {"nand.coding": "slc", "nand.timing.t_prog_us": 700}
    mode = {KEPT_WEEKS: weeks, RATIO: RATIOS[weeks]}
    normal = latency_us(**plain, **{KEPT_WEEKS: 0})
    relaxed = latency_us(**plain, **mode)
    # The tolerance covers the three bus cycles that set the ISPP step.
    assert normal - relaxed == pytest.approx(700 * (1 - 1 / RATIOS[weeks]), abs=0.5)
    unchanged = latency_us(**plain, **mode | {RATIO: 1})
    assert unchanged == pytest.approx(normal, abs=0.2)

    # Reprogramming uses the normal step, so each of its programs takes as long as without the mode. The energy of the
    # arrays is used as a measure of their time.
    programs_only = {"nand.energy.read_mw": 0, "nand.energy.program_mw": 1, "nand.energy.erase_mw": 0}
    drive = Drive(**plain, **programs_only, **mode)

    def programs() -> tuple[int, float]:
        stats = drive.simulation.stats()
        return stats["nand"]["page_programs"], stats["energy"]["array_j"] * 1e9

    def us_of_a_program(work) -> float:
        count, us = programs()
        work()
        later_count, later_us = programs()
        return (later_us - us) / (later_count - count)

    assert us_of_a_program(lambda: drive.overwrite(100)) == pytest.approx(700 / RATIOS[weeks], rel=1e-3)
    assert us_of_a_program(lambda: drive.advance(weeks * WEEK)) == pytest.approx(700)
    assert drive.guarantees["reprogrammed_pages"] > 0


@pytest.mark.parametrize("weeks", RATIOS)
def test_what_is_not_overwritten_is_reprogrammed_once(weeks):
    guarantee = weeks * WEEK
    drive = Drive(**{KEPT_WEEKS: weeks, RATIO: RATIOS[weeks]})
    for unit in range(drive.units):
        drive.write(unit)
    assert drive.guarantees["blocks"] > 0
    drive.advance(guarantee / 2 - 1)
    assert drive.guarantees["reprogrammed_blocks"] == 0
    # Half-way through the second period, half of the blocks have been reprogrammed.
    drive.advance(guarantee / 4)
    guarantees = drive.guarantees
    assert guarantees["blocks"] == pytest.approx(guarantees["reprogrammed_blocks"], abs=3)
    drive.advance(guarantee / 4 + 1)
    guarantees = drive.guarantees
    assert guarantees["blocks"] == 0
    assert guarantees["reprogrammed_pages"] == drive.units
    assert guarantees["reprogrammed_bytes"] == drive.units * drive.page
    assert guarantee / 2 <= guarantees["longest_hours"] <= guarantee
    # Reprogrammed pages were programmed in the normal mode, so they never need to be reprogrammed again.
    drive.advance(5 * guarantee)
    assert drive.guarantees == guarantees
    assert drive.wrong() == []


SETTINGS = {
    "capacitor": {},
    "no capacitor": {"controller.power_loss.protection": "none"},
    "one stream": {"controller.power_loss.protection": "none", "controller.streams.policy": "single"},
    "parts of pages": {"controller.mapping.unit_bytes": 2048, "controller.power_loss.protection": "none"},
    "no checkpoints": {"controller.power_loss.mapping_checkpoints": False},
    "rows with parity": {"controller.parity.stripe_dies": 2, "controller.power_loss.protection": "none"},
    "cells with errors": MLC | {"simulation.cells": "statistical"},
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", SETTINGS)
def test_no_block_outlives_its_guarantee(name, seed):
    """Must hold for any writes, any time of a power failure and any time without power within a period.

    The drive cannot reprogram without power. The power must therefore return before the end of the period in which the
    oldest data must be reprogrammed. After a power cut, the drive assumes that a block was opened at the start of its
    period, so the reported ages are never lower than the true ones.
    """
    guarantee = 2 * WEEK
    drive = Drive(seed, **SETTINGS[name])

    def check():
        guarantees = drive.guarantees
        assert guarantees["oldest_hours"] <= guarantee
        assert guarantees["longest_hours"] <= guarantee
        return guarantees

    draw = drive.random
    for _ in range(40):
        drive.overwrite(draw.randrange(30))
        check()
        kind = draw.randrange(4)
        if kind == 0:
            drive.advance(draw.uniform(0, WEEK))
        elif kind == 1:
            drive.advance(draw.uniform(0, 20))
        else:
            drive.simulation.flush()
            oldest = drive.guarantees["oldest_hours"]
            if kind == 2:
                drive.cut_at_any_instant()
            else:
                drive.simulation.shut_down()
                drive.unsure = {}
            of_period = drive.hours % WEEK
            left = WEEK - of_period + (0 if oldest > of_period else WEEK)
            drive.advance(draw.uniform(0, max(0, min(WEEK, left - 0.1))), powered=False)
            drive.power_on()
            drive.advance(1e-3)
        check()
    assert drive.wrong() == []
    assert check()["reprogrammed_blocks"] > 0
    drive.advance(guarantee)
    assert check()["blocks"] == 0
    assert drive.wrong() == []


@pytest.mark.parametrize("name", SETTINGS)
def test_modes_of_blocks_survive_power_cuts(name):
    drive = Drive(**SETTINGS[name])
    drive.overwrite(100)
    drive.advance(WEEK + 1)
    drive.overwrite(40)
    for end in (drive.simulation.power_cut, drive.simulation.shut_down, drive.simulation.power_cut):
        drive.simulation.flush()
        before = drive.guarantees
        assert before["blocks"] > 0
        end()
        drive.simulation.power_on()
        # At this time, the drive would already have begun to reprogram overdue blocks.
        assert drive.guarantees["blocks"] + drive.guarantees["reprogrammed_blocks"] >= before["blocks"]
        drive.overwrite(5)
    drive.advance(2 * WEEK)
    assert drive.guarantees["blocks"] == 0
    assert drive.guarantees["longest_hours"] <= 2 * WEEK
    assert drive.wrong() == []


def test_what_is_overdue_after_time_without_power_is_reprogrammed_at_once():
    drive = Drive()
    drive.overwrite(60)
    blocks = drive.guarantees["blocks"]
    drive.simulation.shut_down()
    drive.advance(3 * WEEK, powered=False)
    drive.simulation.power_on()
    drive.advance(1e-3)
    assert drive.guarantees["blocks"] == 0
    assert drive.guarantees["reprogrammed_blocks"] == blocks
    assert drive.wrong() == []
    # Data that were written recently need not be reprogrammed yet.
    drive.overwrite(60)
    drive.simulation.shut_down()
    drive.advance(10, powered=False)
    drive.simulation.power_on()
    drive.advance(1e-3)
    assert drive.guarantees["blocks"] > 0
    assert drive.guarantees["reprogrammed_blocks"] == blocks


def test_time_passes_without_power_for_a_drive_that_is_on():
    """The time passes without power, so the drive can do nothing. At the next access, it finds that blocks are
    overdue.
    """
    drive = Drive()
    drive.overwrite(60)
    drive.advance(1.9 * WEEK, powered=False)
    assert drive.guarantees["reprogrammed_blocks"] == 0
    drive.write(0)
    drive.advance(1e-3)
    assert drive.guarantees["reprogrammed_blocks"] > 0


def test_real_codewords_in_cells_of_the_study_come_back():
    """At the end of the rated endurance, a code that corrects 24 bits is just sufficient for two weeks at this step
    ratio.
    """
    cells = MLC | {"simulation.cells": "per_cell", "ecc.decoder": "bit_true", "ecc.correctable_bits": 24}
    drive = Drive(**cells)
    for unit in range(0, 40):
        drive.write(unit)
    for _ in range(4):
        drive.advance(0.6 * WEEK)
        assert drive.wrong() == []
    assert drive.guarantees["reprogrammed_pages"] == 40
    drive.simulation.power_cut()
    drive.simulation.power_on()
    assert drive.wrong() == []


def test_checkpoints_know_what_is_relaxed(tmp_path):
    def go_on(simulation: ns.Simulation):
        simulation.advance("9d", temperature_c=30)
        return simulation.stats()["controller"]["guarantees"]

    drive = Drive()
    drive.overwrite(60)
    drive.advance(1.2 * WEEK)
    drive.overwrite(20)
    before = drive.guarantees
    drive.simulation.checkpoint(tmp_path / "drive")
    again = ns.Simulation.restore(tmp_path / "drive")
    assert again.stats()["controller"]["guarantees"] == drive.guarantees
    assert drive.guarantees["reprogrammed_blocks"] == before["reprogrammed_blocks"]
    assert go_on(again) == go_on(drive.simulation)
    drive.simulation = again
    assert drive.wrong() == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"controller.garbage_collection.copyback": True}, "copyback"),
        ({"simulation.cells": "statistical", RATIO: 3}, r"at most 2\.8"),
        ({"simulation.cells": "statistical"}, "times the errors"),
        ({"nand.cells.placement.step_mv": 20_000, RATIO: 4}, "at most"),
    ],
)
def test_contradicting_settings_are_refused(changes, message):
    with pytest.raises(ns.ConfigError, match=message):
        ns.Simulation(ns.load("bare", DRIVE | changes))

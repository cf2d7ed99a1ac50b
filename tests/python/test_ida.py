# SPDX-License-Identifier: Apache-2.0
"""Tests of the refresh by invalid-data-aware coding (IDA): counts, data, power cuts, and settings that exclude it."""

import random

import pytest

import nandscape as ns

PAGE = 16384
SECTORS = PAGE // 512
UNITS = 400

DRIVE = {
    "simulation.data": "stored",
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.blocks_per_plane": 16,
    "nand.geometry.pages_per_block": 48,
    "controller.mapping.over_provisioning": 1,
    "controller.precondition.occupancy": 0,
    "controller.refresh.policy": "ida",
    "controller.refresh.period_days": 9,
}
# With these cells, a few percent of the codewords have errors.
WORN = {
    "simulation.cells": "per_cell",
    "ecc.decoder": "bit_true",
    "nand.geometry.page_bytes": 4096,
    "nand.geometry.spare_bytes": 520,
    "nand.geometry.blocks_per_plane": 16,
    "nand.geometry.pages_per_block": 12,
    "nand.condition.pe_cycles": 300,
}


class Drive:
    """A drive and the data that it must contain."""

    def __init__(self, units: int = UNITS, **changes):
        self.config = ns.load("bare", DRIVE | changes)
        self.simulation = ns.Simulation(self.config)
        self.page = self.config.to_dict()["nand"]["geometry"]["page_bytes"]
        self.random = random.Random(7)
        self.units = units
        self.data: dict[int, bytes] = {}
        for unit in range(units):
            self.write(unit)

    def write(self, unit: int) -> None:
        self.data[unit] = self.random.randbytes(self.page)
        self.simulation.write(unit * self.page // 512, self.data[unit])

    def overwrite(self, count: int) -> None:
        for _ in range(count):
            self.write(self.random.randrange(self.units))

    def wrong(self) -> list[int]:
        read = self.simulation.read
        return [unit for unit, data in self.data.items() if read(unit * self.page // 512, self.page) != data]

    def stats(self, group: str):
        return self.simulation.stats()["controller"][group]


@pytest.mark.parametrize("error_rate", [0, 0.2, 1])
def test_reads_and_writes_of_a_refresh(error_rate):
    """Checks the numbers in Section III-C of Choi et al.: a refresh takes N_valid + N_target reads and N_valid -
    N_target + N_error writes.
    """
    drive = Drive(**{"controller.refresh.error_rate": error_rate})
    drive.overwrite(150)
    before = drive.simulation.stats()["controller"]
    flash = drive.simulation.stats()["nand"]
    drive.simulation.advance("10d")
    after = drive.simulation.stats()["controller"]
    renewal = after["renewal"]
    target = renewal["read_back_pages"]
    assert renewal["blocks"] > 0
    assert renewal["valid_pages"] == target + renewal["moved_pages"]
    reads = drive.simulation.stats()["nand"]["page_reads"] - flash["page_reads"]
    assert reads == renewal["valid_pages"] + target
    written = after["programmed_pages"] - before["programmed_pages"] - after["padding_pages"] + before["padding_pages"]
    assert written == renewal["moved_pages"] + renewal["written_back_pages"]
    expected = error_rate * target
    assert abs(renewal["written_back_pages"] - expected) <= 4 * (expected * (1 - error_rate)) ** 0.5
    assert drive.wrong() == []


@pytest.mark.parametrize("unit_bytes", [0, 4096])
@pytest.mark.parametrize("cells", ["ideal", "statistical"])
def test_data_outlast_refreshes(cells, unit_bytes):
    drive = Drive(**{"simulation.cells": cells, "controller.mapping.unit_bytes": unit_bytes})
    for _ in range(4):
        drive.overwrite(60)
        drive.simulation.advance("10d")
        assert drive.wrong() == []
    # When a renewed block is refreshed again, all of its pages are moved.
    assert drive.stats("gc")["refreshed_blocks"] > 0
    drive.simulation.power_cut()
    drive.simulation.power_on()
    assert drive.wrong() == []


# A fullpage consists of four units on four layers. The unit on the weakest layer borrows parity from the one on the
# strongest.
FULLPAGES = {
    "controller.mapping.unit_bytes": 4096,
    "controller.mapping.over_provisioning": 2,
    "controller.fullpages.allocation": "fpa",
    "controller.fullpages.wait_ms": 20,
    "controller.subpages.reads": "srs",
    "ecc.codec": "ldpc",
    "ecc.decoder": "table",
    "ecc.codeword_bytes": 4096,
    "nand.geometry.first_layer": "by_block",
    "nand.geometry.blocks_per_plane": 48,
    "nand.geometry.spare_bytes": 2208,
    "simulation.cells": "statistical",
    "simulation.check_protocol": True,
}


def test_no_page_is_merged_that_lends_parity_to_valid_data():
    drive = Drive(units=0, **FULLPAGES)
    subpage = 4096

    async def write_together(host):
        """Writes many subpages at a time, so that fullpages are filled."""
        under_way = [host.write(unit * SECTORS, data) for unit, data in drive.data.items()]
        for write in under_way:
            await write

    for unit in range(UNITS):
        drive.data[unit] = drive.random.randbytes(PAGE)
    drive.simulation.play(write_together)
    assert drive.stats("fullpages")["written"] > 0.9 * UNITS
    for _ in range(4):
        # Write single subpages, so that some units that lend parity are overwritten while the units that borrow it
        # remain valid.
        for _ in range(400):
            unit, quarter = drive.random.randrange(UNITS), drive.random.randrange(4)
            new, before = drive.random.randbytes(subpage), drive.data[unit]
            drive.data[unit] = before[: quarter * subpage] + new + before[(quarter + 1) * subpage :]
            drive.simulation.write((4 * unit + quarter) * subpage // 512, new)
        drive.simulation.advance("10d")
        assert drive.wrong() == []
    assert drive.stats("renewal")["adjusted_wordlines"] > 0
    drive.simulation.power_cut()
    drive.simulation.power_on()
    assert drive.wrong() == []


def test_real_codewords_are_read_by_fewer_senses():
    """Checks the number of senses in TLC with the coding 1-2-4. If the LSB page is gone, a CSB page needs 1 sense
    instead of 2, and an MSB page 2 instead of 4.
    """
    drive = Drive(units=160, **WORN)

    def senses() -> float:
        before = drive.simulation.stats()["nand"]
        assert drive.wrong() == []
        after = drive.simulation.stats()["nand"]
        return (after["senses"] - before["senses"]) / (after["page_reads"] - before["page_reads"])

    conventional = senses()
    drive.simulation.advance("10d")
    renewal = drive.stats("renewal")
    assert renewal["adjusted_wordlines"] > 0
    # All pages were valid. CSB pages have stayed and need 1 sense, MSB pages have stayed and need 2, and LSB pages were
    # moved.
    share = renewal["read_back_pages"] / drive.units
    assert senses() == pytest.approx((1 - share) * conventional + share * 1.5, rel=0.1)


@pytest.mark.parametrize("seed", range(6))
def test_no_cut_loses_data(seed):
    """The power fails at random times during refreshes."""
    drive = Drive(**{"controller.refresh.period_days": 1e-9, "controller.refresh.check_hours": 1e-7})
    when = random.Random(seed)
    for _ in range(8):
        drive.overwrite(10)
        drive.simulation.run_until(int(drive.simulation.now_us * 1000 + when.uniform(0, 20e6)) * 1000)
        drive.simulation.power_cut()
        drive.simulation.power_on()
        assert drive.wrong() == []
    assert drive.stats("renewal")["adjusted_wordlines"] > 0


def test_checkpoints_know_what_was_renewed(tmp_path):
    drive = Drive()
    drive.simulation.advance("10d")
    assert drive.stats("renewal")["adjusted_wordlines"] > 0
    drive.simulation.checkpoint(tmp_path / "drive")
    drive.simulation = ns.Simulation.restore(tmp_path / "drive")
    assert drive.wrong() == []
    # At the next refresh, all renewed blocks are emptied.
    adjusted = drive.stats("renewal")["adjusted_wordlines"]
    drive.simulation.advance("10d")
    assert drive.stats("gc")["refreshed_blocks"] > 0
    assert drive.stats("renewal")["adjusted_wordlines"] >= adjusted
    assert drive.wrong() == []


def test_failed_adjustments_lose_nothing():
    drive = Drive()
    drive.overwrite(100)
    drive.simulation.fail_block(0)
    drive.simulation.fail_next(1, "adjust", 3)
    drive.simulation.advance("10d")
    assert drive.stats("renewal")["failed_wordlines"] > 0
    assert drive.wrong() == []


def test_only_wordlines_that_repay_are_adjusted():
    """If half of the adjusted pages are corrupted, a wordline with two pages that stay saves one program. This equals
    the cost of adjusting it, so only reads can repay it."""
    counted = {"controller.read_disturb.limit_reads": 1_000_000, "controller.refresh.error_rate": 0.5}
    adjusted = {}
    for wordlines in ("all", "repaying"):
        for reads in (0, 20):
            drive = Drive(**counted, **{"controller.refresh.wordlines": wordlines})
            for _ in range(reads):
                assert drive.wrong() == []
            drive.simulation.advance("10d")
            adjusted[wordlines, reads] = drive.stats("renewal")["adjusted_wordlines"]
            assert drive.wrong() == []
    assert adjusted["all", 0] == adjusted["all", 20] > 0
    assert adjusted["repaying", 0] == 0
    assert adjusted["repaying", 20] == adjusted["all", 20]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"controller.power_loss.protection": "none"}, "capacitor"),
        ({"controller.power_loss.hold_up_ms": 5}, "hold_up_ms"),
        ({"controller.parity.stripe_dies": 2}, "stripe_dies"),
        ({"controller.garbage_collection.copyback": True}, "copyback"),
        ({"controller.refresh.wordlines": "repaying"}, "limit_reads"),
        ({"nand.coding": "slc", "nand.cells.set": "slc_3d"}, "several bits"),
    ],
)
def test_contradicting_settings_are_refused(changes, message):
    with pytest.raises(ns.ConfigError, match=message):
        ns.Simulation(ns.load("bare", DRIVE | changes))

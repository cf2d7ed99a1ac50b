# SPDX-License-Identifier: Apache-2.0
"""Tests of the scenario that compares contemporary drives with their data sheets, and of the drives that it shrinks."""

import sys
from pathlib import Path

import pytest

import nandscape as ns
from conftest import check_shown, check_standings, pictures_of
from nandscape.ceilings import Capacity

sys.path.insert(0, str(Path(__file__).parents[2] / "scenarios" / "validation"))

from todays_drives import client, fill
from todays_drives.steady import DRIVES, ERASE_US, PAGES_PER_BLOCK

SCENARIO = "contemporary.py"
EACH = pytest.mark.parametrize("drive", DRIVES, ids=lambda drive: drive.preset)


def test_it_succeeds(done):
    assert pictures_of(done) == len(DRIVES) + 3


def test_all_figures_stand(rows):
    assert check_standings(rows) == {"within": 36, "predicted": 11, "fitted": 4}


def test_the_documentation_shows_these_figures(rows):
    check_shown(rows, SCENARIO)


@EACH
def test_a_smaller_drive_has_the_same_spare_flash_and_time_for_erases(drive):
    for spare in (None, *drive.spares.values()):
        whole = (
            drive.config if spare is None else drive.config.override({"controller.mapping.over_provisioning": spare})
        )
        small = drive.steady(24, spare)
        assert Capacity.of(small).effective_spare == pytest.approx(Capacity.of(whole).effective_spare, rel=1e-3)
        assert small[ERASE_US] / small[PAGES_PER_BLOCK] == pytest.approx(whole[ERASE_US] / whole[PAGES_PER_BLOCK])


@pytest.mark.parametrize("drive", client.DRIVES, ids=lambda drive: drive.preset)
def test_a_smaller_full_drive_has_the_same_spare_flash(drive):
    whole, small = drive.whole(), drive.steady(24)
    assert Capacity.of(small).effective_spare == pytest.approx(Capacity.of(whole).effective_spare, rel=2e-3)


@pytest.mark.parametrize("drive", fill.DRIVES, ids=lambda drive: drive.preset)
def test_a_smaller_drive_has_the_same_course(drive):
    """The ends of the regimes differ by the blocks that stay free, of which a small drive has a larger share."""
    whole = ns.load(drive.preset)
    small = fill.small(fill.Task(drive, 24))
    scale = Capacity.of(whole).exported_bytes / Capacity.of(small).exported_bytes
    for ours, real in zip(fill.expected(small)[:3], fill.expected(whole)[:3], strict=True):
        assert ours * scale == pytest.approx(real, rel=0.04)
    assert fill.expected(small)[3:] == pytest.approx(fill.expected(whole)[3:], rel=0.01)


@EACH
def test_answered_writes_survive_a_loss_of_power(drive):
    simulation = ns.Simulation(drive.config)
    assert not simulation.identify()["volatile_write_cache"]
    for page in range(100):
        simulation.write(8 * page, bytes(4096))
    simulation.power_cut()
    power_loss = simulation.stats()["controller"]["power_loss"]
    assert power_loss["lost_acknowledged_writes"] == 0
    assert power_loss["hold_up_needed_us"] > 0

# SPDX-License-Identifier: Apache-2.0
"""The scenario that compares whole drives."""

import csv
from itertools import pairwise

import pytest

from conftest import check_shown, check_standings, pictures_of

SCENARIO = "drives.py"


@pytest.fixture(scope="module")
def drives(done):
    with (done[1] / "rows.csv").open(encoding="utf-8") as file:
        return {row["drive"]: row for row in csv.DictReader(file)}


def test_it_succeeds(done):
    assert pictures_of(done) == 2


def test_all_claims_stand(rows):
    assert check_standings(rows) == {"within": 24, "predicted": 1, "by construction": 1}


def test_each_bit_costs_cycles(rows):
    for name in ("drives.endurance_3d", "drives.endurance_planar", "drives.endurance"):
        assert all(more > less for more, less in pairwise(rows[name]["ours"])), name


def test_the_table_has_all_drives(drives):
    assert list(drives) == ["3D SLC", "planar MLC", "planar TLC", "3D TLC", "3D QLC"]
    for row in drives.values():
        assert float(row["cycles"]) >= float(row["cycles_hard_reads"])
        assert float(row["cycles_enterprise"]) >= float(row["cycles_year_40_c"])
        assert float(row["aged_read_us"]) >= 0.99 * float(row["read_us"])
        assert row["lost"] == "0"


def test_soft_reads_make_cells_of_more_bits_last(drives):
    for drive in ("3D TLC", "3D QLC"):
        assert float(drives[drive]["cycles"]) > 1.2 * float(drives[drive]["cycles_hard_reads"]), drive


def test_the_documentation_shows_these_figures(rows):
    check_shown(rows, SCENARIO)

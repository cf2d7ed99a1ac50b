# SPDX-License-Identifier: Apache-2.0
"""Tests of the scenario that compares invalid-data-aware coding with its paper, and of the calculations it makes
without simulation.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from conftest import check_shown, check_standings, pictures_of

sys.path.insert(0, str(Path(__file__).parents[2] / "scenarios" / "validation"))

from ida import expected
from ida.drive import tlc
from ida.published import PAGES_PER_BLOCK, WORKLOADS
from ida.validity import validity

SCENARIO = "ida_coding.py"


def test_it_succeeds(done):
    assert pictures_of(done) == 6


def test_all_figures_stand(rows):
    assert check_standings(rows) == {"within": 26, "predicted": 6, "fitted": 1, "by construction": 2}


def test_one_rate_is_fitted_to_one_row(rows):
    assert {name for name, row in rows.items() if "fitted" in row} == {"choi_2018.e20"}


def test_refreshes_read_and_write_what_the_formulas_say(rows):
    assert rows["choi_2018.reads_of_refresh"]["ours"] == 0
    assert rows["choi_2018.writes_of_refresh"]["ours"] == 0


def test_senses_fall_as_the_coding_says(rows):
    before, after = rows["cells.senses_before"], rows["cells.senses_after"]
    assert after["ours"] == after["paper"] < before["ours"]


@pytest.mark.parametrize("workload", WORKLOADS)
def test_validity_is_that_of_the_tables(workload):
    """Compares the model of valid pages with Tables III and IV of Choi et al."""
    pages, table = validity(workload), WORKLOADS[workload]
    wordlines = PAGES_PER_BLOCK / 3
    assert wordlines * pages.valid_pages(3) == pytest.approx(table.valid, rel=0.01)
    stay = wordlines * sum(share for share in pages.page_shares(3).values())
    assert stay == pytest.approx(table.added_reads, rel=0.01)


def test_single_reads_take_what_they_take():
    """Without load and retries, the response time of a read is the sum of the times of its page."""
    alone = [(1.0, 100.0)]
    workload = min(WORKLOADS, key=lambda name: WORKLOADS[name].read_kb)
    light = expected.response_us(alone, workload, 1e-6)
    assert light > 100 + expected.beside_dies_us()
    assert expected.response_us(alone, workload, 1e-6, 1) > light + 100
    assert expected.response_us(expected.baseline(tlc()), workload, 1.1) == float("inf")


def test_gains_grow_with_load_and_fall_with_errors():
    gains = [expected.gain("proj_1", tlc(), 0.2, load) for load in (0.01, 0.5, 0.86)]
    assert gains == sorted(gains)
    assert expected.gain("proj_1", tlc(), 0, 0.5) > gains[1] > expected.gain("proj_1", tlc(), 0.8, 0.5) > 0


def test_the_documentation_shows_these_figures(rows):
    check_shown(rows, SCENARIO)

# SPDX-License-Identifier: Apache-2.0
"""Tests of the scenario that runs five schemes on one drive, in all combinations."""

import csv
import itertools

from conftest import check_shown, check_standings, pictures_of

SCENARIO = "all_together.py"
LETTERS = "RICTL"


def test_it_succeeds(done):
    assert pictures_of(done) == 2


def test_all_combinations_have_run_under_all_workloads(done):
    with (done[1] / "rows.csv").open(encoding="utf-8") as file:
        runs = list(csv.DictReader(file))
    combinations = {"".join(chosen) for n in range(6) for chosen in itertools.combinations(LETTERS, n)}
    assert {(run["workload"], run["schemes"]) for run in runs} == set(
        itertools.product(("hm_1", "prn_1", "hm_0"), combinations)
    )
    for run in runs:
        parts = sum(float(run[key]) for key in run if key.startswith("read_") and key not in ("read_us", "read_p99_us"))
        assert abs(parts - float(run["read_us"])) < 1e-3, "the parts of the latency add up to it"


def test_every_pair_has_its_figure(rows):
    pairs = {"".join(pair) for pair in itertools.combinations(LETTERS, 2)}
    assert pairs <= {name.removeprefix("together.") for name in rows}


def test_all_claims_stand(rows):
    assert check_standings(rows) == {"within": 20}


def test_the_documentation_shows_these_figures(rows):
    check_shown(rows, SCENARIO)

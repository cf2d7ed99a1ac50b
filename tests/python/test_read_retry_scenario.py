# SPDX-License-Identifier: Apache-2.0
"""The scenario that lays the policies of read-retry beside their paper."""

import pytest

SCENARIO = "read_retry.py"


def test_it_succeeds(done):
    process, folder = done
    assert process.returncode == 0, process.stderr
    assert process.stderr == "", "no progress bar where there is no terminal"
    assert len(list((folder / "pictures").glob("figure_*.png"))) == 5


def test_the_schemes_are_in_order_everywhere(rows):
    assert rows["park_2021.order_of_schemes"]["ours"] == 0


def test_a_step_is_shortened_as_the_equations_say(rows):
    # 36.4 of 127.4 us.
    assert rows["park_2021.step_pr2"]["ours"] == pytest.approx(28.5, abs=0.6)
    # 40 % of tPRE, which is 24 of 39 us.
    assert rows["park_2021.step_ar2"]["ours"] == pytest.approx(24.6, abs=0.6)


def test_mean_gains_are_those_of_the_paper(rows):
    for name in ("mean_reduction_pr2", "mean_reduction_pnar2", "mean_reduction_pnar2_worst"):
        assert rows[f"park_2021.{name}"]["within"], name


def test_what_is_not_reached_says_why(rows):
    for name, row in rows.items():
        assert row["within"] or row["exception"], name

# SPDX-License-Identifier: Apache-2.0
"""The scenario that lays the policies of read-retry beside their paper."""

import pytest

from conftest import check_shown, check_standings, pictures_of

SCENARIO = "read_retry.py"


def test_it_succeeds(done):
    assert pictures_of(done, "figure_*.png") == 5


def test_the_schemes_are_in_order_everywhere(rows):
    assert rows["park_2021.order_of_schemes"]["ours"] == 0


def test_a_step_is_shortened_as_the_equations_say(rows):
    # 36.4 of 127.4 us.
    assert rows["park_2021.step_pr2"]["ours"] == pytest.approx(28.5, abs=0.6)
    # 40 % of tPRE, which is 24 of 39 us.
    assert rows["park_2021.step_ar2"]["ours"] == pytest.approx(24.6, abs=0.6)


def test_all_figures_stand(rows):
    assert check_standings(rows) == {"within": 3, "predicted": 11, "fitted": 6, "by construction": 1}


def test_what_rates_were_chosen_for_is_fitted(rows):
    fitted = {name for name, row in rows.items() if "fitted" in row}
    averages = {"mean_reduction_pr2", "mean_reduction_pnar2", "mean_reduction_pnar2_worst", "pnar2_over_norr"}
    assert fitted == {f"park_2021.{name}" for name in averages | {"stg_0_pnar2", "stg_0_pnar2_worst"}}


def test_ratios_of_means_and_means_of_ratios_differ(rows):
    """The printed ratio follows from the printed averages as a ratio of means."""
    of_means, of_ratios = (rows[f"park_2021.pnar2_over_norr{kind}"]["ours"] for kind in ("", "_mean_of_ratios"))
    assert of_means == pytest.approx(2.3, abs=0.1)
    assert of_ratios == pytest.approx(3.05, abs=0.1)


def test_the_documentation_shows_these_figures(rows):
    check_shown(rows, SCENARIO)

# SPDX-License-Identifier: Apache-2.0
"""Tests of the scenario that compares our results with MQSim's, and of its figures in the documentation."""

from conftest import check_shown, check_standings, pictures_of

SCENARIO = "mqsim_agreement.py"


def test_it_succeeds(done):
    assert pictures_of(done) == 1


def test_all_figures_stand(rows):
    assert check_standings(rows) == {"within": 63}


def test_the_documentation_shows_these_figures(rows):
    check_shown(rows, SCENARIO)

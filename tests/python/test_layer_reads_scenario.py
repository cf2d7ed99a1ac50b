# SPDX-License-Identifier: Apache-2.0
"""The scenario that lays reads of subpages by layer-aware schemes beside their paper."""

from conftest import check_shown, check_standings, pictures_of

SCENARIO = "layer_reads.py"


def test_it_succeeds(done):
    assert pictures_of(done, "figure_*.png") == 5


def test_every_figure_stands_beside_the_papers(rows):
    for name, row in rows.items():
        assert name.startswith("nie_2020.")
        assert {"ours", "paper", "unit"} <= row.keys()


def test_layers_differ_as_in_figure_2(rows):
    best, middle, worst = (rows[f"nie_2020.reads_of_{layer}_layer"]["ours"] for layer in ("best", "middle", "worst"))
    assert 1 <= best < middle < worst - 1 < 7


def test_borrowed_parity_helps_weak_subpages(rows):
    own, borrowed = (rows[f"nie_2020.reads_with_{parity}_parity"]["ours"] for parity in ("own", "borrowed"))
    assert 1 < borrowed < 0.95 * own


def test_srs_shortens_reads(rows):
    assert rows["nie_2020.mean_reduction_srs"]["ours"] > 0


def test_all_figures_stand(rows):
    assert check_standings(rows) == {"within": 5, "predicted": 14, "fitted": 1, "by construction": 2}


def test_fullpages_over_layers_are_slower(rows):
    assert rows["nie_2020.mean_reduction_srs_fpa"]["ours"] < -5


def test_limits_of_ours_are_not_the_papers(rows):
    for name in ("write_latency", "throughput", "reduction_srs_usr_0", "gain_of_fpa_bs78"):
        assert isinstance(rows[f"nie_2020.{name}"]["paper"], str), name
        assert "ours" in rows[f"nie_2020.{name}"]["tolerance"], name


def test_the_documentation_shows_these_figures(rows):
    check_shown(rows, SCENARIO)

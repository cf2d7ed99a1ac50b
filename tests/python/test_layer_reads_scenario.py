# SPDX-License-Identifier: Apache-2.0
"""Tests of the scenario that compares layer-aware reads of subpages with their paper."""

from conftest import check_shown, check_standings, pictures_of

SCENARIO = "layer_reads.py"


def test_it_succeeds(done):
    assert pictures_of(done, "figure_*.png") == 7


def test_every_figure_stands_beside_the_papers(rows):
    for name, row in rows.items():
        assert name.startswith("nie_2020.")
        assert {"ours", "paper", "unit"} <= row.keys()


def test_all_figures_stand(rows):
    assert check_standings(rows) == {"within": 10, "predicted": 12, "fitted": 8, "by construction": 2}


def test_placement_gains_with_the_assumed_decoder_and_with_codes(rows):
    assert rows["nie_2020.mean_reduction_srs_fpa"]["standing"] == "fitted"
    coded = rows["nie_2020.ldpc_mean_reduction_srs_fpa_128_bytes"]
    assert coded["ours"] > 0
    assert coded["band"][0] > 0, "it would fail if placement lost"


def test_less_parity_borrowed_gains_less(rows):
    gains = [rows[f"nie_2020.ldpc_mean_reduction_srs_fpa_{borrowed}_bytes"]["ours"] for borrowed in (128, 64, 32)]
    assert gains[0] > gains[1] > gains[2]


def test_schemes_are_in_the_order_of_the_paper_in_most_workloads(rows):
    assert rows["nie_2020.order_of_schemes"]["ours"] <= 4
    assert rows["nie_2020.order_of_schemes"]["tolerance"].startswith("at most 4 ")


def test_scheduling_shortens_reads(rows):
    assert 0 < rows["nie_2020.ldpc_mean_reduction_srs"]["ours"] < rows["nie_2020.mean_reduction_srs"]["ours"]


def test_no_code_reaches_the_assumed_error_rates(rows):
    best = rows["nie_2020.error_rates_borne_capacity"]
    assert best["ours"] < best["paper"] / 2
    few, many = (rows[f"nie_2020.error_rates_borne_{borrowed}_bytes"]["ours"] for borrowed in (32, 128))
    assert 1 < few < many < best["paper"]


def test_assumptions_are_distinguished_from_real_codes(done, rows):
    process, _ = done
    assert "a decoder that steps as the study assumes" in " ".join(process.stdout.split())
    assert "What parity can do" in process.stdout
    of_runs = [row["figure"] for name, row in rows.items() if "reduction" in name]
    assert of_runs
    for figure in of_runs:
        assert figure.startswith(("assumed decoder: ", "LDPC codes")), figure


def test_limits_of_ours_are_not_the_papers(rows):
    for name in ("write_latency", "throughput", "reduction_srs_usr_0", "gain_of_fpa_bs78"):
        assert isinstance(rows[f"nie_2020.{name}"]["paper"], str), name
        assert "ours" in rows[f"nie_2020.{name}"]["tolerance"], name


def test_the_documentation_shows_these_figures(rows):
    check_shown(rows, SCENARIO)

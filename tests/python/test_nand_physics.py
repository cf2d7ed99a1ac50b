# SPDX-License-Identifier: Apache-2.0
"""Tests of the scenario that compares the cell sets with their papers."""

from conftest import check_shown, check_standings

SCENARIO = "nand_physics.py"
KEYS = {"figure", "ours", "paper", "unit", "tolerance", "within", "source", "standing"}
EXTRA_KEYS = {"exception", "expected", "band", "basis", "fitted", "fitted_by", "by_construction", "constructed_by"}


def test_it_succeeds(done):
    process, _ = done
    assert process.returncode == 0, process.stderr
    assert process.stderr == "", "no progress bar where there is no terminal"


def test_all_figures_stand(rows):
    assert check_standings(rows) == {"within": 45, "predicted": 4, "fitted": 49, "by construction": 1}


def test_only_the_plain_retry_table_is_an_exception(rows):
    exceptions = [name for name, row in rows.items() if "exception" in row]
    assert exceptions
    assert all(name.startswith("park_2021.plain_table_") for name in exceptions)


def test_errors_without_tracking_are_shown_uncut(rows):
    for condition in ("0_cycles_3", "1000_cycles_12", "2000_cycles_12"):
        assert rows[f"park_2021.plain_table_most_errors_{condition}_months"]["ours"] > 72


def test_every_paper_has_its_rows(rows):
    for paper, least in {
        "liu_2012": 8,
        "sha": 12,
        "park_2021": 20,
        "nie_2020": 1,
        "choi_2018": 5,
        "cai_2017": 3,
        "trends": 19,
    }.items():
        assert sum(name.startswith(f"{paper}.") for name in rows) >= least
    for row in rows.values():
        assert row.keys() - EXTRA_KEYS == KEYS
        assert isinstance(row["within"], bool)
        assert row["tolerance"]
        assert row["source"]


def test_the_table_shows_them(done, rows):
    output = done[0].stdout
    assert output.count("Inputs:") == output.count("Expected:") == 16
    assert f"{len(rows)} figures" in output
    assert "placement.tail_mv" in output, "the constants that were fitted"


def test_the_pictures_are_pictures(done):
    pictures = sorted((done[1] / "pictures").iterdir())
    assert [path.name for path in pictures] == [
        "ispp_staircase.png",
        "rber_over_retention.png",
        "vth_distributions.png",
    ]
    for path in pictures:
        assert path.read_bytes().startswith(b"\x89PNG")


def test_the_documentation_shows_these_figures(rows):
    check_shown(rows, SCENARIO)

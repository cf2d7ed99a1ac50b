# SPDX-License-Identifier: Apache-2.0
"""The standing of its rows decides whether a scenario succeeds."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scenarios" / "validation"))

from physics.rows import Deviation, Row, at_least, at_most, exactly, fitted, inside, limited, near
from shared.command import Report, parser

CAUSE = Deviation("the model has no queues", 40, 2, "a closed form")


def a_row(ours: float, **more: object) -> Row:
    """Returns a row for a published figure of 50 with a tolerance of 1."""
    return near("study.figure", "what is compared", ours, 50, "Table 1", absolute=1, **more)


@pytest.mark.parametrize(
    ("row", "standing"),
    [
        (a_row(50.9), "within"),
        (a_row(51.1), "outside"),
        (a_row(41.9, exception=CAUSE), "predicted"),
        (a_row(42.1, exception=CAUSE), "outside"),
        (a_row(50.0, exception=CAUSE), "outside"),  # not explained by the given cause
        (a_row(50.9, fitted="a rate"), "fitted"),
        (a_row(51.1, fitted="a rate"), "outside"),
        (replace(a_row(50.9), by_construction="an input"), "by construction"),
        (replace(a_row(51.1), by_construction="an input"), "outside"),
        (near("n", "f", 1.09, 1, "s", relative=0.1), "within"),
        (near("n", "f", 1.11, 1, "s", relative=0.1), "outside"),
        (exactly("n", "f", [1, 2], [1, 2], "s"), "within"),
        (exactly("n", "f", [1, 3], [1, 2], "s"), "outside"),
        (at_least("n", "f", 1, 2, "s"), "outside"),
        (at_most("n", "f", 3, 2, "s"), "outside"),
        (inside("n", "f", [1, 5], (1, 4), "s"), "outside"),
        (limited("n", "f", 3, "few", (None, 3), "ours", "s"), "within"),
        (limited("n", "f", 3.1, "few", (None, 3), "ours", "s"), "outside"),
        (limited("n", "f", 0.9, "more", (1, None), "ours", "s"), "outside"),
    ],
)
def test_standing(row, standing):
    assert row.standing == standing


def test_nothing_is_within_that_is_not_a_number():
    for row in (a_row(float("nan")), a_row(float("nan"), exception=CAUSE)):
        assert row.standing == "outside"


def test_limits_of_ours_stand_in_the_tolerance():
    row = limited("n", "f", 3, "few", (None, 5), "a tenth of all", "s")
    assert row.paper == "few"
    assert row.tolerance == "at most 5 (ours: a tenth of all)"


def test_a_row_stands_in_one_way_only():
    with pytest.raises(ValueError, match="more than one"):
        fitted([a_row(40, exception=CAUSE)], "a rate")


def finish(rows: list[Row], folder: Path) -> int:
    options = parser("A study.", "less").parse_args(["--json", str(folder / "rows.json")])
    return Report(options).finish(rows, [])


@pytest.mark.parametrize("more", [{}, {"fitted": "a rate"}, {"exception": CAUSE}])
def test_a_run_fails_with_any_row_outside(tmp_path, capsys, more):
    good = replace(a_row(50), name="study.other")
    assert finish([good], tmp_path) == 0
    assert finish([good, a_row(60, **more)], tmp_path) == 1
    assert capsys.readouterr().err == "outside its tolerance or band: study.figure\n"


def test_the_json_says_how_each_row_stands(tmp_path):
    rows = [
        a_row(50),
        replace(a_row(40, exception=CAUSE), name="exception"),
        replace(a_row(50, fitted="a rate"), name="fitted"),
        replace(a_row(50), name="constructed", by_construction="an input"),
    ]
    finish(rows, tmp_path)
    kept = json.loads((tmp_path / "rows.json").read_text())
    names = {"figure", "ours", "paper", "unit", "tolerance", "within", "source", "standing"}
    assert kept["study.figure"].keys() == names
    assert kept["exception"]["exception"] == "the model has no queues"
    assert (kept["exception"]["expected"], kept["exception"]["band"]) == (40, [38, 42])
    assert kept["fitted"]["fitted"] is True
    assert kept["constructed"]["by_construction"] is True


def test_the_last_lines_count_how_rows_stand(tmp_path, capsys):
    finish([a_row(50), a_row(40, exception=CAUSE), a_row(50, fitted="a rate"), a_row(7)], tmp_path)
    counted = "4 figures: 1 within tolerance, 1 exceptions inside their predicted bands, 1 fitted, 0 by construction, "
    counted += "1 outside"
    assert counted in " ".join(capsys.readouterr().out.split())

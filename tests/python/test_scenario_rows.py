# SPDX-License-Identifier: Apache-2.0
"""Tests that a scenario succeeds or fails as the standings of its rows require."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import nandscape as ns

sys.path.insert(0, str(Path(__file__).parents[2] / "scenarios" / "validation"))

from comparison.command import Comparison, Run
from comparison.published import Mean, Published, over_seeds
from comparison.rows import Deviation, Row, Study

CAUSE = Deviation("the model has no queues", 40, 2, "a closed form")


def a_row(ours: float, **more: object) -> Row:
    """Returns a row with a published figure of 50 and a tolerance of 1."""
    within = abs(ours - 50) <= 1
    return Row("study.figure", "what is compared", ours, 50, "", "±1", within, "Table 1", **more)


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
        (a_row(50.9, by_construction="an input"), "by construction"),
        (a_row(51.1, by_construction="an input"), "outside"),
    ],
)
def test_standing(row, standing):
    assert row.standing == standing


@pytest.mark.parametrize(
    ("entry", "paper", "ours", "within"),
    [
        ("relative = 0.1", 1, 1.09, True),
        ("relative = 0.1", 1, 1.11, False),
        ("absolute = 1", 50, float("nan"), False),
        ("exact = true", [1, 2], [1, 2], True),
        ("exact = true", [1, 2], [1, 3], False),
        ('held = "at least"', 2, 1, False),
        ('held = "at least"', 2, float("nan"), False),
        ('held = "at most"', 2, 3, False),
        ('held = "inside"', [1, 4], [1, 3], True),
        ('held = "inside"', [1, 4], [1, 5], False),
        ('at_most = 3\nreason = "ours"', "few", 3, True),
        ('at_most = 3\nreason = "ours"', "few", 3.1, False),
        ('at_least = 1\nreason = "ours"', "more", 0.9, False),
    ],
)
def test_tolerances(tmp_path, entry, paper, ours, within):
    path = tmp_path / "published.toml"
    path.write_text(f'prefix = "paper"\n[figure.key]\nfigure = "f"\nsource = "s"\n{entry}\n')
    assert Published(path).row("key", ours, paper=paper).within is within


def test_an_exception_that_is_not_a_number_fails():
    assert a_row(float("nan"), exception=CAUSE).standing == "outside"


def test_a_row_stands_in_one_way_only():
    with pytest.raises(ValueError, match="more than one"):
        a_row(40, exception=CAUSE, fitted="a rate")


def finish(rows: list[Row], folder: Path) -> int:
    study = Study("a study", "does it?", "inputs", "it does", rows, {"preset": "bare", "overrides": {}})
    return Run(quick=True, json=folder / "rows.json").finish(Comparison([study], seeds=[1, 2]))


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
    kept = json.loads((tmp_path / "rows.json").read_text())["figures"]
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


def test_the_json_says_what_was_run(tmp_path):
    finish([a_row(50)], tmp_path)
    kept = json.loads((tmp_path / "rows.json").read_text())
    assert (kept["nandscape"], kept["quick"], kept["seeds"]) == (ns.__version__, True, [1, 2])
    assert kept["studies"] == [
        {
            "name": "a study",
            "question": "does it?",
            "inputs": "inputs",
            "expects": "it does",
            "configuration": {"preset": "bare", "overrides": {}},
            "figures": ["study.figure"],
        }
    ]


TABLE = """
prefix = "paper"
[texts]
queues = "{count} queues"
[defaults]
source = "Table 1"
[study]
name = "a study"
question = "does it?"
inputs = "{count} runs"
expects = "it does"
[figure."time_{scheme}"]
figure = "time of {scheme}"
paper = 50
unit = "us"
absolute = {full = 1, quick = 3}
reason = "{queues}"
[figure."closed_form.time"]
figure = "time"
paper = "short"
at_most = 4
reason = "a tenth"
exception = {cause = "{queues}", reach = 1, basis = "a closed form"}
[figure.order]
figure = "order"
paper = "falling"
tolerance = "falling"
fitted = "a rate"
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "published.toml"
    path.write_text(TABLE)
    return Published(path)


def test_rows_are_those_of_the_table(table):
    row = table.row("time_{scheme}", Mean(51.0, " (seeds ±1)"), scheme="pr2", count=2)
    words = "time of pr2 (seeds ±1)"
    assert row == Row("paper.time_pr2", words, 51.0, 50, "us", "±1 (2 queues)", True, "Table 1")
    assert table.row("time_{scheme}", 52.5, scheme="pr2", count=2).standing == "outside"
    assert table.for_run(quick=True).row("time_{scheme}", 52.5, scheme="pr2", count=2).standing == "within"


def test_what_python_finds_takes_the_place_of_the_table(table):
    row = table.row("closed_form.time", 5.5, expected=5, count=3)
    assert (row.name, row.standing, row.exception.cause) == ("closed_form.time", "predicted", "3 queues")
    assert table.row("closed_form.time", 5.5, expected=5, reach=0.1, count=3).standing == "outside"
    assert (
        table.row("closed_form.time", 5, limits=(None, 6), expected=5, count=3).tolerance == "at most 6 (ours: a tenth)"
    )
    assert table.row("order", [2, 1], within=True).standing == "fitted"
    assert table.row("order", [1, 2], within=False).standing == "outside"


def test_a_study_has_the_words_of_the_run(table):
    study = table.study([a_row(50)], "bare", {"channel.count": 2}, count=3)
    assert (study.inputs, study.configuration["overrides"]) == ("3 runs", {"channel.count": 2})


def test_the_mean_over_seeds_tells_their_spread():
    assert over_seeds(lambda seed: 10.0 * seed, [1, 2]) == Mean(15.0, " (seeds ±5)")
    assert over_seeds(lambda seed: 10.0 * seed, [1]) == Mean(10.0)

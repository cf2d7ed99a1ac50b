# SPDX-License-Identifier: Apache-2.0
"""Tests that any configuration with the keys of the schema either runs or is refused at once with a readable
message.
"""

from __future__ import annotations

import pytest

import drawn_configurations as drawing

QUICK = 600
MANY = 5000


def check(seeds: range) -> None:
    wrong, counts = drawing.findings(seeds)
    assert not wrong, {seed: (what, drawing.drawn(seed)) for seed, what in wrong.items()}
    assert sum(counts.values()) == len(seeds)
    # Make sure that the test is useful: enough of the drawn configurations run, and enough are refused.
    assert counts["ran"] > len(seeds) / 10
    assert counts["refused"] > len(seeds) / 10


@pytest.mark.parametrize("pairs_of_ends", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_extreme_geometries_run_or_are_refused(pairs_of_ends):
    geometries = drawing.geometries(pairs_of_ends)
    wrong, counts = drawing.findings(range(len(geometries)), lambda number: geometries[number])
    assert not wrong, {number: (what, geometries[number]) for number, what in wrong.items()}
    assert counts["ran"] > 10
    assert counts["refused"] > 5


@pytest.mark.slow
@pytest.mark.parametrize("base", ["bare", "default", "drive_slc_3d", "drive_tlc_3d", "ida_tlc_512g"])
def test_every_two_choices_load_or_are_refused(base):
    pairs = drawing.pairs_of_choices(base)
    wrong, counts = drawing.findings(range(len(pairs)), lambda number: pairs[number], drawing.load)
    assert not wrong, {number: (what, pairs[number]) for number, what in wrong.items()}
    assert counts["ran"] > len(pairs) / 10


def test_drawn_configurations_run_or_are_refused():
    check(range(QUICK))


@pytest.mark.slow
def test_many_drawn_configurations_run_or_are_refused():
    check(range(QUICK, QUICK + MANY))

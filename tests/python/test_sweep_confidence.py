# SPDX-License-Identifier: Apache-2.0
"""Compares the confidence intervals and comparisons of repeated runs with closed forms and with random numbers."""

import math
import random
from statistics import NormalDist

import pytest

import nandscape as ns
from nandscape.exploration import student
from nandscape.exploration.confidence import interval

pytest.importorskip("pandas")

DEPTH = "host.workload.queue_depth"


@pytest.mark.parametrize("t", [0.01, 0.5, 1.0, 3.0, 12.7, 1e4])
def test_students_t_has_its_closed_forms(t):
    # With one degree of freedom, the t distribution is the Cauchy distribution. For two to four degrees, there are
    # closed forms as well.
    assert student.two_sided(t, 1) == pytest.approx(1 - 2 / math.pi * math.atan(t), rel=1e-9)
    root = math.sqrt(2 + t * t)
    assert student.two_sided(t, 2) == pytest.approx(2 / (root * (root + t)), rel=1e-9)
    angle = math.atan(t / math.sqrt(3))
    third = 1 - 2 / math.pi * (angle + math.sin(angle) * math.cos(angle))
    assert student.two_sided(t, 3) == pytest.approx(third, rel=1e-9, abs=1e-12)


def test_students_t_tends_to_the_normal_distribution():
    normal = NormalDist()
    for level in (0.5, 0.9, 0.95, 0.999):
        expected = normal.inv_cdf((1 + level) / 2)
        # The correction for n degrees is the next term of the expansion in 1/n, (z^3 + z) / 4n (Abramowitz and Stegun,
        # 26.7.5).
        for degrees in (1e3, 1e5):
            corrected = expected + (expected**3 + expected) / (4 * degrees)
            assert student.quantile(level, degrees) == pytest.approx(corrected, rel=20 / degrees**2 + 1e-9)


@pytest.mark.parametrize(
    ("level", "degrees", "expected"),
    [(0.95, 1, 12.706), (0.95, 4, 2.776), (0.95, 10, 2.228), (0.99, 4, 4.604), (0.90, 30, 1.697), (0.95, 2.5, 3.558)],
)
def test_quantiles_are_those_of_the_tables(level, degrees, expected):
    assert student.quantile(level, degrees) == pytest.approx(expected, abs=0.02 if degrees == 2.5 else 6e-4)
    assert student.two_sided(student.quantile(level, degrees), degrees) == pytest.approx(1 - level, rel=1e-9)


def covered(draw, runs, level, trials=4000):
    """Returns the share of trials in which the confidence interval of `runs` normal random numbers contains the true
    mean.
    """
    hits = 0
    for _ in range(trials):
        found = interval([draw.gauss(5, 2) for _ in range(runs)], level)
        hits += found.low <= 5 <= found.high
    return hits / trials


@pytest.mark.parametrize(("runs", "level"), [(2, 0.95), (5, 0.95), (5, 0.5), (20, 0.9)])
def test_an_interval_has_the_mean_in_it_as_often_as_it_says(runs, level):
    # The tolerance is four standard errors of a share in 4000 trials. With a random seed, one test in 16,000 would
    # fail; this seed is fixed.
    tolerance = 4 * math.sqrt(level * (1 - level) / 4000)
    assert covered(random.Random(17), runs, level) == pytest.approx(level, abs=tolerance)


class Drawn:
    """A result whose only statistic is a random number. It has those attributes of `Result` that `compare` uses."""

    def __init__(self, seed, value):
        self.config = {"simulation.seed": seed}
        self.stats = {"host": {"iops": value}}


def test_a_comparison_is_right_as_often_as_it_says():
    draw = random.Random(3)
    trials, paired_wrong, welch_wrong, widths = 1000, 0, 0, [0.0, 0.0]
    for _ in range(trials):
        shared = [draw.gauss(100, 10) for _ in range(6)]
        a = [Drawn(seed, value + draw.gauss(0, 1)) for seed, value in enumerate(shared)]
        b = [Drawn(seed, value + draw.gauss(0, 1)) for seed, value in enumerate(shared)]
        other = [Drawn(seed + 6, draw.gauss(100, 30)) for seed in range(9)]
        in_pairs, apart = ns.compare(a, b, "host.iops"), ns.compare(a, other, "host.iops")
        assert in_pairs.paired
        assert not apart.paired
        paired_wrong += in_pairs.real
        welch_wrong += apart.real
        widths[0] += in_pairs.high - in_pairs.low
        widths[1] += apart.high - apart.low
    # Both sides have the same distribution, so at a level of 95 % one comparison in twenty reports a difference.
    # Welch's t-test is less exact.
    tolerance = 4 * math.sqrt(0.05 * 0.95 / trials)
    assert paired_wrong / trials == pytest.approx(0.05, abs=tolerance)
    assert welch_wrong / trials == pytest.approx(0.05, abs=tolerance + 0.005)
    assert widths[0] < widths[1] / 5, "what the seeds share falls out of the pairs"


def test_a_comparison_by_hand():
    a = [Drawn(seed, value) for seed, value in enumerate([10.0, 12.0, 14.0])]
    b = [Drawn(seed, value) for seed, value in enumerate([11.0, 14.0, 17.0])]
    pairs = ns.compare(a, b, "host.iops")
    # The differences 1, 2 and 3 have the mean 2 and the standard error 1/sqrt(3). The 95 % quantile of t with 2 degrees
    # of freedom is 4.3027.
    assert (pairs.difference, pairs.mean_a, pairs.relative) == (2, 12, pytest.approx(1 / 6))
    assert (pairs.low, pairs.high) == pytest.approx((2 - 4.3027 / math.sqrt(3), 2 + 4.3027 / math.sqrt(3)), abs=1e-4)
    assert not pairs.real
    assert "may be chance" in str(pairs)
    assert ns.compare(a, b, "host.iops", level=0.9).real
    assert pairs.p_value == pytest.approx(student.two_sided(2 * math.sqrt(3), 2))
    # The three runs on each side have the variances 4 and 9. The standard error of the difference is sqrt(13/3), with
    # (13/3)^2 / ((16/9 + 81/9) / 2) degrees of freedom.
    apart = ns.compare(a, [Drawn(seed + 3, run.stats["host"]["iops"]) for seed, run in enumerate(b)], "host.iops")
    reach = student.quantile(0.95, (13 / 3) ** 2 / ((16 + 81) / 18)) * math.sqrt(13 / 3)
    assert apart.high - apart.difference == pytest.approx(reach)


def test_runs_that_are_all_alike(small):
    runs = [ns.run(small.override({"simulation.seed": seed})) for seed in (1, 2)]
    same = ns.compare(runs, runs, lambda result: result.stats["host"]["all"]["count"])
    assert (same.difference, same.low, same.high, same.p_value, same.real) == (0, 0, 0, 1, False)


def test_a_deeper_queue_is_a_real_difference(small):
    table = ns.sweep(small, {DEPTH: [1, 8, 8.0]}, repeat=3, metrics=["host.iops"])
    found = ns.compare(table[table[DEPTH] == 1], table[table[DEPTH] == 8].drop_duplicates("seed"), "host.iops")
    assert found.paired
    assert found.real
    assert found.difference > 0
    intervals = table.intervals("host.iops")
    assert intervals["runs"].tolist() == [3, 6]
    assert intervals["low"][1] > intervals["high"][0]
    values = table["host.iops"][:3].tolist()
    assert intervals["mean"][0] == pytest.approx(sum(values) / 3)
    assert intervals.loc[0, ["low", "high"]].tolist() == pytest.approx([interval(values).low, interval(values).high])


def test_invalid_comparisons_are_refused(small):
    table = ns.sweep(small, [{DEPTH: 1}, {DEPTH: 2}], repeat=2, metrics=["host.iops"])
    one = table[table[DEPTH] == 1]
    with pytest.raises(ValueError, match=f"several values of {DEPTH}"):
        ns.compare(table, one, "host.iops")
    with pytest.raises(KeyError, match=r"host\.iop'"):
        ns.compare(one, one, "host.iop")
    with pytest.raises(ValueError, match="2 or more"):
        ns.compare(one[:1], one[:1], "host.iops")
    with pytest.raises(ValueError, match="twice"):
        ns.compare([Drawn(1, 2.0), Drawn(1, 3.0)], one, "host.iops")
    with pytest.raises(ValueError, match="between 0 and 1"):
        ns.compare(one, one, "host.iops", level=95)
    with pytest.raises(TypeError, match="name of a column"):
        ns.compare(one, one, abs)
    with pytest.raises(KeyError, match="no column"):
        one.intervals("host.iop")


def test_a_run_that_failed_takes_its_pair_with_it(small):
    table = ns.sweep(small, {DEPTH: [1, 8]}, repeat=4, metrics=["host.iops"])
    table.loc[1, ["host.iops", "error"]] = [math.nan, "Error: it broke"]
    found = ns.compare(table[:4], table[4:], "host.iops")
    assert found.paired
    assert found.runs == (3, 3)
    assert found.mean_b == pytest.approx(table["host.iops"][[4, 6, 7]].mean())
    assert table.intervals("host.iops")["runs"].tolist() == [3, 4]

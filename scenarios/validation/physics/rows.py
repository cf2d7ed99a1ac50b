# SPDX-License-Identifier: Apache-2.0
"""What a study gives: rows with a figure of ours beside a published one, each of which can fail.

A row is held to the published figure, within a tolerance; or, where the model is known to come to something else, to
what the cause of that predicts. Rows that say nothing of the model are marked and do not count as reproduced: those
that constants were fitted to, and those that hold by construction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

Figure = float | int | str | Sequence[Any]


@dataclass(frozen=True)
class Deviation:
    """Why a figure is not the published one, what it comes to for that reason, and how far from it it may lie.

    `basis` says where the expected figure comes from: a closed form, or earlier runs where there is none.
    """

    cause: str
    expected: float
    reach: float
    basis: str

    @property
    def band(self) -> tuple[float, float]:
        return self.expected - self.reach, self.expected + self.reach

    def holds(self, figure: float) -> bool:
        low, high = self.band
        return low <= figure <= high


@dataclass(frozen=True)
class Row:
    """`name` is the entry in the JSON, `figure` says in words what is compared, `source` where the published one
    stands. `paper` is what is printed there, a figure or words; limits that we set stand in `tolerance`. At most one of
    the last three is given: `exception`, `fitted` with what was chosen to fit, `by_construction` with why."""

    name: str
    figure: str
    ours: Figure
    paper: Figure
    unit: str
    tolerance: str
    within: bool
    source: str
    exception: Deviation | None = None
    fitted: str = ""
    by_construction: str = ""

    def __post_init__(self) -> None:
        if bool(self.exception) + bool(self.fitted) + bool(self.by_construction) > 1:
            raise ValueError(f"{self.name} is more than one of exception, fitted and by construction")

    @property
    def standing(self) -> str:
        """`within`, `predicted`, `fitted`, `by construction`, or `outside`, which fails."""
        if self.exception:
            return "predicted" if self.exception.holds(self.ours) else "outside"
        if not self.within:
            return "outside"
        return "fitted" if self.fitted else "by construction" if self.by_construction else "within"

    def to_dict(self) -> dict[str, Any]:
        entry = {
            key: getattr(self, key) for key in ("figure", "ours", "paper", "unit", "tolerance", "within", "source")
        }
        entry["standing"] = self.standing
        if self.exception:
            entry["exception"] = self.exception.cause
            entry["expected"] = self.exception.expected
            entry["band"] = [round(end, 9) for end in self.exception.band]
            entry["basis"] = self.exception.basis
        if self.fitted:
            entry |= {"fitted": True, "fitted_by": self.fitted}
        if self.by_construction:
            entry |= {"by_construction": True, "constructed_by": self.by_construction}
        return entry


@dataclass(frozen=True)
class Study:
    """`run` takes whether it shall be quick."""

    name: str
    question: str
    inputs: str
    expects: str
    run: Callable[[bool], list[Row]]


def near(
    name: str,
    figure: str,
    ours: float,
    paper: float,
    source: str,
    *,
    unit: str = "",
    absolute: float | None = None,
    relative: float | None = None,
    reason: str = "",
    exception: Deviation | None = None,
    fitted: str = "",
) -> Row:
    """A figure that is within an absolute or a relative distance of the published one, and the reason for that."""
    if relative is not None:
        tolerance, reach = f"±{100 * relative:g} %", relative * abs(paper)
    else:
        reach = absolute or 0.0
        tolerance = f"±{reach:g}"
    if reason:
        tolerance += f" ({reason})"
    within = bool(abs(ours - paper) <= reach)
    return Row(name, figure, ours, paper, unit, tolerance, within, source, exception, fitted)


def exactly(name: str, figure: str, ours: Figure, paper: Figure, source: str, unit: str = "") -> Row:
    """A figure that is the published one."""
    return Row(name, figure, ours, paper, unit, "exact", ours == paper, source)


def at_least(name: str, figure: str, ours: float, paper: float, source: str, unit: str = "") -> Row:
    """A figure for which a least one is published."""
    return Row(name, figure, ours, paper, unit, "at least", bool(ours >= paper), source)


def at_most(name: str, figure: str, ours: float, paper: float, source: str, unit: str = "") -> Row:
    """A figure for which a largest one is published."""
    return Row(name, figure, ours, paper, unit, "at most", bool(ours <= paper), source)


def limited(
    name: str,
    figure: str,
    ours: float,
    paper: Figure,
    limits: tuple[float | None, float | None],
    reason: str,
    source: str,
    *,
    unit: str = "",
    exception: Deviation | None = None,
    fitted: str = "",
    by_construction: str = "",
) -> Row:
    """A figure of which words are published, or a whole table, within limits of ours and the reason for them."""
    least, most = limits
    ends = (("at least", least), ("at most", most))
    words = [f"{words} {limit:g}" for words, limit in ends if limit is not None]
    within = bool((least is None or ours >= least) and (most is None or ours <= most))
    tolerance = f"{', '.join(words)} (ours: {reason})"
    return Row(name, figure, ours, paper, unit, tolerance, within, source, exception, fitted, by_construction)


def inside(
    name: str, figure: str, ours: Sequence[float], paper: tuple[float, float], source: str, unit: str = ""
) -> Row:
    """The least and the largest of some figures, both between the published bounds."""
    within = bool(paper[0] <= min(ours) and max(ours) <= paper[1])
    return Row(name, figure, [min(ours), max(ours)], list(paper), unit, "inside", within, source)


def fitted(rows: Sequence[Row], by: str) -> list[Row]:
    """The same rows, marked as what constants were fitted to."""
    return [replace(row, fitted=by) for row in rows]

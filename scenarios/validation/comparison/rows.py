# SPDX-License-Identifier: Apache-2.0
"""The rows of a study: each sets a figure of ours beside a published one, and each can fail.

A row is held to the published figure, within a tolerance. Where a known cause makes the model deviate, the row is held
to the value that this cause predicts. Two kinds of rows are marked, since they do not reproduce anything: fitted rows,
to which a parameter was fitted, and rows that hold by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Figure = float | int | str | Sequence[Any]


@dataclass(frozen=True)
class Deviation:
    """The cause of a deviation from the published figure, the figure that this cause predicts, and how far from that
    prediction ours may lie.

    `basis`: where the expected figure comes from, a closed form, or earlier runs if there is none.
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
    """`name`: entry in the JSON. `figure`: the compared quantity in words. `paper`: the published figure or words.
    `source`: where it is published. `tolerance`: in words, with limits that we set. At most one of the last three is
    given: `exception`; `fitted`, the parameter that was chosen to match; `by_construction`, the reason."""

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
    """Rows that answer one question. `configuration`: preset and overrides of the drive."""

    name: str
    question: str
    inputs: str
    expects: str
    rows: list[Row]
    configuration: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The study without the rows, of which it has the names."""
        entry = {key: getattr(self, key) for key in ("name", "question", "inputs", "expects", "configuration")}
        return entry | {"figures": [row.name for row in self.rows]}


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
    """A row held to an absolute or relative distance from the published figure. `reason`: for this distance."""
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
    """A row held to the published figure itself."""
    return Row(name, figure, ours, paper, unit, "exact", ours == paper, source)


def at_least(name: str, figure: str, ours: float, paper: float, source: str, unit: str = "") -> Row:
    """A row held to a published least value."""
    return Row(name, figure, ours, paper, unit, "at least", bool(ours >= paper), source)


def at_most(name: str, figure: str, ours: float, paper: float, source: str, unit: str = "") -> Row:
    """A row held to a published largest value."""
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
    """A row held to limits of ours, for which `reason` is given. `paper` is words, or a figure for comparison."""
    least, most = limits
    ends = (("at least", least), ("at most", most))
    words = [f"{words} {limit:g}" for words, limit in ends if limit is not None]
    within = bool((least is None or ours >= least) and (most is None or ours <= most))
    tolerance = f"{', '.join(words)} (ours: {reason})"
    return Row(name, figure, ours, paper, unit, tolerance, within, source, exception, fitted, by_construction)


def inside(
    name: str, figure: str, ours: Sequence[float], paper: tuple[float, float], source: str, unit: str = ""
) -> Row:
    """A row that holds the least and the largest of some figures between published bounds."""
    within = bool(paper[0] <= min(ours) and max(ours) <= paper[1])
    return Row(name, figure, [min(ours), max(ours)], list(paper), unit, "inside", within, source)

# SPDX-License-Identifier: Apache-2.0
"""What a study gives: rows with a figure of ours beside a published one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Figure = float | int | str | Sequence[Any]


@dataclass(frozen=True)
class Row:
    """`name` is the entry in the JSON, `figure` says in words what is compared, `source` where the published one
    stands. `exception` says why a row that is not within its tolerance is right all the same."""

    name: str
    figure: str
    ours: Figure
    paper: Figure
    unit: str
    tolerance: str
    within: bool
    source: str
    exception: str = ""

    def to_dict(self) -> dict[str, Any]:
        entry = {key: getattr(self, key) for key in ("ours", "paper", "unit", "tolerance", "within", "source")}
        return entry | ({"exception": self.exception} if self.exception else {})


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
    exception: str = "",
) -> Row:
    """A figure that is within an absolute or a relative distance of the published one."""
    if relative is not None:
        tolerance, reach = f"±{100 * relative:g} %", relative * abs(paper)
    else:
        reach = absolute or 0.0
        tolerance = f"±{reach:g}"
    return Row(name, figure, ours, paper, unit, tolerance, bool(abs(ours - paper) <= reach), source, exception)


def exactly(name: str, figure: str, ours: Figure, paper: Figure, source: str, unit: str = "") -> Row:
    """A figure that is the published one."""
    return Row(name, figure, ours, paper, unit, "exact", ours == paper, source)


def at_least(
    name: str, figure: str, ours: float, paper: float, source: str, unit: str = "", exception: str = ""
) -> Row:
    return Row(name, figure, ours, paper, unit, "at least", bool(ours >= paper), source, exception)


def at_most(name: str, figure: str, ours: float, paper: float, source: str, unit: str = "", exception: str = "") -> Row:
    return Row(name, figure, ours, paper, unit, "at most", bool(ours <= paper), source, exception)


def inside(
    name: str, figure: str, ours: Sequence[float], paper: tuple[float, float], source: str, unit: str = ""
) -> Row:
    """The least and the largest of some figures, both between the published bounds."""
    within = bool(paper[0] <= min(ours) and max(ours) <= paper[1])
    return Row(name, figure, [min(ours), max(ours)], list(paper), unit, "inside", within, source)

# SPDX-License-Identifier: Apache-2.0
"""The rows of a study. Each sets a figure of ours beside a published one, and each can fail.

A row is held to the published figure, within a tolerance. If a known cause makes the model deviate, the row is held to
the value that this cause predicts. Two kinds of rows reproduce nothing and are marked: fitted rows, to which a
parameter was fitted, and rows that hold by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Figure = float | int | str | Sequence[Any]


@dataclass(frozen=True)
class Deviation:
    """The cause of a deviation from the published figure, the figure that this cause predicts, and the largest distance
    of ours from that prediction.

    `basis`: the closed form that gives the prediction, or earlier runs if there is none.
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
    `source`: its place in the publication. `tolerance`: in words, with limits that we set. At most one of the last
    three is given: `exception`; `fitted`, the parameter that was chosen to match; `by_construction`, the reason."""

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
        keys = ("figure", "ours", "paper", "unit", "tolerance", "within", "source", "standing")
        entry = {key: getattr(self, key) for key in keys}
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
        """The study with the names of its rows."""
        entry = {key: getattr(self, key) for key in ("name", "question", "inputs", "expects", "configuration")}
        return entry | {"figures": [row.name for row in self.rows]}

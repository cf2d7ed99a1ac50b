# SPDX-License-Identifier: Apache-2.0
"""The rows of a study. Each row compares one of our figures with a published one, and each row can fail.

Usually, our figure must be within a tolerance of the published one. If the model deviates for a known reason, our
figure must instead be close to the value that this reason predicts. Two kinds of rows reproduce nothing and are marked
as such: rows to which a parameter was fitted, and rows that are true by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Figure = float | int | str | Sequence[Any]


@dataclass(frozen=True)
class Deviation:
    """A known reason why our figure deviates from the published one. `cause` is the reason, `expected` is the figure
    that it predicts, and `reach` is the largest accepted distance from the prediction.

    `basis` names the closed form that gives the prediction, or earlier runs if there is no closed form.
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
    """One compared figure. `name` is its key in the JSON file, `figure` describes it in words, and `paper` is the
    published figure, a number or words. `source` is the section, figure or table of the publication. `tolerance`
    describes the accepted distance or the limits in words. At most one of the last three fields is given: `exception`;
    `fitted`, which names the parameter that was fitted to this figure; or `by_construction`, which gives the reason why
    the figure cannot differ."""

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
        """The result of the comparison: `within`, `predicted`, `fitted` or `by construction`; or `outside`, which means
        failure.
        """
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
    """The rows that together answer one question. `configuration` holds the preset and the overrides of the drive."""

    name: str
    question: str
    inputs: str
    expects: str
    rows: list[Row]
    configuration: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Returns the study as a dictionary, with the names of its rows in place of the rows."""
        entry = {key: getattr(self, key) for key in ("name", "question", "inputs", "expects", "configuration")}
        return entry | {"figures": [row.name for row in self.rows]}

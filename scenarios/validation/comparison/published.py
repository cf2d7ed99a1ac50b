# SPDX-License-Identifier: Apache-2.0
"""Tables of published figures: a TOML file for each study, with a tolerance or a limit for each figure.

    prefix = "park_2021"                    # names of figures in the JSON begin with it

    [texts]                                 # texts that several entries share
    light_load = "response times without queues"

    [study]
    name = "Read-retry in a drive"
    question = "By how much do techniques shorten response times?"
    inputs = "{requests} requests of each workload"
    expects = "each technique gains"

    [figure.mean_reduction_ar2]
    figure = "AR2: mean response time, less than Baseline"
    paper = 11.9
    unit = "%"
    absolute = 4                            # the tolerance
    reason = "a load twice as high moves it by this much"
    source = "section 7.2, Figure 14"
    exception = {cause = "cuts of tR exceed 25 %", reach = 1.5, basis = "{light_load}"}

Each entry has one kind of tolerance:

| Keys | The figure is |
|---|---|
| `absolute` or `relative`, with `reason` | within this distance of the published one |
| `exact = true` | the published one |
| `held = "at least"`, `"at most"` or `"inside"` | beyond the published bound, or between both published bounds |
| `at_least`, `at_most`, with `reason` | within limits that we set; `paper` is words or a figure |
| `tolerance` | within its tolerance if Python passes `within=True` |

Keys in `[defaults]` apply to all entries. Texts are templates of `str.format`, filled with `texts` and with the words
that Python passes. A number may be `{full = 4, quick = 9}`, with a value for each kind of run. A name with a dot takes
no prefix.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from comparison.rows import Deviation, Figure, Row, Study

Limits = tuple[float | None, float | None]


class Mean(NamedTuple):
    """The mean of a figure over several seeds. `spread` is half the distance between the smallest and the largest
    value, as text.
    """

    value: float
    spread: str = ""

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """Returns the mean of `values`, which has one value for each seed."""
        spread = (max(values) - min(values)) / 2
        return cls(mean(values), f" (seeds ±{spread:.2g})" if len(values) > 1 else "")


def over_seeds(figure: Callable[[int], float], seeds: Sequence[int]) -> Mean:
    return Mean.of([figure(seed) for seed in seeds])


class Published:
    """The table of the published figures of a study, read from its TOML file."""

    def __init__(self, module: str | Path) -> None:
        """Reads the table of a module: the TOML file with the same name as the module, or else `published.toml` in its
        folder. Numbers that differ by the kind of run are those for full runs; see `for_run`."""
        own = Path(module).with_suffix(".toml")
        path = own if own.exists() else own.with_name("published.toml")
        self._table = tomllib.loads(path.read_text(encoding="utf-8"))
        self._texts: dict[str, str] = self._table.get("texts", {})
        self._quick = False

    def for_run(self, quick: bool) -> Published:
        """Returns the same table with the numbers for quick runs or for full runs."""
        other = copy(self)
        other._quick = quick
        return other

    def paper(self, key: str) -> Any:
        """Returns the published figure of an entry."""
        return self._table["figure"][key]["paper"]

    def row(
        self,
        key: str,
        ours: Figure | Mean,
        /,
        *,
        paper: Figure | None = None,
        within: bool = False,
        limits: Limits | None = None,
        expected: float | None = None,
        reach: float | None = None,
        **words: object,
    ) -> Row:
        """Returns the row that compares our figure with an entry of the table.

        `paper`, `limits`, `expected` and `reach` replace the values in the table. `within` tells whether our figure is
        within a tolerance that the table describes only in words (`tolerance`). `words` fill the templates of the entry
        and of its name.
        """
        entry = self._table.get("defaults", {}) | self._table["figure"][key]

        def text(name: str) -> str:
            return self._filled(entry.get(name, ""), words)

        spread = ""
        if isinstance(ours, Mean):
            ours, spread = ours
        if entry.get("held") == "inside":
            ours = [min(ours), max(ours)]
        published = entry["paper"] if paper is None else paper
        if isinstance(published, str):
            published = self._filled(published, words)
        if "tolerance" in entry:
            tolerance = text("tolerance")
        else:
            tolerance, within = self._held(entry, ours, published, limits, text("reason"))
        deviation = entry.get("exception")
        name = key.format(**words)
        return Row(
            name if "." in key else f"{self._table['prefix']}.{name}",
            text("figure") + spread,
            ours,
            published,
            text("unit"),
            tolerance,
            bool(within),
            text("source"),
            deviation
            and Deviation(
                self._filled(deviation["cause"], words),
                deviation["expected"] if expected is None else expected,
                self._number(deviation["reach"]) if reach is None else reach,
                self._filled(deviation["basis"], words),
            ),
            text("fitted"),
            text("by_construction"),
        )

    def rows(self, figures: Mapping[str, Figure | Mean], **words: Any) -> list[Row]:
        """Returns a row for each of several entries. `words` are additional arguments of `row`, the same for all
        rows.
        """
        return [self.row(key, ours, **words) for key, ours in figures.items()]

    def study(
        self, rows: Sequence[Row], preset: str | list[str], overrides: Mapping[str, Any], key: str = "", **words: object
    ) -> Study:
        """Returns the study that consists of these rows. `preset` and `overrides` describe the configuration of its
        drive or, if there are several drives, of the baseline. `key` selects the study if the table has several of
        them."""
        entry = self._table["study"][key] if key else self._table["study"]
        texts = {name: self._filled(entry[name], words) for name in ("name", "question", "inputs", "expects")}
        return Study(**texts, rows=list(rows), configuration={"preset": preset, "overrides": dict(overrides)})

    def _held(
        self, entry: Mapping[str, Any], ours: Any, paper: Any, limits: Limits | None, reason: str
    ) -> tuple[str, bool]:
        """Returns the tolerance in words, and whether our figure is within the tolerance."""
        if entry.get("exact"):
            return "exact", ours == paper
        if "held" in entry:
            ends = {"at least": (paper, None), "at most": (None, paper), "inside": paper}[entry["held"]]
            return entry["held"], _between(ours, *ends)
        if "absolute" in entry or "relative" in entry:
            if "relative" in entry:
                share = self._number(entry["relative"])
                tolerance, reach = f"±{100 * share:g} %", share * abs(paper)
            else:
                reach = self._number(entry["absolute"])
                tolerance = f"±{reach:g}"
            return f"{tolerance} ({reason})" if reason else tolerance, abs(ours - paper) <= reach
        least, most = limits or (self._number(entry.get(end)) for end in ("at_least", "at_most"))
        ends = (("at least", least), ("at most", most))
        words = ", ".join(f"{end} {limit:g}" for end, limit in ends if limit is not None)
        return f"{words} (ours: {reason})", _between(ours, least, most)

    def _number(self, value: Any) -> Any:
        return value["quick" if self._quick else "full"] if isinstance(value, dict) else value

    def _filled(self, template: str, words: Mapping[str, object]) -> str:
        texts = {name: text.format(**words) for name, text in self._texts.items() if f"{{{name}}}" in template}
        return template.format(**texts | words)


def _between(ours: float | Sequence[float], least: float | None, most: float | None) -> bool:
    """Returns whether a figure, or each of several figures, lies between the limits."""
    figures = ours if isinstance(ours, Sequence) else [ours]
    return (least is None or min(figures) >= least) and (most is None or max(figures) <= most)

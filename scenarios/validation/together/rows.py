# SPDX-License-Identifier: Apache-2.0
"""Checks of the combinations of schemes. The limits of each check follow from the mechanism of the schemes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from statistics import mean

from comparison.published import Published
from comparison.rows import Row
from together.drive import SCHEMES
from together.effects import Pair, Times
from together.runs import COMBINATIONS

PUBLISHED = Published(__file__)
WRITING = ("prn_1", "hm_0")


def claims(aged: dict[str, Times]) -> list[Row]:
    """Returns the rows of all checks, which are for the aged drive. Values are means over all workloads or, for writes,
    over the workloads WRITING.
    """

    def over(figure: Callable[[Times], float]) -> float:
        return mean(figure(times) for times in aged.values())

    def over_writing(figure: Callable[[Times], float]) -> float:
        return mean(figure(aged[workload]) for workload in WRITING)

    def alone(letter: str) -> float:
        if letter in "CT":
            return over_writing(lambda times: times.gain(letter, "write_us").mean)
        return over(lambda times: times.gain(letter).mean)

    def in_retries(pair: Pair) -> float:
        return 100 * pair.part_us / pair.interaction_us if pair.part == "retries" else 0.0

    gains = {schemes: over(lambda t, s=schemes: t.gain(s).mean) for schemes in COMBINATIONS}
    best = max(gains, key=lambda schemes: gains[schemes])
    return [
        *(PUBLISHED.row(f"{letter}_alone", alone(letter)) for letter in SCHEMES),
        *(
            PUBLISHED.row(a + b, over(lambda t, a=a, b=b: t.pair(a, b).interaction.mean), a=a, b=b)
            for a, b in combinations(SCHEMES, 2)
        ),
        *PUBLISHED.rows(
            {
                "CT_writes": over_writing(lambda t: t.pair("C", "T", "write_us").interaction.mean),
                "RL_retries": over(lambda t: in_retries(t.pair("R", "L"))),
                "IC_written_back": over(lambda t: t.mean("IC", "written_back") / max(t.mean("I", "written_back"), 0.1)),
                "IT_programs": over(lambda t: t.mean("IT", "programs") / t.mean("I", "programs")),
            }
        ),
        PUBLISHED.row("best", best, within={"R", "I"} <= set(best) and "L" not in best),
    ]

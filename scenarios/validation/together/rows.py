# SPDX-License-Identifier: Apache-2.0
"""What is claimed of the combinations, each with the limits that its mechanism sets. No paper has such figures."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from statistics import mean

from physics.rows import Row, limited

from together.drive import SCHEMES
from together.effects import Pair, Times
from together.mechanisms import MECHANISMS
from together.runs import COMBINATIONS

NONE = "no paper combines them"
Limits = tuple[float | None, float | None]
# The mean of a figure over workloads.
Over = Callable[[Callable[[Times], float]], float]
WRITING = ("prn_1", "hm_0")


def claims(aged: dict[str, Times]) -> list[Row]:
    """Of the aged drive, means over the workloads; of writes, over those that have many."""

    def over(figure: Callable[[Times], float]) -> float:
        return mean(figure(times) for times in aged.values())

    def over_writing(figure: Callable[[Times], float]) -> float:
        return mean(figure(aged[workload]) for workload in WRITING)

    return [*_alone(over, over_writing), *_pairs(over, over_writing), *_mechanisms(over), _best(over)]


def _row(name: str, figure: str, ours: float, limits: Limits, reason: str, unit: str = "%") -> Row:
    return limited(f"together.{name}", figure, ours, NONE, limits, reason, "ours", unit=unit)


def _alone(over: Over, over_writing: Over) -> list[Row]:
    read = {letter: over(lambda t, s=letter: t.gain(s).mean) for letter in SCHEMES}
    write = {letter: over_writing(lambda t, s=letter: t.gain(s, "write_us").mean) for letter in SCHEMES}
    return [
        _row("R_alone", "reads are faster with PnAR2 by", read["R"], (25, 60), "retries are most of their time"),
        _row("I_alone", "with invalid-data-aware coding by", read["I"], (3, 25), "a third of the pages is invalid"),
        _row(
            "C_alone", "writes are faster with content-dependent steps by", write["C"], (10, 45), "ISPP is most of it"
        ),
        _row("T_alone", "with relaxed retention by", write["T"], (10, 45), "likewise"),
        _row(
            "L_alone",
            "reads are faster with layer-aware reads by",
            read["L"],
            (None, 0),
            "nearly all reads of this drive are retried, and a fullpage is retried in four pages",
        ),
    ]


def _pairs(over: Over, over_writing: Over) -> list[Row]:
    rows = []
    for a, b in combinations(SCHEMES, 2):
        mechanism = MECHANISMS[a + b]
        rows.append(
            _row(
                f"{a}{b}",
                f"reads with {a} and {b}: beyond independent gains",
                over(lambda t, a=a, b=b: t.pair(a, b).interaction.mean),
                (mechanism.least, mechanism.most),
                f"{mechanism.expects}: {mechanism.cause}",
            )
        )
    rows.append(
        _row(
            "CT_writes",
            "writes with C and T: beyond independent gains",
            over_writing(lambda t: t.pair("C", "T", "write_us").interaction.mean),
            (10, None),
            "cancel: both spend the same margin, and most pages bear no much larger step for ten weeks than for a year",
        )
    )
    return rows


def _mechanisms(over: Over) -> list[Row]:
    """What would not be so if the mechanisms were others."""

    def retries(pair: Pair) -> float:
        return 100 * pair.part_us / pair.interaction_us if pair.part == "retries" else 0.0

    return [
        _row(
            "RL_retries",
            "of the interaction of R and L, in retries",
            over(lambda t: retries(t.pair("R", "L"))),
            (60, None),
            "it is retries that are made page by page",
        ),
        _row(
            "IC_written_back",
            "adjusted pages that are written back with C, over those without",
            over(lambda t: t.mean("IC", "written_back") / max(t.mean("I", "written_back"), 0.1)),
            (3, None),
            "larger steps leave more errors",
            "",
        ),
        _row(
            "IT_programs",
            "pages programmed for one of the host, with I and T over I",
            over(lambda t: t.mean("IT", "programs") / t.mean("I", "programs")),
            (1.05, None),
            "the tracker reprograms what had stayed",
            "",
        ),
    ]


def _best(over: Over) -> Row:
    gains = {schemes: over(lambda t, s=schemes: t.gain(s).mean) for schemes in COMBINATIONS}
    best = max(gains, key=lambda schemes: gains[schemes])
    within = {"R", "I"} <= set(best) and "L" not in best
    return Row(
        "together.best",
        "the combination with the fastest reads",
        best,
        NONE,
        "",
        "R and I, not L (ours: they add)",
        within,
        "ours",
    )

# SPDX-License-Identifier: Apache-2.0
"""Why gains add or do not: what each pair of schemes has to do with each other, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mechanism:
    """`expects`: "add", "cancel" or "help" for reads of the aged drive; `least` or `most` percent of interaction that
    the mechanism allows there."""

    cause: str
    expects: str
    least: float | None = None
    most: float | None = None


# Up to so many percent beside the product of the single gains, two schemes are said to add.
ADD = 6.0

MECHANISMS = {
    "RI": Mechanism(
        "merged wordlines take fewer senses, and PnAR2 shortens each of them by the same share", "add", -ADD, ADD
    ),
    "RC": Mechanism("a larger step widens states, and retries follow their drift, which stays", "add", -ADD, ADD),
    "RT": Mechanism("a larger step widens states, and retries follow their drift, which stays", "add", -ADD, ADD),
    "RL": Mechanism(
        "a fullpage that fails is retried in four pages one after the other, for each of which PnAR2 keeps the die",
        "cancel",
        least=10.0,
    ),
    "IC": Mechanism(
        "what was written with a larger step has more errors, so that more adjusted pages are written back elsewhere",
        "cancel",
        least=3.0,
    ),
    "IT": Mechanism(
        "the tracker reprograms relaxed blocks within ten weeks, also those that were just renewed in place",
        "cancel",
        least=3.0,
    ),
    "IL": Mechanism(
        "wordlines that lend parity stay as they are, but what is merged shortens all four reads of a fullpage",
        "add",
        most=ADD,
    ),
    "CT": Mechanism(
        "both spend the same margin, of which reads see little: retries follow the drift, which stays",
        "add",
        -ADD,
        2 * ADD,
    ),
    "CL": Mechanism("larger steps widen the states of all layers alike", "add", -ADD, ADD),
    "TL": Mechanism("larger steps widen the states of all layers alike", "add", -ADD, ADD),
}

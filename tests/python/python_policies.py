# SPDX-License-Identifier: Apache-2.0
"""Policies in Python that make the same decisions as the C++ policies with the same names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nandscape import policies
from nandscape.policies import QueueKind


class Learning(policies.ReadRecovery):
    """`regular`, beginning at the step that is remembered under `key(page)`; the subclasses are the predictors of
    `controller.read_retry.start`.
    """

    def __init__(self):
        self.known = {}  # by key: the step by layer

    def remembered(self, page):
        """Returns the steps by layer that apply to the page."""
        return self.known.setdefault(self.key_of(page), {})

    def first(self, page):
        layer, known = page.place.layer, self.remembered(page)
        if not known:
            return 0
        # If two layers are equally near, the lower one counts.
        return known[min(known, key=lambda other: (abs(other - layer), other))]

    def next(self, page):
        n = len(page.attempts)
        if n == 0:
            return self.first(page)
        first, last = page.attempts[0].step.retry_step, len(page.order) - 1
        order = [first]
        for distance in range(1, last + 1):
            order += [step for step in (first + distance, first - distance) if 0 <= step <= last]
        return order[n] if n < len(order) else None

    def succeeded(self, page):
        self.known.setdefault(self.key_of(page), {})[page.place.layer] = page.decoded.step.retry_step


class LastOfBlockAndLayer(Learning):
    # An erased block has another key, and so another memory.
    def key_of(self, page):
        return page.place.superblock, page.age.erases


class LastOfBlock(LastOfBlockAndLayer):
    def first(self, page):
        return self.remembered(page).get(0, 0)

    def succeeded(self, page):
        self.remembered(page)[0] = page.decoded.step.retry_step


class LastOfLayer(Learning):
    def key_of(self, page):
        return page.age.age_class

    def remembered(self, page):
        wanted = self.key_of(page)
        nearest = min(self.known, key=lambda k: (abs(k[0] - wanted[0]) + abs(k[1] - wanted[1]), k), default=None)
        return {} if nearest is None else self.known[nearest]


LEARNING = {"last_of_block": LastOfBlock, "last_of_layer": LastOfLayer, "last_of_block_and_layer": LastOfBlockAndLayer}


class PipelinedRetry(policies.ReadRecovery):
    """Does the same as the C++ policy `regular` with `pipelined`."""

    locks_die = True

    def next(self, page: policies.PageUnderRecovery) -> policies.ReadStep | None:
        n = len(page.attempts)
        return policies.ReadStep(page.order[n], pipelined=True) if n < len(page.order) else None


class Soft(policies.ReadRecovery):
    """`soft`."""

    reads_soft = True

    def __init__(self, most_sensing_levels: int = 7, keep_senses: bool = False) -> None:
        self.levels = most_sensing_levels
        self.keep_senses = keep_senses

    def next(self, page: policies.PageUnderRecovery) -> policies.ReadStep | None:
        n = len(page.attempts)
        if n >= len(page.order) * self.levels:
            return None
        levels = n % self.levels + 1
        return policies.ReadStep(page.order[n // self.levels], levels, self.keep_senses and levels > 1)


class RecoveryFlow(policies.ReadRecovery):
    """Does the same as the C++ policy `recovery_flow` without a search."""

    reads_soft = True

    def next(self, page: policies.PageUnderRecovery) -> int | policies.ReadStep | None:
        order, n = page.order, len(page.attempts)
        if n < len(order):
            return order[n]
        if n >= len(order) + 2:
            return None
        hard = [1 << 16 if read.errors is None else read.errors for read in page.attempts[: len(order)]]
        return policies.ReadStep(order[hard.index(min(hard))], (3, 7)[n - len(order)])


class Greedy(policies.VictimSelection):
    """`greedy`."""

    def choose(self, candidates: policies.Candidates) -> np.intp:
        return candidates.valid_units.argmin()


class CostBenefit(policies.VictimSelection):
    """`cost_benefit`."""

    def choose(self, candidates: policies.Candidates) -> np.intp:
        valid = candidates.valid_units
        empty = np.flatnonzero(valid == 0)
        if empty.size:
            return empty[0]
        age = (np.uint64(candidates.now_ps) - candidates.last_written_ps).astype(float) + 1
        return (age * (candidates.units_per_block - valid) / (2.0 * valid)).argmax()


class Period(policies.Refresh):
    """`period`."""

    def __init__(self, period_days: float = 90) -> None:
        self.period_days = period_days

    def due(self, block: policies.BlockAge) -> bool:
        return block.age_hours >= self.period_days * 24


class OutOfOrder(policies.Scheduling):
    """`out_of_order`."""

    RELAXED = tuple(QueueKind)
    URGENT = (
        QueueKind.ERASE,
        QueueKind.BACKGROUND_WRITE,
        QueueKind.BACKGROUND_READ,
        QueueKind.HOST_READ,
        QueueKind.HOST_WRITE,
    )

    def choose(
        self, channel: int, die: int, waiting_ps: Sequence[int | None], collection_urgent: bool, suspended: bool
    ) -> QueueKind | None:
        for kind in self.URGENT if collection_urgent else self.RELAXED:
            if waiting_ps[kind] is not None:
                return kind
        return None


class ByAddress(policies.Allocation):
    """`by_address`."""

    gathers = False

    def choose(self, unit: policies.NewUnit, planes: policies.Planes) -> int:
        return unit.by_address


class LeastBusy(policies.Allocation):
    """`least_busy`."""

    def choose(self, unit: policies.NewUnit, planes: policies.Planes) -> np.intp:
        return unit.in_turn[planes.backlog[unit.in_turn].argmin()]


class InTurn(policies.Allocation):
    """Chooses the planes with room in turn. Each answer is for `pages` pages."""

    def __init__(self, pages: int = 1) -> None:
        self.pages = pages

    def choose(self, unit: policies.NewUnit, planes: policies.Planes) -> np.intp | np.ndarray:
        return unit.in_turn[0] if self.pages == 1 else np.resize(unit.in_turn, self.pages)


class Normal(policies.WriteMode):
    """Does the same as the C++ policy `built_in` with its default settings."""

    def step_mv(self, page: policies.PlacedPage) -> int:
        return 0

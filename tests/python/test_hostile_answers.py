# SPDX-License-Identifier: Apache-2.0
"""Tests that a simulation accepts any answer of the user's code, or raises an error that names this code."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np
import pytest

import nandscape as ns
import python_policies as ours
from nandscape import policies

pytestmark = pytest.mark.filterwarnings("ignore::nandscape.errors.ConfigWarning")

DRIVE = {
    "channel.count": 1,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 2,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": 16,
    "nand.geometry.pages_per_block": 24,
    "controller.mapping.over_provisioning": 1,
    "controller.precondition.occupancy": 1,
    "controller.precondition.distribution": "steady_state",
    "controller.scheduler.cache_program": True,
    "controller.scheduler.cache_read": True,
    "host.workload": [ns.synthetic(requests=300, queue_depth=16, read_percent=50, block_bytes=16384)],
}
AGED = {
    "simulation.cells": "statistical",
    "nand.condition.pe_cycles": 3000,
    "nand.condition.retention_days": 200,
}
SOFT = {
    "ecc.codec": "ldpc",
    "ecc.decoder": "table",
    "ecc.codeword_bytes": 4096,
    "nand.geometry.spare_bytes": 2208,
}


class Pipelined(ours.PipelinedRetry):
    """A read-recovery policy that locks the die for its retries. The controller handles this case differently."""

    adapts_timing = True


# For each class of nandscape.policies: the keys of drives that ask such a policy, and policies whose answers are valid.
FAMILIES: dict[type[policies.Policy], list[tuple[dict[str, Any], policies.Policy]]] = {
    policies.ReadRecovery: [
        (AGED, policies.ReadRecovery()),
        (AGED, Pipelined()),
        ({**AGED, **SOFT}, ours.Soft(keep_senses=True)),
        ({**AGED, **SOFT}, ours.RecoveryFlow()),
        (
            {**AGED, "controller.parity.stripe_dies": 2, "controller.precondition.occupancy": 0.5},
            policies.ReadRecovery(),
        ),
        (
            {**AGED, **SOFT, "controller.mapping.unit_bytes": 4096, "controller.subpages.reads": "soml"},
            ours.Soft(keep_senses=True),
        ),
    ],
    policies.VictimSelection: [({}, ours.Greedy())],
    policies.Refresh: [({"controller.refresh.check_hours": 24}, ours.Period(period_days=30))],
    policies.Scheduling: [({}, ours.OutOfOrder()), ({"controller.scheduler.suspend": "none"}, ours.OutOfOrder())],
    policies.Allocation: [({}, ours.LeastBusy()), ({"controller.mapping.unit_bytes": 4096}, ours.ByAddress())],
    policies.WriteMode: [({}, ours.Normal())],
}


class Wrong(IntEnum):
    LESS = -3
    MORE = 77


class Raising:
    """Raises an error whenever it is converted or printed."""

    def __index__(self) -> int:
        raise RuntimeError("no index")

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")

    def __repr__(self) -> str:
        raise RuntimeError("no text")


class Broken:
    """A sequence that raises an error in the middle of an iteration."""

    def __getitem__(self, k: int) -> int:
        if k > 2:
            raise RuntimeError("no item")
        return k

    def __len__(self) -> int:
        return 5


class Endless:
    """A sequence that has no end."""

    def __getitem__(self, k: int) -> int:
        return 0

    def __len__(self) -> int:
        return 1 << 40


def raising(error: type[BaseException]) -> Callable[[], Any]:
    def answer() -> Any:
        raise error("on purpose")

    return answer


NUMBERS = [0, 1, 2, 3, 4, 5, 7, 99, -1, -(1 << 70), 1 << 70, 10**5000, True, False, Wrong.LESS, Wrong.MORE]
VALUES: list[Any] = [
    *NUMBERS,
    None,
    "x",
    "0",
    b"\xff",
    1.5,
    float("nan"),
    float("inf"),
    (),
    [],
    {},
    object(),
    Raising(),
]
VALUES += [np.int8(-1), np.uint64(1 << 63), np.float64("nan"), np.True_, np.arange(3), np.array(1), np.zeros((2, 2))]
VALUES += [[0, "x"], [0, -1], Endless(), Broken(), range(10**12), lambda: 0, int, ValueError("not raised")]
PLAUSIBLE: list[Any] = [None, 0, 1, 2, 3, 4, 5, True, np.int8(1), [0, 1], policies.ReadStep(1), policies.ReadStep(0, 3)]
RAISED = [ValueError, KeyError, StopIteration, RuntimeError, MemoryError, RecursionError, SystemExit, GeneratorExit]
RAISED += [KeyboardInterrupt]


def draw(chooser: random.Random) -> Callable[[], Any]:
    """Returns a function that replaces an answer of a policy. It returns a random value, which may be valid, or raises
    an error.
    """
    kind = chooser.randrange(8)
    if kind == 0:
        return raising(chooser.choice(RAISED))
    if kind == 1:
        fields = [chooser.choice([*VALUES, 1, 1, 2, 3]) for _ in range(4)]
        fields.append(chooser.choice([*VALUES, None, None, None, "hard_retry", "last_resort"]))
        return lambda: policies.ReadStep(*fields)
    value = chooser.choice(VALUES if kind < 5 else PLAUSIBLE)
    return lambda: value


def hostile(policy: policies.Policy, seed: int) -> policies.Policy:
    """Returns the policy with some answers replaced by random ones. From the answer with the number `first` on, either
    all answers are replaced or one in `some`.
    """
    base = type(policy)
    chooser = random.Random(seed)
    first, always, some = chooser.choice([0, 0, 1, 20, 200]), chooser.random() < 0.3, chooser.choice([1, 3, 30, 1000])
    wrong = draw(chooser)

    class Hostile(base):  # type: ignore[valid-type, misc]
        asked = -1

        def __init__(self) -> None:
            self.__dict__.update(vars(policy))

        def _answer(self, method: str, *arguments: Any) -> Any:
            self.asked += 1
            if self.asked < first or (not always and self.asked % some != 0):
                return getattr(super(), method)(*arguments)
            return wrong() if always else draw(chooser)()

        def __deepcopy__(self, memo: Any) -> Hostile:
            return self

    def asking(method: str) -> Callable[..., Any]:
        return lambda self, *arguments: self._answer(method, *arguments)

    for method in ("next", "succeeded", "choose", "due", "step_mv"):
        if hasattr(base, method):
            setattr(Hostile, method, asking(method))
    return Hostile()


def named(error: BaseException, name: str) -> bool:
    return any(name in text for text in (str(error), *getattr(error, "__notes__", ())))


def raised(call: Callable[[], object]) -> BaseException | None:
    try:
        call()
    except BaseException as error:
        return error
    return None


def play(config: ns.Config) -> None:
    simulation = ns.Simulation(config)
    simulation.advance("40d")
    simulation.run()


@pytest.fixture(autouse=True)
def _soon() -> Iterator[None]:
    """Fails the test if a run does not end within 60 s. The signal takes effect between two events of the
    simulation.
    """

    def late(*_: object) -> None:
        pytest.fail("the run has not come to its end")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def test_all_kinds_of_policies_are_tried() -> None:
    assert set(FAMILIES) == set(policies.Policy.__subclasses__())


CASES = [(family, number) for family, kinds in FAMILIES.items() for number in range(len(kinds))]


@pytest.mark.parametrize(("family", "number"), CASES, ids=[f"{family.__name__}-{k}" for family, k in CASES])
def test_any_answer_of_a_policy_is_followed_or_named(family: type[policies.Policy], number: int) -> None:
    keys, policy = FAMILIES[family][number]
    config = ns.load("bare", {**DRIVE, **keys})
    errors = [
        raised(lambda seed=seed: play(config.override({family.key: hostile(policy, seed)}))) for seed in range(30)
    ]
    # Ctrl-C takes effect between two events, so its error cannot name the policy.
    told = [error for error in errors if error is not None and not isinstance(error, KeyboardInterrupt)]
    assert told
    for error in told:
        assert not isinstance(error, ns.errors.ProtocolError)
        assert named(error, "Hostile"), repr(error)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
@pytest.mark.parametrize("copied", [None, 3, object(), Pipelined(), ours.Normal()], ids=lambda c: type(c).__name__)
def test_an_invalid_copy_is_refused(family: type[policies.Policy], copied: Any) -> None:
    class Copied(family):  # type: ignore[valid-type, misc]
        def __deepcopy__(self, memo: Any) -> Any:
            return copied

    if isinstance(copied, family):
        return
    with pytest.raises(TypeError, match=r"Copied\.__deepcopy__\(\) returned .*; it returns a policy of the same kind"):
        ns.load("bare", {family.key: Copied()})


@pytest.mark.parametrize("flag", ["locks_die", "adapts_timing", "reads_soft"])
@pytest.mark.parametrize("value", ["yes", None, float("nan"), Raising(), np.arange(3)], ids=lambda v: type(v).__name__)
def test_attributes_are_true_or_false(flag: str, value: Any) -> None:
    class Flagged(policies.ReadRecovery):
        pass

    setattr(Flagged, flag, value)
    with pytest.raises(TypeError, match=rf"Flagged\.{flag} is .*; it is True or False"):
        ns.load("bare", {Flagged.key: Flagged()})


# --- read recovery


@pytest.mark.parametrize("locks_die", [False, True])
def test_a_read_recovery_that_gives_up_at_once_fails_the_read(locks_die: bool) -> None:
    class GivesUp(policies.ReadRecovery):
        def next(self, page):
            return None

    GivesUp.locks_die = locks_die
    config = ns.load("bare", {**DRIVE, **AGED, GivesUp.key: GivesUp()})
    stats = ns.run(config).stats
    assert stats["host"]["read"]["unrecovered"] > 0
    assert stats["controller"]["read_retry"]["steps"] == 0


def test_a_page_is_not_read_for_ever() -> None:
    class Stubborn(policies.ReadRecovery):
        def next(self, page):
            return 0

    config = ns.load("bare", {**DRIVE, **AGED, "nand.condition.retention_days": 2000, Stubborn.key: Stubborn()})
    with pytest.raises(ValueError, match=r"Stubborn\.next\(\) returned step 0 for a page that has been read \d+ times"):
        ns.run(config)


def test_a_retry_is_decided_once() -> None:
    """The controller asks a policy only once for each decision. If it asked again and received another answer, the die
    could remain locked.
    """

    class Fickle(policies.ReadRecovery):
        locks_die = True
        adapts_timing = True
        asked: ClassVar[list[int]] = []

        def next(self, page):
            n = len(page.attempts)
            again = self.asked and self.asked[-1] == n
            self.asked.append(n)
            return None if again or n >= len(page.order) else policies.ReadStep(page.order[n], pipelined=True)

        def __deepcopy__(self, memo):
            return self

    config = ns.load("bare", {**DRIVE, **AGED, Fickle.key: Fickle()})
    assert ns.run(config).stats["host"]["all"]["count"] == 300


def test_senses_that_add_none_are_refused() -> None:
    class Less(policies.ReadRecovery):
        reads_soft = True

        def next(self, page):
            n = len(page.attempts)
            return policies.ReadStep(0, (5, 3, 2)[n], n > 0) if n < 3 else None

    config = ns.load("bare", {**DRIVE, **AGED, **SOFT, "nand.condition.retention_days": 2000, Less.key: Less()})
    with pytest.raises(ns.errors.Error, match=r"Less\.next\(\) returned 3 sensing levels that add .* were 5 already"):
        ns.run(config)


# --- scheduling


class Any_(policies.Scheduling):
    """Chooses any queue with waiting commands."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def choose(self, channel, die, waiting_ps, collection_urgent, suspended):
        queues = [queue for queue in policies.QueueKind if waiting_ps[queue] is not None]
        return self.draw.choice([*queues, None] if suspended else queues)


class RoundRobin(policies.Scheduling):
    """Chooses the queues in turn, even a queue that the controller cannot serve at that time."""

    last = 0

    def choose(self, channel, die, waiting_ps, collection_urgent, suspended):
        turn = ((self.last + k) % 5 for k in range(1, 6))
        self.last = next(queue for queue in turn if waiting_ps[queue] is not None)
        return self.last


class Resumes(ours.OutOfOrder):
    """Always chooses no queue, so that a suspended operation is resumed."""

    def choose(self, channel, die, waiting_ps, collection_urgent, suspended):
        return None if suspended else super().choose(channel, die, waiting_ps, collection_urgent, suspended)


@pytest.mark.parametrize("policy", [Any_(1), Any_(2), RoundRobin(), Resumes()], ids=lambda p: type(p).__name__)
@pytest.mark.parametrize("suspend", ["none", "program_erase"])
def test_legal_answers_of_a_scheduling_are_followed(policy: policies.Scheduling, suspend: str) -> None:
    config = ns.load("bare", {**DRIVE, "controller.scheduler.suspend": suspend, policy.key: policy})
    stats = ns.run(config.override({"host.workload.0.requests": 1500})).stats
    assert stats["host"]["all"]["count"] == 1500
    assert stats["controller"]["scheduler"]["cache_programs"] > 0


# --- requests and progress


@pytest.mark.parametrize("seed", range(60))
def test_any_request_of_an_iterator_is_played_or_named(seed: int) -> None:
    chooser = random.Random(seed)
    timed = chooser.random() < 0.5

    def item() -> Any:
        fields = [chooser.choice(["read", "write", "trim", "flush"]), 4096 * chooser.randrange(100), 4096]
        if timed:
            fields.insert(0, 10)
        if chooser.random() < 0.8:
            fields[chooser.randrange(len(fields))] = chooser.choice(VALUES)
        return chooser.choice([tuple, list])(fields) if chooser.random() < 0.8 else draw(chooser)()

    def requests() -> Iterator[Any]:
        for _ in range(5):
            yield ((10,) if timed else ()) + ("write", 0, 4096)
        for _ in range(3):
            yield item()

    given = ns.requests(requests, pacing="open") if timed else ns.requests(requests)
    error = raised(lambda: ns.run(ns.load("bare", DRIVE), workload=given))
    assert error is None or named(error, "request") or "on purpose" in str(error), repr(error)


@pytest.mark.parametrize("seed", range(30))
def test_any_answer_of_a_progress_callback(seed: int) -> None:
    wrong = draw(random.Random(seed))
    simulation = ns.Simulation(ns.load("bare", DRIVE))
    error = raised(lambda: simulation.run(lambda completed, expected, now: wrong()))
    assert error is None or "on purpose" in str(error)
    simulation.run_until("1s")

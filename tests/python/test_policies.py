# SPDX-License-Identifier: Apache-2.0
"""Tests of policies in Python: they give the same results as the C++ policies, their inputs are correct, and their
errors are reported.
"""

from __future__ import annotations

import copy
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

import nandscape as ns
import python_policies as ours
from nandscape import policies

ALLOCATION = policies.Allocation.key
READ_RETRY = policies.ReadRecovery.key
STARTS = ["default_levels", "last_of_block", "last_of_layer", "last_of_block_and_layer"]
PIPELINED = {"controller.read_retry.pipelined": True}
COLLECTION = policies.VictimSelection.key
REFRESH = policies.Refresh.key
SCHEDULING = policies.Scheduling.key
WRITE_MODE = policies.WriteMode.key

AGED = {
    "simulation.cells": "statistical",
    "nand.cells.set": "tlc_3d_48",
    "nand.condition.pe_cycles": 2000,
    "nand.condition.retention_days": 180,
    "controller.precondition.occupancy": 1,
    "host.workload": [ns.synthetic(requests=1000, queue_depth=8, read_percent=70, block_bytes=16384)],
}
COLLECTED = {
    "nand.geometry.blocks_per_plane": 24,
    "controller.mapping.over_provisioning": 0.4,
    "controller.precondition.occupancy": 1,
    "controller.precondition.distribution": "steady_state",
    "host.workload": [ns.synthetic(requests=6000, queue_depth=8, read_percent=30, block_bytes=16384)],
}

FAILING = {
    "simulation.cells": "statistical",
    "nand.condition.pe_cycles": 3000,
    "nand.cells.failures.program_failure": 0.01,
}


def outcome(config: ns.Config) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Returns all statistics of a run except the wall time, and the request log."""
    result = ns.run(config)
    del result.stats["simulation"]["wall_s"]
    return result.stats, result.requests


def same(one: ns.Config, other: ns.Config) -> bool:
    (stats, requests), (other_stats, other_requests) = outcome(one), outcome(other)
    assert requests["start_ps"].size
    logged = all(np.array_equal(requests[name], other_requests[name]) for name in requests)
    assert logged == (stats == other_stats)
    return logged


# --- the same results


@pytest.mark.parametrize("start", STARTS)
def test_pipelined_retry(small, start):
    aged = small.override({**AGED, "controller.read_retry.start": start})
    assert same(aged.override(PIPELINED), aged.override({READ_RETRY: ours.PipelinedRetry()}))
    # Where one block teaches all others, hardly any read is retried.
    fewest = 0 if start == "last_of_layer" else 1
    assert outcome(aged.override(PIPELINED))[0]["controller"]["read_retry"]["steps"] > fewest


@pytest.mark.parametrize("start", STARTS[1:])
@pytest.mark.parametrize("drive", ["bare", "superpages"])
def test_a_policy_learns_as_a_start_step_predictor_does(small, start, drive):
    """A policy in Python sees enough to make the first reads of all predictors, also when blocks are erased and
    written.
    """
    layout = {"controller.mapping.layout": "superpage"} if drive == "superpages" else {}
    written = {**COLLECTED, **AGED, "host.workload": COLLECTED["host.workload"]}
    aged = small.override({**written, **layout})
    learning = ours.LEARNING[start]()
    assert same(
        aged.override({READ_RETRY: "regular", "controller.read_retry.start": start}),
        aged.override({READ_RETRY: learning}),
    )
    stats = outcome(aged.override({"controller.read_retry.start": start}))[0]
    assert stats["nand"]["block_erases"] > 0
    assert stats["controller"]["read_retry"]["steps"] > 0


def test_pipelined_retry_on_the_drive_of_the_study():
    aged = ns.load("retry_tlc_512g", AGED)
    assert same(aged.override(PIPELINED), aged.override({READ_RETRY: ours.PipelinedRetry()}))


def test_soft_reads(small):
    ldpc = {"ecc.codec": "ldpc", "ecc.decoder": "table", "ecc.codeword_bytes": 4096, "nand.geometry.spare_bytes": 2208}
    aged = small.override({**AGED, **ldpc, "nand.condition.pe_cycles": 3000, "nand.condition.retention_days": 365})
    named = aged.override({READ_RETRY: "soft", "controller.read_retry.keep_senses": True})
    assert same(named, aged.override({READ_RETRY: ours.Soft(keep_senses=True)}))
    assert not same(named, aged.override({READ_RETRY: ours.Soft(most_sensing_levels=3, keep_senses=True)}))


def test_recovery_flow(small):
    ldpc = {"ecc.codec": "ldpc", "ecc.decoder": "table", "ecc.codeword_bytes": 4096, "nand.geometry.spare_bytes": 2208}
    old = {"nand.cells.set": "tlc_planar_cai", "nand.condition.pe_cycles": 3000, "nand.condition.retention_days": 365}
    aged = small.override({**AGED, **ldpc, **old})
    assert same(aged.override({READ_RETRY: "recovery_flow"}), aged.override({READ_RETRY: ours.RecoveryFlow()}))
    stages = outcome(aged.override({READ_RETRY: ours.RecoveryFlow()}))[0]["controller"]["read_retry"]["stages"]
    assert stages["soft_2bit"]["pages"] > 0


def test_a_policy_sees_the_errors_of_earlier_reads(small):
    told = []

    class Learning(policies.ReadRecovery):
        def next(self, page):
            told.append(page.attempts)
            n = len(page.attempts)
            return policies.ReadStep(page.order[n], stage="vref_search" if n else None) if n < 3 else None

        def __deepcopy__(self, memo):
            return self

    aged = small.override({**AGED, READ_RETRY: Learning()})
    stages = ns.run(aged).stats["controller"]["read_retry"]["stages"]
    assert stages["first_read"]["reads"] > 0
    assert stages["vref_search"]["reads"] > 0
    assert stages["hard_retry"]["reads"] == 0
    assert {len(attempts) for attempts in told} == {0, 1, 2, 3}
    correctable = aged["ecc.correctable_bits"]
    assert all(read.errors > correctable and read.decoded is False for attempts in told for read in attempts)
    searched = policies.ReadStep(1, stage="vref_search")
    assert {attempts[1].step for attempts in told if len(attempts) > 1} == {searched}


def test_retries_that_lock_their_die_may_wait_for_errors(small):
    """With pipelining, the second retry is chosen before the result of the first is known. Later retries see all
    results.
    """
    told = []

    class Both(policies.ReadRecovery):
        locks_die = True

        def next(self, page):
            told.append(tuple(read.decoded for read in page.attempts))
            n = len(page.attempts)
            return policies.ReadStep(page.order[n], pipelined=n == 1) if n < len(page.order) else None

        def __deepcopy__(self, memo):
            return self

    assert ns.run(small.override({**AGED, READ_RETRY: Both()})).stats["controller"]["read_retry"]["steps"] > 1
    assert {(), (False,), (False, None), (False, False, False)} <= set(told)
    assert all(None not in results for results in told if len(results) != 2)


def test_the_decoded_read_need_not_be_the_last_one(small):
    """While a pipelined read is decoded, the next one is sensed."""
    later = []

    class Looking(ours.PipelinedRetry):
        def succeeded(self, page):
            n = page.attempts.index(page.decoded)
            assert [read.decoded for read in page.attempts[: n + 1]] == [False] * n + [True]
            later.append(len(page.attempts) - n - 1)

        def __deepcopy__(self, memo):
            return self

    ns.run(small.override({**AGED, READ_RETRY: Looking()}))
    assert 1 in later


def test_a_policy_learns_from_success(small):
    """A policy that remembers the last step of each layer needs fewer retries than one without a memory."""

    class Remembering(policies.ReadRecovery):
        stages: ClassVar[dict[str, str]] = {"recalled": "reads at the step at which the layer was read"}

        def __init__(self):
            self.steps = {}

        def next(self, page):
            first = self.steps.get(page.place.layer)
            steps = [step for step in page.order if step != first]
            n = len(page.attempts)
            if first is not None:
                if n == 0:
                    return policies.ReadStep(first, stage="recalled")
                n -= 1
            return steps[n] if n < len(steps) else None

        def succeeded(self, page):
            assert page.decoded.decoded
            assert page.decoded.errors <= aged["ecc.correctable_bits"]
            self.steps[page.place.layer] = page.decoded.step.retry_step

    aged = small.override({**AGED, "host.workload.0.read_percent": 100})
    in_order = outcome(aged)[0]["controller"]["read_retry"]
    found = outcome(aged.override({READ_RETRY: Remembering()}))[0]["controller"]["read_retry"]
    assert found["steps"] < in_order["steps"]
    assert found["stages"]["recalled"]["pages"] > 0


def test_steps_may_be_numpy_integers(small):
    class OfArrays(policies.ReadRecovery):
        def next(self, page):
            n = len(page.attempts)
            return np.asarray(page.order, np.int16)[n] if n < len(page.order) else None

    aged = small.override(AGED)
    assert same(aged.override({READ_RETRY: "regular"}), aged.override({READ_RETRY: OfArrays()}))


@pytest.mark.parametrize(("name", "policy"), [("greedy", ours.Greedy()), ("cost_benefit", ours.CostBenefit())])
def test_victim_selection(small, name, policy):
    collected = small.override(COLLECTED)
    assert same(collected.override({COLLECTION: name}), collected.override({COLLECTION: policy}))
    assert outcome(collected)[0]["controller"]["write_amplification"] > 1


def test_scheduling(small):
    collected = small.override({**COLLECTED, "controller.scheduler.suspend": "program_erase"})
    assert same(collected.override({SCHEDULING: "out_of_order"}), collected.override({SCHEDULING: ours.OutOfOrder()}))
    assert not same(collected.override({SCHEDULING: "fifo"}), collected.override({SCHEDULING: ours.OutOfOrder()}))


def test_write_mode(small):
    collected = small.override(COLLECTED)
    assert same(collected, collected.override({WRITE_MODE: ours.Normal()}))


@pytest.mark.parametrize(("name", "policy"), [("by_address", ours.ByAddress()), ("least_busy", ours.LeastBusy())])
@pytest.mark.parametrize(
    "extra",
    [
        {},
        # Units share pages.
        {"controller.mapping.unit_bytes": 4096, "host.workload.0.block_bytes": 4096},
        # The policy also allocates translation pages.
        {"controller.mapping.cache_bytes": 1 << 16, "controller.mapping.over_provisioning": 0.5},
        {"controller.parity.stripe_dies": 2},
        # Failing blocks leave planes without room.
        {**FAILING, "controller.mapping.over_provisioning": 1.2},
    ],
)
def test_allocation(small, name, policy, extra):
    collected = small.override({**COLLECTED, **extra})
    assert same(collected.override({ALLOCATION: name}), collected.override({ALLOCATION: policy}))


def test_allocations_differ(small):
    collected = small.override(COLLECTED)
    assert not same(collected.override({ALLOCATION: "by_address"}), collected.override({ALLOCATION: ours.LeastBusy()}))


def test_an_allocation_may_name_the_planes_of_many_pages(small):
    class Counted(ours.InTurn):
        asked = 0

        def __deepcopy__(self, memo):
            return self

        def choose(self, unit, planes):
            self.asked += 1
            return super().choose(unit, planes)

    written = small.override({"host.workload.0.read_percent": 0, "host.workload.0.block_bytes": 16384})
    one_by_one, many = Counted(), Counted(50)
    assert same(written.override({ALLOCATION: one_by_one}), written.override({ALLOCATION: many}))
    assert one_by_one.asked == 2000
    assert many.asked == 2000 / 50


def test_planes_named_ahead_are_left_out_when_they_lose_their_room(small):
    class Uneven(policies.Allocation):
        in_turn: ClassVar[list[list[int]]] = []

        def choose(self, unit, planes):
            self.in_turn.append(unit.in_turn.tolist())
            return np.zeros(20_000, int) if len(self.in_turn) == 1 else unit.in_turn[0]

    writes = [ns.synthetic(requests=10_000, read_percent=0, block_bytes=16384)]
    full = small.override({"host.workload": writes, "controller.precondition.occupancy": 1, ALLOCATION: Uneven()})
    assert ns.run(full).stats["host"]["write"]["count"] == 10_000
    first, second, *_ = Uneven.in_turn
    assert 0 in first
    assert 0 not in second


def test_refresh(small):
    aging = small.override({"controller.precondition.occupancy": 1, "controller.refresh.check_hours": 24})
    found = []
    for policy in ({REFRESH: "period", "controller.refresh.period_days": 30}, {REFRESH: ours.Period(period_days=30)}):
        simulation = ns.Simulation(aging.override(policy))
        simulation.advance("40d")
        found.append(simulation.stats())
        del found[-1]["simulation"]["wall_s"]
    by_name, by_object = found
    assert by_object == by_name
    assert by_object["nand"]["block_erases"] > 0


# --- what a policy sees


class Seen(Exception):
    """Raised by a policy to end the run. Its arguments are the inputs of the policy."""


def seen(config: ns.Config) -> tuple[Any, ...]:
    with pytest.raises(Seen) as ended:
        ns.run(config)
    return ended.value.args


def test_a_read_recovery_sees_the_page(small):
    class Looking(policies.ReadRecovery):
        def next(self, page):
            raise Seen(page.order, page.attempts, page.place, page.age, page)

    config = small.override({**AGED, READ_RETRY: Looking()})
    order, attempts, place, age, page = seen(config)
    assert order == tuple(range(len(order)))
    assert len(order) > 1
    assert attempts == ()
    shape = config["nand.geometry"]
    dies = shape["chips_per_channel"] * shape["dies_per_chip"]
    assert place.channel == place.die // dies
    assert place.die == place.plane // shape["planes_per_die"]
    assert place.block < shape["blocks_per_plane"]
    assert place.page < shape["pages_per_block"]
    assert (place.wordline, place.type) == divmod(place.page, 3)
    assert place.layer < config["nand.cells.variation.layers"]
    assert age.pe_cycles == 2000
    assert age.age_hours == pytest.approx(180 * 24, rel=1e-6)
    assert age.erases == 0
    assert age.age_class == (13, 11)  # 4096 to 8191 hours, 1024 to 2047 cycles
    assert place.superblock == place.plane * shape["blocks_per_plane"] + place.block
    with pytest.raises(ValueError, match="only until the method of the policy returns"):
        _ = page.order


def test_the_reads_so_far_are_a_sequence(small):
    """`page.attempts` must behave like a tuple of the same reads, both within the call of the policy and after it."""
    told = []

    class Looking(policies.ReadRecovery):
        def next(self, page):
            n, reads = len(page.attempts), page.attempts
            assert reads is page.attempts
            items = tuple(reads[k] for k in range(n))
            assert all(type(read) is policies.ReadAttempt for read in items)
            assert tuple(reads) == items == reads
            told.append((reads, items, iter(reads)))
            return page.order[n] if n < 4 else None

        def __deepcopy__(self, memo):
            return self

    ns.run(small.override({**AGED, READ_RETRY: Looking()}))
    assert {len(reads) for reads, _, _ in told} == {0, 1, 2, 3, 4}
    for reads, items, iterator in told[:200]:
        assert isinstance(reads, Sequence)
        assert reads == items == tuple(iterator)
        assert reads != (*items, None)
        assert (hash(reads), repr(reads), list(reversed(reads))) == (hash(items), repr(items), list(reversed(items)))
        assert reads[1:] == items[1:]
        assert reads[::-1] == items[::-1]
        assert bool(reads) == bool(items)
        for same in (copy.deepcopy(reads), pickle.loads(pickle.dumps(reads))):
            assert type(same) is tuple
            assert same == items
        for n in (len(items), -len(items) - 1):
            with pytest.raises(IndexError):
                _ = reads[n]
        if items:
            assert reads[-1] is items[-1]
            assert items[0] in reads
            assert (reads.index(items[0]), reads.count(items[0])) == (0, items.count(items[0]))
    with pytest.raises(TypeError, match="cannot create"):
        type(told[0][0])()


def test_reads_kept_by_a_method_that_raises(small):
    class Raising(policies.ReadRecovery):
        def next(self, page):
            if len(page.attempts) < 2:
                return page.order[len(page.attempts)]
            raise Seen(page.attempts, tuple(page.attempts))

    reads, items = seen(small.override({**AGED, READ_RETRY: Raising()}))
    assert reads == items
    assert len(items) == 2


def test_a_victim_selection_sees_the_candidates(small):
    class Looking(policies.VictimSelection):
        def choose(self, candidates):
            raise Seen(candidates)

    config = small.override({**COLLECTED, COLLECTION: Looking()})
    (found,) = seen(config)
    shape = config["nand.geometry"]
    assert found.units_per_block == shape["pages_per_block"]
    assert 0 <= found.plane < 8
    assert np.all(np.diff(found.block.astype(int)) > 0)
    assert found.block[-1] < shape["blocks_per_plane"]
    assert np.all(found.valid_units < found.units_per_block)
    assert np.all(found.last_written_ps <= found.now_ps)
    assert found.erase_count.shape == found.block.shape


def test_a_scheduling_sees_who_waits(small):
    class Looking(policies.Scheduling):
        def choose(self, channel, die, waiting_ps, collection_urgent, suspended):
            raise Seen(channel, die, waiting_ps, collection_urgent, suspended)

    channel, die, waiting, urgent, suspended = seen(small.override({**AGED, SCHEDULING: Looking()}))
    assert (channel < 2, die < 2, urgent, suspended) == (True, True, False, False)
    assert len(waiting) == len(policies.QueueKind)
    assert {kind for kind in policies.QueueKind if waiting[kind] is not None} <= {
        policies.QueueKind.HOST_READ,
        policies.QueueKind.HOST_WRITE,
    }


def test_an_allocation_sees_the_unit_and_the_planes(small):
    class Looking(policies.Allocation):
        def choose(self, unit, planes):
            raise Seen(unit, planes)

    writes = small.override({**AGED, "host.workload.0.read_percent": 0})
    unit, planes = seen(writes.override({ALLOCATION: Looking()}))
    assert unit.stream == 0
    assert unit.last == 7
    assert unit.in_turn.tolist() == [0, 4, 2, 6, 1, 5, 3, 7]
    assert unit.by_address == unit.in_turn[unit.lpn % 8]
    assert planes.channel.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert planes.die.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert planes.backlog.tolist() == [0] * 8
    with pytest.raises(ValueError, match="read-only"):
        unit.in_turn[0] = 1

    class LookingAtUnits(Looking):
        gathers = False

    by_units, _ = seen(writes.override({ALLOCATION: LookingAtUnits()}))
    assert by_units.last is None
    assert by_units.in_turn[0] == by_units.by_address
    _, striped = seen(writes.override({ALLOCATION: Looking(), "controller.parity.stripe_dies": 2}))
    assert striped.die.tolist() == [-1] * 4


def test_an_allocation_sees_the_backlog(small):
    class Looking(policies.Allocation):
        def choose(self, unit, planes):
            if planes.backlog.sum() == 5:
                raise Seen(planes.backlog.copy())
            return 3

    (backlog,) = seen(small.override({"host.workload.0.read_percent": 0, ALLOCATION: Looking()}))
    assert backlog.tolist() == [0, 0, 0, 5, 0, 0, 0, 0]


def test_an_allocation_decides_which_channel_is_written(small):
    class Apart(policies.Allocation):
        def choose(self, unit, planes):
            return unit.in_turn[planes.channel[unit.in_turn] == 1][0]

    writes = ns.synthetic(requests=1000, read_percent=0, block_bytes=16384)
    config = small.override({"host.workload": [writes], "simulation.breakdown": True, ALLOCATION: Apart()})
    busy = ns.run(config).stats["busy"]
    assert busy["channel"]["0"] == 0 < busy["channel"]["1"]


def test_a_write_mode_sees_pages_and_makes_them_faster(small):
    class Fast(policies.WriteMode):
        def step_mv(self, page):
            assert page.type in range(3)
            assert page.origin in ("host", "mapping", "migration")
            return 375 if page.origin == "host" else 0

    collected = small.override(COLLECTED)
    slow, fast = (
        ns.run(collected.override({WRITE_MODE: policy})).stats["utilisation"]["die"] for policy in ("built_in", Fast())
    )
    assert fast < slow


# --- objects in configurations


def test_a_configuration_keeps_a_copy(small):
    policy = ours.Period(period_days=3)
    config = small.override({REFRESH: policy})
    policy.period_days = 5
    kept = config.policies()[REFRESH]
    assert isinstance(kept, ours.Period)
    assert kept.period_days == 3
    kept.period_days = 6
    assert config.policies()[REFRESH].period_days == 3


def test_a_configuration_names_it(small):
    config = small.override({READ_RETRY: ours.PipelinedRetry()})
    assert config[READ_RETRY] == "python_policies:PipelinedRetry"
    assert config.override({"simulation.seed": 3}).policies().keys() == {READ_RETRY}
    assert config.override({READ_RETRY: "regular"}).policies() == {}
    assert small.override(controller={"read_retry": {"policy": ours.PipelinedRetry()}}).policies().keys() == {
        READ_RETRY
    }
    assert ns.load({"extends": "bare", "controller": {"read_retry": {"policy": ours.PipelinedRetry()}}}).policies()


def test_a_name_alone_is_refused(small):
    config = small.override({READ_RETRY: ours.PipelinedRetry()})
    with pytest.raises(
        ns.ConfigError, match=r"read_retry\.policy: is 'python_policies:PipelinedRetry', the name of an"
    ):
        ns.load(config.to_dict())
    again = ns.load(config.to_dict(), config.policies())
    assert again == config


def test_another_family_is_refused(small):
    with pytest.raises(
        ns.ConfigError, match=r"is a policy for controller\.read_retry.*controller\.refresh is needed here"
    ):
        small.override({REFRESH: ours.PipelinedRetry()})


def test_objects_that_are_not_policies_are_refused(small):
    class Nothing(policies.Policy):
        pass

    with pytest.raises(TypeError, match=r"Nothing is not a known kind of policy"):
        small.override({READ_RETRY: Nothing()})
    with pytest.raises(TypeError, match="cannot hold"):
        small.override({READ_RETRY: object()})


def test_attributes_that_contradict_each_other_are_refused(small):
    class Hasty(policies.ReadRecovery):
        adapts_timing = True

    with pytest.raises(ns.ConfigError, match=r"Hasty adapts the timing .* set locks_die"):
        small.override({READ_RETRY: Hasty()})


@pytest.mark.parametrize(
    ("stages", "error", "text"),
    [
        (["one"], TypeError, r"Naming\.stages is \['one'\]; it is a dict of names and their meanings"),
        ({"one": 1}, TypeError, "a dict of names and their meanings"),
        ({"first_read": ""}, ns.ConfigError, "Naming names the stage first_read, which there is already"),
        ({"a b": ""}, ns.ConfigError, "names of stages consist of"),
        ({f"stage_{k}": "" for k in range(33)}, ns.ConfigError, "at most 32"),
    ],
)
def test_names_of_stages_are_checked(small, stages, error, text):
    class Naming(policies.ReadRecovery):
        pass

    Naming.stages = stages
    with pytest.raises(error, match=text):
        small.override({READ_RETRY: Naming()})


@pytest.mark.parametrize("name", ["step", "step_after", "pipelines", "learns"])
def test_what_a_read_recovery_no_longer_has_is_refused(small, name):
    class Old(policies.ReadRecovery):
        pass

    setattr(Old, name, True)
    with pytest.raises(TypeError, match=rf"Old\.{name} is without effect: define next\(page\)"):
        small.override({READ_RETRY: Old()})


def test_a_configuration_is_pickled_with_it(small):
    config = pickle.loads(pickle.dumps(small.override({REFRESH: ours.Period(period_days=2)})))
    assert config.policies()[REFRESH].period_days == 2


def test_a_result_is_loaded_with_it(small, tmp_path):
    config = small.override({**AGED, READ_RETRY: ours.PipelinedRetry()})
    result = ns.run(config)
    result.save(tmp_path / "result.json")
    with pytest.raises(ns.ConfigError, match="the name of an object"):
        ns.Result.load(tmp_path / "result.json")
    assert ns.Result.load(tmp_path / "result.json", config.policies()).stats == result.stats


def test_runs_do_not_learn_from_each_other(small):
    class Fickle(policies.ReadRecovery):
        asked = 0

        def next(self, page):
            self.asked += 1
            return None if self.asked % 50 == 0 else super().next(page)

    config = small.override({**AGED, READ_RETRY: Fickle()})
    assert same(config, config)
    assert not same(config, config.override({READ_RETRY: policies.ReadRecovery()}))


def test_a_class_may_share_its_objects(small):
    class Shared(policies.ReadRecovery):
        def __init__(self):
            self.asked = 0

        def __deepcopy__(self, memo):
            return self

        def next(self, page):
            self.asked += 1
            return super().next(page)

    policy = Shared()
    ns.run(small.override({**AGED, READ_RETRY: policy}))
    assert policy.asked > 0


# --- errors


@pytest.mark.parametrize(
    ("answer", "error", "text"),
    [
        ("1", TypeError, r"returned '1'; it returns the number of a step, a ReadStep, or None"),
        (99, ValueError, r"returned step 99; the retry table has the steps 0 to \d+"),
        (-1, ValueError, r"returned step -1"),
        (1 << 70, ValueError, r"the retry table has the steps"),
        (
            policies.ReadStep(0, 2),
            ValueError,
            r"returned 2 sensing levels; there are more than 1 only where reads_soft",
        ),
        (policies.ReadStep(0, "x"), TypeError, r"a ReadStep with 'x', which is not an int"),
        (
            policies.ReadStep(0, pipelined=True),
            ValueError,
            r"next\(\) returned a pipelined read.* set locks_die",
        ),
        (policies.ReadStep(0, stage="guess"), ValueError, r"returned the stage 'guess'; name it in `stages`"),
        (policies.ReadStep(0, stage="last_resort"), ValueError, r"Wrong\.next\(\) returned stage 5"),
        (policies.ReadStep(0, stage=1), TypeError, r"a ReadStep with 1, which is not the name of a stage or None"),
    ],
)
def test_wrong_steps(small, answer, error, text):
    class Wrong(policies.ReadRecovery):
        def next(self, page):
            return answer

    with pytest.raises(error, match=text):
        ns.run(small.override({**AGED, READ_RETRY: Wrong()}))


@pytest.mark.parametrize(
    ("answer", "error", "text"),
    [
        (None, TypeError, "it returns the index of a candidate"),
        (10_000, ValueError, r"returned 10000; the candidates are 0 to \d+"),
        (1 << 80, ValueError, "the candidates are 0"),
    ],
)
def test_wrong_victims(small, answer, error, text):
    class Wrong(policies.VictimSelection):
        def choose(self, candidates):
            return answer

    with pytest.raises(error, match=text):
        ns.run(small.override({**COLLECTED, COLLECTION: Wrong()}))


@pytest.mark.parametrize("answer", [None, policies.QueueKind.ERASE, 7, "host_read"])
def test_wrong_queues(small, answer):
    class Wrong(policies.Scheduling):
        def choose(self, channel, die, waiting_ps, collection_urgent, suspended):
            return answer

    with pytest.raises(ValueError, match="it returns a QueueKind with a waiting operation"):
        ns.run(small.override({**AGED, SCHEDULING: Wrong()}))


@pytest.mark.parametrize(
    ("answer", "error", "text"),
    [
        ("fast", TypeError, "an ISPP step in mV"),
        (-5, ValueError, r"-5 mV; steps are 0 to \d+ mV"),
        (1 << 20, ValueError, "mV"),
    ],
)
def test_wrong_steps_of_programs(small, answer, error, text):
    class Wrong(policies.WriteMode):
        def step_mv(self, page):
            return answer

    with pytest.raises(error, match=text):
        ns.run(small.override({**COLLECTED, WRITE_MODE: Wrong()}))


@pytest.mark.parametrize(
    ("answer", "error", "text"),
    [
        (None, TypeError, "returned None; it returns the number of a plane, an int, or several"),
        (1.5, TypeError, r"returned 1\.5; it returns the number of a plane"),
        ("3", TypeError, "returned '3'; it returns the number of a plane"),
        ([0, "x"], TypeError, r"returned \[0, 'x'\]; it returns the number of a plane"),
        (8, ValueError, "returned 8; the planes are 0 to 7"),
        (-1, ValueError, "returned -1; the planes are 0 to 7"),
        (1 << 80, ValueError, "the planes are 0 to 7"),
        ((0, 8), ValueError, r"returned \(0, 8\); the planes are 0 to 7"),
        (np.arange(0), ValueError, "which names no plane; unit.in_turn holds the planes with room"),
    ],
)
def test_wrong_planes(small, answer, error, text):
    class Wrong(policies.Allocation):
        def choose(self, unit, planes):
            return answer

    with pytest.raises(error, match=text):
        ns.run(small.override({**COLLECTED, ALLOCATION: Wrong()}))


class First(policies.Allocation):
    """Allocates every unit on plane 0."""

    def choose(self, unit, planes):
        return 0


def test_a_plane_without_room(small):
    writes = [ns.synthetic(requests=20_000, read_percent=0, block_bytes=16384)]
    with pytest.raises(
        ValueError, match=r"First\.choose\(\) returned 0, and plane 0 has no room; unit\.in_turn holds the planes"
    ):
        ns.run(small.override({"host.workload": writes, ALLOCATION: First()}))


def test_refresh_has_to_answer(small):
    class Wrong(policies.Refresh):
        def due(self, block):
            pass

    simulation = ns.Simulation(small.override({"controller.precondition.occupancy": 1, REFRESH: Wrong()}))
    with pytest.raises(TypeError, match="returned None; it returns whether"):
        simulation.advance("40d")


@pytest.mark.parametrize(
    "kind", [policies.Allocation, policies.VictimSelection, policies.Scheduling, policies.WriteMode]
)
def test_a_class_without_its_method(small, kind):
    with pytest.raises(NotImplementedError, match="has no method"):
        ns.run(small.override({**COLLECTED, kind.key: kind()}))


def test_an_error_has_the_traceback_of_the_policy(small):
    class Failing(policies.ReadRecovery):
        def next(self, page):
            return self.look_up(page)

        def look_up(self, page):
            return {}["no such step"]

    with pytest.raises(KeyError, match="no such step") as raised:
        ns.run(small.override({**AGED, READ_RETRY: Failing()}))
    assert [frame.name for frame in traceback.extract_tb(raised.value.__traceback__)][-2:] == ["next", "look_up"]


def test_other_simulations_go_on_after_an_error(small):
    class Failing(policies.ReadRecovery):
        def next(self, page):
            raise Seen

    fine = small.override(AGED)
    expected = outcome(fine)[0]
    for _ in range(3):
        seen(fine.override({READ_RETRY: Failing()}))
        assert outcome(fine)[0] == expected


def test_the_simulation_does_not_go_on_after_an_error(small):
    class Failing(policies.ReadRecovery):
        def next(self, page):
            raise Seen

    simulation = ns.Simulation(small.override({**AGED, READ_RETRY: Failing()}))
    with pytest.raises(Seen):
        simulation.run()
    assert simulation.stats()["host"]["all"]["count"] == 0
    for call in (lambda: simulation.run_until("1s"), lambda: simulation.read(0, 4096)):
        with pytest.raises(ns.RequestError, match="in the middle of an event, and it cannot go on"):
            call()


# --- whose turn it is


def test_a_policy_may_use_other_simulations_but_not_its_own(small):
    class Nested(policies.ReadRecovery):
        simulation: ClassVar[ns.Simulation]
        count: ClassVar[int] = 0

        def next(self, page):
            if Nested.count == 0:
                Nested.count = ns.run(small).stats["host"]["all"]["count"]
                with pytest.raises(ns.BusyError):
                    Nested.simulation.run_until("1s")
            return super().next(page)

    nested = small.override({**AGED, READ_RETRY: Nested()})
    Nested.simulation = ns.Simulation(nested)
    Nested.simulation.run()
    assert Nested.count == 2000
    expected = outcome(small.override({**AGED, READ_RETRY: "regular"}))[0]
    found = Nested.simulation.stats()
    assert found["host"] == expected["host"]


def test_threads_take_turns(small):
    aged = small.override({**AGED, READ_RETRY: ours.PipelinedRetry()})
    expected = outcome(aged)[0]
    found: list[dict[str, Any]] = []
    threads = [threading.Thread(target=lambda: found.append(outcome(aged)[0])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_ctrl_c_leaves_the_simulation_usable(small):
    class Interrupted(policies.ReadRecovery):
        def __init__(self):
            self.asked = 0

        def next(self, page):
            self.asked += 1
            if self.asked == 100:
                os.kill(os.getpid(), signal.SIGINT)
            return super().next(page)

    long = small.override({**AGED, "host.workload": [ns.synthetic(requests=20_000, read_percent=100)]})
    simulation = ns.Simulation(long.override({READ_RETRY: Interrupted()}))
    with pytest.raises(KeyboardInterrupt):
        simulation.run()
    assert simulation.workloads_under_way
    simulation.run_until("100s")
    assert simulation.stats()["host"] == outcome(long)[0]["host"]


# --- power and checkpoints


def test_a_checkpoint_is_refused_by_name(small, tmp_path):
    simulation = ns.Simulation(small.override({**AGED, READ_RETRY: ours.PipelinedRetry()}))
    with pytest.raises(
        ns.RequestError, match=r"read_retry\.policy is python_policies:PipelinedRetry, an object that no"
    ):
        simulation.checkpoint(tmp_path / "drive")
    assert not (tmp_path / "drive").exists()
    simulation.run()


def test_a_checkpoint_may_go_on_with_it(small, tmp_path):
    ns.Simulation(small.override(AGED)).checkpoint(tmp_path / "drive")
    by_name, by_object = (
        ns.Simulation.restore(tmp_path / "drive", keys) for keys in (PIPELINED, {READ_RETRY: ours.PipelinedRetry()})
    )
    assert by_object.config.policies().keys() == {READ_RETRY}
    for simulation in (by_name, by_object):
        simulation.run()
    assert by_name.stats()["host"] == by_object.stats()["host"]


def test_a_drive_by_address_goes_on_with_an_allocation(small, tmp_path):
    """With `by_address`, each plane was filled with the data of its own addresses, so it has no room for other data."""
    writes = [ns.synthetic(requests=20_000, read_percent=0, block_bytes=16384)]
    full = small.override({"host.workload": writes, "controller.precondition.occupancy": 1})
    ns.Simulation(full).checkpoint(tmp_path / "drive")
    with pytest.raises(ValueError, match="plane 0 has no room"):
        ns.Simulation.restore(tmp_path / "drive", {ALLOCATION: First()}).run()


def test_after_a_power_cut_it_begins_anew(small):
    class Counting(policies.ReadRecovery):
        copies: ClassVar[list[Counting]] = []

        def __deepcopy__(self, memo):
            copy = Counting()
            Counting.copies.append(copy)
            return copy

        asked = 0

        def next(self, page):
            self.asked += 1
            return super().next(page)

    simulation = ns.Simulation(small.override({**AGED, READ_RETRY: Counting()}))
    simulation.run()
    assert len([copy for copy in Counting.copies if copy.asked]) == 1
    simulation.power_cut()
    simulation.power_on()
    simulation.read(0, 4096)
    assert len([copy for copy in Counting.copies if copy.asked]) == 2


# --- sweeps


def test_a_sweep_takes_policies_of_the_program_itself(small):
    pytest.importorskip("pandas")

    class Local(policies.ReadRecovery):
        locks_die = True

        def next(self, page):
            n = len(page.attempts)
            return policies.ReadStep(page.order[n], pipelined=True) if n < len(page.order) else None

    grid = {READ_RETRY: ["regular", "none", Local(), ours.PipelinedRetry()]}
    table = ns.sweep(small.override(AGED | PIPELINED), grid, metrics=["host.read.latency_us.mean"], progress=False)
    assert table["error"].isna().all()
    named, none, local, imported = table["host.read.latency_us.mean"]
    assert named == local == imported != none
    assert [repr(policy) for policy in table[READ_RETRY][2:]][1] == "PipelinedRetry()"


def test_a_sweep_goes_on_from_one_drive(small):
    pytest.importorskip("pandas")
    grid = {READ_RETRY: ["regular", ours.PipelinedRetry()]}
    table = ns.sweep(
        small.override(AGED | PIPELINED), grid, metrics=["host.read.latency_us.mean"], warm_start=True, progress=False
    )
    assert table["error"].isna().all()
    assert table["host.read.latency_us.mean"].nunique() == 1


def test_a_store_knows_no_policies(small, tmp_path):
    pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match=r"controller\.read_retry\.policy is python_policies:PipelinedRetry"):
        ns.sweep(small.override(AGED), {READ_RETRY: [ours.PipelinedRetry()]}, store=tmp_path, progress=False)


def test_a_search_takes_policies_and_its_storage_does_not(small, tmp_path):
    pytest.importorskip("optuna")
    aged = small.override(AGED)
    space = {READ_RETRY: ["none", ours.PipelinedRetry()]}
    objectives = {"host.read.latency_us.mean": "minimize"}
    found = ns.explore(aged, space, objectives, trials=2, progress=False)
    assert found.trials["error"].isna().all()
    depths = {"host.workload.queue_depth": [1, 2]}
    for base, keys in ((aged, space), (aged.override({READ_RETRY: ours.PipelinedRetry()}), depths)):
        with pytest.raises(ValueError, match="written in Python"):
            ns.explore(base, keys, objectives, trials=2, storage=tmp_path / "study", progress=False)

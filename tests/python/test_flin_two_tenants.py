# SPDX-License-Identifier: Apache-2.0
"""Tests of two tenants that interfere with each other in the four ways of the FLIN paper (Tavakkol et al., ISCA 2018).

The slowdown of a tenant is its mean latency while the other tenant is active, divided by its mean latency alone.
Fairness is the smaller of the two slowdowns divided by the larger. The weighted speedup is the sum of the reciprocals
of the slowdowns. `pytest -s` prints the results. docs/validation.md lists them and explains why they are lower than
those of the paper.
"""

import math

import nandscape as ns

FULL = {
    "nand.geometry.blocks_per_plane": 64,
    "controller.mapping.over_provisioning": 0.28,
    "controller.precondition.distribution": "steady_state",
}
# The average gains that the paper reports over a state-of-the-art scheduler. Its mixes of tenants are different.
PUBLISHED_FAIRNESS = 1.70
PUBLISHED_SPEEDUP = 1.47


def tenant(name, **keys):
    return ns.synthetic(name=name, **({"read_percent": 100, "block_bytes": 16384, "requests": 10**7} | keys))


# For each source of interference: the simulated time in ms, the disturbed tenant, and the other tenant.
TENANTS = {
    "intensity": (
        1000,
        {"name": "light", "pacing": "open", "rate_iops": 1000},
        {"name": "heavy", "queue_depth": 128},
    ),
    "access pattern": (
        1000,
        {"name": "all dies", "queue_depth": 8, "block_bytes": 262144},
        {"name": "few dies", "queue_depth": 64, "pattern": "hot_cold"}
        | {"hot_access_percent": 100, "hot_space_percent": 0.01},
    ),
    "reads and writes": (
        2000,
        {"name": "writer", "queue_depth": 1, "read_percent": 0},
        {"name": "reader", "queue_depth": 128},
    ),
    "collection": (
        20000,
        {"name": "light", "pacing": "open", "rate_iops": 100, "read_percent": 0},
        {"name": "heavy", "queue_depth": 16, "read_percent": 0},
    ),
    "quiet reader": (
        2000,
        {"name": "reader", "pacing": "open", "rate_iops": 4000},
        {"name": "writer", "queue_depth": 64, "read_percent": 0},
    ),
}


def mean_latency(stats):
    return stats["all"]["latency_us"]["mean"]


def slowdowns(policy, source, seed=1):
    duration, *tenants = TENANTS[source]
    tenants = [tenant(**keys, duration_ms=duration) for keys in tenants]
    drive = ns.load("bare", FULL | {"controller.scheduler.policy": policy, "simulation.seed": seed})
    alone = [mean_latency(ns.run(drive, workload=one).stats["host"]) for one in tenants]
    shared = ns.run(drive, workload=tenants).stats["host"]["workloads"].values()
    return [mean_latency(stats) / by_itself for stats, by_itself in zip(shared, alone, strict=True)]


def fairness(slowed):
    return min(slowed) / max(slowed)


def weighted_speedup(slowed):
    return sum(1 / of_one for of_one in slowed)


# The smallest accepted factor by which flin improves the fairness over out_of_order. With five seeds, the first four
# factors were 2.8 to 3.1, 1.07 to 1.28, 2.1 to 2.6 and 1.1 to 1.7. out_of_order treats the quiet reader fairly, too, so
# the last factor is 0.96 to 1.06.
LEAST_GAINS = {
    "intensity": 2.5,
    "access pattern": 1.02,
    "reads and writes": 1.7,
    "collection": 1.05,
    "quiet reader": 0.9,
}
SOURCES = ["intensity", "access pattern", "reads and writes", "collection"]


def test_flin_is_fairer_to_two_tenants_in_each_way_in_which_they_disturb_each_other():
    gains = {}
    speedups = {}
    for source, least in LEAST_GAINS.items():
        without, fair = slowdowns("out_of_order", source), slowdowns("flin", source)
        gains[source] = fairness(fair) / fairness(without)
        speedups[source] = weighted_speedup(fair) / weighted_speedup(without)
        names = " and ".join(keys["name"] for keys in TENANTS[source][1:])
        print(
            f"{source} ({names}): slowed {without[0]:.2f} and {without[1]:.2f} times with out_of_order, "
            f"{fair[0]:.2f} and {fair[1]:.2f} with flin; "
            f"fairness {gains[source]:.2f} times, weighted speedup {speedups[source]:.2f} times"
        )
        assert gains[source] > least, source
        # flin must reduce the larger slowdown, and not only make both slowdowns equal.
        assert source == "quiet reader" or max(fair) < max(without), source
    mean_gain = math.prod(gains[source] for source in SOURCES) ** (1 / len(SOURCES))
    mean_speedup = math.prod(speedups[source] for source in SOURCES) ** (1 / len(SOURCES))
    print(f"fairness {mean_gain:.2f} times on average, published {PUBLISHED_FAIRNESS}")
    print(f"weighted speedup {mean_speedup:.2f} times on average, published {PUBLISHED_SPEEDUP}")
    assert mean_gain > 1.4
    assert mean_speedup > 1.02  # much less than the published speedup; docs/validation.md gives the reason

# SPDX-License-Identifier: Apache-2.0
"""Tests of workloads with published statistics: the requests of a run, and the age of the data that are read."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import nandscape as ns
from nandscape.result import REQUEST_KINDS

SECTOR_BYTES = 512


def test_a_run_has_the_statistics_of_its_profile(small):
    result = ns.run(small, workload=ns.profile("prn_1", requests=5000, queue_depth=8))
    log = result.requests
    figures = result.config["host.workload"]
    reads = log["kind"] == REQUEST_KINDS.index("read")
    assert reads.mean() == pytest.approx(figures["read_percent"] / 100, rel=0.02)
    sizes = log["sectors"] * SECTOR_BYTES
    assert sizes[reads].mean() == pytest.approx(figures["mean_read_bytes"], rel=0.02)
    assert sizes[~reads].mean() == pytest.approx(figures["mean_write_bytes"], rel=0.02)

    page_sectors = result.config["nand.geometry.page_bytes"] // SECTOR_BYTES
    first, end = log["first_lba"] // page_sectors, (log["first_lba"] + log["sectors"] - 1) // page_sectors + 1
    updated = {page for k in np.flatnonzero(~reads) for page in range(first[k], end[k])}
    cold = [page not in updated for page in first[reads]]
    assert np.mean(cold) == pytest.approx(figures["cold_read_percent"] / 100, rel=0.02)


def test_a_rate_makes_an_open_loop(small):
    result = ns.run(small, workload=ns.profile("ycsb_a", requests=2000, requests_per_s=4000))
    assert result.config["host.workload.pacing"] == "open"
    assert result.stats["simulation"]["simulated_s"] == pytest.approx(0.5, rel=5 / 2000**0.5)


def test_options_go_over_the_profile_and_files_are_profiles_too(small, tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("read_percent: 10\nmean_write_bytes: 8192\n")
    workload = small.override({"host.workload": [ns.profile(mine, mean_write_bytes=20_000)]})["host.workload"]
    assert (workload["read_percent"], workload["mean_write_bytes"]) == (10, 20_000)


def test_two_profiles_at_once(small):
    half = {"footprint_fraction": 0.5, "requests": 500, "queue_depth": 4}
    middle = ns.Simulation(small).capacity_bytes // 2 // SECTOR_BYTES * SECTOR_BYTES
    result = ns.run(
        small,
        workload=[
            ns.profile("hm_0", name="one", **half),
            ns.profile("usr_0", name="other", footprint_start_bytes=middle, **half),
        ],
    )
    workloads = result.stats["host"]["workloads"]
    assert workloads["one"]["read"]["count"] == 125
    assert workloads["other"]["read"]["count"] == 295


VOLUMES = sorted(name for kind, name, _ in ns._core.list_workload_profiles() if kind == "volume")


def test_volumes_are_those_of_the_paper():
    names = "hd1 hd2 prn_0 prn_1 proj_0 proj_2 prxy_0 prxy_1 src1_0 src1_1 src1_2 src2_2 tpcc1 tpcc2 usr_1 usr_2"
    assert " ".join(VOLUMES) == names


@pytest.mark.parametrize("name", VOLUMES)
def test_figures_of_a_volume_are_told_as_printed(name):
    """Each value must have its source or the word "assumed" in the file. Its `str` must equal the text in the file,
    with all digits.
    """
    figures = ns.profile_figures(name, kind="volume")
    published = figures.pop("published")
    file = Path(__file__).parents[2] / "platform" / "profiles" / "volumes" / f"{name}.yaml"
    for key, value in {**figures, **published}.items():
        line = re.compile(rf"^ *{key}: {re.escape(str(value))}  # (Liu, Table [123]|assumed)", re.MULTILINE)
        assert line.search(file.read_text()), key
    config = ns.load("bare", {"host.workload": [ns.volume(name)]})
    assert {key: config["host.workload"][key] for key in figures} == figures
    share = 100 * (1 - figures["distinct_gib"] / figures["written_gib"])
    shares = [value for key, value in published.items() if key.startswith("overwritten")]
    assert shares == sorted(shares)
    assert share == pytest.approx(shares[0], abs=0.05 + 100 * 0.05 / figures["written_gib"])


def test_a_run_of_a_volume_has_its_amounts(small):
    result = ns.run(small, workload=ns.volume("hd2", scale=5e-4, requests=10**9, pacing="closed", queue_depth=8))
    log = result.requests
    places = log["first_lba"][log["kind"] == REQUEST_KINDS.index("write")]
    size = ns.profile_figures("hd2", kind="volume")["request_bytes"]
    assert len(places) * size / 2**30 == pytest.approx(5e-4 * 726.3, abs=size / 2**30)
    assert len(np.unique(places)) * size / 2**30 == pytest.approx(5e-4 * 313.3, abs=size / 2**30)


def test_a_volume_comes_at_its_mean_rate(small):
    stats = ns.run(small, workload=ns.volume("hd1", scale=1e-4, requests=300)).stats
    requests_per_s = 1e-4 * 1564.9 * 2**30 / 2**19 / 0.8 / 86400
    assert stats["simulation"]["simulated_s"] == pytest.approx(300 / requests_per_s, rel=5 / 300**0.5)


def test_a_volume_that_is_not_there_names_the_nearest(tmp_path):
    study = tmp_path / "study.yaml"
    study.write_text("extends: bare\nhost:\n  workload:\n    kind: volume\n    profile: proj_3\n")
    with pytest.raises(ns.ConfigError, match=r"study\.yaml:5: .*no volume is named 'proj_3'; did you mean proj_[02]\?"):
        ns.load(study)
    with pytest.raises(ns.ConfigError, match=r"did you mean hd1"):
        ns.profile_figures("hd", kind="volume")


def test_a_contradiction_says_how_to_go_on(small):
    workload = ns.profile("casa2", read_percent=10)
    with pytest.raises(ns.ConfigError, match=r"reads of 4096 instead of 5550 bytes.*size_class_percent: \[\]"):
        ns.run(small, workload=workload)
    ns.run(small, workload=ns.profile("casa2", read_percent=10, requests=100, size_class_percent=[]))


def test_updated_data_are_young_and_cold_ones_old(small):
    """The drive was off for half a year. Data that the workload updates are young, so only reads of cold data are
    retried.
    """
    updated = 32 << 20
    worn = {
        "simulation.cells": "statistical",
        "nand.condition.pe_cycles": 2000,
        "nand.condition.retention_days": 180,
        "controller.precondition.updated_bytes": updated,
    }

    def steps(cold_percent):
        workload = ns.profile("ycsb_b", cold_read_percent=cold_percent, updated_bytes=updated, requests=2000)
        stats = ns.run(small.override(worn), workload=workload).stats
        return stats["controller"]["read_retry"]["steps"]

    none, half, every = steps(0), steps(50), steps(100)
    assert every > 5
    assert none < 0.1 * every
    assert half == pytest.approx((none + every) / 2, rel=0.05)

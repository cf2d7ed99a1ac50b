# SPDX-License-Identifier: Apache-2.0
"""Tests of the small studies in scenarios/studies. A quick run of each must write its table, data and picture, and one
of its figures must agree with the calculation in its docstring."""

from __future__ import annotations

import importlib
import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import nandscape as ns

STUDIES = Path(__file__).parents[2] / "scenarios" / "studies"
Rows = list[dict[str, Any]]


def close(measured: float, expected: float, tolerance: float) -> None:
    assert measured == pytest.approx(expected, rel=tolerance)


def queue_depth(rows: Rows) -> None:
    """Checks that the throughput lies between mean value analysis and the upper bound. The tolerance is 3 %, by which
    two runs of 4,000 random reads vary at depths at which the dies are not saturated."""
    for row in rows[:-1]:
        assert 0.97 * row["expected"] <= row["iops"] <= 1.03 * row["bound"]


def plane_reads(rows: Rows) -> None:
    """Checks that both kinds of reads lie between mean value analysis and the upper bound, and that planes that read on
    their own reach the bound of the controller. Runs of 10,000 reads vary by 3 %, more until all dies are busy."""
    for row in rows:
        assert 0.95 * row["expected"] <= row["iops"] <= 1.01 * row["bound"]
    close(rows[3]["iops"], rows[3]["bound"], 0.07)
    assert rows[3]["iops"] > 1.4 * rows[1]["iops"]


def steady_state(rows: Rows) -> None:
    """Checks that the drive does not collect before the flash is full, and that rates lie between those of programs on
    one plane and on two planes."""
    first, last = rows[0], [row for row in rows if row["drive_writes"] > 5]
    close(first["amplification"], 1, 0.01)
    close(first["iops"], first["bound"], 0.02)
    mean = {name: sum(row[name] for row in last) / len(last) for name in ("amplification", "iops")}
    # The tolerance is wide, since a plane of 96 blocks is small for the closed form, and fewer blocks are free when the
    # host writes at full speed.
    close(mean["amplification"], last[0]["expected_amplification"], 0.15)
    assert last[0]["expected_alone"] < mean["iops"] < last[0]["bound"]


def write_cache(rows: Rows) -> None:
    """The tolerance is for the first program of a burst, which the calculation neglects. It takes 0.7 of the 10 ms in
    which the cache fills.
    """
    by_size = {row["mib"]: row for row in rows}
    close(by_size[8]["mean_us"], by_size[8]["expected_mean_us"], 0.1)
    assert by_size[16]["mean_us"] < 10


def mapping_memory(rows: Rows) -> None:
    """Checks that reads hit a memory with a share s of the table with the probability s, minus the 2 % of the table
    that reads in flight occupy. The hit ratio of 12,000 reads varies by less than half a percent."""
    for row in rows[:-1]:
        assert row["share"] - 0.04 < row["hit_ratio"] < row["share"] + 0.01
        close(row["alone_us"], row["expected_us"], 0.03)  # two runs of 1,000 reads


def victim_policies(rows: Rows) -> None:
    """Checks the closed form for the collection of the oldest block, which assumes many blocks; the planes have 200.
    Under a strong skew, separate blocks for moved pages must reduce the write amplification."""
    mixed = [row for row in rows if row["expected"] is not None]
    assert len(mixed) == 3
    for row in mixed:
        close(row["amplification"], row["expected"], 0.06)
    assert rows[-2]["amplification"] < 0.7 * rows[-1]["amplification"]


def parity(rows: Rows) -> None:
    """The counts of pages are exact except for stripes that are open at the end of the run. The rates are
    deterministic.
    """
    for row in rows:
        close(row["capacity_gb"], row["expected_gb"], 0.001)
        close(row["sequential_amplification"], row["expected_sequential"], 0.005)
        close(row["sequential_iops"], row["expected_iops"], 0.03)


def read_retry(rows: Rows) -> None:
    """Pages need about 9 ± 2 retry steps, so the mean of 1,000 pages varies by 2 / sqrt(1000) steps, which is less than
    1 %."""
    for row in rows:
        assert row["steps"] == pytest.approx(row["expected_steps"], rel=0.03, abs=0.02)
        close(row["mean_us"], row["expected_us"], 0.05)


def learned_reads(rows: Rows) -> None:
    """The number of different blocks among n random reads has a standard deviation of less than half the root of the
    blocks, here 384: 10 of at least 240 first reads, or 4 %. The tolerance is three times as large."""
    blocks = 384
    for row in rows:
        spread = 3 * math.sqrt(blocks) / 2 / (blocks * row["reads_per_block"])
        assert row["steps"] == pytest.approx(row["expected_steps"], abs=0.01 + 2 * spread)
        close(row["mean_us"], row["expected_us"], 0.12)
    by_case = {(row["reads_per_block"], row["memory"]): row["mib_s"] for row in rows}
    assert by_case[16, "none"] < by_case[16, "per block"] < by_case[16, "per layer"]
    close(by_case[16, "per layer"], by_case[16, "oracle"], 0.02)


def retention_age(rows: Rows) -> None:
    """The tolerance is wide because the closed form uses the median wordline for all wordlines. The drift of wordlines
    differs by some percent, and age is an exponential function of drift."""
    assert {row["set"] for row in rows if row["days"] is None} == {"slc_3d"}
    for row in rows:
        if row["days"] is not None:
            close(row["days"], row["expected_days"], 0.3)


def noisy_neighbour(rows: Rows) -> None:
    """Little's law is exact for the mean over all requests. The latencies of the light stream vary by as much as their
    mean, so the mean of 400 reads varies by 5 %. The tolerance is three times as large."""
    for heavy in ("reads", "writes"):
        fifo, priority = (row for row in rows if row["heavy"] == heavy)
        close(fifo["light_us"], fifo["expected_us"], 0.15)
        assert priority["light_us"] < 0.3 * fifo["light_us"]


def energy(rows: Rows) -> None:
    """The energies of reads and programs are sums of constants. Only the headers of the link are known no better than
    to a few percent.
    """
    for row in rows:
        if "steady" not in row["kind"]:
            close(row["j_per_gb"], row["expected_j_per_gb"], 0.02)


def superpages(rows: Rows) -> None:
    """Checks that programs fill both planes at the rate of the bound, and that the write amplification does not depend
    on the layout. The tolerance is for superblocks that collection keeps free beyond the closed form at a low depth:
    one of 96 changes the write amplification by 5 %."""
    by_case = {(row["state"], row["controller.mapping.layout"], row["host.workload.queue_depth"]): row for row in rows}
    deep = by_case["fresh", "superpage", 64]
    close(deep["iops"], deep["bound"], 0.01)
    assert deep["planes"] > 1.99
    alone = by_case["fresh", "plane", 64]
    assert alone["iops"] < alone["bound"]
    for (state, _, _), row in by_case.items():
        close(row["amplification"], row["expected_amplification"], 0.08 if state == "steady" else 0.01)
    assert by_case["steady", "superpage", 64]["iops"] > 1.6 * by_case["steady", "plane", 64]["iops"]


def slc_cache(rows: Rows) -> None:
    """Each row covers an eighth of the fill, in which about ten superblocks are written or folded. One more or less
    that is folded in a row changes its figures by up to a tenth."""
    assert {row["cache"] for row in rows} >= {"none", "dynamic, then direct", "static, then folding"}
    for row in rows:
        folds = row["expected_amplification"] > 1
        close(row["mb_s"], row["expected_mb_s"], 0.1 if folds else 0.01)
        close(row["amplification"], row["expected_amplification"], 0.06 if folds else 0.01)


CHECKS = {
    check.__name__: check
    for check in (
        queue_depth, steady_state, write_cache, mapping_memory, victim_policies, parity, read_retry, learned_reads,
        retention_age,
        plane_reads,
        noisy_neighbour, energy, superpages, slc_cache,
    )
}  # fmt: skip


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Makes the studies importable for a test. Removes their modules afterwards, since other scenarios have modules
    with the same names."""
    monkeypatch.syspath_prepend(str(STUDIES))
    for name in ("study", *CHECKS):
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield
    for name in ("study", *CHECKS):
        sys.modules.pop(name, None)


def test_each_study_is_checked():
    assert {file.stem for file in STUDIES.glob("*.py")} == {"study", *CHECKS}


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.usefixtures("path")
@pytest.mark.filterwarnings("ignore::nandscape.TransientWarning")
def test_study(name, tmp_path, capsys):
    study = importlib.import_module(name)
    study.main(["--quick", "--out", str(tmp_path / "out")])
    printed = capsys.readouterr().out
    question = study.__doc__.splitlines()[0]
    data = json.loads((tmp_path / "out" / f"{name}.json").read_text(encoding="utf-8"))
    assert (data["question"], data["nandscape"], data["overrides"]) == (question, ns.__version__, [])
    assert data["seeds"]
    assert len(data["rows"]) <= printed.count("\n")
    assert printed.startswith(question)
    assert "expected" in printed
    assert not re.search(r"\bnan\b", printed), "a figure that is not known is a dash"
    assert (tmp_path / "out" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    CHECKS[name](data["rows"])


@pytest.mark.parametrize("name", CHECKS)
def test_a_study_is_small_and_says_what_it_expects(name):
    text = (STUDIES / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert '\n"""' in text
    document = text.split('"""')[1]
    assert document.splitlines()[0].endswith("?")
    assert "Expectation" in document
    assert re.search(r"\d", document.partition("Expectation")[2]), "with numbers"
    assert "\nTo fork: " in document


@pytest.mark.parametrize("name", CHECKS)
def test_the_readme_shows_each_study(name):
    text = (STUDIES / "README.md").read_text(encoding="utf-8")
    assert f"pictures/{name}.png" in text
    assert (STUDIES / "pictures" / f"{name}.png").stat().st_size < 60_000
    question = (STUDIES / f"{name}.py").read_text(encoding="utf-8").split('"""')[1].splitlines()[0]
    assert question in text


@pytest.mark.usefixtures("path")
def test_overrides_prevail(tmp_path):
    study = importlib.import_module("queue_depth")
    study.main(["--quick", "--out", str(tmp_path), "--set", "channel.count=1", "--set", "host.workload.requests=2000"])
    data = json.loads((tmp_path / "queue_depth.json").read_text(encoding="utf-8"))
    assert data["overrides"] == ["channel.count=1", "host.workload.requests=2000"]
    assert max(row["bound"] for row in data["rows"]) == pytest.approx(168_070 / 4, rel=0.01)
    assert data["rows"][-1]["p99_us"] > 0


@pytest.mark.usefixtures("path")
def test_a_key_that_the_study_varies_is_refused(tmp_path):
    study = importlib.import_module("queue_depth")
    with pytest.raises(ns.Error, match=r"--set host.workload.queue_depth: queue_depth.py varies this key"):
        study.main(["--quick", "--out", str(tmp_path), "--set", "host.workload.queue_depth=3"])


@pytest.mark.usefixtures("path")
def test_a_figure_that_is_not_known_is_a_dash(tmp_path, capsys):
    study = importlib.import_module("queue_depth")
    study.main(["--quick", "--out", str(tmp_path), "--set", "host.workload.requests=100"])
    rows = json.loads((tmp_path / "queue_depth.json").read_text(encoding="utf-8"))["rows"]
    assert [row["p99_us"] for row in rows] == [None] * len(rows)
    assert capsys.readouterr().out.count(" - ") >= len(rows)
    assert not math.isnan(rows[0]["mean_us"])

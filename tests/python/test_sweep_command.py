# SPDX-License-Identifier: Apache-2.0
"""Tests `nandscape sweep` as a complete command in a child process."""

import json
import subprocess
import sys

import pytest

import nandscape as ns
from conftest import SMALL_DEVICE
from nandscape.cli.main import main
from test_command import assert_input_error

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")
yaml = pytest.importorskip("yaml")

DEPTH = "host.workload.queue_depth"
SWEPT = "grid: {nand.timing.t_prog_us: [500, 9e2], host.workload.queue_depth: [1, 8]}"


@pytest.fixture
def study(tmp_path):
    """Returns a function that writes the small device to device.yaml, and a sweep of this device with the given lines
    to study.yaml.
    """
    (tmp_path / "folder").mkdir()
    device = {"extends": "bare", "host": {"workload": {"requests": 500}}}
    for key, value in SMALL_DEVICE.items():
        group = device
        for part in key.split(".")[:-1]:
            group = group.setdefault(part, {})
        group[key.split(".")[-1]] = value
    (tmp_path / "folder" / "device.yaml").write_text(json.dumps(device))

    def written(*lines, base="base: ./device.yaml"):
        (tmp_path / "folder" / "study.yaml").write_text("\n".join([base, *lines]) + "\n")
        return "folder/study.yaml"

    return written


@pytest.fixture
def refused(tmp_path, monkeypatch, capfd):
    """Returns a function that checks that the command ends with an error message that contains the given parts.

    The command runs within the test process, since importing pandas in a child process takes a second.
    """
    monkeypatch.chdir(tmp_path)

    def check(file, *parts):
        status = main(["sweep", file])
        output, errors = capfd.readouterr()
        assert_input_error(subprocess.CompletedProcess([], status, output, errors), *parts)

    return check


def test_prints_means_and_writes_all_runs(command, study, tmp_path):
    file = study(SWEPT, "repeat: 2", "metrics: [host.iops, host.read.latency_us.p90]", "out: table.csv")
    done = command("sweep", file)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "no progress bar where there is no terminal"
    lines = done.stdout.splitlines()
    assert len(lines) == 5
    assert "host.read.latency_us.p90" in lines[0]
    assert all("±" in line for line in lines[1:])

    table = pd.read_csv(tmp_path / "table.csv")
    assert table[["nand.timing.t_prog_us", DEPTH, "seed"]].values.tolist() == [
        [program, depth, seed] for program in (500, 900) for depth in (1, 8) for seed in (1, 2)
    ]
    device = {**SMALL_DEVICE, "host.workload.requests": 500, DEPTH: 8, "nand.timing.t_prog_us": 900}
    expected = ns.run(ns.load("bare", device | {"simulation.seed": 2})).stats["host"]
    assert table["host.iops"].iloc[-1] == expected["iops"]


def test_points_workload_and_store(command, study, tmp_path):
    lines = ["points: [{host.workload.queue_depth: 1}, {nand.timing.t_prog_us: 900}]", "seeds: [4]"]
    lines += ["workload: {kind: synthetic, requests: 50, read_percent: 0}"]
    done = command("sweep", study(*lines), "--store", "kept", "--out", "table.parquet")
    assert done.returncode == 0, done.stderr
    table = pd.read_parquet(tmp_path / "table.parquet")
    assert table["host.write.count"].tolist() == [50, 50]
    assert table["seed"].tolist() == [4, 4]
    assert len(pd.read_parquet(tmp_path / "kept")) == 2
    again = command("sweep", study(*lines), "--store", "kept")
    assert again.stdout == done.stdout


def test_a_page_shows_the_sweep(command, study, tmp_path):
    pytest.importorskip("plotly")
    file = study(SWEPT, "metrics: [host.iops]")
    done = command("sweep", file, "--report", "page.html")
    assert done.returncode == 0, done.stderr
    assert "<h1>Sweep of device.yaml</h1>" in (tmp_path / "page.html").read_text(encoding="utf-8")
    done = command("sweep", file, "--report", "nowhere/page.html")
    assert_input_error(done, "nowhere/page.html", "no folder")


def test_a_page_without_plotly_is_refused_before_the_sweep(study, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    status = main(["sweep", study(SWEPT), "--report", "page.html"])
    output, errors = capfd.readouterr()
    told = subprocess.CompletedProcess([], status, output, errors)
    assert_input_error(told, "pip install 'nandscape[report]'")


def test_runs_that_fail_are_told_and_the_others_kept(command, study, tmp_path):
    grid = "grid: {nand.geometry.blocks_per_plane: [64, 256], controller.mapping.over_provisioning: [0.07, 0.25]}"
    done = command("sweep", study(grid, "out: table.csv"))
    assert done.returncode == 2
    assert "1 of 4 runs failed; the first (nand.geometry.blocks_per_plane=64" in done.stderr
    assert pd.read_csv(tmp_path / "table.csv")["host.iops"].notna().sum() == 3
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    assert lines[-1].startswith("host.read.latency_us.p99 is not known in 3 of 3 runs: ")


@pytest.mark.parametrize(
    ("lines", "parts"),
    [
        (["gird: {}"], ["study.yaml: gird: unknown key", "did you mean grid?"]),
        ([], ["study.yaml", "either grid", "or points"]),
        ([SWEPT, "points: []"], ["study.yaml", "either grid"]),
        ([SWEPT, "repeat: often"], ["study.yaml: repeat: expected a whole number, got 'often'"]),
        ([SWEPT, "repeat: true"], ["study.yaml: repeat: expected a whole number"]),
        ([SWEPT, "metrics: {p99: 5}"], ["study.yaml: metrics.p99: expected the name"]),
        ([SWEPT, "metrics: [host.ipos]"], ["study.yaml: metrics", "host.ipos", "host.iops"]),
        (["grid: {nand.timing.t_porg_us: [1]}"], ["study.yaml: nand.timing.t_porg_us: unknown key", "t_prog_us"]),
        (["grid: {nand.timing.t_prog_us: [no]}"], ["study.yaml: nand.timing.t_prog_us: expected a number, got 'no'"]),
        (["grid: {nand.timing.t_prog_us: 5}"], ["study.yaml", "list of values", "nand.timing.t_prog_us"]),
        ([SWEPT, "grid: {}"], ["study.yaml:3: grid: is given twice"]),
        (["grid: {a: [1, 2}"], ["study.yaml:2: "]),
        ([SWEPT, "out: table.txt"], ["table.txt", ".csv or .parquet"]),
        ([SWEPT, "out: nowhere/table.csv"], ["nowhere/table.csv", "no folder"]),
        ([SWEPT, "seeds: [1, 1]"], ["study.yaml", "twice"]),
    ],
)
def test_errors_name_the_file_and_the_key(refused, study, lines, parts):
    refused(study(*lines), *parts)


def test_a_base_that_is_not_there(refused, study):
    refused(study(SWEPT, base="base: defualt"), "study.yaml", "defualt")
    refused(study(SWEPT, base="base: ./none.yaml"), "study.yaml", "folder/none.yaml")
    refused("none.yaml", "none.yaml")

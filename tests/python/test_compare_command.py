# SPDX-License-Identifier: Apache-2.0
"""Tests `nandscape compare` and `nandscape report`, which show saved runs side by side."""

import subprocess

import pytest

import nandscape as ns
from conftest import SMALL_DEVICE
from nandscape.cli.main import main
from test_command import assert_input_error


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the saved results of two drives with three seeds each: fast-1.npz to fast-3.npz, and slow-1.json to
    slow-3.json.
    """
    made = tmp_path_factory.mktemp("runs")
    drive = ns.load("bare", {**SMALL_DEVICE, "host.workload.requests": 400, "host.workload.queue_depth": 8})
    for name, suffix, program in (("fast", "npz", 300), ("slow", "json", 900)):
        for seed in (1, 2, 3):
            run = ns.run(drive.override({"nand.timing.t_prog_us": program, "simulation.seed": seed}))
            run.save(made / f"{name}-{seed}.{suffix}")
    return made


@pytest.fixture
def told(folder, monkeypatch, capfd):
    """Returns a function that runs the command within the test process and returns its exit status and output."""
    monkeypatch.chdir(folder)

    def run(*arguments):
        status = main(arguments)
        output, errors = capfd.readouterr()
        return subprocess.CompletedProcess(arguments, status, output, errors)

    return run


def figures_of(text):
    """Returns the cells of each row of the printed table, by the text in the first column, which may contain blanks."""
    rows = [[part for part in line.split("   ") if part] for line in text.splitlines()]
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows if len(row) > 1}


def test_two_runs(told, folder):
    done = told("compare", "fast-1.npz", "slow-1.json")
    assert done.returncode == 0, done.stderr
    assert "nand.timing.t_prog_us\t300\t900\n" in done.stdout
    assert "several seeds" in done.stdout
    a, b = (ns.Result.load(folder / name).stats["host"]["write"] for name in ("fast-1.npz", "slow-1.json"))
    a, b = a["latency_us"]["p50"], b["latency_us"]["p50"]
    assert figures_of(done.stdout)["write latency p50 (µs)"] == [
        f"{a:,.1f}", f"{b:,.1f}", f"{b - a:+,.1f}", f"{b / a - 1:+.1%}"
    ]  # fmt: skip


def test_two_drives_of_several_seeds(told, folder):
    names = [f"{name}-{seed}.{suffix}" for name, suffix in (("fast", "npz"), ("slow", "json")) for seed in (1, 2, 3)]
    done = told(
        "compare", *names[:3], "--with", *names[3:], "--metric", "host.write.latency_us.mean", "--level", "0.99"
    )
    assert done.returncode == 0, done.stderr
    assert "in pairs of the same seed; intervals at 0.99" in done.stdout
    runs = [ns.Result.load(folder / name) for name in names]
    expected = ns.compare(runs[:3], runs[3:], "host.write.latency_us.mean", level=0.99)
    (mean_a, mean_b, change, real) = figures_of(done.stdout)["host.write.latency_us.mean"]
    assert mean_a == f"{expected.mean_a:,.6g}"
    assert mean_b == f"{expected.mean_b:,.6g}"
    reach = (expected.high - expected.low) / 2 / expected.mean_a
    assert change == f"{expected.relative:+.1%} ± {reach:.1%}"
    assert real == ("yes" if expected.real else "no") == "yes"


def test_key_figures_of_seeds_that_differ_are_not_paired(told):
    done = told("compare", "fast-1.npz", "fast-2.npz", "--with", "slow-2.json", "slow-3.json")
    assert done.returncode == 0, done.stderr
    assert "not in pairs" in done.stdout
    assert figures_of(done.stdout)["reads"][-1] == "no"
    assert "write latency p99.9 (µs)" in done.stdout


def test_runs_that_differ_in_the_seed_alone(told):
    done = told("compare", "fast-1.npz", "fast-2.npz", "--metric", "host.iops")
    assert "differ only in the seed" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["compare", "fast-1.npz"], ["two runs are compared, not 1", "--with"]),
        (["compare", "fast-1.npz", "fast-1.npz"], ["fast-1.npz: named twice"]),
        (["compare", "fast-1.npz", "none.npz"], ["none.npz"]),
        (["compare", "fast-1.npz", "slow-1.json", "--with", "slow-2.json"], ["first drive", "t_prog_us (300, 900)"]),
        (["compare", "fast-1.npz", "slow-1.json", "--metric", "host.ipos"], ["host.ipos", "did you mean host.iops?"]),
        (["compare", "fast-1.npz", "slow-1.json", "--level", "95"], ["--level", "between 0 and 1"]),
        (["report", "fast-1.npz", "-o", "nowhere/report.html"], ["nowhere", "no folder"]),
        (["report", "fast-1.npz", "fast-1.npz"], ["named twice"]),
    ],
)
def test_wrong_input_is_one_message(told, arguments, parts):
    assert_input_error(told(*arguments), *parts)


def test_a_file_that_is_no_result(told, folder):
    (folder / "noise.npz").write_bytes(b"PK and no more")
    assert_input_error(told("report", "noise.npz"), "noise.npz: is not a saved result")
    assert not (folder / "report.html").exists()


def test_a_report_is_written(told, folder):
    pytest.importorskip("plotly")
    (folder / "other").mkdir()
    (folder / "other" / "fast-1.npz").write_bytes((folder / "fast-1.npz").read_bytes())
    done = told("report", "fast-1.npz", "other/fast-1.npz", "slow-1.json", "--title", "Programs", "-o", "page.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "page.html written.\n"
    text = (folder / "page.html").read_text(encoding="utf-8")
    assert "<h1>Programs</h1>" in text
    assert '<th scope="row">other/fast-1.npz</th>' in text, "paths, where names of files are the same"

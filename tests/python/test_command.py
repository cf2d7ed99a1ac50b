# SPDX-License-Identifier: Apache-2.0
"""Tests of the complete command in a child process."""

import json
import os
import subprocess
import sys

import pytest

import nandscape as ns
from conftest import simulated


def assert_input_error(done, *parts):
    """Checks that the process ended with status 2, and with one clear message on stderr and nothing on stdout."""
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3, done.stderr
    for part in parts:
        assert part in done.stderr


def test_run_prints_the_table(command, small_arguments):
    done = command("run", *small_arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "no progress bar where there is no terminal"
    for word in ("mean", "p50", "p99", "p99.9", "max", "read", "write", "all", "2,000", "IOPS", "MiB/s"):
        assert word in done.stdout
    for line in ("write amplification", "simulated time", "wall time"):
        assert line in done.stdout


def test_json_holds_statistics_and_configuration(command, small_arguments, tmp_path):
    done = command("run", *small_arguments, "--json", "result.json")
    assert done.returncode == 0, done.stderr
    saved = json.loads((tmp_path / "result.json").read_text())
    assert saved["statistics"]["host"]["all"]["count"] == 2000
    assert saved["configuration"]["host"]["workload"]
    again = ns.run(saved["configuration"])
    assert simulated(again.stats) == simulated(saved["statistics"])


def test_a_run_starts_without_numpy(small_arguments, tmp_path):
    # NumPy takes as long to import as the rest of the command.
    program = "import sys; from nandscape.cli.main import main; main(sys.argv[1:]); print('numpy' in sys.modules)"
    arguments = ["run", *small_arguments, "--json", str(tmp_path / "result.json")]
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_json_to_stdout_leaves_the_table_to_stderr(command, small_arguments):
    done = command("run", *small_arguments, "--json", "-")
    assert json.loads(done.stdout)["seed"] == 1
    assert "IOPS" in done.stderr


def test_plot_writes_a_picture(command, small_arguments, tmp_path):
    done = command("run", *small_arguments, "--plot", "latency.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "latency.png").read_bytes().startswith(b"\x89PNG")


def test_a_trace_takes_the_place_of_the_workload(command, small_arguments, trace_file):
    device = [argument for argument in small_arguments if "host.workload" not in argument]
    done = command("run", *device, "--trace", trace_file, "--json", "-")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["statistics"]["host"]["all"]["count"] == 41


def test_an_unknown_key_on_the_command_line(command):
    assert_input_error(command("run", "default", "--set", "nand.timing.t_porg_us=650"), "t_porg_us", "t_prog_us")


def test_an_unknown_key_in_a_file(command, tmp_path):
    (tmp_path / "typo.yaml").write_text("extends: default\nnand:\n  timing:\n    t_porg_us: 650\n")
    assert_input_error(command("run", "typo.yaml"), "typo.yaml:4", "nand.timing.t_porg_us", "t_prog_us")


def test_a_file_that_is_no_yaml(command, tmp_path):
    (tmp_path / "broken.yaml").write_text("nand: [1, 2\nhost: {\n")
    assert_input_error(command("run", "broken.yaml"), "broken.yaml")


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["run", "default", "--restore", "drive"],
        ["run", "no_such_preset"],
        ["run", "default", "--set", "nand.timing.t_prog_us"],
        ["run", "default", "--set", "nand.timing.t_prog_us=-1"],
        ["show", "default", "--set", "simulation.cells=perfect"],
        ["run", "default", "--json", "no/such/folder/result.json"],
        ["run", "default", "--plot", "latency.zzz"],
        ["run", "default", "--save", "result.json"],
        ["run", "default", "--save", "no/such/folder/result.npz"],
        ["params", "no_such_key"],
    ],
)
def test_wrong_input_is_one_message(command, arguments):
    assert_input_error(command(*arguments))


def test_a_missing_trace(command, tmp_path):
    assert_input_error(command("run", "default", "--trace", "missing.csv", "--json", "result.json"), "missing.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_malformed_trace_leaves_nothing_half_written(command, small_arguments, trace_file, tmp_path):
    trace_file.write_text(trace_file.read_text() + "5000,raed,0,4096\n")
    device = [argument for argument in small_arguments if "host.workload" not in argument]
    done = command("run", *device, "--trace", trace_file, "--json", "result.json", "--plot", "latency.png")
    assert_input_error(done, "short.csv:43", "raed")
    assert [path.name for path in tmp_path.iterdir()] == ["short.csv"]


def test_a_closed_pipe_is_silent(tmp_path):
    child = subprocess.Popen(
        [sys.executable, "-m", "nandscape", "params"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    child.stdout.close()
    assert child.stderr.read() == b""
    assert child.wait(timeout=30) == 1


def test_show_prints_the_limits_or_the_hierarchy(command):
    limits = command("show", "default")
    assert limits.returncode == 0, limits.stderr
    assert "spare" in limits.stdout
    hierarchy = command("show", "default", "--hierarchy")
    assert hierarchy.returncode == 0, hierarchy.stderr
    assert "─" in hierarchy.stdout


def test_a_configuration_is_printed_or_written(command, tmp_path):
    change = ["--set", "nand.timing.t_prog_us=1234"]
    printed = command("config", "default", *change)
    assert printed.returncode == 0, printed.stderr
    written = command("config", "default", *change, "-o", tmp_path / "drive.yaml")
    assert (written.returncode, written.stdout) == (0, "")
    assert (tmp_path / "drive.yaml").read_text() == printed.stdout
    assert ns.load(tmp_path / "drive.yaml") == ns.load("default", {"nand.timing.t_prog_us": 1234})
    refused = command("config", "default", "-o", tmp_path / "drive.json")
    assert refused.returncode == 2
    assert "drive.json: a configuration is written as .yaml or .yml" in refused.stderr


@pytest.mark.parametrize("listing", ["presets", "cells", "profiles", "codes", "params", "statistics"])
def test_each_listing_prints_the_same_as_json(command, listing):
    lines = command(listing).stdout.splitlines()
    columns = lines[0].split("\t")
    rows = json.loads(command(listing, "--json").stdout)
    assert len(rows) == len(lines) - 1 > 0
    assert set(columns) <= rows[0].keys()
    assert [row[columns[-1]] for row in rows] == [line.split("\t")[-1] for line in lines[1:]]


def test_statistics_are_those_of_a_drive(command):
    rows = json.loads(command("statistics", "write_amplification", "--json").stdout)
    assert "controller.write_amplification" in {row["name"] for row in rows}
    assert all("write_amplification" in row["name"] and row["meaning"] for row in rows)
    two = ["--set", "host.workload=[{name: left}, {name: right}]"]
    assert "host.workloads.right.iops" in command("statistics", "workloads", "--config", "bare", *two).stdout
    refused = command("statistics", "no_such_figure")
    assert refused.returncode == 2
    assert "no statistic's name contains 'no_such_figure'" in refused.stderr


def test_params_prints_a_row_per_key(command):
    done = command("params", "nand.timing")
    assert done.returncode == 0, done.stderr
    columns, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert columns == ["key", "type", "unit", "default", "range", "meaning"]
    assert all(len(row) == len(columns) and row[0].startswith("nand.timing") for row in rows)
    assert ["nand.timing.t_prog_us", "real", "us"] in [row[:3] for row in rows]


def test_params_as_json(command):
    done = command("params", "nand.timing", "--json")
    rows = {row["key"]: row for row in json.loads(done.stdout)}
    assert rows["nand.timing.t_prog_us"]["unit"] == "us"
    assert len(rows) == len(command("params", "nand.timing").stdout.splitlines()) - 1


@pytest.mark.parametrize("columns", ["20", "80"])
def test_no_figure_of_the_table_is_cut(small_arguments, tmp_path, columns):
    slow = [*small_arguments, "--set=nand.timing.t_prog_us=99999", "--set=host.workload.requests=4000"]
    done = subprocess.run(
        [sys.executable, "-m", "nandscape", "run", *slow, "--json", "result.json"],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": columns},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    host = json.loads((tmp_path / "result.json").read_text())["statistics"]["host"]
    for row in ("read", "write", "all"):
        for key in ("mean", "p50", "p99", "max"):
            assert f"{host[row]['latency_us'][key]:,.1f}" in done.stdout


def test_a_saved_result_runs_again(command, small_arguments, tmp_path):
    assert command("run", *small_arguments, "--json", "first.json").returncode == 0
    again = command("run", "first.json", "--json", "second.json")
    assert again.returncode == 0, again.stderr
    first, second = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("first", "second"))
    assert simulated(first["statistics"]) == simulated(second["statistics"])
    assert first["configuration"] == second["configuration"]


def test_a_result_with_its_requests_runs_again(command, small_arguments, tmp_path):
    assert command("run", *small_arguments, "--save", "first.npz").returncode == 0
    again = command("run", "first.npz", "--save", "second.npz")
    assert again.returncode == 0, again.stderr
    first, second = (ns.Result.load(tmp_path / f"{name}.npz") for name in ("first", "second"))
    assert simulated(first.stats) == simulated(second.stats)
    assert first.latencies("read").tolist() == second.latencies("read").tolist()


def test_a_csv_without_a_known_column_says_what_helps(command, small_arguments, trace_file):
    trace_file.write_text(trace_file.read_text().replace("offset_bytes", "where"))
    device = [argument for argument in small_arguments if "host.workload" not in argument]
    replay = ["run", *device, "--trace", trace_file]
    done = command(*replay)
    assert done.returncode == 2
    assert "name it with 'offset_column', beside 'format: csv'" in done.stderr
    advised = ["--set", "host.workload.format=csv", "--set", "host.workload.offset_column=where"]
    assert command(*replay, *advised).returncode == 0


def test_schema_is_a_json_schema(command):
    schema = json.loads(command("schema").stdout)
    assert "2020-12" in schema["$schema"]
    assert {"simulation", "host", "controller", "ecc", "channel", "nand"} <= schema["properties"].keys()


def test_presets_lists_the_default(command):
    assert "default" in command("presets").stdout


def test_cells_lists_the_sets(command):
    assert "tlc_3d_48" in command("cells").stdout


def test_profiles_are_listed(command):
    rows = [line.split("\t")[:2] for line in command("profiles").stdout.splitlines()]
    assert ["profile", "ycsb_a"] in rows
    assert ["volume", "hd1"] in rows


def test_version(command):
    assert command("--version").stdout == f"nandscape {ns.__version__}\n"

# SPDX-License-Identifier: Apache-2.0
"""Tests `nandscape profile-rpt` as a complete command, and the tables that it writes."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

import nandscape as ns
from nandscape import _core

SHIPPED = Path(__file__).parents[2] / "platform" / "read_timing"
TINY = ("--blocks", "1", "--pe", "2000,0", "--retention-months", "12,0.5")


def contents(file: Path) -> list[str]:
    """Returns the lines of a file, without comment lines."""
    return [line for line in file.read_text().splitlines() if not line.startswith("#")]


def test_a_tiny_table_is_printed_and_written(command, tmp_path):
    done = command("profile-rpt", "retry_tlc_512g", *TINY)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["P/E", "cycles", "0.5", "months", "12", "months"] in rows
    assert ["0", "53.3", "53.3"] in rows
    assert ["2000", "46.7", "40.0"] in rows
    assert "tlc_3d_48.yaml written" in done.stdout
    table = ns.read_timing_table(tmp_path / "tlc_3d_48.yaml")
    assert table.pe_cycles.tolist() == [0, 2000]
    assert table.retention_months.tolist() == [0.5, 12]
    assert table.grid.tolist() == [[136, 136], [119, 102]]
    assert table.precharge_reduction(1, 0.6) == 102
    assert table.precharge_reduction(2001, 0) == 0
    assert repr(table) == "<ReadTimingTable of 2 P/E-cycle counts at 2 ages>"
    text = (tmp_path / "tlc_3d_48.yaml").read_text()
    for made_with in ("retry_tlc_512g", "seed 1", f"nandscape {ns.__version__}", "576 pages", "coding tlc_232"):
        assert made_with in text
    assert max(map(len, text.splitlines())) <= 120
    assert [path.name for path in tmp_path.iterdir()] == ["tlc_3d_48.yaml"]


def test_threads_play_no_role(command, tmp_path):
    for threads in (1, 3):
        command("profile-rpt", "retry_tlc_512g", *TINY, "--threads", threads, "--output", f"{threads}.yaml")
    assert (tmp_path / "1.yaml").read_text() == (tmp_path / "3.yaml").read_text()


def test_what_is_asked_for_shows_in_the_table(command, tmp_path):
    def reductions(*arguments: object) -> np.ndarray:
        done = command(
            "profile-rpt", "retry_tlc_512g", "--blocks=1", "--pe=1000", "--retention-months=6", "--parts=255",
            "--output=table.yaml", *arguments,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return ns.read_timing_table(tmp_path / "table.yaml").grid[0, 0]

    standard = reductions()
    assert reductions("--margin=0") > standard
    assert reductions("--correctable=66") < standard
    assert reductions("--pages=1000000000000") < standard
    assert reductions("--temperature=30") < standard
    assert reductions("--parts=2") == 127
    assert reductions("--set=nand.timing.t_pre_us=20") < standard


def test_the_file_tells_how_to_make_it_again(command, tmp_path):
    made_with = ("--set=nand.timing.t_pre_us=20", "--margin=20", "--parts=30", "--temperature=55")
    command("profile-rpt", "retry_tlc_512g", *TINY, *made_with, "--output", "first.yaml")
    first = tmp_path / "first.yaml"
    assert command(*command_of(first), "--output", "again.yaml").returncode == 0
    assert (tmp_path / "again.yaml").read_text() == first.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, _ in _core.list_read_timing_tables()])
def test_every_shipped_table_is_what_the_command_makes(name, command, tmp_path):
    done = command(*command_of(SHIPPED / f"{name}.yaml"), "--output", "again.yaml")
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "again.yaml") == contents(SHIPPED / f"{name}.yaml")


def command_of(file: Path) -> list[str]:
    """Returns the arguments of the command in the file's comment, which records how the table was made."""
    _, about, command, *_ = file.read_text().split("#\n")
    assert "Profiled on" in about
    comment = [line.removeprefix("# ") for line in command.splitlines() if line.startswith("# ")]
    return shlex.split(" ".join(comment[:-1]))[1:]


@pytest.mark.parametrize("name", [name for name, _ in _core.list_read_timing_tables()])
def test_shipped_tables_are_safer_where_cells_are_worse(name):
    grid = ns.read_timing_table(name).grid.astype(int)
    assert grid.min() > 0
    assert (np.diff(grid, axis=0) <= 0).all()
    assert (np.diff(grid, axis=1) <= 0).all()


def test_wrong_input_is_one_message(command, tmp_path):
    for arguments, message in (
        (["no_such"], "no_such"),
        (["--pe", "0,x"], "a whole number from 0"),
        (["--pe", "-1"], "a whole number from 0"),
        (["--retention-months", "0,-3"], "a number from 0"),
        (["--retention-months", "nan"], "a number from 0"),
        (["--margin", "73"], "margin of 73 errors is more than the 72"),
        (["--parts", "256"], "1 to 255"),
        (["--blocks", "0"], "of at least 1"),
        (["--temperature", "nan"], "not a number from -273"),
        (["--set", "nand.cells.set=slc_3d", "--set", "nand.coding=slc"], "slc_3d"),
        (["--set", "nand.cells.sensing.precharge_medain_us=3"], "precharge_median_us"),
        (
            ["--set", "ecc.codec=ldpc", "--set", "ecc.codeword_bytes=4096", "--set", "ecc.decoder=table"],
            "--correctable",
        ),
        (["--output", "no/such/x.yaml"], "no folder"),
    ):
        done = command("profile-rpt", *arguments)
        assert done.returncode == 2, arguments
        assert message in done.stderr
        assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_broken_tables_are_told():
    with pytest.raises(ns.ConfigError, match="did you mean tlc_3d_48"):
        ns.read_timing_table("tlc_3d_84")


def test_a_hole_in_the_grid_is_told_by_line(tmp_path):
    file = tmp_path / "hole.yaml"
    file.write_text("pe_cycles: [0]\nretention_months: [3, 12]\nprecharge_reduction:\n  - [136]\n")
    with pytest.raises(ns.ConfigError, match=r"hole.yaml:4: precharge_reduction: the row of 0 P/E cycles has 1 number"):
        ns.read_timing_table(file)

# SPDX-License-Identifier: Apache-2.0
"""Tests `nandscape retention` as a complete command."""

from __future__ import annotations

import json

import pytest

import nandscape as ns
from nandscape import data

GIB = 1 << 30


@pytest.fixture
def week(tmp_path):
    """A trace file. It writes one GiB, then nothing for 7 hours, and then 4 GiB within a week, one GiB of which is
    overwritten after an hour.
    """
    hour_us = 3600 * 10**6
    lines = ["time_us,operation,offset_bytes,size_bytes", f"0,write,0,{GIB}"]
    lines += [f"{7 * hour_us},write,0,{2 * GIB}", f"{8 * hour_us},write,0,{GIB}"]
    lines += [f"{175 * hour_us},write,{7 * GIB},{GIB}"]
    path = tmp_path / "week.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_it_prints_what_the_trace_says(command, week):
    done = command("retention", week, "--skip", "7h", "--capacity", "9GiB", "--periods", "5,1")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    rows = [line.split("   ") for line in done.stdout.splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert ["written (N)", "4.00 GiB"] in cells
    assert ["distinct (W)", "3.00 GiB"] in cells
    assert ["capacity (A)", "9.00 GiB"] in cells
    assert ["span (T1)", "1 w"] in cells
    assert ["writes", "3"] in cells
    assert ["at most 1 min", "0.0 %"] in cells
    assert ["at most 1 h", "25.0 %"] in cells
    assert ["not known", "75.0 %"] in cells
    # The expected shares are 1 - 3/4 for one week and 1 - 9/20 for five weeks.
    assert ["1", "1 w", "at least 25.0 %", "at most 5.20 KiB/s", "at most 17.4 a year"] in cells
    assert ["5", "5 w", "at least 55.0 %", "at most 3.12 KiB/s", "at most 10.4 a year"] in cells


def test_json_holds_the_same(command, week, tmp_path):
    done = command("retention", week, "--skip=7h", "--json", "required.json")
    assert done.returncode == 0, done.stderr
    written = json.loads((tmp_path / "required.json").read_text())
    found = ns.retention_requirements(week, skip="7h")
    assert {key: written[key] for key in found.to_dict()} == found.to_dict()
    assert written["capacity_bytes"] == 8 * GIB
    assert [row["periods"] for row in written["periods"]] == [1, 5]
    assert written["periods"][1]["reprogramming_bytes_per_s"] == pytest.approx(found.reprogramming_bytes_per_s(5))
    assert sum(sectors for _, sectors in written["histogram"]) * 512 == GIB
    to_stdout = command("retention", week, "--skip=7h", "--json", "-")
    assert json.loads(to_stdout.stdout) == written
    assert "written (N)" in to_stdout.stderr


def test_short_traces_are_projected_to_a_week_and_five(command):
    done = command("retention", data.bundled_trace())
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[-3:]] == ["1", "8425", "42126"]
    assert "highest address (A)" in done.stdout


def test_a_week_is_a_week_though_its_last_record_comes_earlier(command, tmp_path):
    (tmp_path / "week.csv").write_text("time_s,operation,lba,sectors\n0,write,0,8\n604797,write,0,8\n")
    done = command("retention", "week.csv")
    assert [line.split()[0] for line in done.stdout.splitlines()[-2:]] == ["1", "5"]


def test_a_single_moment_is_not_projected(command, tmp_path):
    (tmp_path / "one.csv").write_text("time_us,operation,lba,sectors\n5,write,0,8\n")
    done = command("retention", "one.csv")
    assert done.returncode == 0, done.stderr
    assert "not known" in done.stdout
    assert "period" not in done.stdout


def test_records_out_of_order_are_told(command, tmp_path):
    (tmp_path / "back.csv").write_text("time_us,operation,lba,sectors\n5,write,0,8\n3,write,0,8\n9,write,0,8\n")
    assert "1 records are earlier than a record before them" in command("retention", "back.csv").stdout


def test_the_picture_is_one(command, week, tmp_path):
    done = command("retention", week, "--plot", "required.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "required.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.csv"], "missing.csv"),
        (["bad.csv"], "bad.csv:2"),
        (["bad.csv", "--format", "of_its_own"], "format"),
        (["week.csv", "--capacity", "7GiB"], "week.csv:5"),
        (["week.csv", "--skip", "9d"], "after the skipped time"),
        (["week.csv", "--skip", "soon"], "not a time"),
        (["week.csv", "--capacity", "7 apples"], "not a size"),
        (["week.csv", "--capacity", "10"], "512 bytes to 8 EiB"),
        (["week.csv", "--periods", "0"], "a whole number from 1"),
        (["week.csv", "--periods", "a week"], "a whole number from 1"),
        (["week.csv", "--json", "none/required.json"], "there is no folder 'none'"),
        (["week.csv", "--plot", "required.tune"], "unknown picture format 'tune'"),
    ],
)
def test_errors_teach(command, week, tmp_path, arguments, message):
    (tmp_path / "bad.csv").write_text("time_us,operation,lba,sectors\n0,write,zero,8\n")
    done = command("retention", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_help_teaches(command):
    done = command("retention", "--help")
    for word in ("until it is overwritten", "1 - W/N", "--skip 7h", "blkparse"):
        assert word in done.stdout

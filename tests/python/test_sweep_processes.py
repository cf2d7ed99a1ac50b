# SPDX-License-Identifier: Apache-2.0
"""Tests of sweeps whose workers or programs are killed, and of the stores from which such sweeps are resumed."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import nandscape as ns
from conftest import SMALL_DEVICE

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")
pytest.importorskip("cloudpickle")

DEPTH = "host.workload.queue_depth"

# A program without the usual guard (`if __name__ == "__main__"`) that child processes need. After each run it appends
# to a file and sleeps for a moment, so that a test can stop the program in the middle.
PROGRAM = f"""
import os, sys, time
import nandscape as ns

def noted(result):
    time.sleep(0.15)
    with open("noted", "a") as file:
        file.write(str(result.config["{DEPTH}"]) + "\\n")
    return 1.0

base = ns.load("bare", {SMALL_DEVICE!r})
try:
    table = ns.sweep(base, {{"{DEPTH}": range(1, 31)}}, workload=ns.synthetic(requests=100), store=sys.argv[1],
                     metrics={{"iops": "host.iops", "noted": noted}})
except ns.SweepInterrupted as interrupt:
    print(len(interrupt.sweep), interrupt)
    sys.exit(130)
table.to_csv("table.csv")
"""


def start(folder, **options):
    (folder / "program.py").write_text(PROGRAM)
    arguments = [sys.executable, "program.py", "store"]
    return subprocess.Popen(arguments, cwd=folder, start_new_session=True, text=True, **options)


def noted(folder):
    file = folder / "noted"
    return file.read_text().split() if file.exists() else []


def wait_until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


def group_is_gone(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    # Ended processes of the group remain as zombies until their parent collects their status. The test process is not
    # their parent.
    return all(
        "Z" in status.split(")")[-1].split()[:1]
        for status in (text_of(stat) for stat in Path("/proc").glob("[0-9]*/stat"))
        if status and int(status.split(")")[-1].split()[2]) == group
    )


def text_of(file):
    try:
        return file.read_text()
    except OSError:
        return ""


def test_a_sweep_that_was_killed_computes_only_what_is_missing(tmp_path):
    first = start(tmp_path)
    wait_until(lambda: len(list((tmp_path / "store").glob("[!.]*.parquet"))) >= 3)
    first.kill()
    first.wait()
    wait_until(lambda: group_is_gone(first.pid))
    kept = pd.read_parquet(tmp_path / "store")
    assert 3 <= len(kept) < 30
    (tmp_path / "noted").unlink()

    second = start(tmp_path)
    assert second.wait(60) == 0
    missing = set(range(1, 31)) - set(kept[DEPTH].astype(int))
    assert sorted(map(int, noted(tmp_path))) == sorted(missing)
    table = pd.read_csv(tmp_path / "table.csv")
    assert table[DEPTH].tolist() == list(range(1, 31))
    for depth in (int(kept[DEPTH].iloc[0]), min(missing)):
        config = ns.load("bare", {**SMALL_DEVICE, "host.workload": [ns.synthetic(requests=100)], DEPTH: depth})
        assert table["iops"][depth - 1] == ns.run(config).stats["host"]["iops"]
    assert len(pd.read_parquet(tmp_path / "store")) == 30


def test_ctrl_c_keeps_what_is_done(tmp_path):
    process = start(tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(lambda: len(noted(tmp_path)) >= 6)
    os.killpg(process.pid, signal.SIGINT)
    begin = time.monotonic()
    output, errors = process.communicate(timeout=30)
    assert time.monotonic() - begin < 5
    assert process.returncode == 130
    assert errors == "", "workers say nothing"
    done = int(output.split()[0])
    assert 4 <= done < 30
    assert "of 30 points" in output
    assert len(pd.read_parquet(tmp_path / "store")) == done
    wait_until(lambda: group_is_gone(process.pid))


def dies_where_it_has_not_been(folder, result):
    depth = result.config[DEPTH]
    been = folder / f"been-{depth}"
    if depth == 3 or (depth == 2 and not been.exists()):
        been.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return float(depth)


def test_a_worker_that_is_killed_costs_no_other_point(small, tmp_path):
    metrics = {"depth": lambda result: dies_where_it_has_not_been(tmp_path, result)}
    table = ns.sweep(small, {DEPTH: [1, 2, 3, 4, 5, 6]}, metrics=metrics, store=tmp_path / "store")
    assert table["depth"].dropna().tolist() == [1, 2, 4, 5, 6]
    assert table["error"].dropna().index.tolist() == [2]
    assert "killed twice" in table["error"][2]
    # In a second sweep with the same store, only the failed points are run again.
    again = ns.sweep(small, {DEPTH: [1, 2, 3, 4, 5, 6]}, metrics=metrics, store=tmp_path / "store")
    assert again.drop(columns="wall_s").equals(table.drop(columns="wall_s"))
    assert again["wall_s"][0] == table["wall_s"][0]


def test_a_store_knows_a_run_by_all_that_makes_it(small, tmp_path):
    def files():
        return len(list((tmp_path / "store").glob("*.parquet")))

    def sweep(**options):
        return ns.sweep(small, {DEPTH: [1]}, store=tmp_path / "store", **options)

    first = sweep()
    assert files() == 1
    assert sweep().equals(first), "floats come back as they were"
    assert files() == 1
    for k, options in enumerate(
        [
            {"seeds": [2]},
            {"metrics": "host.iops"},
            {"warm_start": True},
            {"workload": ns.synthetic(requests=10)},
            {"metrics": {"one": lambda _: 1.0}},
            {"metrics": {"one": lambda _: 2.0}},
        ]
    ):
        sweep(**options)
        assert files() == k + 2, options


def test_many_files_of_a_store_become_few(small, tmp_path, monkeypatch):
    monkeypatch.setattr("nandscape.exploration.store.MOST_FILES", 3)
    with ThreadPoolExecutor(1) as threads:

        def sweep(depths, **options):
            return ns.sweep(small, {DEPTH: depths}, executor=threads, store=tmp_path, **options)

        for depth in (1, 2, 3):
            sweep([depth])
        sweep([1], metrics="host.iops")
        assert len(list(tmp_path.glob("*.parquet"))) == 4
        first = sweep([1, 2, 3, 4])
        assert len(list(tmp_path.glob("*.parquet"))) == 3, "those alike, the one with other metrics, and the new row"
        assert sweep([1, 2, 3, 4]).equals(first)
        assert len(list(tmp_path.glob("*.parquet"))) == 3


def test_a_store_refuses_other_files(small, tmp_path):
    (tmp_path / "other.parquet").write_text("none")
    with pytest.raises(ns.InputError, match=r"other\.parquet"):
        ns.sweep(small, {DEPTH: [1]}, store=tmp_path)
    pd.DataFrame({"a": [1]}).to_parquet(tmp_path / "other.parquet")
    with pytest.raises(ns.InputError, match=r"other\.parquet"):
        ns.sweep(small, {DEPTH: [1]}, store=tmp_path)


@pytest.mark.parametrize(
    ("metrics", "columns"),
    [
        ("x", {}),
        ("3", {}),
        ('["host.iops"]', {}),
        ('["host.iops"]', {"host.iops": [True]}),
        ('[["host.iops"]]', {"host.iops": [1.0]}),
        ("[]", {"wall_s": ["x"]}),
        ("[]", {"key": [[1]]}),
    ],
)
def test_a_store_refuses_tables_of_another_form(small, tmp_path, metrics, columns):
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table(
        {"key": ["k"], "wall_s": [1.0], "warnings": pyarrow.array([None], pyarrow.string()), **columns}
    )
    parquet.write_table(table.replace_schema_metadata({"metrics": metrics}), tmp_path / "other.parquet")
    with pytest.raises(ns.InputError, match=r"other\.parquet: is not a file of a sweep's store"):
        ns.sweep(small, {DEPTH: [1]}, store=tmp_path)


def test_a_terminal_shows_how_far_it_is(tmp_path):
    try:
        ours, theirs = pty.openpty()
    except OSError as none:
        pytest.skip(f"this machine gives no terminal: {none}")
    process = start(tmp_path, stderr=theirs)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # raised when the program has closed its end of the terminal
        while chunk := os.read(ours, 4096):
            shown += chunk
    os.close(ours)
    assert process.wait(60) == 0
    assert b"points" in shown
    assert b"30/30" in shown

# SPDX-License-Identifier: Apache-2.0
"""Tests of searches: their results, and storage that several processes use."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import nandscape as ns
from conftest import SMALL_DEVICE

pytest.importorskip("pandas")
pytest.importorskip("cloudpickle")
optuna = pytest.importorskip("optuna")

DEPTH = "host.workload.queue_depth"
PROGRAM = "nand.timing.t_prog_us"
POLICY = "controller.scheduler.policy"
P90 = "host.read.latency_us.p90"
SPACE = {DEPTH: (1, 32), PROGRAM: (300.0, 900.0), POLICY: ["fifo", "out_of_order"]}
OBJECTIVES = {P90: "minimize", "host.iops": "maximize"}


@pytest.fixture
def quick(small):
    return small.override({"host.workload.requests": 300})


@pytest.fixture(scope="module")
def threads():
    with ThreadPoolExecutor(1) as executor:
        yield executor


def test_the_front_is_what_nothing_beats(quick, threads, capfd):
    found = ns.explore(quick, SPACE, OBJECTIVES, 30, executor=threads, workers=1)
    assert capfd.readouterr().err == ""
    rows = found.trials
    assert isinstance(rows, ns.Sweep)
    assert len(rows) == 30
    assert rows["error"].isna().all()
    assert rows[DEPTH].between(1, 32).all()
    assert rows[DEPTH].dtype == int
    assert rows[PROGRAM].between(300, 900).all()
    assert set(rows[POLICY]) == {"fifo", "out_of_order"}
    for row in rows[:3].to_dict("records"):
        stats = ns.run(quick.override({key: row[key] for key in SPACE})).stats["host"]
        assert (row[P90], row["host.iops"]) == (stats["read"]["latency_us"]["p90"], stats["iops"])

    def beats(one, other):
        better = one[P90] <= other[P90] and one["host.iops"] >= other["host.iops"]
        return better and (one[P90], one["host.iops"]) != (other[P90], other["host.iops"])

    records = rows.to_dict("records")
    unbeaten = [n for n, row in enumerate(records) if not any(beats(other, row) for other in records)]
    assert found.front.index.tolist() == unbeaten
    assert sorted(trial.number for trial in found.study.best_trials) == unbeaten
    again = ns.explore(quick, SPACE, OBJECTIVES, 30, executor=threads, workers=1).trials
    assert again.drop(columns="wall_s").equals(rows.drop(columns="wall_s")), "the sampler has the base's seed"


def test_it_finds_what_is_best(quick, threads):
    # The latency is lowest with the shortest program time and a queue depth of 1.
    space = {DEPTH: range(1, 33), PROGRAM: (100, 1000, "log")}
    objective = {"slow": (lambda result: result.stats["host"]["all"]["latency_us"]["mean"], "minimize")}
    found = ns.explore(quick, space, objective, 60, executor=threads, workers=1)
    best = ns.run(quick.override({DEPTH: 1, PROGRAM: 100})).stats["host"]["all"]["latency_us"]["mean"]
    drawn = found.trials["slow"][:10].min()
    assert best <= found.front["slow"].iloc[0] < drawn
    assert found.front["slow"].iloc[0] < 1.3 * best


def test_a_constraint_keeps_points_off_the_front(quick, threads):
    limit_us = ns.run(quick.override({DEPTH: 8, PROGRAM: 500})).stats["host"]["all"]["latency_us"]["mean"]

    def too_slow(result):
        return result.stats["host"]["all"]["latency_us"]["mean"] - limit_us

    found = ns.explore(quick, SPACE, {"host.iops": "maximize"}, 40, too_slow, executor=threads, workers=1)
    rows = found.trials
    forbidden = rows[rows["constraint"] > 0]
    allowed = rows[rows["constraint"] <= 0]
    assert len(forbidden)
    assert len(allowed)
    assert found.front["host.iops"].tolist() == [allowed["host.iops"].max()]
    assert forbidden["host.iops"].max() > allowed["host.iops"].max(), "what is forbidden would be better"


def test_several_constraints_all_hold_on_the_front(quick, threads):
    limits = ["host.iops <= 20000", lambda result: result.config[DEPTH] - 6]
    found = ns.explore(quick, SPACE, {"host.iops": "maximize"}, 40, limits, executor=threads, workers=1)
    assert found.constraints == {"constraint_1": "host.iops <= 20000", "constraint_2": "<lambda> <= 0"}
    rows = found.trials
    assert (rows["constraint_1"] == rows["host.iops"] - 20000).all()
    assert (rows["constraint_2"] == rows[DEPTH] - 6).all()
    allowed = rows[(rows["host.iops"] <= 20000) & (rows[DEPTH] <= 6)]
    assert 0 < len(allowed) < len(rows)
    assert found.front["host.iops"].tolist() == [allowed["host.iops"].max()]
    with pytest.raises(TypeError, match="a constraint is text or a function of a Result, not 5"):
        ns.explore(quick, SPACE, {"host.iops": "maximize"}, 1, [5])


PROGRAM_TEXT = f"""
import sys
import nandscape as ns

base = ns.load("bare", {SMALL_DEVICE!r})
found = ns.explore(base, {{"{DEPTH}": (1, 32)}}, {{"host.iops": "maximize", "{P90}": "minimize"}}, int(sys.argv[1]),
                   storage="journal", workload=ns.synthetic(requests=300), workers=1)
print(len(found.trials), found.trials["error"].notna().sum())
"""


def test_processes_share_a_storage_and_go_on_from_it(tmp_path):
    def start(trials):
        program = [sys.executable, "-c", PROGRAM_TEXT, str(trials)]
        return subprocess.Popen(program, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    both = [start(24), start(24)]
    for process in both:
        output, errors = process.communicate(timeout=90)
        assert process.returncode == 0, errors
        assert errors == ""
        count, failed = map(int, output.split())
        # The other process may have ended while its last trials were in progress, so the number of trials may be
        # slightly higher.
        assert 24 <= count <= 26
        assert failed == 0
    output, errors = start(28).communicate(timeout=90)
    assert output.split() == ["28", "0"], errors

    base = ns.load("bare", SMALL_DEVICE)
    workload = ns.synthetic(requests=300)
    with pytest.raises(ns.InputError, match="holds the study of another"):
        ns.explore(base, {DEPTH: (1, 16)}, OBJECTIVES, 30, storage=tmp_path / "journal", workload=workload)


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_storage_that_was_cut_short_goes_on(quick, threads, tmp_path, cut):
    storage = tmp_path / "journal"
    arguments = {"executor": threads, "workers": 1, "storage": storage}
    whole = ns.explore(quick, {DEPTH: (1, 32)}, {"host.iops": "maximize"}, 4, **arguments)
    size = storage.stat().st_size
    os.truncate(storage, size - cut)
    found = ns.explore(quick, {DEPTH: (1, 32)}, {"host.iops": "maximize"}, 6, **arguments)
    assert len(found.trials) == 6
    assert found.trials["error"].isna().all()
    kept = found.trials.iloc[:2]
    assert (kept[[DEPTH, "host.iops"]] == whole.trials.iloc[:2][[DEPTH, "host.iops"]]).all().all()
    # After a power loss, the end of the file may contain zeros in place of data that were not written.
    with storage.open("ab") as file:
        file.write(b'{"op_code"' + bytes(300))
    assert len(ns.explore(quick, {DEPTH: (1, 32)}, {"host.iops": "maximize"}, 7, **arguments).trials) == 7


@pytest.mark.parametrize(
    "content",
    [
        b"a letter",
        b"a letter\n",
        b"{}\n",
        b'{"op_code":0}\n',
        b'{"op_code":0,\n{"op_code"',
        b"\0" * 100,
        b"\x80\x04\x95",
    ],
)
def test_an_invalid_storage_is_named_and_left_alone(quick, threads, tmp_path, content):
    storage = tmp_path / "journal"
    storage.write_bytes(content)
    with pytest.raises(ns.InputError, match="journal: ") as refused:
        ns.explore(quick, {DEPTH: (1, 32)}, {"host.iops": "maximize"}, 2, executor=threads, storage=storage)
    assert str(refused.value).startswith(str(storage))
    assert storage.read_bytes().startswith(content.rpartition(b"\n")[0])
    if not content.startswith(b'{"op_code"'):
        assert storage.read_bytes() == content


def test_an_objective_that_ends_the_program_is_the_error_of_its_trial(quick, threads):
    def ends(result):
        raise SystemExit(result.config[DEPTH])

    found = ns.explore(quick, {DEPTH: [4]}, {"x": (ends, "minimize")}, 2, executor=threads, workers=1)
    assert found.trials["error"].tolist() == 2 * ["SystemExit: the program was to end with status 4"]


def depth_unless_it_dies(result):
    if result.config[DEPTH] > 8:
        os.kill(os.getpid(), signal.SIGKILL)
    return float(result.config[DEPTH])


def test_trials_that_fail_are_rows(quick, threads):
    blocks, spare = "nand.geometry.blocks_per_plane", "controller.mapping.over_provisioning"
    space = {blocks: [64, 256], spare: [0.07, 0.25]}
    rows = ns.explore(quick, space, {"host.iops": "maximize"}, 12, executor=threads, workers=1).trials
    impossible = (rows[blocks] == 64) & (rows[spare] == 0.07)
    assert impossible.any()
    assert rows["error"].notna().equals(impossible)
    assert rows["error"][impossible].str.startswith("ConfigError: ").all()

    objective = {"depth": (depth_unless_it_dies, "maximize")}
    found = ns.explore(quick, {DEPTH: [4, 8, 16]}, objective, 8, workers=1)
    assert len(found.trials) == 8
    killed = found.trials["error"].notna()
    assert killed.equals(found.trials[DEPTH] == 16)
    assert (found.front["depth"] == found.trials["depth"].max()).all()


@pytest.mark.parametrize(
    ("space", "objectives", "kind", "message"),
    [
        ({"host.workload.queue_dept": (1, 2)}, OBJECTIVES, ns.ConfigError, "did you mean"),
        ({DEPTH: (8, 1)}, OBJECTIVES, ValueError, "lowest must be below"),
        ({DEPTH: (0, 8, "log")}, OBJECTIVES, ValueError, "above 0"),
        ({DEPTH: (1, 8, "lin")}, OBJECTIVES, TypeError, '"log"'),
        ({DEPTH: 8}, OBJECTIVES, TypeError, DEPTH),
        ({DEPTH: []}, OBJECTIVES, ValueError, "no choices"),
        ({DEPTH: range(8, 1)}, OBJECTIVES, ValueError, "upwards"),
        ({}, OBJECTIVES, ValueError, "empty"),
        (SPACE, {}, ValueError, "one objective"),
        (SPACE, {"host.iops": "up"}, ValueError, "'minimize' or 'maximize'"),
        (SPACE, {"host.ipos": "maximize"}, ns.InputError, "did you mean host.iops"),
        (SPACE, {"constraint": "maximize"}, ValueError, "a column of its own"),
    ],
)
def test_invalid_arguments_are_refused(quick, threads, space, objectives, kind, message):
    with pytest.raises(kind, match=message):
        ns.explore(quick, space, objectives, 3, executor=threads)


def test_a_workload_that_no_process_can_have_is_the_error_of_the_trials(quick, threads):
    once = iter([("read", 0, 4096)])
    base = quick.override({"host.workload": [ns.requests(once)]})
    space = {PROGRAM: (300.0, 900.0)}
    found = ns.explore(base, space, {"host.iops": "maximize"}, 2, executor=threads, workers=1)
    swept = ns.sweep(base, {PROGRAM: [300.0]}, executor=threads, metrics="host.iops")
    assert found.trials["error"].tolist() == 2 * [swept["error"][0]]

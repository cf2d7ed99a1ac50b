# SPDX-License-Identifier: Apache-2.0
"""Tests `nandscape explore`, which runs a search that is described in a file."""

import itertools
import json
import subprocess

import pytest

import nandscape as ns
from conftest import SMALL_DEVICE
from nandscape.cli.main import main
from test_command import assert_input_error

pd = pytest.importorskip("pandas")
pytest.importorskip("cloudpickle")
pytest.importorskip("optuna")
pytest.importorskip("plotly")
pytest.importorskip("yaml")

from nandscape.exploration.constraints import Bound  # noqa: E402
from nandscape.exploration.study import read_search  # noqa: E402

DEPTH = "host.workload.queue_depth"
P90 = "host.read.latency_us.p90"
SPACE = f"space: {{{DEPTH}: {{from: 1, to: 32, log: true}}, controller.scheduler.policy: [fifo, out_of_order]}}"
BEST = f"objectives: {{{P90}: minimize, host.iops: maximize}}"


@pytest.fixture
def study(tmp_path):
    """Returns a function that writes the given lines to search.yaml, in a folder that also contains the file of a small
    device.
    """
    device = json.dumps({"extends": "bare"} | nested(SMALL_DEVICE | {"host.workload.requests": 200}))
    (tmp_path / "device.yaml").write_text(device)

    def written(*lines):
        (tmp_path / "search.yaml").write_text("\n".join(["base: ./device.yaml", *lines]) + "\n")
        return "search.yaml"

    return written


def nested(keys):
    tree = {}
    for key, value in keys.items():
        *groups, last = key.split(".")
        group = tree
        for name in groups:
            group = group.setdefault(name, {})
        group[last] = value
    return tree


@pytest.fixture
def told(tmp_path, monkeypatch, capfd):
    """Returns a function that runs the command within the test process and returns its exit status and output."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status = main(["explore", *arguments, "--no-progress"])
        output, errors = capfd.readouterr()
        return subprocess.CompletedProcess(arguments, status, output, errors)

    return run


def test_a_search_prints_its_front_and_goes_on(told, study, tmp_path):
    file = study(SPACE, BEST, f"constraint: {P90} <= 100000", "trials: 5", "storage: journal", "out: trials.csv")
    done = told(file, "--workers", "1", "--plot", "front.png", "--report", "page.html")
    assert done.returncode == 0, done.stderr
    trials = pd.read_csv(tmp_path / "trials.csv")
    assert len(trials) == 5
    assert (trials["constraint"] == trials[P90] - 100000).all()
    head, _, *rows = done.stdout.splitlines()
    assert head == "Best points of 5 trials, which no other point beats:"
    assert any(f"{trials['host.iops'].max():,.6g}" in row for row in rows), "what has the most IOPS is never beaten"
    assert (tmp_path / "front.png").read_bytes().startswith(b"\x89PNG")
    assert f"{P90} &lt;= 100000" in (tmp_path / "page.html").read_text(encoding="utf-8")
    more = told(file, "--workers", "1", "--trials", "7")
    assert more.returncode == 0, more.stderr
    assert pd.read_csv(tmp_path / "trials.csv")["host.iops"].tolist()[:5] == trials["host.iops"].tolist()


def test_a_storage_belongs_to_one_constraint(told, study):
    lines = [SPACE, BEST, "trials: 2", "storage: journal"]
    assert told(study(*lines, f"constraint: {P90} <= 100000"), "--workers", "1").returncode == 0
    assert_input_error(
        told(study(*lines, f"constraint: {P90} <= 50000")), "journal: holds the study of another", "constraint"
    )


def test_nothing_that_is_allowed_is_an_error(told, study):
    done = told(study(SPACE, BEST, "constraint: host.iops >= 1e12", "trials: 2"), "--workers", "1")
    assert_input_error(done, "search.yaml: found no point in 2 trials: none meets the constraint")


@pytest.mark.parametrize(
    ("lines", "parts"),
    [
        ([SPACE], ["search.yaml: objectives is missing"]),
        ([BEST], ["search.yaml: space is missing"]),
        ([SPACE, BEST, "trails: 5"], ["search.yaml: trails: unknown key; did you mean trials?"]),
        ([SPACE, BEST, "trials: many"], ["search.yaml: trials: expected a whole number"]),
        ([f"space: {{{DEPTH}: 5}}", BEST], [f"search.yaml: space.{DEPTH}: expected a list of choices"]),
        ([f"space: {{{DEPTH}: {{from: 1}}}}", BEST], [f"space.{DEPTH}: a range has from and to"]),
        ([f"space: {{{DEPTH}: {{from: 1, till: 3}}}}", BEST], [f"space.{DEPTH}.till: unknown key; a range has from"]),
        ([f"space: {{{DEPTH}: {{from: 1, to: 9, step: 0}}}}", BEST], ["a step of at least 1"]),
        ([f"space: {{{DEPTH}: {{from: 9, to: 1}}}}", BEST], ["search.yaml", DEPTH, "lowest must be below the highest"]),
        ([SPACE, f"objectives: {{{P90}: least}}"], ["search.yaml: objective", P90, "'minimize' or 'maximize'"]),
        ([SPACE, "objectives: {host.ipos: maximize}"], ["search.yaml", "host.ipos", "host.iops"]),
        ([SPACE, BEST, "constraint: fast enough"], ["search.yaml: 'fast enough' is not a constraint"]),
        ([SPACE, BEST, "constraint: host.ipos >= 5"], ["search.yaml", "host.ipos", "host.iops"]),
        ([SPACE, BEST, "out: trials.txt"], ["trials.txt", ".csv or .parquet"]),
    ],
)
def test_errors_name_the_file_and_the_key(told, study, lines, parts):
    assert_input_error(told(study(*lines)), *parts)


BOMB = "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in itertools.pairwise("abcdefghij"))


@pytest.mark.parametrize(
    "content",
    [b"base: \xff\xfe", b"trials: " + b"9" * 5000, b"trials: !!int x", b"trials: !!bool x", b"? [a]\n: 3", b"[" * 5000,
     b"trials: !!python/object/apply:os.system ['true']", b"base: !!timestamp x", f"a: &a [x]\n{BOMB}".encode(),
     b"base: &a [*a]", b"", b"\0"],
)  # fmt: skip
def test_invalid_studies_end_in_one_line(tmp_path, capsys, content):
    file = tmp_path / "study.yaml"
    file.write_bytes(content)
    for kind in ("explore", "sweep"):
        assert main([kind, str(file)]) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"nandscape: {file}:")
        assert len(told) < 1000


def test_ranges_are_those_of_explore(study, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = study(
        "space: {a: [1, x], b: {from: 1, to: 9}, c: {from: 0.5, to: 9, log: true}, d: {from: 2, to: 10, step: 4}}", BEST
    )
    search = read_search(file)
    assert search["space"] == {"a": [1, "x"], "b": (1, 9), "c": (0.5, 9, "log"), "d": range(2, 11, 4)}
    assert search["trials"] == 100


def test_a_bound_is_a_constraint(small):
    result = ns.run(small)
    iops = result.stats["host"]["iops"]
    assert Bound.of("host.iops >= 5e3")(result) == 5000 - iops
    assert Bound.of("host.iops<=5000")(result) == iops - 5000
    for text in ("host.iops < 5", "host.iops <= nan", "host.iops <= 1-2", "5 <= host.iops", ""):
        with pytest.raises(ValueError, match="is not a constraint: give a statistic, <= or >=, and a number"):
            Bound.of(text)

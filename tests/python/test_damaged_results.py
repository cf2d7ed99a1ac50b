# SPDX-License-Identifier: Apache-2.0
"""Tests of saved results in which a figure is missing or has been replaced. Each function that reads them must accept
the file, or raise an error that names the file and the figure."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nandscape as ns
from conftest import SMALL_DEVICE
from nandscape.bottleneck import bottleneck
from nandscape.cli.main import main
from nandscape.reporting import runs as page_of_runs

pytest.importorskip("matplotlib")
pytest.importorskip("plotly")
pytest.importorskip("pandas")

ODD = ["x", [1], {}, {"p50": "x"}, None, True, -1, 0.5, 10**400]
MOST_READ = ("host", "host.all.count", "host.read", "host.read.count", "host.read.latency_us", "utilisation", "busy")
READ = ("host", "utilisation", "busy", "controller.read_retry")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    keys = {"simulation.breakdown": True, "simulation.cells": "statistical", "host.workload.requests": 60}
    return json.loads(ns.run(ns.load("retry_tlc_512g", SMALL_DEVICE | keys)).to_json())


def paths(tree: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for name, value in tree.items():
        yield prefix + name
        if isinstance(value, dict):
            yield from paths(value, f"{prefix}{name}.")


def changed(document: dict[str, Any], path: str, change: Callable[[dict[str, Any], str], None]) -> dict[str, Any]:
    """Returns a copy of the document in which the figure at `path` of its statistics has been changed by `change`."""
    other = copy.deepcopy(document)
    *groups, last = path.split(".")
    group = other["statistics"]
    for name in groups:
        group = group[name]
    change(group, last)
    return other


def readers(result: ns.Result) -> Iterator[Callable[[], object]]:
    runs = {"this": result, "other": result}
    yield lambda: repr(result)
    yield lambda: list(page_of_runs.sections_of({"this": result}))
    yield lambda: list(page_of_runs.sections_of(runs))
    yield lambda: ns.compare([result], [result], "host.iops")
    yield lambda: bottleneck(result.stats)
    yield lambda: result.to_json()
    for picture in ("latencies", "latency_over_time", "utilisation", "busy_units", "waterfall"):
        yield getattr(result.draw, picture)
    yield lambda: ns.pictures.latencies(runs)
    yield lambda: ns.pictures.utilisation(runs)
    yield lambda: ns.pictures.breakdown(runs)


def check(file: Path, path: str) -> None:
    """Checks that every function that reads results accepts the file, or reports the faulty figure and its path."""
    told = ""
    try:
        result = ns.Result.load(file)
    except ns.InputError as error:
        told = str(error)
    if told:
        assert told.startswith(f"{file}: statistics.{path}")
        return
    for read in readers(result):
        try:
            read()
        except ns.InputError as error:
            told = str(error)
            # `bottleneck` is given a dict of statistics and not a file, so its error cannot name the file.
            where = told.startswith((f"{file}: statistics.", "busy.")) or "no group 'busy'" in told
        except KeyError as error:  # readers look up metrics by name
            told = str(error)
            where = str(file) in told and path in told
        except ValueError as error:  # pictures and comparisons refuse such figures
            told = str(error)
            where = any(
                words in told for words in ("the statistics have no", "no run has", "run(s)", "no part", "is not known")
            )
        else:
            where = True
        assert where, told


def test_a_figure_that_is_missing_or_something_else_is_told(document, tmp_path):
    draw = random.Random(4)
    everything = list(paths(document["statistics"]))
    read = [path for path in everything if path.startswith(READ)]
    chosen = [*draw.sample(read, 20), *draw.sample(everything, 4), *MOST_READ]
    file = tmp_path / "other.json"
    for path in chosen:
        for change in (dict.pop, lambda group, name: group.__setitem__(name, draw.choice(ODD))):
            file.write_text(json.dumps(changed(document, path, change)))
            check(file, path)


@pytest.mark.parametrize("path", ["host", "host.read", "host.read.latency_us", "host.all.count", "host.iops"])
def test_the_commands_tell_it_in_one_line(document, tmp_path, capsys, path):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(document))
    bad.write_text(json.dumps(changed(document, path, lambda group, name: group.__setitem__(name, "x"))))
    for arguments in (["report", good, bad, "-o", tmp_path / "page.html"], ["compare", good, bad]):
        status = main([str(argument) for argument in arguments])
        told = capsys.readouterr().err
        assert status in (0, 2)
        if status == 2:
            assert told.startswith(f"nandscape: {bad}: statistics.{path}: expected ")
            assert len(told.splitlines()) == 1
    assert main(["report", str(bad), "-o", str(tmp_path / "page.html")]) == 2


def test_a_figure_that_report_needs_and_that_is_missing(document, tmp_path, capsys):
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(changed(document, "host.read.latency_us", dict.pop)))
    assert main(["report", str(bad), "-o", str(tmp_path / "page.html")]) == 2
    assert capsys.readouterr().err == (
        f"nandscape: {bad}: statistics.host.read.latency_us.max: expected a number, found nothing; the result "
        "is damaged, or of another version of nandscape\n"
    )


def test_a_configuration_that_cannot_be_used_names_the_file_and_the_key(document, tmp_path):
    file = tmp_path / "other.json"
    for key, value in (("t_prog_us", "x"), ("t_prog_us", {}), ("t_prog", 3), ("t_prog_us", -1)):
        other = copy.deepcopy(document)
        other["configuration"]["nand"]["timing"][key] = value
        file.write_text(json.dumps(other))
        with pytest.raises(ns.ConfigError, match=rf"other\.json: nand\.timing\.{key}: ") as refused:
            ns.Result.load(file)
        assert refused.value.path == f"nand.timing.{key}"


@pytest.mark.parametrize(("column", "value"), [("kind", 5), ("kind", 200), ("status", 7)])
def test_requests_of_no_kind_are_told(document, tmp_path, column, value):
    file = tmp_path / "run.npz"
    ns.run("bare", workload=ns.synthetic(requests=20)).save(file)
    with np.load(file) as kept:
        columns = {name: kept[name].copy() for name in kept.files}
    columns[column][3] = value
    np.savez(file, **columns)
    with pytest.raises(ns.InputError, match=rf"run\.npz: is not a saved result: {value} is not a {column} of"):
        ns.Result.load(file)

# SPDX-License-Identifier: Apache-2.0
"""Tests of runs and of their results."""

import contextlib
import json
import pickle
import re
import sys

import numpy as np
import pytest

import nandscape as ns
from conftest import simulated

LATENCY_FIGURES = {"count", "mean", "p50", "p90", "p99", "p999", "p9999", "max"}


def test_statistics_have_the_documented_names(small):
    stats = ns.run(small).stats
    for kind in ("read", "write", "all"):
        assert stats["host"][kind]["count"] > 0
        assert stats["host"][kind]["latency_us"].keys() >= LATENCY_FIGURES
    assert stats["host"]["iops"] > 0
    assert stats["host"]["bandwidth_mib_s"] > 0
    assert stats["controller"]["write_amplification"] >= 0
    assert {"page_reads", "page_programs", "block_erases", "senses"} <= stats["nand"].keys()
    assert {"simulated_s", "wall_s", "events"} <= stats["simulation"].keys()


def test_each_workload_has_statistics_of_its_own(small):
    quick = {"simulation.request_log": False}
    workloads = [ns.synthetic(name="readers", requests=300), ns.synthetic(name="writers", requests=200, read_percent=0)]
    alone = ns.run(small.override(quick), workload=workloads[:1]).stats["host"]
    assert alone["workloads"] == {"readers": {key: alone[key] for key in alone["workloads"]["readers"]}}
    simulation = ns.Simulation(small.override({**quick, "host.workload": workloads}))
    simulation.write(0, bytes(4096))
    simulation.run()
    simulation.write(0, bytes(4096))
    host = simulation.stats("all")["host"]
    of = host["workloads"]
    assert (of["readers"]["all"]["count"], of["writers"]["all"]["count"]) == (300, 200)
    assert host["all"]["count"] == 502
    assert host["write"]["bytes"] == of["readers"]["write"]["bytes"] + of["writers"]["write"]["bytes"] + 2 * 4096
    assert host["all"]["latency_us"]["max"] >= max(one["all"]["latency_us"]["max"] for one in of.values())


def test_requests_of_other_workloads_stay_in_the_statistics(small, tmp_path):
    simulation = ns.Simulation(small.override({"host.workload": [ns.synthetic(name="first", requests=300)]}))
    simulation.run()
    simulation.checkpoint(tmp_path / "drive")
    second = {"host.workload": [ns.synthetic(name="second", requests=50)]}
    restored = ns.Simulation.restore(tmp_path / "drive", second)
    restored.run()
    host = restored.stats("all")["host"]
    assert host["all"]["count"] == 350
    assert host["workloads"]["second"]["all"]["count"] == 50
    assert ns.Simulation.restore(tmp_path / "drive").stats("all")["host"]["workloads"]["first"]["all"]["count"] == 300


def test_a_statistic_is_found_by_its_dotted_name(small):
    result = ns.run(small)
    assert result["host.read.latency_us.p50"] == result.stats["host"]["read"]["latency_us"]["p50"]
    assert result["host.read"] == result.stats["host"]["read"]
    with pytest.raises(KeyError, match=r"no statistic 'host\.raed'; the nearest is 'host\.read'"):
        result["host.raed.count"]


def test_requests_agree_with_the_statistics(small):
    result = ns.run(small)
    host = result.stats["host"]
    assert len(result.requests["latency_ps"]) == host["all"]["count"] == 2000
    for kind in ("read", "write"):
        latencies = result.latencies(kind)
        assert latencies.dtype == np.float64
        assert latencies.size == host[kind]["count"]
        assert latencies.mean() == pytest.approx(host[kind]["latency_us"]["mean"])
        assert latencies.max() == pytest.approx(host[kind]["latency_us"]["max"])
        assert host[kind]["latency_us"]["count"] == latencies.size
        for name, quantile in (("p50", 0.5), ("p90", 0.9)):
            expected = np.quantile(latencies, quantile, method="inverted_cdf")
            assert host[kind]["latency_us"][name] == pytest.approx(expected, rel=0.005)
    assert result.latencies().size == 2000
    with pytest.raises(ValueError, match="fetch"):
        result.latencies("fetch")


def test_request_columns_are_views_that_outlive_the_result(small):
    result = ns.run(small)
    columns = result.requests
    before = columns["latency_ps"].copy()
    del result
    assert not columns["latency_ps"].flags.owndata
    assert not columns["latency_ps"].flags.writeable
    assert np.array_equal(columns["latency_ps"], before)
    assert len({len(column) for column in columns.values()}) == 1


def test_a_result_goes_from_process_to_process(small):
    result = ns.run(small)
    received = pickle.loads(pickle.dumps(result))
    assert received.to_json() == result.to_json()
    assert np.array_equal(received.latencies("read"), result.latencies("read"))


def test_requests_as_a_table(small):
    table = ns.run(small).to_frame()
    assert set(table["kind"].unique()) == {"read", "write"}
    assert (table["status"] == "ok").all()
    assert (table["latency_us"] > 0).all()


def test_a_run_repeats_to_the_byte(small):
    first, second = ns.run(small), ns.run(small)
    assert simulated(first.stats) == simulated(second.stats)
    for name, column in first.requests.items():
        assert column.tobytes() == second.requests[name].tobytes(), name


def test_overrides_change_keys_and_a_workload_in_their_place_is_refused(small):
    slow = ns.run(small, {"nand.timing.t_prog_us": 900}, workload=ns.synthetic(requests=100, read_percent=0))
    assert slow.config["nand.timing.t_prog_us"] == 900
    assert slow.stats["host"]["write"]["count"] == 100
    for call in (ns.run, ns.steady_state):
        for workload in (ns.synthetic(requests=100), [ns.synthetic(requests=100)]):
            with pytest.raises(TypeError, match=r"overrides are a mapping .*; a workload is given as workload="):
                call(small, workload)
    with pytest.raises(ns.ConfigError, match=r"write nand\.timing\.t_prog_us"):
        ns.run(small, {"nand.timing.t_prog": 900})
    table = ns.sweep(small, {"host.workload.queue_depth": [1]}, {"nand.timing.t_prog_us": 900}, metrics="host.iops")
    again = ns.run(small, {"nand.timing.t_prog_us": 900, "host.workload.queue_depth": 1})
    assert table["host.iops"].tolist() == [again.stats["host"]["iops"]]


def test_another_seed_gives_another_run(small):
    first, second = ns.run(small), ns.run(small.override({"simulation.seed": 2}))
    assert first.requests["first_lba"].tobytes() != second.requests["first_lba"].tobytes()


def test_a_saved_result_runs_again_to_the_same(small, tmp_path):
    result = ns.run(small)
    result.save(tmp_path / "result.json")
    saved = json.loads((tmp_path / "result.json").read_text())
    assert saved["seed"] == 1
    assert saved["versions"]["nandscape"] == ns.__version__
    assert ns.load(saved["configuration"]) == result.config
    assert simulated(ns.run(saved["configuration"]).stats) == simulated(saved["statistics"])


def test_a_saved_result_is_loaded(small, tmp_path):
    result = ns.run(small)
    result.save(tmp_path / "result.json")
    loaded = ns.Result.load(tmp_path / "result.json")
    assert loaded.config == result.config
    assert loaded.stats == result.stats
    assert loaded.latencies("read").size == 0
    assert ns.load(tmp_path / "result.json") == result.config


def test_a_result_is_saved_with_its_requests(small, tmp_path):
    result = ns.run(small)
    result.save(tmp_path / "run.npz")
    loaded = ns.Result.load(tmp_path / "run.npz")
    assert (loaded.config, loaded.stats, loaded.partial) == (result.config, result.stats, False)
    for name, column in result.requests.items():
        assert loaded.requests[name].dtype == column.dtype
        assert np.array_equal(loaded.requests[name], column)
        assert not loaded.requests[name].flags.writeable
    assert ns.load(tmp_path / "run.npz") == result.config
    changed = ns.load(tmp_path / "run.npz", {"simulation.seed": 7})
    assert changed == result.config.override({"simulation.seed": 7})


def test_further_columns_of_requests_are_kept(small, tmp_path):
    result = ns.run(small)
    result.requests["queue_ps"] = result.requests["latency_ps"] // 2
    result.save(tmp_path / "run.npz")
    assert np.array_equal(ns.Result.load(tmp_path / "run.npz").requests["queue_ps"], result.requests["queue_ps"])


def test_figures_that_are_not_finite_stay_so(small, tmp_path):
    result = ns.run(small)
    result.stats["host"]["uber"] = float("nan")
    result.save(tmp_path / "result.json")
    assert np.isnan(ns.Result.load(tmp_path / "result.json").stats["host"]["uber"])


def archived(result, **changes):
    """Returns the entries of a saved result with the given changes. The value None removes an entry."""
    document = np.frombuffer(result.to_json().encode(), np.uint8)
    content = {"result_json": document, **result.requests} | changes
    return {name: kept for name, kept in content.items() if kept is not None}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"result_json": None}, "it lacks 'result_json'"),
        ({"kind": None}, "it lacks 'kind'"),
        ({"kind": np.zeros(3, np.uint8)}, "differ in length"),
        ({"sectors": np.zeros(2000)}, "'sectors' is not a column of uint32"),
        ({"result_json": np.frombuffer(b"{}", np.uint8)}, "it lacks 'configuration'"),
        ({"result_json": np.array([{}], dtype=object)}, "allow_pickle"),
    ],
)
def test_an_invalid_archive_is_refused(small, tmp_path, changes, message):
    np.savez(tmp_path / "run.npz", **archived(ns.run(small), **changes))
    with pytest.raises(ns.InputError, match=r"run\.npz: is not a saved result: .*" + message):
        ns.Result.load(tmp_path / "run.npz")


@pytest.mark.parametrize("name", ["run.csv", "run", "run.npz.txt"])
def test_a_result_has_a_known_suffix(small, tmp_path, name):
    with pytest.raises(ValueError, match=rf"{name}: a result is written as \.json or \.npz"):
        ns.run(small).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_archive_is_not_loaded(small, tmp_path):
    path = tmp_path / "run.npz"
    ns.run(small).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ns.InputError, match=r"run\.npz: is not a saved result"):
        ns.load(path)
    random = np.random.default_rng(1)
    for place in random.integers(2, len(whole), 100):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << random.integers(8)
        path.write_bytes(damaged)
        # The damage is in a single bit. Some bits do not matter, for example those of a date.
        with contextlib.suppress(ns.InputError):
            assert ns.Result.load(path).stats["host"]["all"]["count"] == 2000


@pytest.mark.parametrize(
    "text", ["", "[1, 2", "{}", "[]", '{"configuration": {}}', '{"configuration": 1, "statistics": 2}']
)
def test_an_invalid_saved_result_is_refused(tmp_path, text):
    (tmp_path / "result.json").write_text(text)
    with pytest.raises(ns.InputError, match=r"result\.json: is not a saved result"):
        ns.Result.load(tmp_path / "result.json")


def test_a_table_without_pandas_says_what_is_missing(small, monkeypatch):
    result = ns.run(small)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install"):
        result.to_frame()


def test_a_result_that_cannot_be_saved_leaves_nothing(small, tmp_path, monkeypatch):
    result = ns.run(small)
    result.save(tmp_path / "kept.json")
    kept = (tmp_path / "kept.json").read_bytes()
    monkeypatch.setattr(ns.Result, "to_json", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        result.save(tmp_path / "kept.json")
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]
    assert (tmp_path / "kept.json").read_bytes() == kept


def test_a_trace_is_replayed(small, trace_file):
    result = ns.run(small, workload=ns.trace(trace_file))
    assert result.stats["host"]["read"]["count"] == 20
    assert result.stats["host"]["write"]["count"] == 20
    assert np.bincount(result.requests["kind"]).tolist() == [20, 20, 1]
    assert result.requests["first_lba"].max() == 8 * 20


def test_a_broken_trace_record_is_found_by_line(small, trace_file):
    trace_file.write_text(trace_file.read_text() + "5000,raed,0,4096\n")
    with pytest.raises(ns.InputError, match=r"short\.csv:43.*raed"):
        ns.run(small, workload=ns.trace(trace_file))


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("operations", {"read": "r read"}, "'r read' is more than one word; write a list of words, [r, read]"),
        ("operations", {"trim": ["t", ""]}, "holds an empty word; leave it out"),
        (
            "columns",
            "time_us,op,lba,sectors",
            "is more than one name; write a list of names, [time_us, op, lba, sectors]",
        ),
    ],
)
def test_texts_that_should_be_lists(small, trace_file, key, value, complaint):
    with pytest.raises(ns.ConfigError, match=rf"^Python: host\.workload\.{key}: .*{re.escape(complaint)}"):
        ns.run(small, workload=ns.trace(trace_file, format="csv", **{key: value}))


def test_a_broken_record_with_bytes_that_are_no_text(small, trace_file):
    trace_file.write_bytes(trace_file.read_bytes() + b"5000,\xff\xfe\x00,0,4096\n")
    with pytest.raises(ns.InputError, match=r"short\.csv:43"):
        ns.run(small, workload=ns.trace(trace_file))


def test_a_missing_trace_is_named(small, tmp_path):
    with pytest.raises(ns.InputError, match=r"missing\.csv"):
        ns.run(small, workload=ns.trace(tmp_path / "missing.csv"))


def test_several_workloads_run_at_the_same_time(small):
    readers = ns.synthetic(read_percent=100, requests=300)
    writers = ns.synthetic(read_percent=0, requests=200)
    result = ns.run(small, workload=[readers, writers])
    assert np.bincount(result.requests["workload"]).tolist() == [300, 200]
    assert result.stats["host"]["read"]["count"] == 300


def test_progress_is_reported_and_can_end_the_run(small):
    reports = []

    def stop(completed, expected, now):
        reports.append((completed, expected, now))
        return False

    endless = small.override({"host.workload.requests": 50_000_000})
    result = ns.run(endless, progress=stop)
    (completed, expected, now) = reports[0]
    assert len(reports) == 1
    assert expected == 50_000_000
    assert 0 < completed <= result.stats["host"]["all"]["count"] < expected
    assert now > 0


def test_an_error_in_a_progress_callback_arrives_as_it_was(small):
    def fail(*_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        ns.run(small.override({"host.workload.requests": 50_000_000}), progress=fail)

# SPDX-License-Identifier: Apache-2.0
"""Tests of workloads whose requests a program gives, as arrays, tables or generators: correct and faulty requests, and
calls that refuse them.
"""

from __future__ import annotations

import copy
import itertools
import pickle
import traceback
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nandscape as ns
from conftest import SMALL_DEVICE, simulated
from nandscape.result import REQUEST_KINDS

DEVICE = {**SMALL_DEVICE, "simulation.request_log": True}
OFFSETS = np.arange(200) % 40 * 4096
OPERATIONS = np.array(["write", "read", "trim", "write_zeroes"])[np.arange(200) % 4]


def load(workload: Any = None, **keys: Any) -> ns.Config:
    return ns.load("bare", {**DEVICE, **({} if workload is None else {"host.workload": workload}), **keys})


def played(workload: Any) -> list[tuple[str, int, int]]:
    """Runs the workload. Returns operation, offset and size of each request, in the order of issue."""
    log = ns.run(load(), workload=workload).requests
    order = np.argsort(log["start_ps"], kind="stable")
    return [
        (REQUEST_KINDS[log["kind"][k]], int(log["first_lba"][k]) * 512, int(log["sectors"][k]) * 512) for k in order
    ]


def expected() -> list[tuple[str, int, int]]:
    return [(str(operation), int(offset), 4096) for operation, offset in zip(OPERATIONS, OFFSETS, strict=True)]


def one_by_one(**options: Any) -> dict[str, Any]:
    return ns.requests(operation=OPERATIONS, offset_bytes=OFFSETS, size_bytes=4096, queue_depth=1, **options)


# --- arrays


def test_arrays_are_played_in_their_order():
    assert played(one_by_one()) == expected()


def test_the_same_requests_as_a_synthetic_workload_give_the_same_run():
    drawn = ns.run(load(), workload=ns.synthetic(requests=500, read_percent=60, queue_depth=1))
    log = drawn.requests
    again = ns.requests(
        operation=log["kind"], offset_bytes=log["first_lba"] * 512, size_bytes=log["sectors"] * 512, queue_depth=1
    )
    assert simulated(ns.run(load(), workload=again).stats) == simulated(drawn.stats)


def test_requests_of_an_open_loop_come_at_their_times():
    times = np.cumsum(np.arange(200) % 7 + 0.25)
    workload = ns.requests(time_us=times, operation="read", offset_bytes=OFFSETS, size_bytes=4096)
    log = ns.run(load(), workload=workload).requests
    starts = np.sort(log["start_ps"])
    assert (starts - starts[0]).tolist() == np.rint((times - times[0]) * 1e6).astype(int).tolist()


TABLES = {
    "a dict": lambda columns: columns,
    "a DataFrame": pd.DataFrame,
    "lists": lambda columns: {name: list(values) for name, values in columns.items()},
    "objects": lambda columns: pd.DataFrame(columns).astype(object),
    "floats": lambda columns: pd.DataFrame(columns).astype({"offset_bytes": float, "size_bytes": float}),
    "strings of pandas": lambda columns: pd.DataFrame(columns).astype({"operation": "string"}),
    "categories": lambda columns: pd.DataFrame(columns).astype({"operation": "category"}),
    "a structured array": lambda columns: pd.DataFrame(columns).to_records(index=False),
    "bytes": lambda columns: {**columns, "operation": columns["operation"].astype("S")},
    "another order, and more columns": lambda columns: {"more": 1, **dict(reversed(columns.items()))},
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
def test_tables_of_all_kinds(table):
    columns = {"operation": OPERATIONS, "offset_bytes": OFFSETS, "size_bytes": np.full(200, 4096, dtype=np.uint32)}
    assert played(ns.requests(table(columns), queue_depth=1)) == expected()


def test_tables_of_polars():
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"operation": OPERATIONS, "offset_bytes": OFFSETS, "size_bytes": np.full(200, 4096)})
    assert played(ns.requests(table, queue_depth=1)) == expected()


def test_a_keyword_comes_instead_of_a_column():
    table = pd.DataFrame({"operation": OPERATIONS, "offset_bytes": OFFSETS, "size_bytes": 512})
    assert played(ns.requests(table, size_bytes=4096, queue_depth=1)) == expected()


@pytest.mark.parametrize(
    "times",
    [
        np.arange(5) * np.timedelta64(3, "us"),
        np.datetime64("2024-05-01T10:00") + np.arange(5) * np.timedelta64(3000, "ns"),
        np.arange(5, dtype=np.uint8) * 3,
        np.arange(5, dtype=object) * 3,
    ],
    ids=["timedelta64", "datetime64", "uint8", "objects"],
)
def test_times_of_all_kinds(times):
    workload = ns.requests(time_us=times, operation="read", offset_bytes=0, size_bytes=512)
    assert workload["pacing"] == "open"
    assert workload["source"].columns.time.tolist() == [0, 3_000_000, 6_000_000, 9_000_000, 12_000_000]


def test_a_single_size_does_not_apply_to_flushes():
    workload = ns.requests(operation=["write", "flush"], offset_bytes=0, size_bytes=4096, fua=True, queue_depth=1)
    assert played(workload) == [("write", 0, 4096), ("flush", 0, 0)]
    assert workload["source"].columns.fua.tolist() == [1, 0]


def test_arrays_are_copied():
    offsets = OFFSETS.copy()
    workload = ns.requests(operation=OPERATIONS, offset_bytes=offsets, size_bytes=4096, queue_depth=1)
    offsets[:] = 1
    assert played(workload) == expected()
    assert not workload["source"].columns.offset_bytes.flags.writeable


def spoiled(name: str, index: int, value: Any) -> dict[str, Any]:
    columns: dict[str, Any] = {
        "time_us": [float(k) for k in range(9)],
        "operation": ["write"] * 9,
        "offset_bytes": [4096 * k for k in range(9)],
        "size_bytes": [4096] * 9,
        "fua": [False] * 9,
    }
    columns[name] = [value if k == index else item for k, item in enumerate(columns[name])]
    return columns


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("offset_bytes", -512, r"offset_bytes\[7\] is -512; it must be 0 or more"),
        ("offset_bytes", 100, r"offset_bytes\[7\] is 100, which is not a multiple of the sector size, 512 bytes"),
        ("offset_bytes", 0.5, r"offset_bytes\[7\] is 0.5; it must be a whole number"),
        ("offset_bytes", float("nan"), r"offset_bytes\[7\] is nan; it must be a whole number"),
        ("offset_bytes", 2.0**63, r"offset_bytes\[7\] is 9.22"),
        ("size_bytes", 0, r"size_bytes\[7\] is 0, which only a flush may be"),
        ("size_bytes", float("inf"), r"size_bytes\[7\] is inf"),
        ("operation", "flush", r"size_bytes\[7\] is 4096 on a flush"),
        ("operation", "erase", r"operation\[7\] is 'erase'; operations are read, write, flush, trim, write_zeroes"),
        ("time_us", -1, r"time_us\[7\] is -1.0; times count from 0"),
        ("time_us", float("nan"), r"time_us\[7\] is nan"),
        ("time_us", 1e13, r"time_us\[7\] is 10000000000000.0; a run lasts 106 days at most"),
        ("time_us", 5.5, r"time_us\[7\] is 5.5, earlier than the one before it, 6"),
    ],
)
def test_errors_name_the_array_and_the_index(name, value, message):
    with pytest.raises(ns.InputError, match=message):
        ns.requests(spoiled(name, 7, value))


@pytest.mark.parametrize(
    ("columns", "kind", "message"),
    [
        ({"operation": "read", "offset_bytes": [0]}, TypeError, "requests lack size_bytes"),
        ({"operation": "read", "offset_bytes": 0, "size_bytes": 512}, TypeError, "no array among their columns"),
        (
            {"operation": "read", "offset_bytes": [0, 1], "size_bytes": [512] * 3},
            ns.InputError,
            "3 values and .* has 2",
        ),
        ({"operation": "read", "offset_bytes": [[0, 1]], "size_bytes": 512}, TypeError, r"offset_bytes .* \(1, 2\)"),
        ({"operation": "read", "offset_bytes": ["0"], "size_bytes": 512}, TypeError, "offset_bytes has values of type"),
        ({"operation": "read", "offset_bytes": [None], "size_bytes": 512}, TypeError, r"offset_bytes\[0\] is None"),
        ({"operation": "read", "offset_bytes": [10**30], "size_bytes": 512}, ns.InputError, "fit a signed integer"),
        ({"operation": [9], "offset_bytes": [0], "size_bytes": 512}, ns.InputError, r"operation\[0\] is 9"),
        (
            {"operation": [0.5], "offset_bytes": [0], "size_bytes": 512},
            TypeError,
            "operation has values of type float64",
        ),
        ({"operation": "read", "offset_bytes": [0], "size_bytes": 512, "fua": 1}, TypeError, "they must be bools"),
        (
            {"operation": "read", "offset_bytes": [0], "size_bytes": 512, "fua": [True]},
            ns.InputError,
            r"fua\[0\] is set",
        ),
        ({"operation": "read", "offset_bytes": [], "size_bytes": 512}, ns.InputError, "at least one request"),
    ],
)
def test_invalid_columns_are_refused(columns, kind, message):
    with pytest.raises(kind, match=message):
        ns.requests(**columns)


def test_past_the_capacity_is_an_error_before_the_run():
    capacity = ns.Simulation(load()).capacity_bytes
    offsets = np.full(10, capacity - 4096)
    ns.Simulation(load([ns.requests(operation="read", offset_bytes=offsets, size_bytes=4096)]))
    offsets[6] += 512
    with pytest.raises(ns.InputError, match=rf"offset_bytes\[6\] is {offsets[6]}; .* past the capacity of {capacity}"):
        ns.Simulation(load([ns.requests(operation="read", offset_bytes=offsets, size_bytes=4096)]))


def test_an_open_loop_needs_times():
    with pytest.raises(ns.ConfigError, match=r"host\.workload\.pacing: the requests have no time_us"):
        ns.Simulation(load(one_by_one(pacing="open")))


def test_options_are_those_of_the_schema():
    with pytest.raises(ns.ConfigError, match="queue_depht"):
        load(ns.requests(operation="read", offset_bytes=[0], size_bytes=512, queue_depht=3))
    assert len(played(one_by_one(requests=30))) == 30


def test_all_are_played_where_they_are_laid_over_another_workload():
    """Groups and dicts are merged key by key. A number of requests that was set for the replaced workload is
    dropped.
    """
    config = ns.load("bare", {**DEVICE, "host.workload.requests": 20}, host={"workload": one_by_one()})
    assert ns.run(config).stats["host"]["all"]["count"] == 200


def test_beside_other_workloads():
    workloads = [
        ns.synthetic(requests=100, name="drawn"),
        one_by_one(name="mine"),
        one_by_one(name="again", requests=7),
    ]
    stats = ns.run(load(), workload=workloads).stats["host"]
    counts = {name: stats["workloads"][name]["all"]["count"] for name in ("drawn", "mine", "again")}
    assert counts == {"drawn": 100, "mine": 200, "again": 7}


def test_a_duration_ends_any_workload():
    for workload in (
        ns.synthetic(requests=10**6),
        one_by_one(),
        ns.synthetic(requests=10**6, pacing="open", rate_iops=1e5),
    ):
        log = ns.run(load(), workload={**workload, "duration_ms": 2}).requests
        assert 0 < log["start_ps"].max() - log["start_ps"].min() < 2e9


# --- iterators

Row = namedtuple("Row", "size_bytes offset_bytes operation")
OBJECTS = {
    "tuples": lambda o, b: (o, b, 4096),
    "lists": lambda o, b: [o, b, 4096],
    "named tuples": lambda o, b: Row(4096, b, o),
    "objects": lambda o, b: SimpleNamespace(operation=o, offset_bytes=b, size_bytes=4096),
    "dicts": lambda o, b: {"operation": o, "offset_bytes": b, "size_bytes": 4096},
    "numbers of operations": lambda o, b: (REQUEST_KINDS.index(o), b, 4096),
    "numpy's scalars": lambda o, b: (o, np.int64(b), np.uint32(4096)),
}


@pytest.mark.parametrize("item", OBJECTS.values(), ids=OBJECTS.keys())
def test_items_of_iterators(item):
    items = (item(operation, offset) for operation, offset, _ in expected())
    assert played(ns.requests(items, queue_depth=1)) == expected()


def test_rows_of_a_structured_array():
    rows = pd.DataFrame({"operation": OPERATIONS, "offset_bytes": OFFSETS, "size_bytes": 4096}).to_records(index=False)
    assert played(ns.requests(iter(rows), queue_depth=1)) == expected()


def test_batches_and_single_requests_between():
    def mixed():
        yield "write", 0, 4096
        yield {"operation": OPERATIONS[1:100], "offset_bytes": OFFSETS[1:100], "size_bytes": 4096}
        yield pd.DataFrame({"operation": OPERATIONS[100:199], "offset_bytes": OFFSETS[100:199], "size_bytes": 4096})
        yield expected()[199]

    assert played(ns.requests(mixed, queue_depth=1)) == expected()


def test_each_request_is_pulled_when_it_is_issued():
    pulled_at = []

    def watched():
        for k in range(20):
            pulled_at.append(simulation.now_us)
            yield 500 * k, "read", 0, 4096

    simulation = ns.Simulation(load(ns.requests(watched, pacing="open")))
    assert pulled_at == []
    simulation.run()
    starts = simulation.result().requests["start_ps"] * 1e-6
    # Each request is taken from the generator when the previous request starts.
    assert pulled_at[1:] == pytest.approx(starts[:-1])


def test_one_that_never_ends_ends_with_its_limit():
    endless = ns.requests(lambda: (("read", 0, 4096) for _ in itertools.count()), requests=123)
    assert len(played(endless)) == 123
    timed = ns.requests(lambda: (("read", 0, 4096) for _ in itertools.count()), duration_ms=1, queue_depth=2)
    assert 1 < len(played(timed)) < 100


def failing():
    yield "write", 0, 4096
    raise LookupError("there is no more")


def test_an_exception_of_a_generator_ends_the_run_with_its_traceback():
    simulation = ns.Simulation(load([ns.requests(failing, queue_depth=1), ns.synthetic(requests=50)]))
    with pytest.raises(LookupError, match="there is no more") as caught:
        simulation.run()
    assert "failing" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    # The simulation can be continued with the other workload.
    simulation.run_until("1s")
    assert not simulation.workloads_under_way
    assert simulation.stats()["host"]["all"]["count"] == 51


def test_a_generator_that_raises_at_once():
    def none():
        raise LookupError("nothing at all")
        yield

    simulation = ns.Simulation(load(ns.requests(none)))
    with pytest.raises(LookupError, match="nothing at all"):
        simulation.run()
    assert not simulation.workloads_under_way
    simulation.read(0, 4096)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (("read", 0), "request 1 is a tuple of 2; it must be \\(operation, offset_bytes, size_bytes\\)"),
        (("erase", 0, 512), "operation of request 1 is 'erase'; operations are"),
        ((7, 0, 512), "operation of request 1 is 7"),
        (("read", "0", 512), "offset_bytes of request 1 is '0', not a whole number"),
        (("read", -512, 512), "offset_bytes of request 1 is -512"),
        (("read", 0, 700), "request 1: size_bytes is 700"),
        (("read", 0, 0), "request 1: size_bytes is 0"),
        (("read", 1 << 50, 512), "request 1: offset_bytes is .* past the capacity"),
        ("read", "request 1, of type str, has no operation, offset_bytes, size_bytes"),
        (None, "request 1, of type NoneType"),
        ({"operation": ["read"], "offset_bytes": [5], "size_bytes": [512]}, r"offset_bytes\[0\] is 5"),
    ],
)
def test_errors_name_the_number_of_an_item(item, message):
    with pytest.raises(ns.InputError, match=message):
        played(ns.requests([("read", 0, 512), item], queue_depth=1))


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([(5, "read", 0, 512), (4, "read", 0, 512)], "request 1: time_us is 4, earlier than the one before it, 5"),
        ([("read", 0, 512)], r"tuple of 3; it must be \(time_us, operation, offset_bytes, size_bytes\)"),
        ([("soon", "read", 0, 512)], "time_us of request 0 is 'soon'"),
        ([(float("nan"), "read", 0, 512)], "time_us of request 0 is nan"),
        ([{"operation": ["read"], "offset_bytes": [0], "size_bytes": [512]}], "from request 0 on has no time_us"),
    ],
)
def test_invalid_issue_times(items, message):
    with pytest.raises(ns.InputError, match=message):
        played(ns.requests(items, pacing="open"))


def test_an_iterator_is_played_once_and_a_function_again():
    once = ns.requests(iter([("read", 0, 512)]))
    assert len(played(once)) == 1
    with pytest.raises(ns.InputError, match="has been played already; give a function"):
        played(once)
    again = ns.requests(lambda: iter([("read", 0, 512)]))
    assert len(played(again)) == len(played(again)) == 1


def test_a_generator_may_use_other_simulations_but_not_its_own():
    other = ns.Simulation(load())
    refusals = []

    def busy():
        for k in range(5):
            other.write(8 * k, b"\x01" * 4096)
            try:
                simulation.read(0, 512)
            except ns.BusyError as error:
                refusals.append(error)
            yield "write", 0, 4096

    simulation = ns.Simulation(load(ns.requests(busy)))
    simulation.run()
    assert other.stats()["host"]["write"]["count"] == len(refusals) == 5


def test_pacing_may_be_chosen_later():
    rows = [(10, "write", 0, 4096), (1500, "read", 0, 4096)]
    config = load(ns.requests(rows)).override({"host.workload.pacing": "open"})
    log = ns.run(config).requests
    assert int(log["start_ps"][1]) - int(log["start_ps"][0]) == 1490 * 10**6


def test_invalid_sources_are_refused():
    with pytest.raises(TypeError, match=r"not str; trace\(\) reads files"):
        ns.requests("web.csv")
    with pytest.raises(TypeError, match="not int"):
        ns.requests(5)
    with pytest.raises(TypeError, match="size_bytes cannot be given beside it"):
        ns.requests(iter([]), size_bytes=4096)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(st.sampled_from(REQUEST_KINDS), st.integers(0, 60), st.integers(1, 9), st.integers(0, 30)),
        min_size=1,
        max_size=40,
    ),
    st.data(),
)
def test_arrays_and_iterators_do_the_same(drawn, data):
    """The same requests must give the same run as arrays, one by one, and in batches of any length."""
    columns = {
        "time_us": np.cumsum([gap for *_, gap in drawn]),
        "operation": [operation for operation, *_ in drawn],
        "offset_bytes": [4096 * page for _, page, _, _ in drawn],
        "size_bytes": [0 if operation == "flush" else 512 * sectors for operation, _, sectors, _ in drawn],
    }
    rows = list(zip(*columns.values(), strict=True))
    table = pd.DataFrame(columns)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(rows)), max_size=4)) | {0, len(rows)})
    batches = [table.iloc[begin:end] for begin, end in itertools.pairwise(cuts)]
    pacing = data.draw(st.sampled_from(["open", "closed"]))
    closed = pacing == "closed"
    sources = [table, (row[1:] if closed else row for row in rows), batches]
    results = [ns.run(load(), workload=ns.requests(source, pacing=pacing, queue_depth=3)) for source in sources]
    assert simulated(results[0].stats) == simulated(results[1].stats) == simulated(results[2].stats)


# --- the places in which given requests are allowed


def test_a_configuration_holds_them_and_no_file_does(tmp_path):
    config = load(one_by_one())
    assert config["host.workload"]["source"] is config.to_dict()["host"]["workload"]["source"]
    assert ns.load(config.to_dict()) == config == copy.deepcopy(config)
    assert config.override({"host.workload.queue_depth": 3})["host.workload"]["source"] == one_by_one()["source"]
    with pytest.raises(ns.Error, match="<200 requests in arrays> are given by the program, and a configuration file"):
        config.to_yaml()
    assert "kind: synthetic" in config.override({"host.workload": [ns.synthetic()]}).to_yaml()
    with pytest.raises(ns.ConfigError, match=r"source: no requests are given under the name 'mine'"):
        ns.Simulation(load([{"kind": "requests", "source": "mine"}]))


def test_a_result_says_what_there_was(tmp_path):
    result = ns.run(load(), workload=one_by_one())
    result.save(tmp_path / "result.json")
    again = ns.Result.load(tmp_path / "result.json")
    assert again.stats == result.stats
    assert again.config["host.workload"]["source"] == "<200 requests in arrays>"
    with pytest.raises(ns.ConfigError, match="no requests are given under the name '<200 requests"):
        ns.run(again.config)


def test_a_checkpoint_takes_them_back_but_holds_none(tmp_path):
    simulation = ns.Simulation(load(one_by_one()))
    with pytest.raises(ns.ConfigError, match=r"host\.workload: a checkpoint cannot hold requests"):
        simulation.checkpoint(tmp_path / "drive")
    assert simulation.has_power
    plain = ns.Simulation(load(ns.synthetic(requests=10)))
    plain.checkpoint(tmp_path / "drive")
    restored = ns.Simulation.restore(tmp_path / "drive", {"host.workload": [one_by_one()]})
    restored.run()
    assert restored.stats()["host"]["all"]["count"] == 200
    assert restored.config["host.workload"]["source"] == one_by_one()["source"]


def test_arrays_are_pickled_and_iterators_are_not():
    config = load(one_by_one())
    again = pickle.loads(pickle.dumps(config))
    assert again == config
    assert simulated(ns.run(again).stats) == simulated(ns.run(config).stats)
    function = load(ns.requests(failing))
    with pytest.raises(LookupError):
        ns.run(pickle.loads(pickle.dumps(function)))
    with pytest.raises(
        ns.InputError, match="iterator failing cannot be sent to another process or copied; give arrays"
    ):
        pickle.dumps(load(ns.requests(failing())))


def test_sweeps_take_arrays(tmp_path):
    grid = {"host.workload.queue_depth": [1, 4]}
    base = load()
    table = ns.sweep(base, grid, workload=one_by_one(), store=tmp_path / "store", progress=False)
    assert table["host.all.count"].tolist() == [200, 200]
    again = ns.sweep(base, grid, workload=one_by_one(), store=tmp_path / "store", progress=False)
    assert again["host.iops"].tolist() == table["host.iops"].tolist()


def test_points_of_a_sweep_that_iterate_say_why_they_fail():
    grid = {"host.workload": [ns.synthetic(requests=20), ns.requests(failing())]}
    errors = ns.sweep(load(), grid, progress=False)["error"]
    assert not isinstance(errors[0], str)
    assert "iterator failing cannot be sent to another process" in errors[1]

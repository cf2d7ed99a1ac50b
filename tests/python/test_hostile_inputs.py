# SPDX-License-Identifier: Apache-2.0
"""Tests that any invalid input is answered at once with one readable line."""

import collections
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import nandscape as ns
from address_space import limit_address_space

REFUSALS = (ns.ConfigError, ns.InputError, ns.RequestError, ValueError, TypeError)
TINY = {
    "channel.count": 1,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.blocks_per_plane": 64,
    "controller.mapping.over_provisioning": 0.4,
}


@pytest.fixture(autouse=True)
def _soon():
    start = time.process_time()
    yield
    assert time.process_time() - start < 5


@pytest.fixture(autouse=True, scope="module")
def _little_memory():
    before = resource.getrlimit(resource.RLIMIT_AS)
    limit_address_space(8 << 30)
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def complaint(call, *arguments, **keywords):
    """Checks that the call is refused with one line of readable length, and returns this message."""
    with pytest.raises(REFUSALS) as caught:
        call(*arguments, **keywords)
    told = str(caught.value)
    assert "\n" not in told
    assert 5 < len(told) < 1500
    assert told.isprintable() or isinstance(caught.value, UnicodeError)
    return told


def taken(call, kinds=REFUSALS):
    """Returns the message if the call is refused, or None if it is accepted. Checks that the message has at most a few
    readable lines.
    """
    try:
        call()
    except kinds as error:
        told = str(error)
        check(told)
        return told
    return None


def check(told):
    assert len(told) < 3000
    # the longest message is for a file that is no trace; it has a line for each text format
    assert len(told.splitlines()) <= 13
    assert "\0" not in told


class FromPath:
    def __fspath__(self):
        return self


class FromList:
    def tolist(self):
        return self


def nested(depth, wrap):
    value = 1
    for _ in range(depth):
        value = wrap(value)
    return value


def test_settings_that_contain_themselves_are_refused():
    settings = {}
    settings["simulation"] = settings
    items = []
    items.append(items)
    told = "Python: is nested too deeply, or in itself"
    assert complaint(ns.load, settings) == told
    assert complaint(ns.load, "default", settings) == told
    assert complaint(ns.load, "default", {"simulation.seed": items}) == told
    assert complaint(ns.load, "default", {"simulation.seed": FromList()}) == told
    assert complaint(ns.load("bare").override, settings) == told
    assert complaint(ns.load, "default", **settings) == "a group is nested too deeply, or in itself"
    complaint(ns.load, "default", {"simulation.seed": FromPath()})


@pytest.mark.parametrize("wrap", [lambda v: [v], lambda v: (v,), lambda v: {"nand": v}])
@pytest.mark.parametrize("depth", [101, 20_000])
def test_deeply_nested_settings_are_refused(depth, wrap):
    complaint(ns.load, {"nand": nested(depth, wrap)})
    complaint(ns.load, "default", {"nand": nested(depth, wrap)})
    assert "deeper" in complaint(ns.load, "default", {".".join(["nand"] * depth): 1})


def test_mappings_and_paths_of_any_kind_are_read():
    groups = collections.OrderedDict(simulation=collections.UserDict(seed=np.uint8(7)))
    assert ns.load(groups)["simulation.seed"] == 7
    cfg = ns.load("bare", host=collections.UserDict(workload=[{"kind": "trace", "path": Path("web.csv")}]))
    assert cfg["host.workload.path"] == "web.csv"


def test_large_values_are_refused_before_they_are_copied():
    assert "100000 values" in complaint(ns.load, "default", {"nand.coding": np.zeros(1 << 28, dtype=np.uint8)})
    assert "100000 values" in complaint(ns.load, "default", {"nand.coding": [0] * 10**6})
    assert "too long" in complaint(ns.load, "default", {"nand.coding": "x" * 10**7})
    shared = nested(60, lambda v: [v, v])
    assert "100000 values" in complaint(ns.load, "default", {"nand.coding": shared})


def test_very_many_unknown_keys_are_counted(tmp_path):
    unknown = {f"key{k}": k for k in range(20_000)}
    file = tmp_path / "keys.yaml"
    file.write_text("".join(f"{key}: {value}\n" for key, value in unknown.items()))
    for call in (lambda: ns.load(unknown), lambda: ns.load("bare", unknown), lambda: ns.load(file)):
        with pytest.raises(ns.ConfigError, match=r"key0: unknown key.*\n(.*\n)*and 19990 more$"):
            call()
    complaint(ns.load, "default", {f"key{k}": k for k in range(50_000)})


def test_few_lines_of_yaml_that_stand_for_very_many_values_are_refused(tmp_path):
    lines = ["extends: default", "a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" for k in range(1, 10)]
    file = tmp_path / "aliases.yaml"
    file.write_text("\n".join(lines))
    assert "more than 100000 values" in complaint(ns.load, file)


ODD = [
    None,
    b"\xff",
    object(),
    2**70,
    -(2**70),
    10**5000,
    1e400,
    float("nan"),
    -1,
    "\ud800",
    "a\0b",
    "x" * 100_000,
    "\x1b[31m",
    [],
    [[]],
    {},
    {1: 2},
    {"": 1},
    range(3),
    {1, 2},
    1j,
    np.float64("inf"),
    np.array([1, 2]),
    np.array(["a"], dtype=object),
    np.datetime64("2020-01-01"),
    lambda: 1,
]


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_odd_values_in_a_configuration(odd):
    for key in ("simulation.seed", "nand.timing.t_prog_us", "nand.coding", "simulation.data", "host.workload"):
        if key == "host.workload" and isinstance(odd, (list, dict)) and not odd:
            continue
        if taken(lambda key=key: ns.load("bare", {key: odd})) is None:
            assert ns.load("bare").override({key: odd}) == ns.load("bare", {key: odd})
    for call in (ns.load, ns.code_table, ns.read_timing_table, ns.Code, ns.Cells):
        if not isinstance(odd, dict) or odd:
            complaint(call, odd)
    if not isinstance(odd, (str, bytes)):
        complaint(ns.trace, odd)
        complaint(ns.retention_requirements, odd)
        complaint(ns.profile, odd)
        complaint(ns.volume, odd)
    complaint(ns.profile_figures, odd)


@pytest.mark.parametrize("odd", [5, "simulation.seed=1", [("simulation.seed", 1)], b"x", object()])
def test_overrides_that_are_no_mapping(odd):
    complaint(ns.load, "default", odd)
    complaint(ns.load("bare").override, odd)


def test_odd_keys():
    for key in ("", ".", "..", "simulation..seed", "simulation.", "\ud800", "a\0b", "x" * 10**6, "simulation.seed.x"):
        complaint(ns.load, "default", {key: 1})
    complaint(ns.load, "default", {1: 1})
    complaint(ns.load, {1: 1})


@pytest.mark.parametrize("count", [254, 255, 256, 300, 70_000])
def test_any_number_of_workloads(count):
    def run():
        sim = ns.Simulation(
            ns.load("bare", {**TINY, "host.nvme.io_queues": 255, "host.workload": [{"requests": 1}] * count})
        )
        sim.run()
        assert sim.stats()["host"]["all"]["count"] == count

    told = taken(run)
    assert (told is None) == (count <= 254)
    assert told is None or "\n" not in told


def test_names_of_any_length():
    long = "x" * 300
    complaint(ns.load, long)
    complaint(ns.load, long + ".yaml")
    complaint(ns.load, "/".join([long] * 20))
    complaint(ns.Simulation, ns.load("bare", {**TINY, "host.workload": ns.trace(long)}))
    complaint(ns.load, "default", {"host.workload": ns.profile(long)})
    complaint(ns.profile_figures, long)
    complaint(ns.load, "default", {"nand.cells.set": long})
    complaint(ns.code_table, long)
    complaint(ns.read_timing_table, long)
    complaint(ns.Code, long)
    sim = ns.Simulation(ns.load("bare", {**TINY, "host.workload": {"name": long, "requests": 2}}))
    assert sim.run()


@pytest.fixture(params=["folder", "huge", "garbage", "zeros", "mark", "nul", "fifo", "unreadable", "dangling"])
def odd_file(request, tmp_path):
    path = tmp_path / "odd.yaml"
    kind = request.param
    if kind == "folder":
        path.mkdir()
    elif kind == "huge":
        with path.open("wb") as file:
            file.truncate(1 << 40)
    elif kind == "garbage":
        path.write_bytes(np.random.default_rng(1).bytes(1 << 20))
    elif kind == "zeros":
        path.write_bytes(bytes(1 << 16))
    elif kind == "mark":
        path.write_bytes(b"\xef\xbb\xbf" + b"\xff" * 10)
    elif kind == "nul":
        path.write_bytes(b"simulation:\n  seed: 1\0\n")
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "unreadable":
        path.symlink_to("/proc/self/mem")
    elif kind == "dangling":
        path.symlink_to(tmp_path / "nothing")
    return path


def test_invalid_files_are_refused(odd_file, tmp_path):
    extending = tmp_path / "study.yaml"
    extending.write_text("extends: odd.yaml\n")
    for call in (ns.load, ns.code_table, ns.read_timing_table):
        complaint(call, odd_file)
    complaint(ns.load, extending)
    complaint(ns.load, "default", {"nand.cells.set": str(odd_file)})
    complaint(ns.load, "default", {"host.workload": ns.profile(odd_file)})
    complaint(ns.profile_figures, odd_file)


def test_invalid_traces_are_refused(odd_file):
    if odd_file.is_fifo():
        pytest.skip("a trace may come through a pipe, which is waited for")
    cfg = ns.load("bare", {**TINY, "host.workload": ns.trace(odd_file)})
    with pytest.raises((ns.InputError, ns.ConfigError)) as caught:
        ns.Simulation(cfg).run()
    check(str(caught.value))
    with pytest.raises(ns.InputError) as studied:
        ns.retention_requirements(odd_file)
    check(str(studied.value))


def test_a_file_whose_name_is_no_text_is_read(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff\xfe.yaml"
    Path(os.fsdecode(path)).write_text("simulation: {seed: 3}\n")
    assert ns.load(path)["simulation.seed"] == 3
    assert ns.load(os.fsdecode(path))["simulation.seed"] == 3
    trace = os.fsencode(tmp_path) + b"/\xff.csv"
    Path(os.fsdecode(trace)).write_text("time_us,operation,offset_bytes,size_bytes\n1,read,0,4096\n2,read,0,4096\n")
    cfg = ns.load("bare", {**TINY, "host.workload": ns.trace(trace)}).override({"simulation.seed": 4})
    assert ns.run(cfg).stats["host"]["all"]["count"] == 2


ODD_NUMBERS = [None, "1", b"1", [], [1], {}, object(), 2**70, -(10**5000), float("nan"), float("inf"), -1, 1j, 0.5]


@pytest.mark.parametrize("odd", ODD_NUMBERS, ids=range(len(ODD_NUMBERS)))
def test_odd_numbers_for_cells_and_codes(odd):
    cells = ns.Cells("bare", {"nand.cells.set": "tlc_3d_48"})
    table = ns.code_table("ldpc_4096_512")
    code = ns.Code("bch_512_9")
    calls = [
        lambda: cells.rber(odd),
        lambda: cells.rber(0, pe_cycles=odd),
        lambda: cells.rber(0, months=odd),
        lambda: cells.rber(0, retry_step=odd),
        lambda: cells.rber(0, temperature_c=odd),
        lambda: cells.rber(0, block_reads=odd),
        lambda: cells.rber(0, step_mv=odd),
        lambda: cells.levels(retry_step=odd),
        lambda: cells.vth_density(odd, [0.0]),
        lambda: cells.soft_regions(0, levels_per_vref=odd),
        lambda: cells.soft_regions(0, spacing_mv=odd),
        lambda: cells.soft_spacing_mv(0, sensing_levels=odd),
        lambda: cells.sample(cells=odd),
        lambda: cells.program_trace(cells=odd),
        lambda: cells.program(step_mv=odd),
        lambda: cells.senses([odd]),
        lambda: table.failure_probability(1, levels=odd),
        lambda: table.frame_error_rate(odd),
        lambda: table.rber_at(odd),
        lambda: ns.uber(odd),
        lambda: ns.uber(1e-3, codeword_bits=odd),
        lambda: ns.sensed_llr([0, 1], odd, 3),
        lambda: ns.sensed_llr([0, 1], 1e-3, odd),
        lambda: ns.read_timing_table("tlc_3d_48").precharge_reduction(odd, 1),
        lambda: ns.tolerable_rber(odd),
        lambda: ns.content.write_speeds(pe_cycles=odd),
        lambda: ns.content.write_speeds(steps_mv=odd),
        lambda: ns.content.write_speeds(page_failure=odd),
        lambda: ns.content.segment_codes(cells=odd),
        lambda: ns.content.segment_codes(codes=odd),
        lambda: ns.content.SegmentCode(odd, odd, odd, odd, odd).correctable_ber(),
        lambda: ns.content.codes_of_pages(odd),
        lambda: ns.content.Profile(odd),
        lambda: ns.content.Profile(of_pages=odd),
        lambda: ns.content.Profile().segment_shares([1], odd),
        lambda: ns.content.Profile().shares([odd]),
        lambda: ns.content.counts_of(odd),
        lambda: ns.content.counts_of([1, 0, 0, 0], odd),
        lambda: ns.content.state_counts(odd, b"1"),
        lambda: ns.content.state_counts(b"1", b"1", odd),
        lambda: ns.content.symbol_counts(b"1", odd),
        lambda: ns.content.map_counts([[1, 2, 3, 4]], [odd]),
        lambda: ns.retention_relaxation.overwritten_share(odd, 1),
        lambda: ns.retention_relaxation.least_overwritten_share(10, 5, odd),
        lambda: ns.retention_relaxation.least_overwritten_share(10, 5, 20, odd),
        lambda: ns.retention_relaxation.reprogramming_bytes_per_s(10, 5, 20, odd),
        lambda: ns.retention_relaxation.extra_writes_per_year(odd, odd),
        lambda: code.encode(odd),
        lambda: code.decode(odd, odd),
        lambda: code.decode_soft(odd),
    ]
    for call in calls:
        taken(call, (*REFUSALS, IndexError))


@pytest.mark.parametrize(
    "name",
    ["bch_4294967295_4294967295", "bch_0_0", "bch_1_1", "bch_65536_1", "bch_1024_4000", "ldpc_1_1", "ldpc_0_0",
     "ldpc_4294967295_8", "ldpc_4096_4294967295", "concatenated_4294967295_1_1", "concatenated_4096_0_0", "bch_-1_3"],
)  # fmt: skip
def test_codes_that_cannot_be_built(name):
    taken(lambda: ns.Code(name).encode(bytes(ns.Code(name).payload_bytes)))


COMMANDS = [
    ["run", "x" * 300],
    ["run", b"\xff\xfe"],
    ["run", "/"],
    ["run", "/dev/zero"],
    ["run", "default", "--set", b"\xff=1"],
    ["run", "default", "--set", "a=" + "[" * 10_000],
    ["run", "default", "--set", ".".join("a" * 10_000) + "=1"],
    ["run", "default", "--set", "host.workload.kind=\x1b[31m"],
    ["run", "default", "--trace", "/"],
    ["run", "default", "--trace", "x" * 300],
    ["codes", "/"],
    ["content", "/"],
    ["content", "x" * 300],
    ["content", b"\xff\xfe"],
    ["content", "/dev/null"],
    ["retention", "/"],
    ["retention", "x" * 300],
    ["retention", b"\xff\xfe"],
    ["retention", "/dev/null"],
    ["retention", "/dev/null", "--format", "\x1b[31m"],
    ["show", "/etc/passwd"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=range(len(COMMANDS)))
def test_the_command_ends_with_status_2_and_one_line(arguments):
    done = subprocess.run([sys.executable, "-m", "nandscape", *arguments], capture_output=True, timeout=100)
    assert done.returncode == 2
    last = done.stderr.decode().rstrip("\n").split("\n")[-1]
    assert last.startswith("nandscape")
    assert b"Traceback" not in done.stderr
    assert len(done.stderr) < 3000

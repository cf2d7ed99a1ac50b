# SPDX-License-Identifier: Apache-2.0
"""Tests of sweeps: the result table, refused arguments, and points that fail."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import nandscape as ns
from conftest import with_nan
from nandscape.bottleneck import bottleneck
from nandscape.exploration.metrics import flat

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")
pytest.importorskip("cloudpickle")

DEPTH = "host.workload.queue_depth"
PROGRAM = "nand.timing.t_prog_us"
GRID = {DEPTH: [1, 8], PROGRAM: [500, 900]}


@pytest.fixture(scope="module")
def threads():
    with ThreadPoolExecutor(1) as executor:
        yield executor


def test_a_row_for_each_point_and_seed_has_what_a_run_gives(small):
    table = ns.sweep(small, GRID, repeat=2)
    assert isinstance(table, ns.Sweep)
    assert list(table[[DEPTH, PROGRAM, "seed"]].itertuples(index=False, name=None)) == [
        (depth, program, seed) for depth in (1, 8) for program in (500, 900) for seed in (1, 2)
    ]
    assert table["error"].isna().all()
    assert (table["wall_s"] > 0).all()
    for row in table.to_dict("records"):
        point = small.override({key: row[key] for key in GRID} | {"simulation.seed": row["seed"]})
        expected = dict(flat(ns.run(point).stats))
        assert table.metrics == list(expected)
        assert with_nan({name: row[name] for name in expected if name != "simulation.wall_s"}) == {
            name: value for name, value in expected.items() if name != "simulation.wall_s"
        }


def test_points_may_be_listed(small, threads):
    table = ns.sweep(small, [{DEPTH: 1}, {PROGRAM: 900}], metrics="host.iops", executor=threads, seeds=[7, 3])
    assert table[DEPTH].tolist() == [1, 1, 8, 8]
    assert table[PROGRAM].tolist() == [small[PROGRAM]] * 2 + [900] * 2
    assert table["seed"].tolist() == [7, 3, 7, 3]
    assert table.columns.tolist() == [DEPTH, PROGRAM, "seed", "host.iops", "wall_s", "warnings", "error"]


def test_the_grid_is_laid_over_the_workload(small, threads):
    workload = ns.synthetic(requests=300, queue_depth=2)
    table = ns.sweep(small, {DEPTH: np.array([1, 4])}, workload=workload, executor=threads)
    assert table["host.all.count"].tolist() == [300, 300]
    expected = ns.run(small.override({"host.workload": [workload | {"queue_depth": 4}]}))
    assert table["host.iops"][1] == expected.stats["host"]["iops"]


def test_metrics_are_names_groups_and_functions(small):
    metrics = {
        "iops": "host.iops",
        "reads": "host.read",
        "slowest": lambda result: result.latencies().max(),
    }
    table = ns.sweep(small.override({"simulation.request_log": True}), {DEPTH: [8]}, metrics=metrics)
    stats = ns.run(small).stats["host"]
    assert table["iops"][0] == stats["iops"]
    assert table["reads.latency_us.p99"][0] == stats["read"]["latency_us"]["p99"]
    assert table["slowest"][0] == pytest.approx(stats["all"]["latency_us"]["max"])


def test_a_metric_may_be_text(small, tmp_path, capsys):
    from nandscape.cli.sweep import print_table

    def bound(result):
        return bottleneck(result.stats).name

    base = small.override({"simulation.breakdown": True})
    arguments = {"metrics": {"bound": bound}, "store": tmp_path, "repeat": 2}
    table = ns.sweep(base, {DEPTH: [1, 64]}, **arguments)
    names = table["bound"].tolist()
    assert names[:2] == ["host queue depth"] * 2
    assert all(name.startswith("die ") for name in names[2:])
    again = ns.sweep(base, {DEPTH: [1, 64]}, **arguments)
    assert again.equals(table), "the store holds the text"
    print_table(table, sys.stdout)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].endswith("host queue depth")
    assert lines[-1].endswith(", ".join(dict.fromkeys(names[2:])))
    with pytest.raises(TypeError, match="the metric 'bound' is text"):
        table.intervals("bound")
    with pytest.raises(TypeError, match="the metric 'bound' is text"):
        ns.compare(table[:2], table[2:].assign(**{DEPTH: 1}), "bound")


@pytest.mark.parametrize(
    ("grid", "options", "kind", "message"),
    [
        ({"host.workload.queue_dept": [1]}, {}, ns.ConfigError, "did you mean host.workload.queue_depth"),
        ({PROGRAM: [500, "long"]}, {}, ns.ConfigError, f"{PROGRAM}.*'long'"),
        ({"simulation.seed": [1, 2]}, {}, ns.ConfigError, "seeds="),
        ({PROGRAM: 500}, {}, TypeError, f"list of values.*{PROGRAM}"),
        ({PROGRAM: []}, {}, ValueError, "no point"),
        ([], {}, ValueError, "no point"),
        ([500], {}, TypeError, "mapping"),
        (GRID, {"repeat": 0}, ValueError, "once or more"),
        (GRID, {"repeat": 2, "seeds": [1]}, ValueError, "not both"),
        (GRID, {"seeds": [1, 1]}, ValueError, "twice"),
        (GRID, {"seeds": [-1]}, ValueError, "-1"),
        (GRID, {"metrics": ["host.raed"]}, ns.InputError, "did you mean host.read"),
        (GRID, {"metrics": {"error": "host.iops"}}, ValueError, "another name"),
        (GRID, {"metrics": [7]}, TypeError, "7"),
        (GRID, {"warm_start": __file__}, ns.InputError, "test_sweep.py"),
        (GRID, {"warm_start": "missing"}, FileNotFoundError, "missing"),
    ],
)
def test_invalid_arguments_are_refused_before_anything_runs(small, grid, options, kind, message, threads):
    with pytest.raises(kind, match=message):
        ns.sweep(small, grid, executor=threads, **options)


def test_a_point_that_contradicts_itself_is_a_row_with_its_error(small, threads):
    # The blocks that the drive keeps for itself are a tenth of 64 blocks, more than the over-provisioning of 0.07
    # provides, but a much smaller share of 256 blocks.
    grid = {"nand.geometry.blocks_per_plane": [64, 256], "controller.mapping.over_provisioning": [0.07, 0.25]}
    table = ns.sweep(small, grid, executor=threads, metrics="host.iops")
    assert len(table) == 4
    assert table["error"].notna().tolist() == [True, False, False, False]
    assert table["error"][0].startswith("ConfigError: ")
    assert np.isnan(table["host.iops"][0])
    assert len(table.done) == 3


def test_a_run_that_fails_is_a_row_with_its_error(small, threads, tmp_path, trace_file):
    (tmp_path / "broken.csv").write_text("time_us,operation,offset_bytes,size_bytes\n0,read,x,4096\n")
    traces = [[ns.trace(tmp_path / "broken.csv")], [ns.trace(trace_file)]]
    table = ns.sweep(small, {"host.workload": traces}, executor=threads)
    assert table["error"][0].startswith("InputError: ")
    assert "broken.csv" in table["error"][0]
    assert table["error"][1] is None
    assert table["host.all.count"][1] == 41


def test_a_saturated_run_is_told_in_its_row(small, threads):
    workload = ns.synthetic(requests=500, pacing="open", rate_iops=1000)
    table = ns.sweep(small, {"host.workload.rate_iops": [100.0, 1e7]}, workload=workload, executor=threads)
    assert table["warnings"][0] is None
    assert "latencies grow" in table["warnings"][1]
    assert table["host.saturated"].tolist() == [0, 1]


def test_a_key_that_does_nothing_is_told_once(small, threads):
    with pytest.warns(ns.ConfigWarning) as told:
        ns.sweep(small, {"nand.condition.pe_cycles": [1, 2, 3]}, executor=threads)
    assert len(told) == 1
    assert told[0].filename == __file__


def test_the_table_has_its_dimensions(small, threads):
    pytest.importorskip("xarray")
    workloads = [[ns.synthetic(requests=100)], [ns.synthetic(requests=200)]]
    grid = [{PROGRAM: 900, "host.workload": workloads[0]}, {PROGRAM: 500, "host.workload": workloads[1]}]
    data = ns.sweep(small, grid, executor=threads, metrics="host.all.count", repeat=2).to_xarray()
    assert data["host.all.count"].dims == (PROGRAM, "host.workload", "seed")
    assert data[PROGRAM].values.tolist() == [900, 500], "the order is that of the points"
    counts = data["host.all.count"].sel({"seed": 2}).values
    assert np.array_equal(counts, [[100, np.nan], [np.nan, 200]], equal_nan=True)

    single = ns.sweep(small, {PROGRAM: [500, 900]}, executor=threads, metrics="host.iops")
    assert single.to_xarray()["host.iops"].dims == (PROGRAM,)
    with pytest.raises(ValueError, match="twice"):
        pd.concat([single, single]).to_xarray()


def test_a_selection_is_a_sweep(small, threads):
    table = ns.sweep(small, GRID, executor=threads, metrics="host.iops")
    part = table[table[DEPTH] == 8]
    assert isinstance(part, ns.Sweep)
    assert (part.parameters, part.metrics) == (list(GRID), ["host.iops"])


def test_all_points_go_on_from_one_drive(small, threads, tmp_path):
    base = small.override({"controller.precondition.distribution": "steady_state"})
    grid = {DEPTH: [1, 4], "controller.scheduler.policy": ["fifo", "out_of_order"]}
    table = ns.sweep(base, grid, executor=threads, warm_start=True, repeat=2, metrics="host.read")
    assert table["error"].isna().all()
    for row in table.to_dict("records"):
        drive = base.override({"simulation.seed": row["seed"]})
        ns.Simulation(drive).checkpoint(tmp_path / "drive")
        simulation = ns.Simulation.restore(tmp_path / "drive", {key: row[key] for key in grid})
        simulation.run()
        assert with_nan({name: row[name] for name in table.metrics}) == {
            f"host.read.{name}": value for name, value in flat(simulation.stats()["host"]["read"])
        }


def aged(simulation: ns.Simulation) -> None:
    simulation.advance("30d")


@pytest.mark.parametrize("warm_start", [False, True])
def test_each_drive_is_prepared(small, threads, warm_start):
    grid = {DEPTH: [1, 4]}
    worn = small.override({"simulation.cells": "statistical", "nand.condition.pe_cycles": 2000})
    table = ns.sweep(worn, grid, executor=threads, prepare=aged, warm_start=warm_start, metrics="nand.senses")
    for row in table.to_dict("records"):
        simulation = ns.Simulation(worn.override({DEPTH: row[DEPTH]}))
        aged(simulation)
        simulation.run()
        assert row["nand.senses"] == simulation.stats()["nand"]["senses"]
    unprepared = ns.sweep(worn, grid, executor=threads, metrics="nand.senses")
    assert (table["nand.senses"] > unprepared["nand.senses"]).all()


def test_an_exception_of_prepare_is_the_error_of_the_point(small, threads):
    def too_far(simulation: ns.Simulation) -> None:
        simulation.advance("200y")

    table = ns.sweep(small, {DEPTH: [1]}, executor=threads, prepare=too_far, metrics="host.iops")
    assert table["error"][0].startswith("RequestError: at most 100 years")


def ends_the_program(simulation: ns.Simulation) -> None:
    if simulation.config[DEPTH] == 4 or simulation.config["simulation.seed"] == 5:
        raise SystemExit(3)


def ends_it_as_well(result: ns.Result) -> float:
    if result.config[DEPTH] == 4:
        sys.exit("enough")
    return 1.0


def test_an_exit_of_the_program_is_the_error_of_the_point(small, threads):
    grid = {DEPTH: [1, 4, 8]}
    for options in ({"executor": threads}, {}):
        table = ns.sweep(small, grid, prepare=ends_the_program, metrics="host.iops", progress=False, **options)
        assert table["error"].notna().tolist() == [False, True, False]
        assert table["error"][1] == "SystemExit: the program was to end with status 3"
        assert (table.done["host.iops"] > 0).all()
    table = ns.sweep(small, grid, executor=threads, metrics={"mine": ends_it_as_well})
    assert table["error"].notna().tolist() == [False, True, False]
    assert "'enough'" in table["error"][1]


def test_a_drive_that_could_not_be_prepared_is_the_error_of_its_points(small, threads):
    grid = {DEPTH: [1, 8]}
    kept = {"executor": threads, "metrics": "host.iops", "prepare": ends_the_program, "warm_start": True}
    table = ns.sweep(small, grid, seeds=[1, 5], **kept)
    assert (table["error"].isna() == (table["seed"] == 1)).all()


def test_a_store_knows_how_drives_were_prepared(small, threads, tmp_path):
    kept = {"executor": threads, "metrics": "nand.senses", "store": tmp_path / "store"}
    worn = small.override({"simulation.cells": "statistical", "nand.condition.pe_cycles": 2000})
    prepared = ns.sweep(worn, {DEPTH: [1]}, prepare=aged, **kept)
    unprepared = ns.sweep(worn, {DEPTH: [1]}, **kept)
    assert prepared["nand.senses"][0] > unprepared["nand.senses"][0]
    again = ns.sweep(worn, {DEPTH: [1]}, prepare=aged, **kept)
    assert again["wall_s"][0] == prepared["wall_s"][0], "it was not run again"


def test_a_checkpoint_is_prepared_already(small, threads, tmp_path):
    ns.Simulation(small).checkpoint(tmp_path / "drive")
    with pytest.raises(ValueError, match="is prepared already; prepare it before it is saved"):
        ns.sweep(small, {DEPTH: [1]}, executor=threads, prepare=aged, warm_start=tmp_path / "drive")


def test_a_warm_start_cannot_change_what_its_state_depends_on(small, threads, tmp_path):
    ns.Simulation(small).checkpoint(tmp_path / "drive")
    grid = {"ecc.correctable_bits": [72, 50]}
    for warm_start in (True, tmp_path / "drive"):
        table = ns.sweep(small, grid, executor=threads, warm_start=warm_start, metrics="host.iops")
        assert table["error"][0] is None
        assert "ecc.correctable_bits" in table["error"][1]
    other_seed = ns.sweep(small, {DEPTH: [1]}, executor=threads, warm_start=tmp_path / "drive", seeds=[5])
    assert "simulation.seed" in other_seed["error"][0]


def test_without_pandas_it_says_what_is_missing():
    program = """if True:
        import sys
        import nandscape as ns
        assert "pandas" not in sys.modules
        assert "sweep" in dir(ns)
        sys.modules["pandas"] = None
        try:
            ns.sweep
        except ImportError as error:
            print(error)
        try:
            ns.sweeep
        except AttributeError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "needs pandas, which is not installed: pip install 'nandscape[sweep]'" in done.stdout
    assert "no attribute 'sweeep'" in done.stdout

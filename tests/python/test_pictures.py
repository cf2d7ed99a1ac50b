# SPDX-License-Identifier: Apache-2.0
"""Tests that pictures show the figures of their results with units, and that no text covers another one."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

import nandscape as ns
from nandscape import pictures
from nandscape.pictures.curves import over_time, tail
from nandscape.pictures.labels import label_of, short

PARTS = {"die_wait": 800.0, "array": 90.0, "bus": 40.0, "ecc": 20.0, "link": 1.5, "idle": 0.0}


@pytest.fixture(scope="module")
def runs():
    drive = ns.load("bare", {"host.workload.requests": 1500, "host.workload.queue_depth": 8})
    return {
        "slow": ns.run(drive.override({"nand.timing.t_prog_us": 900})),
        "fast": ns.run(drive.override({"nand.timing.t_prog_us": 300})),
    }


def marks(figure: Figure) -> list[tuple[float, float]]:
    """Returns the positions of the marks of published values, panel by panel."""
    lines = [line for axes in figure.axes for line in axes.lines if line.get_marker() == "D"]
    return [(float(x), float(y)) for line in lines for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)]


def check_text(figure: Figure) -> None:
    """Checks that all axes have labels, and that no two texts of the figure overlap."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    hidden = {
        label
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
        for label in (tick.label1, tick.label2)
    }
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts if text not in hidden]
    for (words, box), (other, covered) in itertools.combinations(boxes, 2):
        beside = box.x1 - 1 <= covered.x0 or covered.x1 <= box.x0 + 1
        above = box.y1 - 1 <= covered.y0 or covered.y1 <= box.y0 + 1
        assert beside or above, f"{words!r} and {other!r} cover one another"
    assert any(axes.get_xlabel() or axes.get_ylabel() for axes in figure.axes)


def test_distributions_are_those_of_the_requests(runs):
    figure = runs["slow"].draw.latencies()
    check_text(figure)
    share, slower = figure.axes
    assert share.get_xlabel() == "latency (µs)"
    for line, kind in zip(share.lines, ("read", "write"), strict=True):
        x, y = line.get_data()
        latencies = runs["slow"].latencies(kind)
        assert x[-1] == latencies.max()
        at = len(x) // 2
        assert np.mean(latencies < x[at]) <= y[at] / 100 + 1e-9
        assert y[at] / 100 - 1e-9 <= np.mean(latencies <= x[at])
    assert "p99 " in share.lines[0].get_label()
    assert len(slower.lines) == 4, "a curve and its marks for each kind"


def test_distributions_of_several_runs_and_published_marks(runs):
    figure = pictures.latencies(runs, "write", published={"p50": 500, "p99": 2000})
    check_text(figure)
    assert [line.get_label().split(",")[0] for line in figure.axes[0].lines[:2]] == ["slow", "fast"]
    assert marks(figure) == [(500, 50), (2000, 99), (500, 0.5), (2000, pytest.approx(0.01))]
    with pytest.raises(ValueError, match="'p98' is not a quantile; the quantiles are p50"):
        pictures.latencies(runs, published={"p98": 1})
    with pytest.raises(ValueError, match="'fetch' is not a kind"):
        pictures.latencies(runs, "fetch")
    with pytest.raises(ValueError, match="no run has a request of the kind trim"):
        pictures.latencies(runs, "trim")


def test_without_single_requests_quantiles_of_the_statistics_are_drawn(runs):
    result = runs["fast"]
    bare = ns.Result(result.config, result.stats, {name: column[:0] for name, column in result.requests.items()})
    curve = tail(bare, "read")
    assert not curve.complete
    quantiles = result.stats["host"]["read"]["latency_us"]
    assert curve.marks["p99"] == quantiles["p99"]
    assert curve.latency_us[-1] == quantiles["max"]
    assert curve.slower[0] == 0.5
    check_text(bare.draw.latencies())
    with pytest.raises(ValueError, match="request_log: true"):
        bare.draw.latency_over_time()


def test_latencies_over_time_count_every_request(runs):
    result = runs["slow"]
    curve = over_time(result, "read", windows=7)
    counted = curve.per_s * curve.window_ms * 1e-3
    assert counted.sum() == pytest.approx(result.stats["host"]["read"]["count"])
    assert curve.max_us.max() == result.latencies("read").max()
    assert all((of_kind.latency_us <= curve.max_us.max()).all() for of_kind in curve.quantiles.values())
    assert curve.quantiles["p50"].latency_us.size == 7
    check_text(result.draw.latency_over_time())
    figure = pictures.latency_over_time(runs, "write")
    check_text(figure)
    assert figure.axes[0].get_ylabel() == "write latency (µs)"


def test_utilisation_is_in_percent(runs):
    figure = pictures.utilisation(runs, published={"fast": {"die": 0.5}})
    check_text(figure)
    (axes,) = figure.axes
    heights = [[bar.get_height() for bar in bars] for bars in axes.containers]
    shares = [runs[name].stats["utilisation"] for name in runs]
    assert [of_run[-1] for of_run in heights] == [pytest.approx(100 * of_run["die"]) for of_run in shares]
    ((_, height),) = marks(figure)
    assert height == 50
    check_text(runs["slow"].draw.utilisation())


def test_single_channels_and_dies():
    shares = {"channel": {"0": 0.25, "1": 0.75}, "die": {str(die): die / 64 for die in range(64)}, "firmware": 0.5}
    figure = pictures.busy_units(shares)
    check_text(figure)
    heights = [[bar.get_height() for bar in axes.patches] for axes in figure.axes]
    assert heights[0] == [25, 75]
    assert len(heights[1]) == 64
    assert [axes.lines[0].get_ydata()[0] for axes in figure.axes] == [50, pytest.approx(np.mean(heights[1]))]
    with pytest.raises(ValueError, match="unknown kind of unit 'firmware'; choose one of channel, die"):
        pictures.busy_units(shares, kinds=["firmware"])


def test_a_waterfall_adds_up():
    figure = pictures.waterfall(PARTS, published={"array": 120.0})
    check_text(figure)
    (axes,) = figure.axes
    bars = [bar for container in axes.containers for bar in container]
    ends = [bar.get_x() + bar.get_width() for bar in bars]
    assert [bar.get_x() for bar in bars[1:-1]] == ends[:-2], "each begins where the one before it ends"
    assert bars[-1].get_width() == pytest.approx(sum(PARTS.values()))
    assert marks(figure) == [(920.0, 1.0)]
    words = [text.get_text() for text in axes.texts]
    assert "800 µs, 84%" in words
    large = pictures.waterfall({"die": 13_216.4, "link": 1.5})
    assert [text.get_text() for text in large.axes[0].texts] == ["13,216 µs, 100%", "1.5 µs, 0%", "13,218 µs"]
    assert not any("idle" in label.get_text() for label in axes.get_yticklabels()), "no time, no bar"
    with pytest.raises(ValueError, match="'decoder' is published, but is not a part; the parts are die_wait"):
        pictures.waterfall(PARTS, published={"decoder": 1.0})


def test_a_breakdown_is_taken_from_the_statistics(runs):
    result = runs["slow"]
    told = ns.Result(
        result.config,
        {
            **result.stats,
            "host": {**result.stats["host"], "read": {"breakdown_us": PARTS, "slowest_breakdown_us": {"bus": 5.0}}},
        },
        result.requests,
    )
    assert pictures.runs.parts_of(told) == PARTS
    assert [text.get_text() for text in told.draw.waterfall(slowest=True).axes[0].texts] == ["5 µs", "5 µs"]
    figure = pictures.breakdown({"told": told, "half": {name: value / 2 for name, value in PARTS.items()}})
    check_text(figure)
    assert {text.get_text() for text in figure.axes[0].texts} == {"952", "476"}
    if "breakdown_us" not in result.stats["host"]["read"]:
        with pytest.raises(ValueError, match=r"no host\.read\.breakdown_us"):
            result.draw.waterfall()


def test_bars_carry_what_is_published():
    figure = pictures.bars({"E0": {"web": 0.8, "mail": 0.7}, "E20": {"web": 0.6}}, published={"E20": {"web": 0.5}})
    ((x, y),) = marks(figure)
    assert y == 0.5
    assert 0 < x < 0.5, "on the second bar of the first group"
    with pytest.raises(ValueError, match="'news' of 'E0' is published, but has no bar"):
        pictures.bars({"E0": {"web": 1.0}}, published={"E0": {"news": 1.0}})


def test_cells_on_their_own():
    cells = ns.Cells("default")
    figure = cells.draw.threshold_voltages([(0, 0), (2000, 12)], published=[0.0])
    check_text(figure)
    for axes, (cycles, months) in zip(figure.axes, [(0, 0), (2000, 12)], strict=True):
        dashed = [line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 2]
        assert dashed == cells.levels(cycles, months).tolist()
        areas = [5 * line.get_ydata().sum() for line in axes.lines if len(line.get_xdata()) > 2]
        assert areas == [pytest.approx(1000, rel=1e-3)] * cells.states

    figure = cells.draw.error_rates({"months": [0, 3]}, {"layer": [0, 20, 40]}, page=1, pe_cycles=1000)
    check_text(figure)
    shades = figure.axes[0].images[0].get_array()
    assert shades[2, 1] == cells.rber(1, 1000, 3, layer=40)
    assert figure.axes[0].get_xlabel() == "retention at 30 °C (months)"

    figure = cells.draw.retry_steps({"months": [0, 12]}, {"pe_cycles": [0, 2000]}, page=2, published={(12, 2000): 19})
    check_text(figure)
    steps = figure.axes[0].images[0].get_array()
    found = int(steps[1, 1])
    assert cells.rber(2, 2000, 12, retry_step=found) * 9216 <= 72 < cells.rber(2, 2000, 12, retry_step=found - 1) * 9216
    assert f"{found}\n(19)" in [text.get_text() for text in figure.axes[0].texts]
    with pytest.raises(ValueError, match="unknown condition 'age'; choose one of pe_cycles"):
        cells.draw.error_rates({"age": [1]}, {"months": [1]})
    with pytest.raises(ValueError, match="x is one condition with its values"):
        cells.draw.error_rates({}, {"months": [1]})


def test_names_become_labels_with_units():
    assert label_of("host.read.latency_us.p99") == "host read latency p99 (µs)"
    assert label_of("host.bandwidth_mib_s") == "host bandwidth (MiB/s)"
    assert label_of("controller.read_retry.steps") == "controller read retry steps"
    assert short("nand.timing.t_prog_us") == "t_prog (µs)"
    assert short("nand.condition.pe_cycles") == "P/E cycles"
    assert short("channel.rate_mt_s") == "rate (MT/s)"
    assert short("channel.count") == "channel count"


def test_a_picture_is_written_whole_or_not_at_all(runs, tmp_path):
    figure = runs["slow"].draw.utilisation()
    pictures.save(figure, tmp_path / "used.svg")
    assert "<svg" in (tmp_path / "used.svg").read_text()
    with pytest.raises(ValueError, match="zzz"):
        pictures.save(figure, tmp_path / "used.zzz")
    assert [path.name for path in tmp_path.iterdir()] == ["used.svg"]


def table_of(rows):
    """Returns a sweep; each row has the parameters, the seed and the IOPS, or None for a run that failed."""
    pytest.importorskip("pandas")
    from nandscape.exploration.frame import table
    from nandscape.exploration.points import Point
    from nandscape.exploration.running import Outcome

    points = [Point(parameters, seed, None, None) for parameters, seed, _ in rows]
    outcomes = [
        Outcome(error="Error: nothing") if iops is None else Outcome({"host.iops": iops}, 0.1) for *_, iops in rows
    ]
    return table(points, dict(enumerate(outcomes)))


@pytest.fixture(scope="module")
def table():
    rows = []
    for cycles, policy, seed in itertools.product([1000, 0], ["none", "regular"], [1, 2]):
        parameters = {"nand.condition.pe_cycles": cycles, "controller.read_retry.policy": policy}
        figure = cycles + 10.0 * (policy == "regular") + seed
        rows.append((parameters, seed, figure if len(rows) < 6 else None))
    return table_of(rows)


def test_a_heat_map_has_means_in_its_cells(table):
    figure = table.draw.heat_map("host.iops", published={("none", 0): 3.0})
    check_text(figure)
    axes, _ = figure.axes
    assert [text.get_text() for text in axes.texts] == ["1.5\n(3)", "1,002", "1,012"], "a point that failed is blank"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0", "1,000"], "numbers from the least on"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("read retry policy", "P/E cycles")
    turned = table.draw.heat_map("host.iops", x="nand.condition.pe_cycles")
    assert turned.axes[0].get_ylabel() == "read retry policy"


def test_a_map_and_lines_ask_for_what_is_missing(table):
    with pytest.raises(KeyError, match=r"no column 'host\.ipos'"):
        table.draw.heat_map("host.ipos")
    with pytest.raises(ValueError, match="unknown parameter of the table 'depth'; choose one of nand"):
        table.draw.lines("host.iops", x="depth")
    one = table[table["nand.condition.pe_cycles"] == 1000]
    with pytest.raises(ValueError, match=r"name x and y, .*: controller\.read_retry\.policy"):
        one.draw.heat_map("host.iops")
    with pytest.raises(ValueError, match=r"pe_cycles has several values; select one: table\[table\["):
        pictures.sweeps._means(table, "host.iops", ("controller.read_retry.policy",))


def test_a_parameter_that_varies_with_another_stands_on_its_axis():
    shapes = ((8, 4), (16, 2), (32, 1))
    rows = []
    for (channels, dies), depth in itertools.product(shapes, (1, 64)):
        parameters = {
            "channel.count": channels,
            "nand.geometry.dies_per_chip": dies,
            "host.workload.queue_depth": depth,
        }
        rows.append((parameters, 1, float(channels * depth)))
    coupled = table_of(rows)
    axes, _ = coupled.draw.heat_map("host.iops").axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("queue depth", "channel count, dies per chip")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["8, 4", "16, 2", "32, 1"]
    assert [text.get_text() for text in axes.texts] == ["8", "512", "16", "1,024", "32", "2,048"]
    by_dies = coupled.draw.lines("host.iops", "host.workload.queue_depth", "nand.geometry.dies_per_chip").axes[0]
    assert [line.get_ydata().tolist() for line, *_ in by_dies.containers] == [[32, 2048], [16, 1024], [8, 512]]
    with pytest.raises(ValueError, match="select one: "):
        coupled.draw.heat_map("host.iops", "channel.count", "nand.geometry.dies_per_chip")


def test_three_objectives_have_a_panel_for_each_pair(table):
    trials = table[:6].assign(cost=[5.0, 3, 9, 4, 8, 7], watts=[1.0, 2, 3, 4, 5, 6])
    directions = {"cost": "minimize", "host.iops": "maximize", "watts": "minimize"}
    found = SimpleNamespace(trials=trials, front=trials.iloc[[0, 1]], directions=directions, constraints=())
    figure = pictures.front(found)
    check_text(figure)
    shown = [(panel.get_xlabel().split(",")[0], panel.get_ylabel().split(",")[0]) for panel in figure.axes]
    assert shown == [("cost", "host IOPS"), ("cost", "watts"), ("host IOPS", "watts")]
    assert len(pictures.front(found, x="cost", y="watts").axes) == 1
    with pytest.raises(ValueError, match=r"name x and y, two of the objectives: cost, host\.iops, watts"):
        pictures.front(found, published={"theirs": (1.0, 2.0)})


def test_lines_have_intervals_and_marks(table):
    x, by = "nand.condition.pe_cycles", "controller.read_retry.policy"
    figure = table.draw.lines("host.iops", x, by, published={"none": {1000: 900.0}})
    check_text(figure)
    (axes,) = figure.axes
    assert [line.get_xdata().tolist() for line, *_ in axes.containers] == [[1000, 0], [1000, 0]]
    assert axes.containers[0][0].get_ydata().tolist()[0] == 1001.5
    assert marks(figure) == [(1000, 900)]
    assert axes.get_legend_handles_labels()[1][-1] == "read retry policy regular"
    with pytest.raises(
        ValueError, match=r"unknown value of controller\.read_retry\.policy 'soft'; choose one of none, regular"
    ):
        table.draw.lines("host.iops", x, by, published={"soft": {1000: 1.0}})
    words = table.draw.lines("host.iops", by, x)
    assert [label.get_text() for label in words.axes[0].get_xticklabels()] == ["none", "regular"]


def test_a_front_is_drawn_in_steps_that_do_not_promise_too_much(table):
    trials = table[:6].assign(**{"cost": [5.0, 3, 9, 4, 8, 7], "constraint": [-1.0, 0, 0, 1, 0, 0]})
    front = trials.iloc[[0, 1]]
    for direction, style in (("minimize", "steps-post"), ("maximize", "steps-pre")):
        found = SimpleNamespace(
            trials=trials,
            front=front,
            directions={"cost": direction, "host.iops": "maximize"},
            constraints=("constraint",),
        )
        figure = pictures.front(found, published={"theirs": (4.0, 1010.0)})
        check_text(figure)
        lines = {line.get_label(): line for line in figure.axes[0].lines}
        assert lines["2 on the front"].get_drawstyle() == style
        assert lines["2 on the front"].get_xdata().tolist() == [3, 5]
        assert lines["1 violating the constraint"].get_xdata().tolist() == [4]
        assert lines["3 dominated"].get_xdata().tolist() == [9, 8, 7]
    assert "host IOPS, higher is better" in figure.axes[0].get_ylabel()
    single = SimpleNamespace(trials=trials, front=front, directions={"cost": "minimize"}, constraints=("constraint",))
    best = pictures.front(single).axes[0].lines[1].get_ydata()
    assert best.tolist() == [5, 3, 3, 3, 3, 3]
    with pytest.raises(ValueError, match="unknown objective of this search 'price'; choose one of cost"):
        pictures.front(single, x="price")

# SPDX-License-Identifier: Apache-2.0
"""Tests of the pages of sweeps and searches: their points, their text, and how a browser draws them."""

import html
import itertools
import json
import math
import re
import shlex
from types import SimpleNamespace

import pytest

import nandscape as ns
from browser import Browser, chromium

pd = pytest.importorskip("pandas")
pytest.importorskip("plotly")

from nandscape.config import from_file  # noqa: E402
from nandscape.exploration.frame import table as table_of_points  # noqa: E402
from nandscape.exploration.points import Point  # noqa: E402
from nandscape.exploration.running import Outcome  # noqa: E402
from nandscape.reporting import points  # noqa: E402
from nandscape.reporting.configurations import Commands  # noqa: E402
from nandscape.reporting.sweeps import search_subject  # noqa: E402

DEPTH, PROGRAM = "host.workload.queue_depth", "nand.timing.t_prog_us"
CYCLES, SUSPEND = "nand.condition.pe_cycles", "controller.scheduler.suspend"
IOPS, P99 = "host.iops", "host.read.latency_us.p99"
needs_a_browser = pytest.mark.skipif(chromium() is None, reason="no Chromium is installed; make browser installs it")


def table_of(rows, base="bare"):
    """Returns a sweep; each row has the parameters, the seed, and the metrics by name or the text of an error."""
    made = [Point(parameters, seed, None, None) for parameters, seed, _ in rows]
    outcomes = [
        Outcome(error=told) if isinstance(told, str) else Outcome(told, 0.1, "not <b>steady</b>" if seed == 2 else None)
        for _, seed, told in rows
    ]
    return table_of_points(made, dict(enumerate(outcomes)), base and ns.load(base))


@pytest.fixture(scope="module")
def table():
    """Returns a sweep of 12 points with two seeds each, of which the last point fails. The 99th percentile of the first
    point is unknown."""
    rows = []
    for program, depth, seed in itertools.product([900, 300, 600], [1, 8, 64, 512], [1, 2]):
        iops = 1e6 * depth / (program + 10 * depth) + seed
        figures = {IOPS: iops, P99: 50.0 + program * depth / 10 + seed, "host.read.count": 70.0}
        figures["limit"] = "die 3" if depth > 8 else "host <queue> depth"
        if len(rows) < 2:
            figures[P99] = math.nan
        rows.append(({PROGRAM: program, DEPTH: depth}, seed, figures if len(rows) < 22 else "Error: <i>full</i>"))
    return table_of(rows)


def search_of(directions, constraints=("constraint",)):
    """Returns a search of 40 trials, of which one fails and some violate the constraint."""
    rows = []
    for number in range(40):
        depth, program = 1 + (7 * number) % 64, 300 + 13 * number
        figures = {"iops": 1e5 * depth / (20 + depth), "latency": 40.0 + depth + program / 50, "watts": 1.0 + depth % 9}
        figures["constraint"] = figures["latency"] - 90
        suspend = ["none", "program_erase"][number % 2]
        rows.append(({DEPTH: depth, PROGRAM: program, SUSPEND: suspend}, 1, figures if number != 5 else "Error: lost"))
    trials = table_of(rows)
    costs = trials[list(directions)].to_numpy() * [1 if way == "minimize" else -1 for way in directions.values()]
    allowed = (trials["constraint"] <= 0).to_numpy()
    best = [
        allowed[number] and not any(allowed[k] and (o <= one).all() and (o < one).any() for k, o in enumerate(costs))
        for number, one in enumerate(costs)
    ]
    limits = dict.fromkeys(constraints, "latency <= 90")
    return ns.Exploration(trials, trials[best], directions, None, limits)


TWO = {"latency": "minimize", "iops": "maximize"}
THREE = TWO | {"watts": "minimize"}


def text_of(path):
    return re.sub(r"<script.*?</script>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def data_of(path):
    """Returns the points that the page holds."""
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json" id="points">(.*?)</script>', text)[1])


def test_points_are_means_with_their_intervals(table):
    data = points.of_sweep(table, Commands(None))
    metrics = {metric["name"]: metric for metric in data["metrics"]}
    assert list(metrics) == [IOPS, P99, "limit"], "a metric that is the same in all runs is not offered"
    assert [metrics[name]["direction"] for name in (IOPS, P99)] == ["maximize", "minimize"]
    intervals = table.intervals(IOPS)
    for column in ("mean", "low", "high"):
        assert metrics[IOPS][column][:-1] == pytest.approx(intervals[column].tolist()[:-1], rel=1e-5)
        assert metrics[IOPS][column][-1] is None, "all runs of the point failed"
    assert metrics[P99]["mean"][0] is None, "too few samples"
    assert metrics["limit"]["mean"][:3] == ["host <queue> depth", "host <queue> depth", "die 3"]
    assert data["runs"] == [2] * 11 + [0]
    assert data["seeds"][0] == "1, 2"
    program, depth = data["parameters"]
    assert (program["label"], program["values"]) == ("t_prog (µs)", [300, 600, 900])
    assert program["at"] == [2] * 4 + [0] * 4 + [1] * 4
    assert depth["at"] == [0, 1, 2, 3] * 3


def test_parameters_that_vary_together_share_an_axis():
    rows = [
        ({"channel.count": channels, "nand.geometry.dies_per_chip": 16 // channels, SUSPEND: suspend}, 1, {IOPS: 1.0})
        for channels, suspend in itertools.product((2, 4, 8), ("none", "program_erase"))
    ]
    data = points.of_sweep(table_of(rows), Commands(None))
    assert [axis["label"] for axis in data["axes"]] == ["channel count, dies per chip", "suspend"]
    assert data["axes"][0]["texts"] == ["2, 8", "4, 4", "8, 2"]
    assert len(data["parameters"]) == 3
    assert [metric["name"] for metric in data["metrics"]] == [IOPS], "none varies, and the page shows what there is"


def test_workloads_are_told_by_the_keys_in_which_they_differ():
    mixes = [
        [ns.synthetic(requests=9, read_percent=70)],
        [ns.synthetic(requests=9, read_percent=20)],
        [ns.profile("ycsb_a", requests=9), ns.profile("ycsb_b", requests=9)],
    ]
    table = table_of([({"host.workload": mix}, 1, {IOPS: float(place)}) for place, mix in enumerate(mixes)])
    texts = points.of_sweep(table, Commands(None))["axes"][0]["texts"]
    assert texts[0] == "kind synthetic, requests 9, read_percent 70"
    assert texts[1] == "kind synthetic, requests 9, read_percent 20"
    assert texts[2].startswith("0.kind profile, 0.profile ycsb_a, ")
    assert max(map(len, texts)) <= 48


def test_the_trials_of_a_search_are_points_of_their_own():
    found = search_of(THREE)
    data = points.of_search(found, Commands(None))
    assert [(metric["name"], metric["direction"]) for metric in data["metrics"]] == list(THREE.items())
    assert [number for number, front in enumerate(data["front"]) if front] == found.front.index.tolist()
    assert data["allowed"] == (found.trials["constraint"] <= 0).tolist()
    assert len(data["runs"]) == 40


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {PROGRAM: 450, "simulation.cells": "statistical", "host.workload.requests": 77},
        {"host.workload": [ns.synthetic(requests=5), ns.synthetic(requests=6, read_percent=10)]},
    ],
)
def test_the_command_of_a_point_gives_its_configuration(changes):
    base = ns.load("bare", changes)
    commands = Commands(base)
    mixed = [ns.synthetic(requests=9, block_bytes=8192)]
    for point in ({CYCLES: 30, SUSPEND: "none"}, {"host.workload": mixed}, {CYCLES: None}):
        nandscape, run, name, *words = shlex.split(commands.of(point, 7))
        assert (nandscape, run, name) == ("nandscape", "run", "bare")
        settings = [word for word in words if word not in ("--set", "\n")]
        wanted = {key: value for key, value in point.items() if value is not None}
        assert from_file(name, settings) == base.override(wanted | {"simulation.seed": 7})


def test_the_command_of_a_base_without_a_file_names_one(table, tmp_path):
    base = ns.load({"extends": "bare", "nand": {"timing": {"t_prog_us": 444}}})
    commands = Commands(base)
    assert not commands.is_named
    assert commands.of({DEPTH: 3}, 1).startswith("nandscape run base.yaml \\\n  --set host.workload.queue_depth=3")
    other = table[:4]
    other.base = base
    ns.report(other, tmp_path / "page.html")
    text = text_of(tmp_path / "page.html")
    assert "<h1>Sweep</h1>" in text
    (tmp_path / "base.yaml").write_text(html.unescape(re.search("<pre>(.*?)</pre>", text, re.DOTALL)[1]))
    assert ns.load(tmp_path / "base.yaml") == base


def test_a_sweep_knows_its_base(table):
    assert table.base == ns.load("bare")
    assert table[:3].base == table.base
    assert pd.concat([table[:2], table[2:]]).base == table.base
    assert pd.concat([table, table_of([({DEPTH: 1}, 1, {IOPS: 1.0})], "default")]).base is None
    keys = {DEPTH: [1, 2]}
    swept = ns.sweep("bare", keys, workload=ns.synthetic(requests=20), metrics=IOPS, progress=False)
    assert swept.base == ns.load("bare", {"host.workload": [ns.synthetic(requests=20)]})


def test_the_page_of_a_sweep_says_what_was_run(table, tmp_path):
    ns.report(table, tmp_path / "page.html")
    text = text_of(tmp_path / "page.html")
    assert "<h1>Sweep of bare</h1>" in text
    assert "12 points, 2 seeds: 24 runs, of which 2 failed." in text
    assert re.search(rf"{DEPTH}</code></th><td>1, 8, 64, 512</td>", text)
    assert "1 metric with the same value in all runs" in text
    headings = re.findall("<h2>(.*?)</h2>", text)
    drawn = ["All points", "Heat map", "Lines", "Trade-offs", "Points"]
    assert headings == ["What was run", *drawn, "Failed runs", "Warnings"]
    rows = re.findall(r'<tr data-point="\d+">(.*?)</tr>', text)
    first, last = (re.findall("<td>(.*?)</td>", row) for row in (rows[0], rows[-1]))
    assert first[:3] == ["900", "1", "2"]
    assert first[4] == "-"
    assert first[5] == "host &lt;queue&gt; depth"
    mean, high = table.intervals(IOPS)[["mean", "high"]].iloc[0]
    told, reach = first[3].replace(",", "").split("\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}")
    assert float(reach) == pytest.approx(high - mean, rel=0.05)
    assert abs(float(told) - mean) < 0.06 * float(reach)
    assert last == ["600", "512", "0", "-", "-", "-"]
    assert "Error: &lt;i&gt;full&lt;/i&gt;</th><td>2</td>" in text
    assert '<a href="#point-12">12</a> (seed 1), <a href="#point-12">12</a> (seed 2)' in text
    assert "not &lt;b&gt;steady&lt;/b&gt;</th><td>11</td>" in text


def test_the_page_of_a_search_says_what_was_found(tmp_path):
    found = search_of(TWO)
    ns.report(found, tmp_path / "page.html", title="Depths & times")
    text = text_of(tmp_path / "page.html")
    assert "<h1>Depths &amp; times</h1>" in text
    forbidden = (found.trials["constraint"] > 0).sum()
    front = len(found.front)
    assert f"40 trials, of which {front} are on the front and {forbidden} violate a constraint and 1 failed." in text
    assert "latency &lt;= 90" in text
    rows = re.findall(r'<tr data-point="(\d+)">.*?<td>([^<]*)</td></tr>', text)
    assert [int(number) for number, _ in rows[:front]] == found.front.index.tolist(), "the best come first"
    standings = dict(rows)
    assert standings["5"] == "failed"
    assert list(standings.values()).count("violates latency &lt;= 90") == forbidden


def test_a_sweep_or_search_in_which_all_failed_has_no_plots(tmp_path):
    table = table_of([({DEPTH: depth}, 1, "Error: never") for depth in (1, 2)])
    for what in (table, ns.Exploration(table, table[:0], TWO, None)):
        ns.report(what, tmp_path / "page.html")
        text = text_of(tmp_path / "page.html")
        assert "2 failed" in text
        assert "Error: never" in text
        assert 'class="plot"' not in text
    with pytest.raises(ValueError, match="the sweep has no rows to show"):
        ns.report(table[:0], tmp_path / "page.html")
    with pytest.raises(ValueError, match="the search has no trials to show"):
        search_subject(SimpleNamespace(trials=table[:0]))


def test_many_values_of_a_parameter_are_a_range(tmp_path):
    ns.report(search_of(TWO), tmp_path / "page.html")
    assert f"{PROGRAM}</code></th><td>40 values from 300 to 807</td>" in text_of(tmp_path / "page.html")


@pytest.fixture
def browser(tmp_path):
    with Browser(chromium(), tmp_path / "profile") as browser:
        yield browser


def opened(browser, what, path):
    """Opens the page of a sweep or a search. Returns a function that chooses an option of a list by its text, in the
    controls of a plot."""
    ns.report(what, path)
    browser.open(path)

    def choose(plot, label, text):
        chosen = browser.value(
            f"""(() => {{
              const label = [...document.querySelectorAll('{plot} label')].find(one =>
                one.firstChild.textContent.trim() === {json.dumps(label)});
              const list = label.querySelector('select');
              list.value = [...list.options].find(one => one.textContent === {json.dumps(text)}).value;
              list.dispatchEvent(new Event('change', {{bubbles: true}}));
              return list.value;
            }})()"""
        )
        assert chosen != ""

    return choose


def click(browser, x, y):
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
    browser.value("new Promise(done => setTimeout(done, 200))")


def traces(browser, plot, key="name"):
    return browser.value(f"document.getElementById('{plot}').data.map(trace => trace.{key})")


@pytest.mark.browser
@needs_a_browser
def test_a_browser_draws_a_sweep(table, tmp_path, browser):
    path = tmp_path / "page.html"
    choose = opened(browser, table, path)
    means = table.intervals(IOPS)["mean"].tolist()
    heights = browser.value("document.getElementById('map').data[0].z")
    for row, begin in ((0, 4), (1, 8), (2, 0)):
        shades = [math.nan if height is None else 10**height for height in heights[row]]
        told = "the shades of figures that are far apart are logarithmic"
        assert shades == pytest.approx(means[begin : begin + 4], rel=1e-5, nan_ok=True), told
    assert browser.value("document.querySelectorAll('#map .heatmap-label').length") == 12, "with a dash for a failure"
    assert traces(browser, "lines") == ["t_prog (µs) 300", "t_prog (µs) 600", "t_prog (µs) 900"]
    assert traces(browser, "lines", "x.length") == [4, 4, 4]
    high = table.intervals(IOPS)["high"].tolist()
    reach = browser.value("document.getElementById('lines').data[0].error_y.array")
    assert reach == pytest.approx([high[k] - means[k] for k in range(4, 8)], rel=1e-2)
    assert browser.value("document.querySelectorAll('#parallel path:not([data-point])').length") == 12

    choose(".toolbar", "Metric", "limit")
    shown = browser.value("document.getElementById('map').data[0]")
    assert shown["text"][0] == ["host &lt;queue> depth"] * 2 + ["die 3"] * 2
    assert shown["colorbar"]["ticktext"] == ["die 3", "host &lt;queue> depth"]
    choose(".toolbar", "Metric", "host read latency p99 (µs)")
    assert browser.value("document.getElementById('map').data[0].text[2][0]") == "-"
    choose("#lines-controls", "x", "t_prog (µs)")
    assert traces(browser, "lines") == ["queue depth 1", "queue depth 8", "queue depth 64", "queue depth 512"]

    names = traces(browser, "trade")
    figures = table.intervals(IOPS).merge(table.intervals(P99), on=[PROGRAM, DEPTH]).dropna(subset=["mean_x", "mean_y"])
    pairs = list(zip(figures["mean_x"], -figures["mean_y"], strict=True))
    best = [not any(a >= x and b >= y and (a, b) != (x, y) for a, b in pairs) for x, y in pairs]
    assert names == [f"{best.count(False)} dominated", f"{best.count(True)} on the front"]
    choose("#trade-controls", "colour", "limit")
    assert traces(browser, "trade") == [*names, "die 3", "host &lt;queue> depth"], "a colour does not change the front"
    assert browser.complaints == []
    asked = [url for url in browser.requested if not url.startswith("data:")]
    assert asked == [path.resolve().as_uri()]
    assert browser.value("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.browser
@needs_a_browser
def test_a_click_shows_the_command_and_a_brush_selects(table, tmp_path, browser):
    opened(browser, table, tmp_path / "page.html")
    assert browser.value("document.getElementById('point').hidden")
    line = "document.querySelector('#parallel path[data-point=\"6\"]')"
    browser.value(f"{line}.dispatchEvent(new Event('click', {{bubbles: true}}))")
    browser.value("new Promise(done => setTimeout(done, 50))")
    assert browser.value("location.hash") == "#point-7"
    command = browser.value("document.querySelector('#point pre').textContent")
    assert command == Commands(table.base).of({PROGRAM: 300, DEPTH: 64}, 1)
    browser.value("document.querySelector('#point .close').click(); new Promise(done => setTimeout(done, 50))")
    assert browser.value("document.getElementById('point').hidden")

    for plot, point in (("map", 5), ("lines", 9), ("trade", 3)):
        # The places of a point in the plot are those of its trace's axes.
        x, y = browser.value(
            f"""(() => {{
              const plot = document.getElementById('{plot}');
              plot.scrollIntoView({{block: 'center'}});
              const {{left, top}} = plot.getBoundingClientRect();
              const {{xaxis, yaxis}} = plot._fullLayout;
              for (const trace of plot.data) {{
                const ids = trace.customdata;
                const row = ids.findIndex(one => Array.isArray(one) ? one.includes({point}) : one === {point});
                if (row < 0) continue;
                const isMap = Array.isArray(ids[row]);
                const [x, y] = isMap ? [ids[row].indexOf({point}), row] : [trace.x[row], trace.y[row]];
                return [left + xaxis._offset + xaxis.d2p(x), top + yaxis._offset + yaxis.d2p(y)];
              }}
            }})()"""
        )
        click(browser, x, y)
        assert browser.value("location.hash") == f"#point-{point + 1}", plot
    browser.value("location.hash = ''")
    place = browser.value(
        """(() => {
          const handle = document.querySelector(`#parallel rect[data-axis="host.workload.queue_depth"]`);
          handle.scrollIntoView({block: 'center'});
          const {left, top, width} = handle.getBoundingClientRect();
          return [left + width / 2, top];
        })()"""
    )
    x, top = place
    for kind, y in (("mousePressed", top + 4), ("mouseMoved", top + 60), ("mouseReleased", top + 60)):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
    shown = "[...document.querySelectorAll('.points tbody tr:not(.hidden)')].map(row => row.cells[2].textContent)"
    assert browser.value(shown) == ["512"] * 3
    assert browser.value("document.getElementById('selected').textContent").startswith("3 of 12 points selected")
    browser.value("document.querySelector('#selected button').click()")
    assert len(browser.value(shown)) == 12
    browser.value("document.querySelectorAll('.points thead th')[3 + 1].click()")
    rates = browser.value("[...document.querySelectorAll('.points tbody tr')].map(row => row.cells[4].textContent)")
    known = [float(rate.split()[0].replace(",", "")) for rate in rates[:-1]]
    assert known == sorted(known)
    assert rates[-1] == "-"
    assert browser.complaints == []


@pytest.mark.browser
@needs_a_browser
def test_a_browser_draws_searches(tmp_path, browser):
    found = search_of(THREE)
    choose = opened(browser, found, tmp_path / "three.html")
    forbidden = (found.trials["constraint"] > 0).sum()
    dominated = 39 - forbidden - len(found.front)
    assert traces(browser, "trade") == [
        f"{dominated} dominated", f"{forbidden} violating a constraint", f"{len(found.front)} on the front",
    ]  # fmt: skip
    assert browser.value("document.querySelectorAll('#trade .cbaxis').length") == 1
    assert traces(browser, "course")[0] == "best so far"
    best = browser.value("document.getElementById('course').data[0].y")
    allowed = found.trials["latency"].where(found.trials["constraint"] <= 0).cummin().ffill()
    assert best == pytest.approx(allowed[found.trials["error"].isna()].tolist(), rel=1e-5)
    choose("#influence-controls", "key", "suspend")
    assert browser.value("document.getElementById('influence').layout.xaxis.ticktext") == ["none", "program_erase"]

    choose("#trade-controls", "colour", "none")
    two = search_of(TWO)
    names = traces(browser, "trade")
    assert names[-1] == f"{len(two.front)} on the front", "the front is that of the objectives that are drawn"
    assert browser.value("document.getElementById('trade').data.at(-1).line.shape") == "hv"
    x = browser.value("document.getElementById('trade').data.at(-1).x")
    assert x == pytest.approx(sorted(two.front["latency"]), rel=1e-5)
    opened(browser, two, tmp_path / "two.html")
    assert traces(browser, "trade") == names
    opened(browser, search_of({"iops": "maximize"}, ()), tmp_path / "one.html")
    assert browser.value("document.getElementById('trade')") is None
    assert browser.complaints == []

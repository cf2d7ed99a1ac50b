# SPDX-License-Identifier: Apache-2.0
"""Tests of reports: the contents of the page, and that a browser can draw it without a network."""

import re
import sys

import pytest

import nandscape as ns
from browser import Browser, chromium
from conftest import SMALL_DEVICE
from nandscape import differences, key_figures
from nandscape.bottleneck import bottleneck
from nandscape.ceilings import ceilings_of_run
from nandscape.pictures.runs import named
from nandscape.reporting import charts

pytest.importorskip("plotly")

PARTS = {"die_wait": 120.0, "array": 60.0, "bus": 20.0}


@pytest.fixture(scope="module")
def runs():
    drive = ns.load("bare", {**SMALL_DEVICE, "host.workload.requests": 4000, "host.workload.queue_depth": 8})
    found = {
        "first": ns.run(drive),
        "longer <b>tPROG</b>": ns.run(drive.override({"nand.timing.t_prog_us": 1500, "simulation.seed": 2})),
    }
    for result in found.values():
        result.stats["host"]["read"]["breakdown_us"] = PARTS
        result.stats["host"]["read"]["slowest_breakdown_us"] = {part: 3 * time for part, time in PARTS.items()}
    return found


@pytest.fixture(scope="module")
def page(runs, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    ns.report(runs, path, title="Writes & reads")
    return path


def text_of(page):
    """Returns the HTML text of the page without its scripts."""
    return re.sub(r"<script.*?</script>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_the_page_has_what_was_run_and_what_came_of_it(runs, page):
    text = text_of(page)
    assert "<h1>Writes &amp; reads</h1>" in text
    assert "longer &lt;b&gt;tPROG&lt;/b&gt;" in text
    assert "<b>tPROG" not in text
    assert "2 of " in text
    first, _, rest = text.partition("<details>")
    rows = re.findall(r'<tr class="differs"><th scope="row"><code>([^<]*)</code></th>(.*?)</tr>', first)
    values = {key: re.findall("<td>(.*?)</td>", cells) for key, cells in rows}
    assert values == {"simulation.seed": ["1", "2"], "nand.timing.t_prog_us": ["700", "1500"]}
    assert len(re.findall("<tr", rest)) > 200, "all keys are there, folded away"
    one, other = (result.stats["host"]["write"]["latency_us"]["p99"] for result in runs.values())
    row = re.search(r'title="host\.write\.latency_us\.p99".*?</tr>', text)[0]
    assert f"<td>{one:,.1f}</td>" in row
    assert f"<td>{other:,.1f}<" in row
    assert f"{other / one - 1:+.1%}" in row


def test_the_page_of_a_single_run_and_of_a_saved_one(runs, tmp_path):
    runs["first"].save(tmp_path / "first.json")
    ns.report(ns.Result.load(tmp_path / "first.json"), tmp_path / "report.html")
    text = text_of(tmp_path / "report.html")
    assert "saved without single requests" in text
    assert "<h1>first.json</h1>" in text
    assert "The main keys" in text
    assert "Over time" not in text
    assert 'class="differs"' not in text


def test_single_channels_and_dies_are_drawn_where_the_statistics_tell(page, tmp_path):
    assert "<h3>Each die</h3>" not in text_of(page)
    drive = ns.load("bare", {**SMALL_DEVICE, "host.workload.requests": 300, "simulation.breakdown": True})
    one, other = ns.run(drive), ns.run(drive.override({"simulation.seed": 2}))
    ns.report({"one": one, "other": other}, tmp_path / "report.html")
    text = text_of(tmp_path / "report.html")
    assert "<h3>Each channel</h3>" in text
    assert "<h3>Each die</h3>" in text
    figure = charts.busy_units({"one": one, "other": other}, "die")
    for bars, result in zip(figure.data, (one, other), strict=True):
        assert dict(zip(bars.x, bars.y, strict=True)) == {
            unit: 100 * share for unit, share in result.stats["busy"]["die"].items()
        }


def test_a_failed_write_leaves_no_file(runs, tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        ns.report(runs, tmp_path / "nowhere" / "report.html")
    with pytest.raises(ValueError, match="give a result"):
        ns.report({}, tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []


def test_without_plotly_it_says_what_is_missing(runs, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    with pytest.raises(ImportError, match=r"pip install 'nandscape\[report\]'"):
        ns.report(runs, tmp_path / "report.html")


def test_every_key_figure_is_a_statistic(runs):
    stats = next(iter(runs.values())).stats
    for figure in key_figures.KEY_FIGURES:
        value = stats
        for part in figure.name.split("."):
            value = value[part]
        assert figure.of(stats) == pytest.approx(value, rel=0, nan_ok=True)


def test_differences_are_of_values(runs):
    configs = [result.config for result in runs.values()]
    table = differences.values_by_key(configs)
    assert table["nand.timing.t_prog_us"] == (700, 1500)
    assert table["host.workload.queue_depth"] == (8, 8)
    two = configs[0].override({"host.workload": [ns.synthetic(requests=5), ns.synthetic(requests=6)]})
    both = differences.values_by_key([configs[0], two])
    assert both["host.workload.1.requests"] == (None, 6)
    assert differences.differing(differences.values_by_key([two, two])) == {}
    assert [differences.shown(value) for value in (None, True, 0.25, 5.0, [1, "a"])] == [
        "-",
        "true",
        "0.25",
        "5",
        "[1, a]",
    ]


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason="no Chromium is installed; make browser installs it")
def test_a_browser_draws_every_plot_without_a_word_and_without_a_network(page, tmp_path):
    with Browser(chromium(), tmp_path / "profile") as browser:
        browser.open(page)
        drawn = browser.value(
            """Promise.all([...document.querySelectorAll('.plotly-graph-div')].map(async plot => {
                 await Plotly.redraw(plot);
                 return {lines: plot.querySelectorAll('.scatterlayer .trace path.js-line').length,
                         bars: plot.querySelectorAll('.barlayer .point path').length,
                         width: plot.querySelector('.main-svg').getBoundingClientRect().width}}))"""
        )
        buttons = set(browser.value("[...document.querySelectorAll('.modebar-btn')].map(one => one.dataset.title)"))
        wide = browser.value("document.documentElement.scrollWidth <= window.innerWidth")
        # Try to load a picture from the network. The Content Security Policy of the page must block this.
        browser.value(
            "new Promise(done => {const i = new Image(); i.onerror = done; i.src = 'http://192.0.2.1/x.png'})"
        )
        assert any("Content Security Policy" in words for words in browser.complaints), "complaints are heard"
        assert [words for words in browser.complaints if "192.0.2.1" not in words] == []
        asked = [url for url in browser.requested if "192.0.2.1" not in url and not url.startswith("data:")]
        assert asked == [page.resolve().as_uri()]
    # The first five plots have lines: the latency distributions of reads and writes, the latencies of each over time,
    # and rates. The others have bars: the utilisation, and the breakdown of all reads and of the slowest reads.
    assert [plot["lines"] for plot in drawn[:5]] == [2, 2, 4, 4, 4]
    assert [plot["bars"] for plot in drawn[5:]] == [12, 6, 6]
    assert all(plot["width"] > 600 for plot in drawn)
    assert buttons == {"Download plot as a PNG", "Zoom", "Pan", "Zoom in", "Zoom out", "Reset axes"}, "none sends"
    assert wide, "nothing stands beside the page"


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason="no Chromium is installed; make browser installs it")
def test_the_numbers_of_an_axis_do_not_collide(runs, tmp_path):
    ns.report(runs, tmp_path / "report.html")
    overlaps = """plot => [...plot.querySelectorAll('.xaxislayer-above, .yaxislayer-above')].flatMap(axis => {
        const boxes = [...axis.querySelectorAll('text')].map(text => text.getBoundingClientRect());
        return boxes.flatMap((one, at) => boxes.slice(at + 1).filter(other => one.left < other.right &&
          other.left < one.right && one.top < other.bottom && other.top < one.bottom).map(other => plot.id));
      })"""
    with Browser(chromium(), tmp_path / "profile") as browser:
        browser.open(tmp_path / "report.html")
        for low, high in ((2.9, 4.0), (2.0, 4.1), (3.7, 4.2), (1.0, 6.0)):
            found = browser.value(
                f"""(async () => {{
                  const plots = [...document.querySelectorAll('.plotly-graph-div')]
                    .filter(plot => plot.layout.xaxis.type === 'log');
                  for (const plot of plots) await Plotly.relayout(plot, {{'xaxis.range': [{low}, {high}]}});
                  return [plots.length, plots.map(plot => plot.querySelectorAll('.xtick text').length),
                          plots.flatMap({overlaps})];
                }})()"""
            )
            assert found[0] == 2
            assert min(found[1]) > 1
            assert found[2] == [], (low, high)


def test_the_drives_and_what_bounds_them_are_named(page, tmp_path):
    text = text_of(page)
    assert "2 channels × 2 dies × 2 planes</td></tr>" in text, "drives that are alike have one column"
    assert "- (simulation.breakdown was off)" in text
    drive = ns.load("bare", {**SMALL_DEVICE, "host.workload.requests": 1500, "simulation.breakdown": True})
    results = [ns.run(drive), ns.run(drive.override({"nand.geometry.planes_per_die": 1}))]
    ns.report(results, tmp_path / "report.html")
    text = text_of(tmp_path / "report.html")
    assert "<h1>planes per die 2, planes per die 1</h1>" in text
    assert "2 dies × 1 planes" in text
    for result in results:
        limits = ceilings_of_run(result.config, result.stats)
        bound, iops = limits.bound("workload"), result.stats["host"]["iops"]
        assert f"<td>{bound:,.0f} IOPS, {iops / bound:.0%} reached *</td>" in text
        assert f"<td>{bottleneck(result.stats)}</td>" in text


def test_results_in_a_list_have_names(runs):
    first = runs["first"]
    deeper = ns.Result(first.config.override({"host.workload.queue_depth": 4}), first.stats, first.requests)
    other = ns.Result(ns.load("default"), first.stats, first.requests)
    assert list(named([first, deeper])) == ["queue depth 8", "queue depth 4"]
    assert list(named([first, first])) == ["1 bare", "2 bare"]
    assert list(named([first, other])) == ["bare", "default"]
    assert list(named(runs.values())) == ["seed 1, t_prog 700 µs", "seed 2, t_prog 1500 µs"]


@pytest.mark.parametrize("what", [5, "bare", [5], {"a": 5}, None])
def test_something_else_is_told(what, tmp_path):
    with pytest.raises(TypeError, match="give a result, or several by name or in a list, not "):
        ns.report(what, tmp_path / "report.html")

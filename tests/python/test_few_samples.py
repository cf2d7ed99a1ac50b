# SPDX-License-Identifier: Apache-2.0
"""Tests that a figure is shown as unknown if there are too few samples for it."""

import json
import math
import re

import numpy as np
import pytest

import nandscape as ns
from conftest import SMALL_DEVICE, with_nan
from nandscape import key_figures, pictures, unknown
from nandscape.cli.main import main
from nandscape.pictures.curves import over_time, tail

P99 = "host.read.latency_us.p99"
DEPTH = "host.workload.queue_depth"


def drive(requests, read_percent=100, **further):
    load = ns.synthetic(read_percent=read_percent, requests=requests, queue_depth=4)
    return ns.load("bare", {**SMALL_DEVICE, "host.workload": [load], **further})


@pytest.fixture(scope="module")
def few():
    """The result of 999 reads, one too few for the 99 % quantile."""
    return ns.run(drive(999))


@pytest.fixture(scope="module")
def enough():
    return ns.run(drive(1000))


def printed(capfd, *arguments):
    assert main(arguments) == 0
    return capfd.readouterr().out


def test_a_quantile_is_known_where_ten_samples_lie_beyond_it(few, enough):
    assert math.isnan(few.stats["host"]["read"]["latency_us"]["p99"])
    assert few.stats["host"]["read"]["latency_us"]["count"] == 999
    expected = np.quantile(enough.latencies("read"), 0.99, method="inverted_cdf")
    assert enough.stats["host"]["read"]["latency_us"]["p99"] == pytest.approx(expected, rel=0.005)
    assert (enough.latencies("read") > enough.stats["host"]["read"]["latency_us"]["p99"] / 1.005).sum() >= 10


def test_the_reason_is_told(few, enough):
    assert few.why_unknown(P99) == "999 samples; the 99 % quantile takes 1,000 samples, of which 10 lie beyond it"
    assert "the 99.99 % quantile takes 100,000" in few.why_unknown("host.read.latency_us.p9999")
    assert few.why_unknown("host.read.latency_us.p90") is None
    assert enough.why_unknown(P99) is None
    assert few.why_unknown("host.write.latency_us.mean") == "0 samples; a mean takes one"
    assert few.why_unknown("host.write.latency_us.max") == "0 samples; a maximum takes one"
    for name in ("host.read.latency_us", "host.read.latency_us.p98", "host.iops.p99"):
        with pytest.raises(KeyError, match=re.escape(name)):
            few.why_unknown(name)


def test_every_figure_that_is_not_known_has_a_reason(few):
    """Checks that Python gives a reason exactly for those statistics that are unknown."""
    for result in (few, ns.Simulation(drive(50)).result(), ns.run(drive(150, 50)), ns.run(drive(30, 0))):
        for name in flat(result.stats):
            reason = result.why_unknown(name)
            assert reason != "the statistics do not give a reason", name
            assert (reason is not None) == math.isnan(key_figures.value_at(result.stats, name)), name


def flat(tree, prefix=""):
    for name, entry in tree.items():
        yield from flat(entry, f"{prefix}{name}.") if isinstance(entry, dict) else [prefix + name]


def writing(requests):
    """Returns the configuration of a drive with a workload of `requests` writes of one page each."""
    load = ns.synthetic(read_percent=0, block_bytes=16384, requests=requests)
    return ns.load("bare", {**SMALL_DEVICE, "host.workload": [load]})


def test_write_amplification_takes_ten_pages():
    nine = ns.run(writing(9))
    assert nine.stats["controller"]["host_pages"] == 9
    assert math.isnan(nine.stats["controller"]["write_amplification"])
    assert nine.why_unknown("controller.write_amplification") == (
        "9 flash pages programmed with host data; write amplification takes 10"
    )
    assert ns.run(writing(10)).stats["controller"]["write_amplification"] == 1


def test_unknown_figures_outlive_a_file(few, tmp_path):
    few.save(tmp_path / "few.json")

    def refused(constant):
        raise ValueError(f"{constant} is not JSON")

    saved = json.loads((tmp_path / "few.json").read_text(), parse_constant=refused)
    assert saved["statistics"]["host"]["read"]["latency_us"]["p99"] is None
    assert with_nan(saved["statistics"]) == few.stats, "two results with the same unknown figures are equal"
    few.save(tmp_path / "few.npz")
    for name in ("few.json", "few.npz"):
        loaded = ns.Result.load(tmp_path / name)
        assert loaded.stats == few.stats
        assert loaded.why_unknown(P99) == few.why_unknown(P99)


def test_the_table_of_a_run_has_dashes(capfd):
    text = printed(capfd, "run", "default", "--set", "host.workload.requests=100", "--no-progress")
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line}
    columns = ["count", "mean", "p50", "p99", "p99.9", "p99.99", "max"]
    reads = dict(zip(columns, rows["read"][1:], strict=True))
    assert [reads[name] for name in ("p99", "p99.9", "p99.99")] == ["-", "-", "-"]
    assert all(float(reads[name].replace(",", "")) > 0 for name in ("count", "mean", "p50", "max"))
    assert "- is not known: a quantile takes 10 requests beyond it." in text
    amplification = re.search(r"write amplification is not known: (\d+) flash pages programmed", text)
    assert int(amplification[1]) < 10
    assert re.search(r"^write amplification +-$", text, re.MULTILINE)
    text = printed(capfd, "run", "bare", "--set=host.workload.requests=40", "--set=host.workload.read_percent=100")
    assert re.search(r"^write +0 +- +- +- +- +- +-$", text, re.MULTILINE)
    assert "write amplification is not known" not in text, "there was nothing to amplify"


def test_the_table_of_where_time_went_has_dashes(capfd):
    keys = {"host.workload.requests": 200, "host.workload.read_percent": 100, "simulation.breakdown": True}
    text = printed(capfd, "run", "bare", *(f"--set={key}={value}" for key, value in keys.items()))
    (array,) = (line.split() for line in text.splitlines() if line.startswith("array "))
    # The columns are: mean and share of all reads; mean and share of the slowest 1 % of the reads; and the same four
    # columns for writes. The run has no writes.
    assert [cell == "-" for cell in array[1:]] == [False, False, True, True, True, True, True, True]


def test_comparisons_say_that_a_figure_is_not_known(few, enough, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    few.save("few.npz")
    enough.save("enough.npz")
    text = printed(capfd, "compare", "few.npz", "enough.npz")
    (row,) = (line for line in text.splitlines() if line.startswith("read latency p99 "))
    assert row.split()[-4:] == ["-", f"{enough.stats['host']['read']['latency_us']['p99']:,.1f}", "-", "-"]
    assert "write latency" not in text, "figures of nothing are left out"
    assert "- is not known: the 99 % quantile takes 1,000 samples" in text
    seeds = [ns.run(drive(999 + seed % 2, **{"simulation.seed": seed})) for seed in (1, 2)]
    with pytest.raises(ValueError, match=r"a, seed 2: .*p99 is not known: 999 samples; .*1,000.*more requests"):
        ns.compare(seeds, seeds, P99)


def test_several_seeds_of_which_one_does_not_know(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    # With one of these seeds there are at least a thousand reads, with the other there are fewer.
    runs = [ns.run(drive(1990, 50, **{"simulation.seed": seed})) for seed in (1, 2)]
    counts = [run.stats["host"]["read"]["count"] for run in runs]
    assert min(counts) < 1000 <= max(counts), counts
    sides = [[f"{side}-{number}.npz" for number in (1, 2)] for side in "ab"]
    for side in sides:
        for run, name in zip(runs, side, strict=True):
            run.save(name)
    metrics = [f"--metric={name}" for name in (P99, "host.iops")]
    text = printed(capfd, "compare", *sides[0], "--with", *sides[1], *metrics)
    (row,) = (line.split() for line in text.splitlines() if line.startswith(P99))
    assert row[1:] == ["-", "-", "-", "-"]
    (row,) = (line.split() for line in text.splitlines() if line.startswith("host.iops"))
    assert row[-1] == "no"
    assert "- is not known: the 99 % quantile takes 1,000 samples" in text


def test_a_sweep_says_which_figures_it_does_not_know(tmp_path, capfd):
    store = tmp_path / "store"
    table = ns.sweep(drive(999), {DEPTH: [2, 4]}, repeat=2, metrics=[P99, "host.iops"], progress=False, store=store)
    assert table[P99].isna().all()
    assert table["error"].isna().all()
    for warned in table["warnings"]:
        assert f"{P99} is not known: 999 samples; the 99 % quantile takes 1,000 samples" in warned
    again = ns.sweep(drive(999), {DEPTH: [2, 4]}, repeat=2, metrics=[P99, "host.iops"], progress=False, store=store)
    assert again["warnings"].tolist() == table["warnings"].tolist()
    assert table.intervals(P99)["mean"].isna().all()
    assert table.intervals(P99)["runs"].tolist() == [2, 2]
    assert table.intervals("host.iops")["mean"].notna().all()
    # If one run does not know the figure, the mean of the other runs would be biased, so the mean is unknown.
    partly = table.copy()
    partly.loc[0, P99] = 100.0
    assert partly.intervals(P99)["mean"].isna().all()
    with pytest.raises(ValueError, match=r"a, seed 2: .*p99 is not known: the 99 % quantile takes 1,000"):
        ns.compare(partly[:2], partly[:2], P99)

    study = tmp_path / "study.yaml"
    study.write_text(
        "base: bare\nworkload: {kind: synthetic, read_percent: 100, requests: 50}\n"
        f"grid: {{{DEPTH}: [2, 4]}}\nmetrics: [host.iops, {P99}]\n"
    )
    text = printed(capfd, "sweep", str(study), "--no-progress")
    assert [line.split()[-1] for line in text.splitlines()[1:3]] == ["-", "-"]
    assert f"{P99} is not known in 2 of 2 runs: the 99 % quantile takes 1,000 samples" in text


def test_a_search_neither_wins_nor_loses_by_what_is_not_known():
    pytest.importorskip("optuna")
    arguments = {"trials": 2, "workers": 1, "progress": False}
    found = ns.explore(drive(50), {DEPTH: [2, 4]}, {P99: "minimize"}, **arguments)
    assert not len(found.front)
    assert found.trials["error"][0].startswith(f"{P99} is not known: 50 samples; the 99 % quantile takes 1,000")
    found = ns.explore(drive(50), {DEPTH: [2, 4]}, {"host.iops": "maximize"}, constraint=f"{P99} <= 2000", **arguments)
    assert not len(found.front)
    assert f"constraint is not known: {P99}: 50 samples" in found.trials["error"][0]


def test_pictures_have_a_dash_for_what_is_not_known(few, enough):
    assert tail(few, "read").marks.keys() == {"p50"}
    assert "p99 -, p99.9 -" in tail(few, "read").words
    assert tail(enough, "read").marks.keys() == {"p50", "p99"}
    saved = ns.Result(few.config, few.stats, {name: column[:0] for name, column in few.requests.items()})
    curve = tail(saved, "read")
    assert curve.slower.tolist() == pytest.approx([0.5, 0.1, 0])
    assert curve.marks.keys() == {"p50"}
    assert not np.isnan(curve.latency_us).any()
    for result in (few, saved, ns.run(drive(3))):
        pictures.latencies(result).canvas.draw()
    (median, p99) = pictures.latency_over_time(few).axes[0].lines[-2:]
    assert (median.get_label(), p99.get_label()) == ("median", "p99 - (takes 1,000 requests)")
    assert not len(p99.get_xdata())
    with pytest.raises(ValueError, match=r"slowest_breakdown_us is not known: 50 requests; .* 1,000 requests"):
        ns.run(drive(50, **{"simulation.breakdown": True})).draw.waterfall(slowest=True)


def test_quantiles_over_time_are_of_enough_requests():
    result = ns.run(drive(4500))
    quantiles = over_time(result, "read").quantiles
    assert quantiles["p50"].latency_us.size == 60
    assert quantiles["p99"].latency_us.size == 4
    ended = np.argsort(result.requests["start_ps"] + result.requests["latency_ps"], kind="stable")
    first = result.latencies("read")[ended[:1125]]
    assert quantiles["p99"].latency_us[0] == np.quantile(first, 0.99, method="inverted_cdf")
    assert (np.diff(quantiles["p99"].time_ms) > 0).all()


def test_reports_have_a_dash_for_what_is_not_known(few, enough, tmp_path):
    pytest.importorskip("plotly")
    broken_down = ns.run(drive(50, **{"simulation.breakdown": True}))
    ns.report({"few": few, "enough": enough, "broken down": broken_down}, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    row = re.search(r'title="host\.read\.latency_us\.p99".*?</tr>', text)[0]
    assert re.findall(r"<td>([^<]*)", row)[::2] == ["-", "-"]
    assert "p99 - (takes 1,000 requests)" in text
    assert "broken down: - (50 requests; the slowest 1 % take 1,000 requests" in text


def test_a_steady_state_is_not_judged_by_what_is_not_known():
    """A round of the run has some hundreds of reads, too few for the 99.9 % quantile."""
    result = ns.run(drive(5000, **{"simulation.steady.figure": "host.read.latency_us.p999"}))
    assert result.verdict == "5000 requests are too few to tell whether it is steady"
    assert not result.stats["window"]["steady"]


def test_an_error_rate_carries_its_interval(few):
    host = few.stats["host"]
    bits = 8 * host["read"]["bytes"]
    # The upper end of Garwood's interval for 0 events is 3.689.
    assert (host["uber"], host["uber_low"]) == (0, 0)
    assert host["uber_high"] == pytest.approx(3.689 / bits, rel=2e-4)
    nothing = ns.run(drive(50, 0))
    assert all(math.isnan(nothing.stats["host"][name]) for name in ("uber", "uber_low", "uber_high"))
    assert nothing.why_unknown("host.uber") == "0 bytes read; an error rate takes at least one read"
    # Garwood's interval for 3 events reaches from 0.619 to 8.767.
    third = {"host": {"read": {"unrecovered": 3, "bytes": 1000}}}
    assert key_figures.uber_text([third]) == "3.8e-04 (7.7e-05 to 1.1e-03)"
    # The events and bytes of several runs of a drive are added up: 4 events have the interval from 1.090 to 10.242.
    fourth = {"host": {"read": {"unrecovered": 1, "bytes": 1000}}}
    assert key_figures.uber_text([third, fourth]) == "2.5e-04 (6.8e-05 to 6.4e-04)"
    assert key_figures.uber_text([nothing.stats]) == "-"


def test_wherever_it_is_printed_it_carries_its_interval(tmp_path, monkeypatch, capfd):
    pytest.importorskip("plotly")
    monkeypatch.chdir(tmp_path)
    worn = {"simulation.cells": "statistical", "nand.condition.pe_cycles": 3000, "nand.condition.retention_days": 1000}
    worn["nand.cells.read_levels.retry_steps"] = 0
    printed(capfd, "run", "bare", *(f"--set={key}={value}" for key, value in (SMALL_DEVICE | worn).items()),
            "--set=host.workload.requests=200", "--save=worn.npz")  # fmt: skip
    result = ns.Result.load("worn.npz")
    host = result.stats["host"]
    assert host["uber_low"] < host["uber"] < host["uber_high"]
    expected = key_figures.uber_text([result.stats])
    assert expected == f"{host['uber']:.1e} ({host['uber_low']:.1e} to {host['uber_high']:.1e})"
    result.save("again.npz")
    text = printed(capfd, "compare", "worn.npz", "again.npz")
    (row,) = (line for line in text.splitlines() if line.startswith("uncorrectable bit error rate"))
    assert row.count(expected) == 2
    ns.report({"one": result, "other": result}, "report.html")
    row = re.search(r'title="host\.uber".*?</tr>', (tmp_path / "report.html").read_text(encoding="utf-8"))[0]
    assert row.count(expected) == 2
    text = printed(capfd, "run", "worn.npz")
    assert re.search(rf"^UBER \(95 % interval\) +{re.escape(expected)}$", text, re.MULTILINE)


def test_tolerable_error_rates_have_an_interval(capfd):
    head, *rows = (line.split("\t") for line in printed(capfd, "codes").splitlines())
    of_code = {row[0]: dict(zip(head, row, strict=True)) for row in rows}
    ldpc, table = of_code["ldpc_4096_512"], ns.code_table("ldpc_4096_512")
    rber = float(table.rber_at_uber(1e-16))
    assert ldpc["RBER at UBER 1e-16"] == f"{rber:.2e}"
    low, high = (float(bound) for bound in ldpc["UBER bounds"].split(" to "))
    assert low < 1e-19 < 1e-16 < high < 1e-15
    low, high = (float(bound) for bound in ldpc["RBER bounds"].split(" to "))
    assert low < rber < high
    decades = float(table.extrapolated_decades(rber))
    assert ldpc["decades extrapolated"] == f"{decades:.1f}"
    assert decades > 4
    assert of_code["bch_1024_72"]["decades extrapolated"] == "none", "it fails for certain beyond 72 errors"


def test_the_rule_is_that_of_the_simulator():
    assert [unknown.samples_needed(name) for name in unknown.QUANTILES] == [20, 100, 1000, 10_000, 100_000]

# SPDX-License-Identifier: Apache-2.0
"""The plots of a report. They show the same figures as `nandscape.pictures`, and can be zoomed."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from nandscape import figures
from nandscape.exploration.requirements import required
from nandscape.pictures.curves import kinds_of, line_name, over_time, tail
from nandscape.pictures.runs import RESOURCES, parts_of, why_no_parts
from nandscape.pictures.style import colour_of
from nandscape.result import Result
from nandscape.unknown import DASH

HEIGHT = 380
# Lists all buttons, because Plotly's default set has a button that sends the plot to Plotly's makers.
PLOT_SETTINGS = {
    "displaylogo": False,
    "responsive": True,
    "modeBarButtons": [["toImage", "zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]],
}
Runs = Mapping[str, Result]


def plotly() -> Any:
    """Returns Plotly's module of graph objects. If Plotly is missing, raises ImportError with the command that installs
    it."""
    return required("plotly.graph_objects", "report", "a report")


def distribution(runs: Runs, kind: str) -> Any:
    """Draws the share of the requests of a kind that are slower than a given latency, with a line for each run."""
    figure = _figure(f"{kind} latency (µs)", f"share of slower {kind}s")
    for number, (name, result) in enumerate(runs.items()):
        curve = tail(result, kind)
        if curve is None:
            continue
        figure.add_scatter(
            x=curve.latency_us[:-1],
            y=100 * curve.slower[:-1],
            name=name,
            line={"color": colour_of(number), "shape": "hv" if curve.complete else "linear"},
            mode="lines" if curve.complete else "lines+markers",
            hovertemplate="%{y:.3g} % are slower than %{x:,.1f} µs",
        )
    figure.update_xaxes(**LOG_AXIS)
    figure.update_yaxes(type="log", ticksuffix=" %", exponentformat="none", dtick=1)
    return figure


def time_line(runs: Runs, kind: str) -> Any | None:
    """Draws the median and the 99th percentile of latencies over simulated time. Returns None if no run has single
    requests."""
    figure = _figure("simulated time (ms)", f"{kind} latency (µs)")
    for number, (name, result) in enumerate(runs.items()):
        curve = over_time(result, kind)
        if curve is None:
            continue
        for quantile, dash in (("p50", "solid"), ("p99", "dot")):
            line = curve.quantiles[quantile]
            figure.add_scatter(
                x=line.time_ms,
                y=line.latency_us,
                name=f"{name}: {line_name(curve, quantile)}",
                line={"color": colour_of(number), "dash": dash, "width": 2 if dash == "solid" else 1.3},
                mode="lines",
                hovertemplate="%{y:,.1f} µs at %{x:,.1f} ms",
            )
    figure.update_yaxes(**LOG_AXIS)
    return figure if figure.data else None


def rates(runs: Runs) -> Any | None:
    """Draws the number of requests per second over simulated time. Returns None if no run has single requests."""
    figure = _figure("simulated time (ms)", "requests per second")
    for number, (name, result) in enumerate(runs.items()):
        for kind in kinds_of(result):
            curve = over_time(result, kind)
            if curve is None:
                continue
            figure.add_scatter(
                x=curve.time_ms,
                y=curve.per_s,
                name=f"{name}: {kind}s",
                line={"color": colour_of(number), "shape": "hvh", "dash": "solid" if kind == "read" else "dash"},
                mode="lines",
                hovertemplate="%{y:,.0f} per second at %{x:,.1f} ms",
            )
    figure.update_yaxes(rangemode="tozero", tickformat=",")
    return figure if figure.data else None


def utilisation(runs: Runs) -> Any:
    """Draws the share of the time for which each resource was busy."""
    figure = _figure("", "busy, share of the time")
    for number, (name, result) in enumerate(runs.items()):
        shares = figures.group(result, "utilisation")
        resources = [resource for resource in RESOURCES if resource in shares]
        figure.add_bar(
            x=[RESOURCES[resource] for resource in resources],
            y=[100 * shares[resource] for resource in resources],
            name=name,
            marker_color=colour_of(number),
            hovertemplate="%{y:.1f} %",
        )
    figure.update_yaxes(range=[0, 105], ticksuffix=" %")
    return figure


def busy_units(runs: Runs, kind: str) -> Any | None:
    """Draws the share of the time for which each unit of a kind ("channel" or "die") was busy. Returns None if no run
    has these statistics."""
    figure = _figure(kind, "busy, share of the time")
    for number, (name, result) in enumerate(runs.items()):
        shares = figures.group(result, f"busy.{kind}")
        if shares:
            figure.add_bar(
                x=list(shares),
                y=[100 * share for share in shares.values()],
                name=name,
                marker_color=colour_of(number),
                hovertemplate=f"{kind} %{{x}}: %{{y:.1f}} %",
            )
    figure.update_xaxes(type="category")
    figure.update_yaxes(range=[0, 105], ticksuffix=" %")
    return figure if figure.data else None


def breakdown(runs: Runs, kind: str, slowest: bool) -> Any | None:
    """Draws the parts of a request's time, with a bar for each run. Returns None if no run has these statistics. If no
    run has enough requests, returns the reasons as a string. `slowest`: whether to draw the slowest 1 % of the requests
    instead of all requests."""
    told = {name: result for name, result in runs.items() if figures.group(result, f"host.{kind}.breakdown_us")}
    reasons = {name: why_no_parts(result, kind, slowest) for name, result in told.items()}
    parts = {name: parts_of(result, kind, slowest) for name, result in told.items() if reasons[name] is None}
    if not parts:
        return "; ".join(f"{name}: {DASH} ({reason})" for name, reason in reasons.items()) or None
    parts |= {f"{name}: {DASH}": {} for name, reason in reasons.items() if reason is not None}
    figure = _figure(f"time of a {kind} (µs)", "")
    names = list(dict.fromkeys(part for of_run in parts.values() for part in of_run))
    names = [part for part in names if any(of_run.get(part, 0.0) > 0 for of_run in parts.values())]
    for number, part in enumerate(names):
        figure.add_bar(
            y=list(parts),
            x=[of_run.get(part, 0.0) for of_run in parts.values()],
            name=part.replace("_", " "),
            orientation="h",
            marker={"color": colour_of(number), "pattern": {"shape": "/" if number >= 7 else ""}},
            hovertemplate="%{x:,.2f} µs",
        )
    figure.update_layout(barmode="stack", height=170 + 45 * len(parts), legend_traceorder="normal")
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(tickformat=",")
    return figure


def sensing_levels(runs: Runs) -> Any | None:
    """Draws the number of page reads for each number of sensing levels. Returns None if all reads were hard reads,
    which have one level."""
    figure = _figure("sensing levels of a page read", "page reads")
    soft = False
    for number, (name, result) in enumerate(runs.items()):
        levels = figures.group(result, "controller.read_retry.sensing_levels")
        counts = {key.removeprefix("levels_"): value for key, value in levels.items()}
        if any(counts.values()):
            soft = soft or any(counts[levels] for levels in counts if levels != "1")
            figure.add_bar(x=list(counts), y=list(counts.values()), name=name, marker_color=colour_of(number))
    figure.update_yaxes(tickformat=",")
    figure.update_xaxes(type="category")
    return figure if soft else None


def drawn(figures: Mapping[str, Any]) -> str:
    """Returns the HTML of figures, each below its heading. The page draws the figures when it is opened. A figure that
    is a string is shown as text."""
    io = required("plotly.io", "report", "a report")
    parts = []
    for heading, figure in figures.items():
        if figure is None:
            continue
        if heading:
            parts.append(f"<h3>{escape(heading)}</h3>")
        if isinstance(figure, str):
            parts.append(f"<p>{escape(figure)}</p>")
            continue
        parts.append(io.to_html(figure, full_html=False, include_plotlyjs=False, config=PLOT_SETTINGS))
    return "".join(parts)


def plain_layout() -> dict[str, Any]:
    """Returns the layout of an empty plot as a JSON value, for plots that a script draws."""
    return _figure("", "").update_layout(template=None).to_plotly_json()["layout"]


_PLAIN = {"tickformat": ",", "exponentformat": "none"}

# A logarithmic axis. Plotly numbers the powers of ten, or each 1, 2 and 5 if these are far enough apart. With more than
# three ticks in a decade it would number all digits, which collide at the end of a decade.
LOG_AXIS = {"type": "log", "nticks": 3, "minor": {"dtick": "D1", "showgrid": True, "gridcolor": "#f1f2f4"}, **_PLAIN}


def _figure(x: str, y: str) -> Any:
    lines = {"gridcolor": "#e2e2e2", "linecolor": "#8a8f98", "zerolinecolor": "#e2e2e2", "automargin": True}
    return plotly().Figure(
        layout={
            "height": HEIGHT,
            "margin": {"l": 70, "r": 20, "t": 20, "b": 50},
            "xaxis": {"title": {"text": x}, **lines},
            "yaxis": {"title": {"text": y, "standoff": 10}, **lines},
            "plot_bgcolor": "white",
            "paper_bgcolor": "white",
            "font": {"family": "system-ui, sans-serif", "size": 13, "color": "#222222"},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "hovermode": "closest",
            "showlegend": True,
        }
    )

# SPDX-License-Identifier: Apache-2.0
"""The page of a report: one HTML file that does not load any other file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from nandscape import __version__
from nandscape.exploration.requirements import required
from nandscape.files import replacing
from nandscape.pictures.curves import kinds_of
from nandscape.pictures.runs import Runs, named
from nandscape.reporting import charts, tables
from nandscape.result import Result

# The content security policy prevents the browser from loading anything that is not in the page.
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data: blob:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
<script>{plotly}</script>
</head>
<body>
<main>
<h1>{title}</h1>
{sections}
<footer>Made by nandscape {version}.</footer>
</main>
</body>
</html>
"""
# Lists all buttons, because Plotly's default set has a button that sends the plot to Plotly's makers.
PLOT_SETTINGS = {
    "displaylogo": False,
    "responsive": True,
    "modeBarButtons": [["toImage", "zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]],
}
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; background: #fff; margin: 0 }
main { max-width: 1080px; margin: 0 auto; padding: 1rem 1.5rem 3rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #d9dce1 }
h3 { font-size: 1rem; margin-bottom: 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .8rem; border-bottom: 1px solid #e6e8ec; text-align: left; font-weight: normal }
thead th { font-weight: 600; border-bottom: 2px solid #8a8f98 }
.figures td, .figures thead th { text-align: right; white-space: nowrap }
.figures thead th:first-child { text-align: left }
.keys .differs th, .keys .differs td { background: #fff3cd }
.figures .group th { font-weight: 600; padding-top: .9rem }
.change { color: #5a6270; font-size: .85em; display: inline-block; min-width: 5em; text-align: right }
code { font: .9em ui-monospace, monospace }
details { margin-top: 1rem } summary { cursor: pointer }
footer { margin-top: 3rem; color: #5a6270; font-size: .85rem }
"""


def report(runs: Runs, path: str | os.PathLike[str], *, title: str | None = None) -> None:
    """Writes a page that shows a result, or several named results side by side, in any browser and without a network.

    The page shows the configurations and the keys in which they differ, the key figures, the distributions of latencies
    and their course over time, the utilisation of resources, and the retries and ECC corrections. With
    `simulation.breakdown`, it also shows the utilisation of each channel and die, and the parts of a request's time.
    `title`: title of the page; default: the names of the runs.

    Raises ImportError if Plotly is not installed (`pip install 'nandscape[report]'`), and OSError if the file
    cannot be written.
    """
    results = named(runs)
    library = required("plotly.offline", "report", "a report").get_plotlyjs()
    sections = [f"<section><h2>{escape(name)}</h2>{content}</section>" for name, content in _sections(results)]
    page = PAGE.format(
        title=escape(title or ", ".join(results)),
        style=STYLE,
        plotly=library,
        sections="\n".join(sections),
        version=__version__,
    )
    with replacing(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


def _sections(runs: Mapping[str, Result]) -> Iterator[tuple[str, str]]:
    kinds = [kind for kind in ("read", "write") if any(kind in kinds_of(result) for result in runs.values())]
    yield "What was run", tables.runs_of(runs) + tables.configurations_of(runs)
    yield "Key figures", tables.key_figures_of(runs)
    if kinds:
        yield "Latencies", _drawn({f"{kind.capitalize()}s": charts.distribution(runs, kind) for kind in kinds})
    over_time = {f"Latencies of {kind}s": charts.time_line(runs, kind) for kind in kinds}
    over_time["Rates"] = charts.rates(runs)
    if any(over_time.values()):
        yield "Over time", _drawn(over_time)
    units = {f"Each {kind}": charts.busy_units(runs, kind) for kind in ("channel", "die")}
    yield "Utilisation", _drawn({"": charts.utilisation(runs), **units})
    parts = {
        f"The slowest 1 % of the {kind}s" if slowest else f"{kind.capitalize()}s": charts.breakdown(runs, kind, slowest)
        for kind in kinds
        for slowest in (False, True)
    }
    if any(parts.values()):
        yield "Where the time goes", _drawn(parts)
    levels = charts.sensing_levels(runs)
    if levels is not None:
        yield "Soft reads", _drawn({"": levels})


def _drawn(figures: Mapping[str, Any]) -> str:
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

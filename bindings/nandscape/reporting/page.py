# SPDX-License-Identifier: Apache-2.0
"""The page of a report: one HTML file that does not load any other file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from html import escape

from nandscape import __version__
from nandscape.exploration.requirements import required
from nandscape.files import replacing
from nandscape.reporting.runs import runs_subject
from nandscape.reporting.subject import Reportable
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
<script>{script}</script>
</body>
</html>
"""
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; background: #fff; margin: 0 }
main { max-width: 1080px; margin: 0 auto; padding: 1rem 1.5rem 3rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #d9dce1 }
h3 { font-size: 1rem; margin-bottom: 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; margin: .6rem 0; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .8rem; border-bottom: 1px solid #e6e8ec; text-align: left; font-weight: normal }
thead th { font-weight: 600; border-bottom: 2px solid #8a8f98 }
.figures td, .figures thead th { text-align: right; white-space: nowrap }
.figures thead th:first-child { text-align: left }
.keys .differs th, .keys .differs td { background: #fff3cd }
.figures .group th { font-weight: 600; padding-top: .9rem }
.change { color: #5a6270; font-size: .85em; display: inline-block; min-width: 5em; text-align: right }
code { font: .9em ui-monospace, monospace }
details { margin-top: 1rem } summary { cursor: pointer }
.hint { color: #5a6270; font-size: .9em; margin: .3rem 0 }
.controls { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; margin: .5rem 0; align-items: center }
.controls:empty { display: none }
select { font: inherit; max-width: 22rem }
.toolbar { position: sticky; top: 0; z-index: 5; background: #ffffffee; padding: .5rem 0; display: flex; gap: 1.5rem;
  border-bottom: 1px solid #d9dce1 }
.toolbar label { font-weight: 600 } .toolbar select { max-width: 34rem }
#parallel { overflow-x: auto } #parallel text { font-size: 12px; fill: #222; paint-order: stroke; stroke: #fff;
  stroke-width: 3px } #parallel path { fill: none } #parallel .axis-title { font-weight: 600 }
#point { position: fixed; right: 1rem; bottom: 1rem; z-index: 10; max-width: min(46rem, 92vw); max-height: 60vh;
  overflow: auto; background: #fff; border: 1px solid #8a8f98; border-radius: 6px; padding: .8rem 1rem;
  box-shadow: 0 4px 18px #0003 }
#point h3 { margin: 0 2rem .3rem 0 } #point .close { position: absolute; right: .6rem; top: .6rem }
pre { font: .85em/1.4 ui-monospace, monospace; background: #f5f6f8; padding: .6rem; overflow-x: auto; margin: .5rem 0 }
#hover { position: fixed; z-index: 9; pointer-events: none; background: #222; color: #fff; font-size: 12px;
  padding: .3rem .5rem; border-radius: 4px; white-space: pre-line }
.wide:has(.points) { max-height: 85vh; overflow: auto }
.points thead { position: sticky; top: 0; background: #fff }
.figures.points thead th { cursor: pointer; white-space: normal; vertical-align: bottom }
.figures.points td { white-space: normal }
.points .picked { background: #fff3cd }
.points tr.hidden { display: none }
footer { margin-top: 3rem; color: #5a6270; font-size: .85rem }
"""


def report(
    what: Reportable | Result | Mapping[str, Result] | Sequence[Result],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
) -> None:
    """Writes a page that shows runs, a sweep or a search, in any browser and without a network.

    `what`: a result, several results by name or in a list, the table of a sweep, or the `Exploration` of a search.

    The page of runs shows the drives and what bounds their rates, the keys in which they differ, the key figures, the
    distributions of latencies and their course over time, the utilisation of resources, and the retries and ECC
    corrections. With `simulation.breakdown`, it also names the bottleneck, and shows the utilisation of each channel
    and die and the parts of a request's time. The page of a sweep shows its metrics over the parameters: all points in
    parallel coordinates, heat maps, lines with confidence intervals, and Pareto fronts. The page of a search shows the
    front over two or three objectives, all trials, and the course of the search. Both let the reader choose the metric
    and the axes, and give the command that runs a point. `title`: title of the page; default: the names of the runs, or
    the base of the sweep or search.

    Raises ImportError if Plotly is not installed (`pip install 'nandscape[report]'`), TypeError for anything else that
    is given, ValueError for nothing to show, and OSError if the file cannot be written.
    """
    library = required("plotly.offline", "report", "a report").get_plotlyjs()
    subject = what.report_subject() if hasattr(what, "report_subject") else runs_subject(what)
    sections = [
        f"<section><h2>{escape(heading)}</h2>{content}</section>" if heading else content
        for heading, content in subject.sections
    ]
    page = PAGE.format(
        title=escape(title or subject.title),
        style=STYLE,
        plotly=library,
        sections="\n".join(sections),
        version=__version__,
        script=subject.script,
    )
    with replacing(path) as temporary:
        temporary.write_text(page, encoding="utf-8")

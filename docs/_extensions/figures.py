# SPDX-License-Identifier: Apache-2.0
"""Tables of our figures beside published ones, made from the studies' JSON in docs/_figures.

`figures STUDY` shows the rows that its lines name, or all rows, with notes below the table. `standings` counts the
standings of each study. `make figures` renews the JSON.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from reference import paragraph, table

KEPT = Path(__file__).parents[1] / "_figures"
SCENARIOS = Path(__file__).parents[2] / "scenarios" / "validation"

STANDINGS = {
    "within": "within",
    "predicted": "exception",
    "fitted": "fitted",
    "by construction": "by construction",
    "outside": "outside",
}

# Papers by the prefix of a row's name, for a study of several papers. Other rows name their source themselves.
PAPERS = {
    "cai_2017": "Cai 2017",
    "choi_2018": "Choi 2018",
    "liu_2012": "Liu 2012",
    "nie_2020": "Nie 2020",
    "park_2021": "Park 2021",
    "sha": "Sha",
}


def studies() -> list[str]:
    """The names of the studies with a JSON file, in alphabetical order."""
    return sorted(path.stem for path in KEPT.glob("*.json"))


@cache
def rows(study: str) -> dict[str, dict[str, Any]]:
    """The rows in a study's JSON, by name."""
    kept = json.loads((KEPT / f"{study}.json").read_text(encoding="utf-8"))["figures"]
    papers = {name.partition(".")[0] for name in kept} & PAPERS.keys()
    if len(papers) > 1:
        for name, row in kept.items():
            if paper := PAPERS.get(name.partition(".")[0]):
                row["source"] = f"{paper}, {row['source']}"
    return kept


def chosen(study: str, names: list[str]) -> list[dict[str, Any]]:
    """The rows of these names, which may lack the prefix up to the first dot; all rows if `names` is empty.

    Raises KeyError for a name without a row."""
    of_study = {**{name.partition(".")[2]: row for name, row in rows(study).items()}, **rows(study)}
    return [of_study[name] for name in names] or list(rows(study).values())


def question(study: str) -> str:
    """The question of the scenario: the first line of its docstring."""
    text = (SCENARIOS / f"{study}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]


def command(study: str) -> str:
    """The command that prints the figures."""
    return f"scenarios/validation/{study}.py --quick --json {study}.json"


def shown(figure: Any, unit: str = "") -> str:
    """A figure, or several, with its unit."""
    if isinstance(figure, list):
        text = ", ".join(shown(item) for item in figure)
    elif isinstance(figure, float):
        text = f"{figure:.3g}" if abs(figure) < 1000 else f"{figure:,.0f}"
    else:
        text = str(figure)
    number = not isinstance(figure, str) or bool(re.match(r"[\d.-]", figure))
    return f"{text} {unit}".strip() if number else text


def held_to(row: dict[str, Any]) -> str:
    """The band or tolerance that the figure must meet."""
    if "band" in row:
        low, high = row["band"]
        return f"{shown(low)} to {shown(high)}"
    return row["tolerance"].partition(" (ours: ")[0]


def reasons(row: dict[str, Any]) -> list[str]:
    """The reasons why the figure deviates, was fitted, holds by construction, or has a limit of ours."""
    found = [row[key] for key in ("exception", "fitted_by", "constructed_by") if key in row]
    _, _, limit = row["tolerance"].partition(" (ours: ")
    if limit and "band" not in row:
        found.append(f"the limit is ours: {limit.removesuffix(')')}")
    return [f"{reason[0].upper()}{reason[1:]}." for reason in found]


class Figures(SphinxDirective):
    """The directive `figures`: the table of a study."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Makes the table and the notes below it."""
        study = self.arguments[0]
        if study not in studies():
            raise self.error(f"no figures of '{study}' are kept, only of {', '.join(studies())}")
        self.env.note_dependency(str(KEPT / f"{study}.json"))
        try:
            of_table = chosen(study, [line.strip() for line in self.content if line.strip()])
        except KeyError as missing:
            raise self.error(f"{study} has no figure {missing}") from missing
        notes: dict[str, int] = {}
        cells = [self.cells(row, notes) for row in of_table]
        made: list[nodes.Node] = [
            table([38, 16, 16, 16, 14], ["Figure", "Published", "Ours", "Held to", "Standing"], cells)
        ]
        if notes:
            items = [nodes.list_item("", nodes.paragraph(note, note)) for note in notes]
            made.append(nodes.enumerated_list("", *items, enumtype="arabic", prefix="", suffix="."))
        source = nodes.literal("", command(study))
        made.append(nodes.paragraph("", "", nodes.Text("Printed by "), source, nodes.Text(".")))
        return made

    def cells(self, row: dict[str, Any], notes: dict[str, int]) -> list[list[nodes.Node]]:
        """The cells of a row. Adds its reasons to `notes`, numbered from 1."""
        numbers = [str(notes.setdefault(reason, len(notes) + 1)) for reason in reasons(row)]
        standing = STANDINGS[row["standing"]] + (f" [{', '.join(numbers)}]" if numbers else "")
        figure = paragraph(row["figure"])
        figure += [nodes.Text(" ("), nodes.emphasis(row["source"], row["source"]), nodes.Text(")")]
        texts = (shown(row["paper"], row["unit"]), shown(row["ours"], row["unit"]), held_to(row), standing)
        return [[figure], *([nodes.paragraph(text, text)] for text in texts)]


class Standings(SphinxDirective):
    """The directive `standings`: a table with a line for each study."""

    def run(self) -> list[nodes.Node]:
        """Makes the table."""
        return [
            table(
                [44, 10, *([10] * len(STANDINGS))],
                ["Study asks", "Figures", *STANDINGS.values()],
                [self.cells(study) for study in studies()],
            )
        ]

    def cells(self, study: str) -> list[list[nodes.Node]]:
        """The cells of a study's row."""
        self.env.note_dependency(str(KEPT / f"{study}.json"))
        counts = Counter(row["standing"] for row in rows(study).values())
        name = f"scenarios/validation/{study}.py"
        asked = nodes.paragraph("", "", nodes.Text(f"{question(study)} "), nodes.literal(name, name))
        numbers = [counts.total(), *(counts[standing] for standing in STANDINGS)]
        return [[asked], *([nodes.paragraph("", str(number))] for number in numbers)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the directives with Sphinx."""
    app.add_directive("figures", Figures)
    app.add_directive("standings", Standings)
    return {"version": "1", "parallel_read_safe": True}

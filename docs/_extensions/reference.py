# SPDX-License-Identifier: Apache-2.0
"""Generates the reference of parameters and statistics from the schema, and the links to it.

`parameters GROUP` makes a section for each group below GROUP, `exclusions` a table of the settings that exclude each
other, `statistics` a section for each group of a result. Other pages use `parameter-groups` and `statistic-groups`,
which make a row for each group named in their lines. Code in prose that is a key or a statistic becomes a link to its
row; code that looks like one but is not causes a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import schema
from nandscape import _core

log = logging.getLogger(__name__)

STATISTICS_PAGE = "statistics"
OWN_NAME = "own-name"  # class of code that names its own row and has no link
TARGET = "row"  # attribute of code with a given link target: page and anchor


def page_of(key: str) -> str:
    """The page of the reference that describes a key or a group."""
    return f"parameters/{key.split('.')[0]}"


def prose(text: str) -> list[nodes.Node]:
    """The inline nodes of a text with code between backticks."""
    parts = re.split(r"`([^`]+)`", text)
    return [nodes.literal(part, part) if n % 2 else nodes.Text(part) for n, part in enumerate(parts) if part]


def paragraph(text: str) -> nodes.paragraph:
    """The paragraph of such a text."""
    return nodes.paragraph("", "", *prose(text))


def choices(meanings: dict[str, str]) -> list[nodes.Node]:
    """The choices of a parameter: a list, or one line if all have the same meaning."""
    names = [nodes.literal(name, name) for name in meanings]
    if len(meanings) > 1 and len(set(meanings.values())) == 1:
        line = nodes.paragraph()
        for name in names:
            line += [name, nodes.Text(" ")]
        return [line, paragraph(next(iter(meanings.values())))]
    items = []
    for name, meaning in zip(names, meanings.values(), strict=True):
        items.append(nodes.list_item("", nodes.paragraph("", "", name, *prose(f": {meaning}" if meaning else ""))))
    return [nodes.bullet_list("", *items)] if items else []


def name_cell(name: str, anchor: str) -> nodes.paragraph:
    """The name of a row, as a link target."""
    return nodes.paragraph("", "", nodes.literal(name, name, ids=[anchor] if anchor else [], classes=[OWN_NAME]))


def table(widths: list[int], head: list[str], rows: Iterable[list[list[nodes.Node]]]) -> nodes.table:
    """A table of cells, each a list of nodes."""
    group = nodes.tgroup(cols=len(widths))
    group += [nodes.colspec(colwidth=width) for width in widths]

    def row(cells: Iterable[list[nodes.Node]]) -> nodes.row:
        return nodes.row("", *(nodes.entry("", *cell) for cell in cells))

    group += nodes.thead("", row([[nodes.paragraph(title, title)] for title in head]))
    group += nodes.tbody("", *(row(cells) for cells in rows))
    return nodes.table("", group, classes=["reference-table"])


def section(title: str, anchor: str, meaning: str) -> nodes.section:
    """A section about a group."""
    made = nodes.section(ids=[anchor], names=[title])
    made += nodes.title("", "", nodes.literal(title, title, classes=[OWN_NAME]))
    if meaning:
        made += paragraph(f"{meaning[0].upper()}{meaning[1:]}.")
    return made


class Parameters(SphinxDirective):
    """Tables of the parameters of a top-level group, in a section for each group below it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Makes the tables."""
        top = self.arguments[0]
        rows = [row for row in schema.parameters() if row.key.split(".")[0] == top]
        if not rows:
            raise self.error(f"the schema has no group '{top}'")
        by_group: dict[str, list[schema.Parameter]] = {}
        for row in rows:
            by_group.setdefault(row.key.rsplit(".", 1)[0], []).append(row)
        described: set[str] = set()
        made: list[nodes.Node] = []
        for group in sorted(by_group, key=lambda group: group != top):
            content = self.tables(by_group[group], described)
            if group == top:
                made += content
            else:
                of_group = section(group, f"key-{group}", schema.groups()[group])
                of_group += content
                made.append(of_group)
        return made

    def tables(self, rows: list[schema.Parameter], described: set[str]) -> list[nodes.Node]:
        """The tables of a group: first the parameters that it always has, then those of each choice."""
        by_condition: dict[str, list[schema.Parameter]] = {}
        for row in rows:
            by_condition.setdefault(row.condition or row.variant, []).append(row)
        made: list[nodes.Node] = []
        for condition in sorted(by_condition, key=lambda condition: condition != ""):
            if condition:
                made.append(nodes.paragraph("", "", nodes.Text("Only with "), nodes.literal(condition, condition)))
            made.append(
                table(
                    [26, 14, 12, 48],
                    ["Key", "Type and range", "Default", "Meaning"],
                    [self.cells(row, described) for row in by_condition[condition]],
                )
            )
        return made

    def cells(self, row: schema.Parameter, described: set[str]) -> list[list[nodes.Node]]:
        """The cells of a parameter's row."""
        anchor = "" if row.key in described else f"key-{row.key}"
        described.add(row.key)
        kind = (
            row.type
            if row.choices or row.type == "boolean"
            else ", ".join(part for part in (row.type, row.range) if part)
        )
        unit = f" [{row.unit}]" if row.unit else ""
        meaning: list[nodes.Node] = [paragraph(row.meaning), *choices(row.choices)]
        default = [nodes.paragraph("", "", nodes.literal(row.default, row.default))] if row.default else []
        last = row.key.rsplit(".", 1)[1]
        return [[name_cell(last, anchor)], [nodes.paragraph("", kind + unit)], default, meaning]


class Exclusions(SphinxDirective):
    """A table of the settings that exclude each other: two keys with their values, and the reason."""

    def run(self) -> list[nodes.Node]:
        """Makes the table."""
        rows = _core.list_incompatibilities()
        return [
            table(
                [28, 28, 44],
                ["Setting", "Excluded setting", "Reason"],
                [
                    [[paragraph(f"`{first}` {words}")], [paragraph(f"`{second}` {others}")], [paragraph(reason)]]
                    for first, words, second, others, reason in rows
                ],
            )
        ]


class Statistics(SphinxDirective):
    """Tables of the figures of a result, in a section for each group."""

    def run(self) -> list[nodes.Node]:
        """Makes the tables."""
        return [self.section(group) for group in schema.statistics()]

    def section(self, group: schema.Statistic) -> nodes.section:
        """The section of a group: its figures, then its subgroups."""
        made = section(group.path, f"stat-{group.path}", group.meaning)
        if group.figures:
            made += table(
                [30, 10, 60],
                ["Figure", "Unit", "Meaning"],
                [
                    [
                        [name_cell(figure.path.removeprefix(f"{group.path}."), f"stat-{figure.path}")],
                        [nodes.paragraph("", figure.unit)] if figure.unit else [],
                        [paragraph(figure.meaning)],
                    ]
                    for figure in group.figures
                ],
            )
        for figure in [*group.figures, *group.groups]:
            if not figure.meaning:
                log.warning("the statistic %s has no description in the sources", figure.path)
        made += [self.section(member) for member in group.groups]
        return made


def linked(text: str, target: tuple[str, str]) -> nodes.literal:
    """Code that links to a page and an anchor."""
    return nodes.literal(text, text, **{TARGET: target})


class Groups(SphinxDirective):
    """A table of the groups named in the directive's lines: the meaning of each, and its members."""

    has_content = True
    head: ClassVar[list[str]]

    def run(self) -> list[nodes.Node]:
        """Makes the table."""
        return [table([24, 30, 46], self.head, [self.cells(line.strip()) for line in self.content if line.strip()])]

    def cells(self, group: str) -> list[list[nodes.Node]]:
        """The cells of a group's row."""
        known = self.about(group)
        if known is None:
            raise self.error(f"there is no group '{group}'")
        meaning, members = known
        names = nodes.paragraph()
        for member in dict.fromkeys(members):
            names += [linked(member.rpartition(".")[2], self.target(member)), nodes.Text(" ")]
        return [[nodes.paragraph("", "", linked(group, self.target(group)))], [paragraph(meaning)], [names]]

    def about(self, group: str) -> tuple[str, list[str]] | None:
        """The meaning of a group and the names of its members; None if there is no such group."""
        raise NotImplementedError

    def target(self, name: str) -> tuple[str, str]:
        """The page and anchor of a group or member."""
        raise NotImplementedError


class ParameterGroups(Groups):
    """The directive `parameter-groups`."""

    head: ClassVar[list[str]] = ["Group", "About", "Keys"]

    def about(self, group: str) -> tuple[str, list[str]] | None:
        """The meaning of a group and its keys, from the schema; None if there is no such group."""
        keys = [row.key for row in schema.parameters() if row.key.rpartition(".")[0] == group]
        return (schema.groups()[group], keys) if keys else None

    def target(self, name: str) -> tuple[str, str]:
        """The page of the top-level group. The anchor of a top-level group itself is empty."""
        return page_of(name), f"key-{name}" if "." in name else ""


class StatisticGroups(Groups):
    """The directive `statistic-groups`."""

    head: ClassVar[list[str]] = ["Group", "About", "Figures"]

    def about(self, group: str) -> tuple[str, list[str]] | None:
        """The meaning of a group and its figures, from a result; None if there is no such group."""
        found = next((statistic for statistic in schema.all_statistics() if statistic.path == group), None)
        return None if found is None else (found.meaning, [figure.path for figure in found.figures])

    def target(self, name: str) -> tuple[str, str]:
        """The page of statistics, with the anchor of the name."""
        return STATISTICS_PAGE, f"stat-{name}"


def target_of(name: str) -> tuple[str, str] | None:
    """The page and anchor of a key, a group or a statistic; None for any other name."""
    if name in schema.by_key() or (name in schema.groups() and "." in name):
        return page_of(name), f"key-{name}"
    if schema.is_statistic(name):
        figures = {statistic.path for statistic in schema.all_statistics()}
        return STATISTICS_PAGE, f"stat-{name if name in figures else name.rpartition('.')[0]}"
    return None


def link_names(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Turns code that names a key or a statistic into a link."""
    for code in list(doctree.findall(nodes.literal)):
        if OWN_NAME in code["classes"]:
            continue
        text = code.astext()
        target = code.get(TARGET)
        if target is None:
            name = schema.named(text)
            if name is None:
                continue
            if fault := schema.fault_of(text):
                log.warning(fault, location=code)
            target = target_of(name)
        if target is None or isinstance(code.parent, nodes.reference | nodes.title):
            continue
        where = app.builder.get_relative_uri(page, target[0])
        link = nodes.reference("", "", internal=True, refuri=f"{where}#{target[1]}")
        code.replace_self(link)
        link += code


def break_in_tables(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Lets long names in tables break after a dot, a slash or an underscore."""
    for entry in doctree.findall(nodes.entry):
        for code in list(entry.findall(nodes.literal)):
            parts = re.split(r"(?<=[._/])", code.astext())
            if OWN_NAME in code["classes"] or len(parts) == 1 or " " in code.astext():
                continue
            code.clear()
            for part in parts:
                code += [nodes.Text(part), nodes.raw("", "<wbr>", format="html")]
            code.pop()


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the directives and event handlers with Sphinx."""
    app.add_directive("parameters", Parameters)
    app.add_directive("exclusions", Exclusions)
    app.add_directive("statistics", Statistics)
    app.add_directive("parameter-groups", ParameterGroups)
    app.add_directive("statistic-groups", StatisticGroups)
    app.connect("doctree-resolved", link_names)
    app.connect("doctree-resolved", break_in_tables)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

# SPDX-License-Identifier: Apache-2.0
"""Notebooks to download: each page with `gallery: true` in docs/studies as a .ipynb beside its HTML.

Prose becomes cells of Markdown, each block of Python a cell of code, and what it draws is shown below it. The link to
the notebook stands at the end of the page.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

FOLDER = "studies/"

_FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_PICTURE = re.compile(r'pictures\.save\(.*"([^"]+\.svg)"\)')
_LINK_TO_PAGE = re.compile(r"\[([^\]]*)\]\((?:#|\w|\.)[^)]*\)")


def notebook_of(page: str) -> dict[str, Any]:
    """The notebook (nbformat 4) of the text of a page."""
    cells = []
    # Split at the blocks: prose stands at even places, code at odd ones.
    for place, text in enumerate(_CODE.split(_FRONT_MATTER.sub("", page))):
        if place % 2:
            shown = "".join(f'display(SVG("{name}"))\n' for name in _PICTURE.findall(text))
            text += f"\nfrom IPython.display import SVG, display\n\n{shown}" if shown else ""
            cell = {"cell_type": "code", "execution_count": None, "outputs": []}
        else:
            # Other pages are not beside the notebook.
            text = _LINK_TO_PAGE.sub(r"\1", text)
            cell = {"cell_type": "markdown"}
        if text.strip():
            name = f"cell-{place}"
            cells.append({**cell, "id": name, "metadata": {}, "source": text.strip().splitlines(keepends=True)})
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}


class NotebookLink(SphinxTransform):
    """Ends each study with the link to its notebook."""

    default_priority = 900

    def apply(self, **_: Any) -> None:
        """On one page."""
        if not self.env.docname.startswith(FOLDER):
            return
        link = nodes.reference("", "this page as a notebook", refuri=f"{Path(self.env.docname).name}.ipynb")
        line = nodes.paragraph("", "", nodes.Text("To run and change it: "), link, nodes.Text("."))
        next(iter(self.document.findall(nodes.section))).append(line)


def write_notebooks(app: Sphinx, failure: Exception | None) -> None:
    """Beside the HTML of the studies."""
    if failure is None and app.builder.format == "html":
        for name in app.env.found_docs:
            if name.startswith(FOLDER):
                text = json.dumps(notebook_of(Path(app.env.doc2path(name)).read_text(encoding="utf-8")), indent=1)
                Path(app.outdir, f"{name}.ipynb").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Makes it known to Sphinx."""
    app.add_transform(NotebookLink)
    app.connect("build-finished", write_notebooks)
    return {"parallel_read_safe": True}

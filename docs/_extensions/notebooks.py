# SPDX-License-Identifier: Apache-2.0
"""Notebooks to download: each study as a .ipynb beside its HTML, with a link at the end of its page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

from notebook import notebook_of


def is_study(environment: BuildEnvironment, page: str) -> bool:
    """Whether a page of docs/studies has code."""
    return page.startswith("studies/") and bool(environment.metadata[page].get("gallery"))


class NotebookLink(SphinxTransform):
    """Adds the link to the notebook at the end of each study."""

    default_priority = 900

    def apply(self, **_: Any) -> None:
        """Adds the link to one page, if it is a study."""
        if not is_study(self.env, self.env.docname):
            return
        link = nodes.reference("", "this page as a notebook", refuri=f"{Path(self.env.docname).name}.ipynb")
        line = nodes.paragraph("", "", nodes.Text("To run and change it: "), link, nodes.Text("."))
        next(iter(self.document.findall(nodes.section))).append(line)


def write_notebooks(app: Sphinx, failure: Exception | None) -> None:
    """Writes the notebooks beside the HTML of the studies."""
    if failure is None and app.builder.format == "html":
        for name in app.env.found_docs:
            if is_study(app.env, name):
                text = json.dumps(notebook_of(Path(app.env.doc2path(name)).read_text(encoding="utf-8")), indent=1)
                Path(app.outdir, f"{name}.ipynb").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the transform and the event handler with Sphinx."""
    app.add_transform(NotebookLink)
    app.connect("build-finished", write_notebooks)
    return {"parallel_read_safe": True}

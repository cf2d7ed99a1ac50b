# SPDX-License-Identifier: Apache-2.0
"""Tests that the notebooks of the studies have the same code as their pages. test_readme.py runs this code and compares
its output with the pages."""

import json
import re
import sys

import pytest

from documents import ROOT, name_of, text_of

sys.path.insert(0, str(ROOT / "docs" / "_extensions"))

from notebook import notebook_of

STUDIES = [page for page in sorted(ROOT.glob("docs/studies/*.md")) if page.name != "index.md"]


def test_there_are_studies():
    assert len(STUDIES) >= 5


@pytest.mark.parametrize("page", STUDIES, ids=name_of)
def test_a_notebook_has_the_code_of_its_page(page):
    notebook = json.loads(json.dumps(notebook_of(text_of(page))))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    blocks = re.findall(r"^```python\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)
    assert len(code) == len(blocks) == 1
    for cell, block in zip(code, blocks, strict=True):
        compile(cell, str(page), "exec")
        assert cell.startswith(block.strip())
        pictures = re.findall(r"\w+\.svg", block)
        assert [f'display(SVG("{picture}"))' in cell for picture in pictures] == [True]


@pytest.mark.parametrize("page", STUDIES, ids=name_of)
def test_prose_of_a_notebook_links_to_no_other_page(page):
    prose = "".join(
        line
        for cell in notebook_of(text_of(page))["cells"]
        if cell["cell_type"] == "markdown"
        for line in cell["source"]
    )
    assert prose.startswith("# ")
    assert not re.search(r"\]\((?!https?:)", prose)


@pytest.mark.parametrize("page", STUDIES, ids=name_of)
def test_a_study_is_one_screen_and_drawn(page):
    text = text_of(page)
    assert text.startswith("---\ngallery: true\n---\n")
    (block,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len([line for line in block.splitlines() if line]) <= 45
    for part in ("The question.", "What to expect.", "The result.", "What would change it."):
        assert f"**{part}**" in text

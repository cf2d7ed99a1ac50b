# SPDX-License-Identifier: Apache-2.0
"""Finds and reads the documents of the project: the README, CONTRIBUTING.md, and the pages in docs/."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]

_FENCED = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)


def text_of(document: Path) -> str:
    """Returns the full text of a document."""
    return document.read_text(encoding="utf-8")


def prose_of(document: Path) -> str:
    """Returns the text of a document without its code blocks."""
    return _FENCED.sub("", text_of(document))


def code_in(document: Path) -> list[str]:
    """Returns the strings between backticks in the prose of a document."""
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose_of(document))]


def name_of(document: Path) -> str:
    """Returns the path of a document relative to the root of the repository."""
    return document.relative_to(ROOT).as_posix()

# SPDX-License-Identifier: Apache-2.0
"""The documents of the project: the README, the guide for changes, and the pages in docs/."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]

_FENCED = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)


def text_of(document: Path) -> str:
    """The full text of a document."""
    return document.read_text(encoding="utf-8")


def prose_of(document: Path) -> str:
    """The text of a document without its blocks of code."""
    return _FENCED.sub("", text_of(document))


def code_in(document: Path) -> list[str]:
    """The texts between backticks in the prose of a document."""
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose_of(document))]


def name_of(document: Path) -> str:
    """The path of a document in the repository."""
    return document.relative_to(ROOT).as_posix()

# SPDX-License-Identifier: Apache-2.0
"""Tests that the documentation of the examples is correct: the code in the guide, and the line counts and the output in
their README files.
"""

import re

import pytest

from documents import ROOT

EXAMPLES = ROOT / "examples"
FOLDERS = sorted(path.parent for path in EXAMPLES.glob("*/CMakeLists.txt"))
GUIDE = (ROOT / "docs" / "own-block.md").read_text()


def sources() -> list[str]:
    return [path.read_text() for path in EXAMPLES.glob("*/*") if path.is_file()]


@pytest.mark.parametrize("language", ["cpp", "cmake", "text"])
def test_blocks_of_the_guide_are_in_the_examples(language):
    blocks = re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        assert any(block in source for source in sources()), block


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_pages_say_how_long_the_sources_are(folder):
    text = (folder / "README.md").read_text()
    counts = re.findall(r"((?:`[a-z_]+\.(?:h|cpp)`(?:\s+and\s+)?)+)(?:\s+around\s+them)?:\s+(\d+)\s+lines", text)
    told = set()
    for names, lines in counts:
        files = re.findall(r"`([^`]+)`", names)
        told |= set(files)
        assert sum(len((folder / name).read_text().splitlines()) for name in files) == int(lines), files
    assert told == {path.name for path in folder.iterdir() if path.suffix in (".h", ".cpp")}


def test_all_examples_are_built_together():
    built = re.findall(r"add_subdirectory\((\w+)\)", (EXAMPLES / "CMakeLists.txt").read_text())
    assert sorted(built) == [folder.name for folder in FOLDERS]

# SPDX-License-Identifier: Apache-2.0
"""The examples of the README and of the pages in docs/ run as they stand, and print what stands below them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from documents import DOCUMENTS, name_of, text_of

BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
BLOCKS = [
    pytest.param(*block, id=f"{name_of(document)}-{number}")
    for document in DOCUMENTS
    for number, block in enumerate(BLOCK.findall(text_of(document)), start=1)
]


@pytest.mark.parametrize(("language", "text", "output"), BLOCKS)
def test_example(language, text, output, tmp_path):
    program = [sys.executable, "-c"] if language == "python" else ["bash", "-euo", "pipefail", "-c"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [*program, text], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    if output:
        assert done.stdout == output


def test_there_are_examples():
    languages = [block.values[0] for block in BLOCKS if block.id.startswith("README.md")]
    assert set(languages) == {"python", "sh"}
    assert any(block.values[2] for block in BLOCKS)

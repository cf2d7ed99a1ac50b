# SPDX-License-Identifier: Apache-2.0
"""The examples of the README run as they stand."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
BLOCKS = re.findall(r"^```(python|sh)\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("language", "text"), BLOCKS, ids=lambda part: part.split("\n", 1)[0][:40])
def test_example(language, text, tmp_path):
    program = [sys.executable, "-c"] if language == "python" else ["bash", "-euo", "pipefail", "-c"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [*program, text], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_there_are_examples():
    assert {language for language, _ in BLOCKS} == {"python", "sh"}

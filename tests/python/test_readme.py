# SPDX-License-Identifier: Apache-2.0
"""Tests that the examples in the README and in docs/ run unchanged, and print the output that is shown below them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from documents import DOCUMENTS, name_of, text_of
from nandscape.guest.machine import folder

BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
# Programs that an example may need. An example without its program is skipped.
CLIENTS = ("fio", "nbdcopy", "nbdinfo", "qemu-img", "qemu-io")
GUEST_PROGRAMS = ("db_bench", "fio", "mkfs.ext4", "mkfs.xfs", "sqlite3")
SYSTEM_PATH = f"{os.environ['PATH']}{os.pathsep}/usr/sbin{os.pathsep}/sbin"


def marks_of(text):
    if re.search(r"\bns\.Guest\(|\bnandscape guest\b", text):
        missing = [f"{name} is not installed" for name in absent(GUEST_PROGRAMS, text)]
        if not (folder() / "linux").exists():
            missing.append("no kernel")
        return [pytest.mark.guest, pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)}; make guest")]
    missing = absent(CLIENTS, text)
    reason = f"{', '.join(missing)} is not installed; make nbd installs it"
    needed = any(names(client, text) for client in CLIENTS)
    return [pytest.mark.nbd, pytest.mark.skipif(bool(missing), reason=reason)] if needed else []


def absent(programs, text):
    return [name for name in programs if names(name, text) and shutil.which(name, path=SYSTEM_PATH) is None]


def names(program, text):
    return re.search(rf"(?<![\w./]){re.escape(program)}[\s\"]", text)


BLOCKS = [
    pytest.param(*block, id=f"{name_of(document)}-{number}", marks=marks_of(block[1]))
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


CHANGED = [block for block in BLOCKS if re.search(r"t_prog_us(\": |=)900", block.values[1])]


@pytest.mark.parametrize(("language", "text", "output"), CHANGED)
def test_the_key_that_an_example_changes_moves_its_figure(language, text, output, tmp_path):
    """With another value of the key, the output must differ in more than wall times."""
    told = []
    for value in ("900", "500"):
        folder = tmp_path / value
        folder.mkdir()
        other = re.sub(r"(t_prog_us(?:\": |=))900", rf"\g<1>{value}", text)
        if language == "sh":
            other = "\n".join(line for line in other.splitlines() if "t_prog_us" in line)
        program = [sys.executable, "-c"] if language == "python" else ["bash", "-euo", "pipefail", "-c"]
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            [*program, other], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True
        )
        told.append([line for line in done.stdout.splitlines() if not line.startswith("wall time")])
    assert told[0] != told[1]

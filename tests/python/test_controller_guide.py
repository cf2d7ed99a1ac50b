# SPDX-License-Identifier: Apache-2.0
"""Tests that the page on adding a policy leads to a working read-recovery policy. The test performs the steps of the
page in a copy of the sources."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "add-policy.md").read_text(encoding="utf-8")
COPIED = ("CMakeLists.txt", "CMakePresets.json", "cmake", "models", "platform", "bindings", "scenarios/traces")


def nandscape(copy: Path, *arguments: str) -> str:
    # The option -S disables the import hooks of site-packages, since they point to the original sources and not to the
    # copy.
    environment = {**os.environ, "PYTHONPATH": f"{copy / 'bindings'}{os.pathsep}{sysconfig.get_path('purelib')}"}
    program = [sys.executable, "-S", "-m", "nandscape", *arguments]
    return subprocess.run(program, cwd=copy, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_a_policy_is_a_class_and_its_line_in_the_list(tmp_path):
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    policies = tmp_path / "models" / "controller" / "reading" / "read_recovery.cpp"
    added, line = re.findall(r"^```cpp\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    text = policies.read_text()
    assert "}  // namespace\n" in text
    assert "  });\n  return registry;" in text
    text = text.replace("}  // namespace\n", f"{added}\n}}  // namespace\n", 1)
    policies.write_text(text.replace("  });\n  return registry;", f"{line}  }});\n  return registry;", 1))

    configure = ["cmake", "--preset", "release", "-DNANDSCAPE_LTO=OFF", "-DNANDSCAPE_BUILD_TESTS=OFF"]
    subprocess.run([*configure, f"-DPython_EXECUTABLE={sys.executable}"], cwd=tmp_path, check=True)
    build = ["cmake", "--build", "--preset", "release", "--target", "nandscape_python"]
    subprocess.run(build, cwd=tmp_path, check=True)

    assert "leap" in nandscape(tmp_path, "params", "controller.read_retry")
    run = re.search(r"^nandscape (run bare .*?)\n```", GUIDE, re.MULTILINE | re.DOTALL)[1]
    arguments = run.replace("\\\n", " ").split()
    nandscape(tmp_path, *arguments, "--set", "host.workload.requests=2000", "--json", "result.json")
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["configuration"]["controller"]["read_retry"]["policy"] == "leap"
    assert result["statistics"]["controller"]["read_retry"]["retried_reads"] > 0

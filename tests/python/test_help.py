# SPDX-License-Identifier: Apache-2.0
"""Tests of the command's help, whose examples must be valid commands, and of its completion for shells."""

import argparse
import shlex
import shutil
import subprocess
import sys

import pytest

from nandscape import _core
from nandscape.cli import main as entry

PARSER = entry._parser()
COMMANDS = next(action for action in PARSER._actions if isinstance(action, argparse._SubParsersAction)).choices
EXAMPLES = [
    pytest.param(line, id=line)
    for parser in (PARSER, *COMMANDS.values())
    for line in map(str.strip, (parser.epilog or "").replace("\\\n", " ").splitlines())
    if line.startswith("nandscape ")
]


def needs(shell):
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"no {shell} is installed")


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_an_example(name):
    assert f"\n  nandscape {name}" in (COMMANDS[name].epilog or ""), "cli.parsers.add_command makes commands"


def test_the_module_of_each_command_is_known():
    assert list(COMMANDS) == list(entry.MODULES)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_alone_has_the_same_help(name, capsys):
    assert entry._parser(name).format_usage() == PARSER.format_usage()
    with pytest.raises(SystemExit):
        entry.main([name, "--help"])
    assert capsys.readouterr().out == COMMANDS[name].format_help()


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_terminal(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert [line for line in COMMANDS[name].format_help().splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("line", EXAMPLES)
def test_the_command_takes_its_examples(line):
    # In the overview, the part after several blanks is a description and not part of the command.
    words = shlex.split(line.partition("    ")[0], comments=True)
    words = words[: next((place for place, word in enumerate(words) if word.startswith(">")), None)]
    options = PARSER.parse_args(words[1:])
    keys = {row.path for row in _core.list_parameters()}
    for override in getattr(options, "overrides", []):
        assert override.partition("=")[0] in keys


def completed(script, shell, program):
    done = subprocess.run(
        [shell, "-c", program, shell, script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """The files of the completion scripts, by the name of the shell."""
    folder = tmp_path_factory.mktemp("completion")
    made = {}
    for shell in ("bash", "zsh", "fish"):
        made[shell] = folder / f"completion.{shell}"
        with open(made[shell], "w") as file:
            subprocess.run([sys.executable, "-m", "nandscape", "completion", shell], stdout=file, check=True)
    return made


BASH = """
source "$1"
compopt() { :; }  # bash takes it only while it completes
complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _nandscape; echo "${COMPREPLY[@]}"; }
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("nandscape comp", "compare completion"),
        ("nandscape run defa", "default"),
        ("nandscape run --s", "--set --save"),
        ("nandscape run default --set nand.timing.t_prog_u", "nand.timing.t_prog_us="),
        ("nandscape run default --set = nand.timing.t_prog_u", "nand.timing.t_prog_us="),
        ("nandscape completion ''", "bash zsh fish"),
        ("nandscape characterize-ecc bch_1024_7", "bch_1024_72"),
        ("nandscape run --nothing", ""),
    ],
)
def test_bash_completes(scripts, words, expected):
    assert completed(scripts["bash"], "bash", f"{BASH}\ncomplete_words {words}") == expected.split()


def test_bash_completes_files(scripts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "default run.npz").touch()
    (tmp_path / "kept").mkdir()
    assert completed(scripts["bash"], "bash", f"{BASH}\ncomplete_words nandscape report def") == ["default", "run.npz"]
    assert completed(scripts["bash"], "bash", f"{BASH}\ncomplete_words nandscape sweep a --store ''") == ["kept"]


@needs("fish")
def test_fish_completes(scripts):
    def candidates(line):
        lines = completed(
            scripts["fish"], "fish", f'source $argv[2]; complete -C "{line}" | string replace -r "\\t.*" ""; true'
        )
        return set(lines)

    assert candidates("nandscape comp") == {"compare", "completion"}
    assert {"--set", "--save"} <= candidates("nandscape run --s")
    assert candidates("nandscape run --set nand.timing.t_prog_u") == {"nand.timing.t_prog_us="}
    assert candidates("nandscape completion ") == {"bash", "zsh", "fish"}


@needs("zsh")
def test_zsh_reads_its_script(scripts):
    subprocess.run(["zsh", "-n", scripts["zsh"]], check=True)
    program = 'autoload -Uz compinit; compinit -D -u; source "$1"; print $_comps[nandscape]'
    assert completed(scripts["zsh"], "zsh", program) == ["_nandscape"]

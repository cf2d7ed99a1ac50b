# SPDX-License-Identifier: Apache-2.0
"""`nandscape completion`: prints completion scripts for shells, made from the parser."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nandscape import _core, codes
from nandscape.cli.parsers import add_command

EXAMPLES = """
nandscape completion bash >> ~/.bash_completion
nandscape completion zsh > ~/.zfunc/_nandscape     # where fpath has ~/.zfunc
nandscape completion fish > ~/.config/fish/completions/nandscape.fish
source <(nandscape completion bash)                # for this shell alone
"""
# The kinds of values that the shell completes: presets (and files), keys, codes, files and folders. METAVARS maps the
# placeholders of the help to these kinds.
PRESETS, KEYS, CODES, FILES, FOLDERS = "presets", "keys", "codes", "files", "folders"
METAVARS = {"CONFIG": PRESETS, "KEY=VALUE": KEYS, "CODE": CODES, "FOLDER": FOLDERS} | dict.fromkeys(
    ("FILE", "FILE.npz", "TRACE", "STUDY", "RUN"), FILES
)


@dataclass(frozen=True)
class Argument:
    """An option or a positional argument. `flags`: flags of an option. `takes`: a kind of value such as `PRESETS`, a
    list of choices, "" for a value that cannot be completed, or None for an option without a value. `many`: whether
    several values follow."""

    flags: list[str]
    help: str
    takes: str | list[str] | None
    many: bool


@dataclass(frozen=True)
class Command:
    """A subcommand with its arguments."""

    name: str
    help: str
    options: list[Argument]
    positionals: list[Argument]


def add_commands(commands: Any) -> None:
    """Adds the subcommand `completion` with its arguments to the parser."""
    parser = add_command(commands, "completion", "print a completion script for a shell", EXAMPLES)
    parser.add_argument("shell", choices=list(SCRIPTS), help="the shell")
    parser.set_defaults(command=lambda options: print(SCRIPTS[options.shell](_of(commands)), end=""))


def _of(commands: Any) -> list[Command]:
    """Returns the commands of the parser with their arguments."""
    words = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    found = []
    for name, parser in commands.choices.items():
        actions = [_argument(action) for action in parser._actions if action.help != argparse.SUPPRESS]
        options = [argument for argument in actions if argument.flags]
        found.append(Command(name, words.get(name, ""), options, [one for one in actions if not one.flags]))
    return found


def _argument(action: argparse.Action) -> Argument:
    takes: str | list[str] | None = None
    if action.choices is not None:
        takes = [str(choice) for choice in action.choices]
    elif action.nargs != 0:
        takes = METAVARS.get(str(action.metavar), "")
    return Argument(list(action.option_strings), action.help or "", takes, action.nargs in ("+", "*"))


def _words() -> dict[str, list[str]]:
    """Returns the names that configurations use, for each kind of value."""
    keys = dict.fromkeys(f"{row.path}=" for row in _core.list_parameters())
    return {PRESETS: sorted(name for name, _ in _core.list_presets()), KEYS: list(keys), CODES: codes()}


def _bash(commands: list[Command]) -> str:
    words = _words()

    def reply(takes: str | list[str]) -> str:
        if isinstance(takes, list):
            return f'_nandscape_reply -W "{" ".join(takes)}"'
        return {
            PRESETS: '_nandscape_reply -f -W "$_nandscape_presets"; compopt -o filenames',
            KEYS: '_nandscape_reply -W "$_nandscape_keys"; compopt -o nospace',
            CODES: '_nandscape_reply -W "$_nandscape_codes"',
            FILES: "_nandscape_reply -f; compopt -o filenames",
            FOLDERS: "_nandscape_reply -d; compopt -o filenames",
        }.get(takes, ":")

    cases, options, positionals = [], [], []
    for command in commands:
        for option in command.options:
            if option.takes is not None:
                cases += [f'        "{command.name} {flag}") {reply(option.takes)}; return ;;' for flag in option.flags]
        flags = " ".join(flag for option in command.options for flag in option.flags)
        options.append(f'        {command.name}) _nandscape_reply -W "{flags}" ;;')
        if command.positionals:
            positionals.append(f"        {command.name}) {reply(command.positionals[0].takes or '')} ;;")
    names = " ".join(command.name for command in commands)
    lines = "\n".join
    return f"""\
# Completion of nandscape for bash; made by nandscape completion bash.
_nandscape_presets="{" ".join(words[PRESETS])}"
_nandscape_keys="{" ".join(words[KEYS])}"
_nandscape_codes="{" ".join(words[CODES])}"

_nandscape_reply() {{
    mapfile -t COMPREPLY < <(compgen "$@" -- "$current")
}}

_nandscape() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD - 1]}}" command="" word
    # Bash treats the equals sign in --option=value as a word of its own.
    [[ $current == "=" ]] && current=""
    [[ $before == "=" && $COMP_CWORD -gt 2 ]] && before="${{COMP_WORDS[COMP_CWORD - 2]}}"
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case " {names} " in *" $word "*) command="$word"; break ;; esac
    done
    if [[ -z $command ]]; then
        _nandscape_reply -W "{names} --help --version"
        return
    fi
    case "$command $before" in
{lines(cases)}
    esac
    if [[ $current == -* ]]; then
        case "$command" in
{lines(options)}
        esac
        return
    fi
    case "$command" in
{lines(positionals)}
    esac
}}

complete -F _nandscape nandscape
"""


def _zsh(commands: list[Command]) -> str:
    words = _words()

    def action(takes: str | list[str] | None) -> str:
        if isinstance(takes, list):
            return f"({' '.join(takes)})"
        return {
            PRESETS: "_nandscape_presets",
            KEYS: "_nandscape_keys",
            CODES: "_nandscape_codes",
            FILES: "_files",
            FOLDERS: "_files -/",
        }.get(takes or "", " ")

    def specifications(command: Command) -> Iterator[str]:
        for option in command.options:
            for flag in option.flags:
                repeated = "*" if option.takes == KEYS or option.many else ""
                value = "" if option.takes is None else f":value:{action(option.takes)}"
                yield f"{repeated}{flag}[{_zsh_text(option.help)}]{value}"
        for place, positional in enumerate(command.positionals, start=1):
            where = "*" if positional.many else str(place)
            yield f"{where}:{_zsh_text(positional.help)}:{action(positional.takes)}"

    names = "\n".join(f"    {_quoted(f'{command.name}:{_zsh_text(command.help)}')}" for command in commands)
    cases = "\n".join(
        f"    {command.name}) _arguments {' '.join(map(_quoted, specifications(command)))} ;;" for command in commands
    )
    return f"""\
#compdef nandscape
# Completion of nandscape for zsh; made by nandscape completion zsh.
_nandscape_presets() {{
  compadd -- {" ".join(words[PRESETS])}
  _files
}}

_nandscape_keys() {{
  compadd -S "" -- {" ".join(map(_quoted, words[KEYS]))}
}}

_nandscape_codes() {{
  compadd -- {" ".join(words[CODES])}
}}

_nandscape() {{
  local state line
  local -a commands=(
{names}
  )
  _arguments -C '(- *)--help[show this help]' '(- *)--version[show the version]' \\
    '1:command:->command' '*::argument:->argument'
  case $state in
  command) _describe command commands ;;
  argument)
    case $line[1] in
{cases}
    esac ;;
  esac
}}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _nandscape "$@"
else
  compdef _nandscape nandscape
fi
"""


def _fish(commands: list[Command]) -> str:
    words = _words()

    def values(takes: str | list[str]) -> str:
        if isinstance(takes, list):
            return f"-x -a {_quoted(' '.join(takes))}"
        return {
            PRESETS: f"-F -a {_quoted(' '.join(words[PRESETS]))}",
            KEYS: '-x -a "$__nandscape_keys"',
            CODES: f"-x -a {_quoted(' '.join(words[CODES]))}",
            FILES: "-F",
            FOLDERS: "-x -a '(__fish_complete_directories)'",
        }.get(takes, "-x")

    lines = [
        "# Completion of nandscape for fish; made by nandscape completion fish.",
        f"set -g __nandscape_keys {' '.join(words[KEYS])}",
        "complete -c nandscape -f",
        "complete -c nandscape -n __fish_use_subcommand -l version -d 'show the version'",
    ]
    for command in commands:
        lines.append(
            f"complete -c nandscape -n __fish_use_subcommand -a {command.name} -d {_quoted(_plain(command.help))}"
        )
        seen = f"complete -c nandscape -n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
            value = "" if option.takes is None else f" {values(option.takes)} -r"
            lines.append(f"{seen} {flags}{value} -d {_quoted(_plain(option.help))}")
        lines += [f"{seen} {values(positional.takes or '')}" for positional in command.positionals]
    return "\n".join(lines) + "\n"


SCRIPTS: Mapping[str, Callable[[list[Command]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}


def _plain(text: str) -> str:
    """Returns a help text on one line, without argparse's escapes and without backticks."""
    return " ".join(text.replace("%%", "%").replace("`", "").split())


def _zsh_text(text: str) -> str:
    return re.sub(r"([\[\]:\\])", r"\\\1", _plain(text))


def _quoted(text: str) -> str:
    """Returns the text in single quotes, escaped for the shells."""
    return "'" + text.replace("'", "'\\''") + "'"

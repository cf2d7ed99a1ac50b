# SPDX-License-Identifier: Apache-2.0
"""fio job files: sections of options, with their line numbers."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from nandscape.errors import InputError

MOST_DIGITS = 19  # digits of the largest signed 64-bit integer
LONGEST_SHOWN = 60  # characters of an option's value that a message shows

_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_SECONDS = {
    "d": 86400,
    "h": 3600,
    "m": 60,
    "s": 1,
    "ms": Fraction(1, 1000),
    "msec": Fraction(1, 1000),
    "us": Fraction(1, 10**6),
    "usec": Fraction(1, 10**6),
}

# Alternative names of options, and the names that are used here.
_SYNONYMS = {
    "readwrite": "rw",
    "blocksize": "bs",
    "blocksize_range": "bsrange",
    "blockalign": "ba",
    "io_limit": "io_size",
    "fileoffset": "offset",
    "timeout": "runtime",
}


@dataclass(frozen=True)
class Option:
    """An option of a job with its file and line. `value` is the value as written, or "1" if the option has none."""

    file: str
    line: int
    name: str
    value: str

    def error(self, what: str) -> InputError:
        """Returns an error whose message begins with the file and the line of this option, and shows the option."""
        return InputError(f"{self.file}:{self.line}: {self.name}={_cut(self.value)}: {what}")

    def remark(self, what: str) -> str:
        """Returns a remark that begins with the file and the line of this option, and shows the option."""
        return f"{os.path.basename(self.file)}:{self.line}: {self.name}={_cut(self.value)}: {what}"

    def with_value(self, value: str) -> Option:
        """Returns the same option with another value, for example a part of the original value."""
        return Option(self.file, self.line, self.name, value)

    def whole(self) -> int:
        """Returns the value as an integer. Raises `InputError` if the value is not an integer of at least 0."""
        if not self.value.isdecimal():
            raise self.error("expected a whole number")
        return self._integer(self.value)

    def number(self) -> float:
        """Returns the value as a float. Raises `InputError` if the value is not a finite number of at least 0."""
        if not re.fullmatch(r"\d+(\.\d*)?|\.\d+", self.value) or math.isinf(float(self.value)):
            raise self.error("expected a number")
        return float(self.value)

    def amount(self, base: int = 1024) -> int:
        """Returns the value as a number with an optional suffix: 4096, 4k, 1g, 2mb. Suffixes are powers of `base`. As
        in fio, the suffixes ki, mi, ... are powers of 1000 if `base` is 1024, and powers of 1024 if it is 1000. Raises
        `InputError` for a value of any other form."""
        match = re.fullmatch(r"(\d+)([kmgtp]?)(i?)b?", self.value.strip().lower())
        if match is None:
            raise self.error("expected a size, such as 4096, 4k or 1g")
        number, suffix, other = match.groups()
        factor = {1024: 1000, 1000: 1024}[base] if other else base
        return self._integer(number) * factor ** _POWERS[suffix]

    def seconds(self, unit: str = "s") -> Fraction:
        """Returns the value as a time in seconds. A value without a suffix is in `unit`. Raises `InputError` for a
        value of any other form."""
        match = re.fullmatch(r"(\d+)([a-z]*)", self.value.strip().lower())
        suffix = match[2] or unit if match else ""
        if match is None or suffix not in _SECONDS:
            raise self.error("expected a time, such as 30, 5m or 100ms")
        return Fraction(self._integer(match[1])) * _SECONDS[suffix]

    def _integer(self, digits: str) -> int:
        if len(digits.lstrip("0")) > MOST_DIGITS:
            raise self.error(f"expected a number of at most {MOST_DIGITS} digits")
        return int(digits)


@dataclass
class Job:
    """A job with its name and its options, including the options of [global] sections before it. `find` marks options
    as used."""

    name: str
    option: Option  # the line with the job's name, for errors and remarks
    options: dict[str, Option]
    taken: set[str] = field(default_factory=set)

    def find(self, name: str) -> Option | None:
        """Returns the option of that name and marks it as used, or returns None if the job does not have it."""
        self.taken.add(name)
        return self.options.get(name)

    def is_set(self, name: str) -> bool:
        """Returns whether the job has the option with a value other than 0 and none."""
        option = self.find(name)
        return option is not None and option.value.lower() not in ("0", "none")

    def left(self) -> list[Option]:
        """Returns the options that `find` was never asked for."""
        return [option for name, option in self.options.items() if name not in self.taken]


def read_jobs(path: str | os.PathLike[str]) -> list[Job]:
    """Returns the jobs of a file in the order of the file. Raises `InputError` for a line that is not a section, an
    option or a comment, and for a file without jobs."""
    file = os.fsdecode(path)
    common: dict[str, Option] = {}
    jobs: list[Job] = []
    options: dict[str, Option] | None = None
    for number, raw in enumerate(Path(path).read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        line = raw.strip()
        if not line or line[0] in ";#":
            continue
        if line[0] == "[":
            name, closed, _ = line[1:].partition("]")
            if not closed or not name:
                raise InputError(f"{file}:{number}: expected a section, such as [job], got '{_cut(line)}'")
            if name == "global":
                options = common
                continue
            options = dict(common)
            jobs.append(Job(name, Option(file, number, "job", name), options))
            continue
        if options is None:
            raise InputError(
                f"{file}:{number}: expected a section, such as [global], before the first option, got '{_cut(line)}'"
            )
        option = _option(file, number, line)
        options[option.name] = option
    if not jobs:
        raise InputError(f"{file}: it has no job; a job is a section such as [job]")
    return jobs


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def _option(file: str, number: int, line: str) -> Option:
    name, equals, value = (part.strip() for part in line.partition("="))
    if " " in name:
        raise InputError(f"{file}:{number}: expected an option, such as bs=4k, got '{_cut(line)}'")
    option = Option(file, number, _SYNONYMS.get(name, name), re.split(r"\s[;#]", value)[0].strip() if equals else "1")
    if "$" in option.value:
        raise option.error("variables are not expanded; write the value")
    return option

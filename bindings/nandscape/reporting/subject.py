# SPDX-License-Identifier: Apache-2.0
"""What a report shows: the title and the sections of its page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Subject:
    """The contents of a page. `title`: title of the page, unless the caller gives one. `sections`: pairs of heading and
    HTML; a section without a heading belongs to no other section. `script`: JavaScript that runs after the page has
    been read."""

    title: str
    sections: Iterable[tuple[str, str]]
    script: str = ""


class Reportable(Protocol):
    """An object that has a page of its own."""

    def report_subject(self) -> Subject:
        """Returns what a report shows of this object."""
        ...

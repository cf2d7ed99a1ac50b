# SPDX-License-Identifier: Apache-2.0
"""Elements of an XML file, with the lines where they stand, which Python's own trees of elements do not keep."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar
from xml.parsers import expat

from nandscape.errors import InputError

Meaning = TypeVar("Meaning")

MOST_DIGITS = 19  # 64 bits with a sign hold any number of so many
LONGEST_SHOWN = 60  # characters of a text in messages


class Element:
    """An element: its name, its text without blanks round it, and the elements in it.

    `take` and its kinds give the element of a name and remember that it was asked for; `left` are the others.
    """

    def __init__(self, file: str, line: int, name: str) -> None:
        self.file = file
        self.line = line
        self.name = name
        self.text = ""
        self.children: list[Element] = []
        self._taken: set[str] = set()

    def error(self, what: str) -> InputError:
        """An error that stands at this element."""
        return InputError(f"{self.file}:{self.line}: {self.name}: {what}")

    def remark(self, what: str) -> str:
        """A remark on this element."""
        return f"{os.path.basename(self.file)}:{self.line}: {self.name}: {what}"

    def find(self, name: str) -> Element | None:
        """The element of that name in this one, if there is one."""
        self._taken.add(name)
        return next((child for child in self.children if child.name == name), None)

    def take(self, name: str) -> Element:
        """The element of that name in this one. Raises `InputError` without it."""
        child = self.find(name)
        if child is None:
            raise self.error(f"there is no <{name}> in it")
        return child

    def left(self) -> list[Element]:
        """The elements that nobody has asked for."""
        return [child for child in self.children if child.name not in self._taken]

    def whole(self) -> int:
        """Its text as a whole number that is not negative."""
        if not (self.text.isascii() and self.text.isdecimal()):
            raise self.error(f"expected a whole number, got {self._shown()}")
        if len(self.text.lstrip("0")) > MOST_DIGITS:
            raise self.error(f"expected a whole number of at most {MOST_DIGITS} digits, got {self._shown()}")
        return int(self.text)

    def number(self) -> float:
        """Its text as a number that is not negative."""
        try:
            number = float(self.text)
        except ValueError:
            number = -1
        if not 0 <= number < float("inf"):
            raise self.error(f"expected a number, got {self._shown()}")
        return number

    def boolean(self) -> bool:
        """Its text as true or false."""
        return self.choice({"true": True, "false": False})

    def choice(self, meanings: Mapping[str, Meaning]) -> Meaning:
        """What its text means, without regard to case."""
        for text, meaning in meanings.items():
            if text.lower() == self.text.lower():
                return meaning
        raise self.error(f"{self._shown()} is not one of {', '.join(meanings)}")

    def _shown(self) -> str:
        """Its text in quotes, cut where it is long."""
        cut = self.text[:LONGEST_SHOWN]
        return f"'{cut}'" if cut == self.text else f"'{cut}...' ({len(self.text)} characters)"


def read_elements(path: str | os.PathLike[str], root_name: str) -> Element:
    """The outermost element of an XML file. Raises `InputError` for a file of another kind, OSError for none.

    A file with a document type is refused before anything in it is looked at: a document type defines entities, of
    which a few lines stand for any amount of text, or for other files.
    """
    file = os.fsdecode(path)
    parser = expat.ParserCreate()
    outer = Element(file, 0, "")
    open_elements = [outer]
    pieces: list[list[str]] = [[]]  # of the text of each open element

    def refuse_document_type(*_: object) -> None:
        raise InputError(
            f"{file}:{parser.CurrentLineNumber}: has a document type (<!DOCTYPE ...>), which such files do not need; "
            "remove it, and write out the entities that it defines"
        )

    def start(name: str, _: Mapping[str, str]) -> None:
        element = Element(file, parser.CurrentLineNumber, name)
        open_elements[-1].children.append(element)
        open_elements.append(element)
        pieces.append([])

    def end(_: str) -> None:
        open_elements.pop().text = "".join(pieces.pop()).strip()

    def characters(text: str) -> None:
        pieces[-1].append(text)

    parser.StartDoctypeDeclHandler = refuse_document_type
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(Path(path).read_bytes(), True)
    except expat.ExpatError as error:
        raise InputError(f"{file}:{error.lineno}: no XML: {expat.ErrorString(error.code)}") from None
    except (LookupError, ValueError) as error:  # of Python, for an encoding that it does not know or expat cannot read
        raise (
            error if isinstance(error, InputError) else InputError(f"{file}: no XML that can be read: {error}")
        ) from None
    root = outer.children[0]
    if root.name != root_name:
        raise root.error(f"expected <{root_name}>, the outermost element of such a file")
    return root

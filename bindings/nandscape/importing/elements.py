# SPDX-License-Identifier: Apache-2.0
"""Elements of an XML file with their line numbers, which ElementTree of Python's standard library does not store."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar
from xml.parsers import expat

from nandscape.errors import InputError

Meaning = TypeVar("Meaning")

MOST_DIGITS = 19  # digits of the largest signed 64-bit integer
LONGEST_SHOWN = 60  # characters of an element's text that a message shows


class Element:
    """An element: its name, its text without surrounding blanks, and its children.

    `find` and `take` return a child by name and mark it as used; `left` returns the children that were not used.
    """

    def __init__(self, file: str, line: int, name: str) -> None:
        self.file = file
        self.line = line
        self.name = name
        self.text = ""
        self.children: list[Element] = []
        self._taken: set[str] = set()

    def error(self, what: str) -> InputError:
        """Returns an error whose message begins with the file, the line and the name of this element."""
        return InputError(f"{self.file}:{self.line}: {self.name}: {what}")

    def remark(self, what: str) -> str:
        """Returns a remark that begins with the file, the line and the name of this element."""
        return f"{os.path.basename(self.file)}:{self.line}: {self.name}: {what}"

    def find(self, name: str) -> Element | None:
        """Returns the first child of that name and marks it as used, or returns None if there is none."""
        self._taken.add(name)
        return next((child for child in self.children if child.name == name), None)

    def take(self, name: str) -> Element:
        """Returns the first child of that name and marks it as used. Raises `InputError` if there is none."""
        child = self.find(name)
        if child is None:
            raise self.error(f"it has no <{name}>")
        return child

    def left(self) -> list[Element]:
        """Returns the children that were never requested by `find` or `take`, in the order of the file."""
        return [child for child in self.children if child.name not in self._taken]

    def whole(self) -> int:
        """Returns the text as an integer. Raises `InputError` if the text is not an integer of at least 0."""
        if not (self.text.isascii() and self.text.isdecimal()):
            raise self.error(f"expected a whole number, got {self._shown()}")
        if len(self.text.lstrip("0")) > MOST_DIGITS:
            raise self.error(f"expected a whole number of at most {MOST_DIGITS} digits, got {self._shown()}")
        return int(self.text)

    def number(self) -> float:
        """Returns the text as a float. Raises `InputError` if the text is not a finite number of at least 0."""
        try:
            number = float(self.text)
        except ValueError:
            number = -1
        if not 0 <= number < float("inf"):
            raise self.error(f"expected a number, got {self._shown()}")
        return number

    def boolean(self) -> bool:
        """Returns whether the text is "true". Raises `InputError` if it is neither "true" nor "false"."""
        return self.choice({"true": True, "false": False})

    def choice(self, meanings: Mapping[str, Meaning]) -> Meaning:
        """Returns the value that `meanings` has for the text, ignoring case. Raises `InputError` if it has none."""
        for text, meaning in meanings.items():
            if text.lower() == self.text.lower():
                return meaning
        raise self.error(f"{self._shown()} is not one of {', '.join(meanings)}")

    def _shown(self) -> str:
        """Returns the text in quotes, cut if it is long."""
        cut = self.text[:LONGEST_SHOWN]
        return f"'{cut}'" if cut == self.text else f"'{cut}...' ({len(self.text)} characters)"


def read_elements(path: str | os.PathLike[str], root_name: str) -> Element:
    """Parses an XML file and returns its root element. Raises `InputError` for a file that is not XML or has another
    root, and OSError for a file that cannot be read.

    A file with a document type is refused before its elements are read: a document type can define entities, and a few
    lines with entities can expand to any amount of text or include other files.
    """
    file = os.fsdecode(path)
    parser = expat.ParserCreate()
    outer = Element(file, 0, "")
    open_elements = [outer]
    pieces: list[list[str]] = [[]]  # text of each open element

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
        raise InputError(f"{file}:{error.lineno}: not XML: {expat.ErrorString(error.code)}") from None
    except (LookupError, ValueError) as error:  # Python raises these errors if the encoding is not supported
        raise (
            error if isinstance(error, InputError) else InputError(f"{file}: not XML that can be read: {error}")
        ) from None
    root = outer.children[0]
    if root.name != root_name:
        raise root.error(f"expected <{root_name}> as the root of the file")
    return root

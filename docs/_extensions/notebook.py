# SPDX-License-Identifier: Apache-2.0
"""Turns a page into a notebook: prose becomes Markdown cells, Python becomes code cells that show their pictures."""

from __future__ import annotations

import re
from typing import Any

_FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_PICTURE = re.compile(r'pictures\.save\(.*"([^"]+\.svg)"\)')
_LINK_TO_PAGE = re.compile(r"\[([^\]]*)\]\((?:#|\w|\.)[^)]*\)")


def notebook_of(page: str) -> dict[str, Any]:
    """The notebook (nbformat 4) for the text of a page."""
    cells = []
    # The split yields prose at even places and code at odd ones.
    for place, text in enumerate(_CODE.split(_FRONT_MATTER.sub("", page))):
        if place % 2:
            shown = "".join(f'display(SVG("{name}"))\n' for name in _PICTURE.findall(text))
            text += f"\nfrom IPython.display import SVG, display\n\n{shown}" if shown else ""
            cell = {"cell_type": "code", "execution_count": None, "outputs": []}
        else:
            # The notebook stands alone, without the other pages.
            text = _LINK_TO_PAGE.sub(r"\1", text)
            cell = {"cell_type": "markdown"}
        if text.strip():
            name = f"cell-{place}"
            cells.append({**cell, "id": name, "metadata": {}, "source": text.strip().splitlines(keepends=True)})
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}

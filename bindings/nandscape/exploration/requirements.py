# SPDX-License-Identifier: Apache-2.0
"""Packages that only some calls need."""

from importlib import import_module
from types import ModuleType


def required(module: str, extra: str, purpose: str) -> ModuleType:
    """Imports a module that an extra provides. Raises ImportError with the command to install it if it is missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name is None or not f"{module}.".startswith(f"{missing.name}."):
            raise
        package = module.partition(".")[0]
        raise ImportError(
            f"{purpose} needs {package}, which is not installed: pip install 'nandscape[{extra}]'"
        ) from missing

# SPDX-License-Identifier: Apache-2.0
"""Imports packages that only some calls need and that may not be installed."""

from importlib import import_module
from types import ModuleType


def required(module: str, extra: str, purpose: str) -> ModuleType:
    """Imports a module that belongs to an optional set of dependencies, an extra. If the module is missing, raises
    ImportError with the command that installs it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name is None or not f"{module}.".startswith(f"{missing.name}."):
            raise
        package = module.partition(".")[0]
        raise ImportError(
            f"{purpose} needs {package}, which is not installed: pip install 'nandscape[{extra}]'"
        ) from missing

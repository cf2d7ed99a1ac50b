# SPDX-License-Identifier: Apache-2.0
"""The space of a search: for each key, its choices or a range of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nandscape.config import Config
from nandscape.errors import ConfigError
from nandscape.exploration.points import hashable
from nandscape.policies import Policy

LOG = "log"


class Space:
    """Keys with their possible values: a list of choices, a pair of the lowest and the highest value, such a pair
    followed by "log" for a logarithmic scale, or a `range`. A pair of ints stands for integers only.

    Raises `ConfigError` for an unknown key and for a key without a valid value, TypeError and ValueError for values in
    any other form.
    """

    def __init__(self, keys: Mapping[str, Any], base: Config) -> None:
        if not keys:
            raise ValueError("the space is empty; give values for at least one key")
        self._keys = {key: _checked(key, given) for key, given in keys.items()}
        for key, given in self._keys.items():
            _check_key(base, key, _examples(given))

    @property
    def names(self) -> list[str]:
        """The keys of the space."""
        return list(self._keys)

    def to_json(self) -> dict[str, Any]:
        """Returns a JSON value that identifies the space. Raises ValueError for policies written in Python, because no
        JSON value identifies them."""
        for key, given in self._keys.items():
            if isinstance(given, list) and any(isinstance(choice, Policy) for choice in given):
                raise ValueError(
                    f"{key} has policies written in Python among its choices: a storage keeps only their printed "
                    "names, which another policy may share; leave out storage"
                )
        return {key: [type(given).__name__, *map(hashable, _examples(given))] for key, given in self._keys.items()}

    def suggest(self, trial: Any) -> dict[str, Any]:
        """Returns the values that Optuna suggests for a trial, by key."""
        return {key: self._suggested(trial, key, given) for key, given in self._keys.items()}

    def value_of(self, key: str, suggested: Any) -> Any:
        """Returns the value of a key that belongs to Optuna's suggestion, which is a number or the label of a
        choice."""
        given = self._keys[key]
        return _labels(given)[suggested] if isinstance(given, list) else suggested

    def _suggested(self, trial: Any, key: str, given: Any) -> Any:
        if isinstance(given, list):
            return self.value_of(key, trial.suggest_categorical(key, list(_labels(given))))
        if isinstance(given, range):
            return trial.suggest_int(key, given.start, given[-1], step=given.step)
        low, high, *scale = given
        if isinstance(low, int) and isinstance(high, int):
            return trial.suggest_int(key, low, high, log=bool(scale))
        return trial.suggest_float(key, low, high, log=bool(scale))


def _labels(choices: list[Any]) -> dict[Any, Any]:
    """Returns the choices by label. Optuna is given the labels, since it accepts neither lists nor dicts."""
    return {hashable(choice): choice for choice in choices}


def _checked(key: str, given: Any) -> Any:
    if isinstance(given, range):
        if not given or given.step < 1:
            raise ValueError(f"{key}: a range must go upwards and have at least one value; got {given}")
        return given
    if isinstance(given, tuple):
        numbers = [value for value in given[:2] if isinstance(value, (int, float)) and not isinstance(value, bool)]
        if len(numbers) < 2 or len(given) > 3 or given[2:] not in ((), (LOG,)):
            raise TypeError(f'{key}: give the lowest and the highest number, and "log" if wanted; got {given!r}')
        if not numbers[0] < numbers[1] or (given[2:] and numbers[0] <= 0):
            raise ValueError(
                f"{key}: the lowest must be below the highest, and above 0 on a logarithmic scale; got {given!r}"
            )
        return given
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise TypeError(f"{key}: give a list of choices, a pair of lowest and highest, or a range; got {given!r}")
    choices = list(given)
    if not choices:
        raise ValueError(f"{key} has no choices")
    return choices


def _examples(given: Any) -> list[Any]:
    return (
        [given[0], given[-1]]
        if isinstance(given, range)
        else list(given)
        if isinstance(given, list)
        else list(given[:2])
    )


def _check_key(base: Config, key: str, values: list[Any]) -> None:
    """Raises the first error if no value of the key is valid. A value that only contradicts another key of the base is
    allowed, since a search may change that key too."""
    first: ConfigError | None = None
    for value in values:
        try:
            base.override({key: value})
            return
        except ConfigError as error:
            if not (error.path == key or error.path.startswith(f"{key}.")):
                return
            first = first or error
    if first is not None:
        raise first

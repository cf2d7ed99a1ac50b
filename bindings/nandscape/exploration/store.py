# SPDX-License-Identifier: Apache-2.0
"""Results of a sweep on disk, from which the sweep can be resumed."""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Iterable, Mapping
from operator import methodcaller
from pathlib import Path
from typing import Any

from nandscape import _core
from nandscape.config import Config
from nandscape.errors import InputError
from nandscape.exploration.requirements import required
from nandscape.exploration.running import Outcome
from nandscape.files import replacing

KEY = "key"

# A store with more files than this merges them when it is loaded, because each file has about 50 KB besides its rows
# and opening it lasts milliseconds.
MOST_FILES = 100


def key_of(config: Config, metrics: object, checkpoint: str | None) -> str:
    """Returns the key of a run. It is a hash of the run's resolved configuration with the seed, of its metrics, of the
    drive from which it continues, and of the version of nandscape. `metrics` is a JSON value.

    Raises ValueError for a configuration with a policy written in Python: another policy may have the same name."""
    for path in config.policies():
        raise ValueError(
            f"{path} is {config[path]}, a policy written in Python: stored results are identified by their "
            "configuration, which has only its name; leave out store and storage"
        )
    parts = [_core.__version__, config.to_dict(), metrics, checkpoint]
    content = json.dumps(parts, sort_keys=True, default=methodcaller("mark"))
    return hashlib.sha256(content.encode()).hexdigest()


class Store:
    """A folder of Parquet files, each written atomically. `pandas.read_parquet` reads the folder as one table.

    A row has the key of its run, its parameters, its seed and its outcome. Runs that ended with an error are not
    stored. Several sweeps may share a folder, also at the same time.

    Raises ImportError if pyarrow is not installed.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._pyarrow = required("pyarrow", "sweep", "sweep(store=...)")
        self._parquet = required("pyarrow.parquet", "sweep", "sweep(store=...)")
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)

    def load(self, keys: Iterable[str]) -> dict[str, Outcome]:
        """Returns the stored outcomes of runs with these keys. Raises `InputError` for a file that no store has
        written."""
        wanted = set(keys)
        found: dict[str, Outcome] = {}
        tables = self._tables()
        for table in tables.values():
            metrics = json.loads(table.schema.metadata[b"metrics"])
            there = self._pyarrow.array([key in wanted for key in table[KEY].to_pylist()], self._pyarrow.bool_())
            for row in table.filter(there).to_pylist():
                figures = {name: row[name] for name in metrics if row[name] is not None}
                found[row[KEY]] = Outcome(figures, row["wall_s"], row["warnings"])
        if len(tables) > MOST_FILES:
            self._merge(tables)
        return found

    def add(self, rows: Iterable[tuple[str, Mapping[str, Any], int, Outcome]]) -> None:
        """Writes the runs that have ended without an error. Each row has the key, the parameters, the seed and the
        outcome of a run."""
        kept = [row for row in rows if row[3].error is None]
        if not kept:
            return
        metrics = list(dict.fromkeys(name for *_, outcome in kept for name in outcome.figures))
        columns: dict[str, Any] = {KEY: [key for key, *_ in kept]}
        for name in kept[0][1]:
            columns[name] = self._column([parameters[name] for _, parameters, *_ in kept])
        columns["seed"] = self._pyarrow.array([seed for _, _, seed, _ in kept], self._pyarrow.uint64())
        for name in metrics:
            values = [outcome.figures.get(name) for *_, outcome in kept]
            if any(isinstance(value, str) for value in values):
                columns[name] = self._pyarrow.array([None if value is None else str(value) for value in values])
            else:
                columns[name] = self._pyarrow.array(values, self._pyarrow.float64())
        columns["wall_s"] = [outcome.wall_s for *_, outcome in kept]
        columns["warnings"] = self._pyarrow.array([outcome.said for *_, outcome in kept], self._pyarrow.string())
        table = self._pyarrow.table(columns).replace_schema_metadata({"metrics": json.dumps(metrics)})
        self._write(table)

    def _tables(self) -> dict[Path, Any]:
        tables = {}
        for file in sorted(self._folder.glob("[!._]*.parquet")):
            try:
                table = self._parquet.read_table(file)
                self._check(table)
            except FileNotFoundError:
                continue  # another sweep has merged it
            except (self._pyarrow.ArrowException, KeyError, TypeError, ValueError, OSError) as failure:
                raise InputError(f"{file}: is not a file of a sweep's store: {failure}") from None
            tables[file] = table
        return tables

    def _check(self, table: Any) -> None:
        """Raises KeyError, TypeError or ValueError for a table that no store has written."""
        types = self._pyarrow.types
        own = {KEY: ("string",), "wall_s": ("double",), "warnings": ("string",)}
        metrics = json.loads(table.schema.metadata[b"metrics"])
        if not isinstance(metrics, list):
            raise TypeError("its metrics are not a list")
        for name, kinds in {**dict.fromkeys(metrics, ("double", "string")), **own}.items():
            found = table.schema.field(name).type
            if str(found) not in kinds and not types.is_null(found):
                raise TypeError(f"the column {name} has the type {found}, not {' or '.join(kinds)}")

    def _merge(self, tables: Mapping[Path, Any]) -> None:
        """Merges files with equal columns into one file. If another sweep does not find a row while files are merged,
        it runs the point of that row again."""
        alike: list[list[Path]] = []
        for file, table in tables.items():
            for group in alike:
                if table.schema.equals(tables[group[0]].schema, check_metadata=True):
                    group.append(file)
                    break
            else:
                alike.append([file])
        for group in alike:
            if len(group) > 1:
                self._write(self._pyarrow.concat_tables([tables[file] for file in group]))
                for file in group:
                    file.unlink(missing_ok=True)

    def _write(self, table: Any) -> None:
        with replacing(self._folder / f"{uuid.uuid4().hex}.parquet") as temporary:
            self._parquet.write_table(table, temporary, use_dictionary=False, write_statistics=False)

    def _column(self, values: list[Any]) -> Any:
        """Returns a column of a table. Numbers become floats, so that the column has the same type in all files of a
        folder. Lists and mappings become JSON."""
        if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
            return self._pyarrow.array([float(value) for value in values])
        if all(isinstance(value, bool) for value in values):
            return self._pyarrow.array(values)
        return self._pyarrow.array([value if isinstance(value, str) else json.dumps(value) for value in values])

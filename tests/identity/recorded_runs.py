# SPDX-License-Identifier: Apache-2.0
"""Checks that a change of the code does not change any result.

Records runs with one version of the simulator and repeats them with another version. Compares the simulated time and
every statistic, and every latency to the picosecond. Sums of floating-point numbers may be computed in a different
order, so statistics may differ by rounding.

    python recorded_runs.py record FILE
    python recorded_runs.py compare FILE [--renamed NAMES]

`record` runs all presets, configurations drawn from the schema, the soak test's random drives with faults and power
cuts, and quick scenarios. `compare` prints each difference, and exits with status 1 if there is any.

NAMES is a JSON object for names that the change has renamed. Its groups map old names to new ones: `keys`, `values`
(for each old key, old values to new ones) and `statistics`. A name that ends in `.` is a prefix. The group `variants`
maps a key to a pair `[key, value]`; the first key is left out unless the second one has this value.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import multiprocessing
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import nandscape as ns

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "python"))
import drawn_configurations  # noqa: E402

PRESETS = (
    "bare",
    "cached",
    "client_qlc",
    "client_tlc",
    "default",
    "drive_mlc_planar",
    "drive_qlc_3d",
    "drive_slc_3d",
    "drive_tlc_3d",
    "drive_tlc_planar",
    "enterprise_tlc",
    "ida_tlc_512g",
    "retention_mlc",
    "retry_tlc_512g",
)
DRAWN = 200
SOAK_SEEDS = 60
SCENARIOS = ("nand_physics", "read_retry", "layer_reads")
LONGEST_RUN_S = 20
ROUNDING = 1e-14
SOAK = ROOT / "build" / "release" / "tests" / "soak" / "soak"


# --- one case


def statistics(stats: dict[str, Any], path: str = "") -> dict[str, Any]:
    """Returns the statistics by their full names, without the wall time and the number of events."""
    flat: dict[str, Any] = {}
    for key, value in stats.items():
        name = f"{path}.{key}" if path else key
        if isinstance(value, dict):
            flat.update(statistics(value, name))
        elif name not in ("simulation.wall_s", "simulation.events"):
            flat[name] = value
    return flat


def digest(requests: dict[str, Any]) -> str:
    return hashlib.sha256(b"".join(requests[name].tobytes() for name in sorted(requests))).hexdigest()


def faulty_use(simulation: ns.Simulation) -> None:
    """Runs power cuts, trims and failing programs and erases on a drive that has run a workload, with shelf time in
    between.
    """
    page = simulation.config["nand.geometry.page_bytes"]
    pages = simulation.capacity_bytes // page
    for round in range(2):
        simulation.fail_next(0, ("program", "erase")[round])
        for k in range(60):
            simulation.start_write((k * 37 + round) % pages * page // 512, bytes([k]) * page)
        simulation.run_until(int(simulation.now_us * 1e6) + 3_000_000_000)
        simulation.power_cut()
        simulation.advance("1d")
        simulation.power_on()
        simulation.trim(0, min(pages, 8) * page // 512)
        for k in range(20):
            simulation.start_read(k * 11 % pages * page // 512, page)
        simulation.wait_all()


def run_case(case: dict[str, Any]) -> dict[str, Any]:
    try:
        simulation = ns.Simulation(ns.load(case["preset"], case["changes"]))
        simulation.run()
        if case["faulty"]:
            faulty_use(simulation)
    except ns.Error:
        return {"refused": True}
    result = simulation.result()
    return {"now_us": simulation.now_us, "requests": digest(result.requests), "statistics": statistics(result.stats)}


def _child(case: dict[str, Any], sender: Any) -> None:
    warnings.simplefilter("ignore")
    sender.send(run_case(case))


def outcome(case: dict[str, Any]) -> dict[str, Any]:
    """Runs a case in a separate process, and returns its outcome.

    The outcome is `too_long` if the case needs more than LONGEST_RUN_S, and `crashed` if the process dies.
    """
    receiver, sender = multiprocessing.get_context("fork").Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_child, args=(case, sender))
    child.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(LONGEST_RUN_S) else {"too_long": True}
    except EOFError:
        return {"crashed": True}
    finally:
        child.kill()
        child.join()


def soak_answers(sequence: str) -> list[str]:
    """Returns the soak test's output for a sequence, without the statistics at its end."""
    with tempfile.NamedTemporaryFile("w", suffix=".soak") as file:
        file.write(sequence)
        file.flush()
        told = subprocess.run([SOAK, "--tell", file.name], capture_output=True, text=True, timeout=120, check=False)
    return told.stdout.partition("\n{")[0].splitlines()


def scenario_rows(name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.json"
        script = ROOT / "scenarios" / "validation" / f"{name}.py"
        subprocess.run([sys.executable, script, "--quick", "--json", path], cwd=folder, capture_output=True, check=True)
        return json.loads(path.read_text())["figures"]


# --- recording


def cases() -> list[dict[str, Any]]:
    # 4000 requests are enough to cause garbage collection, and few enough for drives of any size.
    load = {"host.workload.requests": 4000, "simulation.request_log": True}
    found: list[dict[str, Any]] = [
        {"preset": preset, "changes": {**load, "simulation.cells": cells}, "faulty": False}
        for preset in PRESETS
        for cells in ("ideal", "statistical")
    ]
    found = [{**case, "outcome": outcome(case)} for case in found]
    number = 0
    while len(found) < 2 * len(PRESETS) + DRAWN:
        changes = drawn_configurations.drawn(number)
        case = {"preset": changes.pop("extends"), "changes": {**changes, **load}, "faulty": number % 2 == 1}
        result = outcome(case)
        number += 1
        if "statistics" in result:
            found.append({**case, "outcome": result})
    return found


def record() -> dict[str, Any]:
    kept = sorted((ROOT / "tests" / "soak" / "found").glob("*.soak"))
    drawn = [subprocess.check_output([SOAK, "--draw", str(seed)], text=True) for seed in range(1, SOAK_SEEDS + 1)]
    sequences = [path.read_text() for path in kept] + drawn
    return {
        "cases": cases(),
        "soak": [{"sequence": text, "answers": soak_answers(text)} for text in sequences],
        "scenarios": {name: scenario_rows(name) for name in SCENARIOS},
    }


# --- comparing


def renamed(name: str, names: dict[str, str]) -> str:
    if name in names:
        return names[name]
    for old, new in names.items():
        if old.endswith(".") and name.startswith(old):
            return new + name[len(old) :]
    return name


def translated(case: dict[str, Any], names: dict[str, Any]) -> dict[str, Any]:
    values = names.get("values", {})
    variants = names.get("variants", {})

    def counts(key: str) -> bool:
        selector, value = variants.get(key, (key, case["changes"].get(key)))
        return case["changes"].get(selector) == value

    changes = {
        renamed(key, names.get("keys", {})): values.get(key, {}).get(str(value), value)
        for key, value in case["changes"].items()
        if counts(key)
    }
    return {**case, "changes": changes}


def translated_sequence(text: str, names: dict[str, Any]) -> str:
    settings, line, operations = text.partition("\n---\n")
    changed = []
    for setting in settings.splitlines():
        key, equals, value = setting.partition("=")
        value = names.get("values", {}).get(key, {}).get(value, value)
        changed.append(renamed(key, names.get("keys", {})) + equals + value if equals else setting)
    return "\n".join(changed) + line + operations


def same(before: Any, after: Any) -> bool:
    if isinstance(before, float) and isinstance(after, float):
        return math.isclose(before, after, rel_tol=ROUNDING) or (math.isnan(before) and math.isnan(after))
    return before == after


def differences(recorded: dict[str, Any], names: dict[str, Any]) -> list[str]:
    found = []
    for number, case in enumerate(recorded["cases"]):
        before, after = case["outcome"], outcome(translated(case, names))
        where = f"case {number} ({case['preset']})"
        for part in sorted((before.keys() | after.keys()) - {"statistics"}):
            if before.get(part) != after.get(part):
                found.append(f"{where}: {part} is {after.get(part)}, was {before.get(part)}")
        old = {renamed(key, names.get("statistics", {})): value for key, value in before.get("statistics", {}).items()}
        new = after.get("statistics", {})
        found += [
            f"{where}: {key} is {new.get(key)}, was {old.get(key)}"
            for key in sorted(old.keys() | new.keys())
            if not same(old.get(key), new.get(key))
        ]
    for number, sequence in enumerate(recorded["soak"]):
        after = soak_answers(translated_sequence(sequence["sequence"], names))
        if after != sequence["answers"]:
            pairs = zip(sequence["answers"], after, strict=False)
            first = next((pair for pair in pairs if pair[0] != pair[1]), ("its end", "its end"))
            found.append(f"soak {number}: {first[1]!r}, was {first[0]!r}")
    for name, rows in recorded["scenarios"].items():
        if scenario_rows(name) != rows:
            found.append(f"scenario {name}: its rows differ")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--renamed", type=Path, help="JSON file with the names changed since the recording")
    arguments = parser.parse_args()
    if arguments.what == "record":
        arguments.file.write_text(json.dumps(record()))
        return 0
    names = json.loads(arguments.renamed.read_text()) if arguments.renamed else {}
    recorded = json.loads(arguments.file.read_text())
    found = differences(recorded, names)
    print("\n".join(found) or f"{len(recorded['cases'])} runs, {len(recorded['soak'])} sequences: all the same")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many watts does a drive draw at work, idle and asleep, and what do data sheets say?

Each preset of a contemporary drive is idle in power state 0, rests in its non-operational states, and reads and writes
in order (128 KiB) and at random (4 KiB). PUBLISHED holds figures of data sheets and reviews.

Expectation. At idle a drive draws the power of controller, link, DRAM and dies, through its regulators: (3.86 + 0.32 +
0.3 + 72 x 0.00025) W / 0.9 = 5.0 W for `enterprise_tlc`, 1.5 for `client_tlc` and 1.2 for `client_qlc`. At rest it
draws the power of its state. Work adds energy for each event. When `client_tlc` writes 6.5 GB/s in SLC mode, its 16
dies of four planes program 71 % of the time and draw 1.4 W, the DRAM draws 0.6 W, a core 0.25 W and the buses 0.2 W:
4.2 W in all, with the losses.

The bands were chosen before the first run. Most constants are orders of magnitude, so a typical figure is inside if
the model is within a factor of two, and a rating if the model draws no more. Figures of kind `fitted` or `given` are
inputs of the presets. The model has no energy for the data path of the controller, so it should draw too little.

To fork: change PUBLISHED, or the keys under `controller.power`, `nand.energy` and `host.nvme.power_states`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from study import Study, leave

import nandscape as ns

PRESETS = ["enterprise_tlc", "client_tlc", "client_qlc"]
TYPICAL, MOST, FITTED, GIVEN = "typical", "most", "fitted", "given"
OTHER, DATA_PATH = "states of another drive; the link may be awake", "no energy for the controller's data path"
# Preset, work, source, power in W, the kind of the figure, and the known cause of a difference.
PUBLISHED = [
    ("enterprise_tlc", "idle", "Intel P3600", 4, TYPICAL, ""),
    ("enterprise_tlc", "idle", "Intel P5316", 5, FITTED, ""),
    ("enterprise_tlc", "idle", "Micron 9200", 8, MOST, ""),
    ("enterprise_tlc", "reads in order", "Intel P3600", 25, MOST, ""),
    ("enterprise_tlc", "writes in order", "Micron 7400", 22, MOST, ""),
    ("enterprise_tlc", "writes in order", "Intel P5316", 25, MOST, ""),
    ("enterprise_tlc", "random writes", "Micron 9200", 25, MOST, ""),
    ("client_tlc", "at rest, state 3", "Samsung 980 Pro", 0.035, GIVEN, ""),
    ("client_tlc", "at rest, state 4", "Samsung 980 Pro", 0.005, GIVEN, ""),
    ("client_tlc", "reads in order", "Samsung 980 Pro", 6.2, TYPICAL, DATA_PATH),
    ("client_tlc", "writes in order", "Samsung 980 Pro", 6.2, TYPICAL, ""),
    ("client_tlc", "writes in order", "Samsung 980 Pro", 8.9, MOST, ""),
    ("client_qlc", "at rest, state 3", "Solidigm P41 Plus", 0.025, TYPICAL, ""),
    ("client_qlc", "at rest, state 4", "pynvme, P41 Plus", 0.138, TYPICAL, OTHER),
]
KEYS = [f"host.workload.{key}" for key in ("read_percent", "pattern", "block_bytes", "queue_depth", "requests")]
ORDER, RANDOM = ("sequential", 131072, 64, 3000), ("uniform", 4096, 512, 60_000)  # several times the write buffer
LOADS = {
    "reads in order": dict(zip(KEYS, (100, *ORDER), strict=True)),
    "writes in order": dict(zip(KEYS, (0, *ORDER), strict=True)),
    "random reads": dict(zip(KEYS, (100, *RANDOM), strict=True)),
    "random writes": dict(zip(KEYS, (0, *RANDOM), strict=True)),
}
WARM = {"simulation.warmup.data_mib": 100, "simulation.request_log": False}
METRICS = {"power_w": "power.mean_w", "bandwidth_mib_s": "host.bandwidth_mib_s", "iops": "host.iops"}


def idle_w(drive: ns.Config) -> float:
    """Returns the expected power without commands in state 0."""
    power = drive["controller.power"]
    parts_mw = power["static_mw"] + drive["host.link.active_mw"] + drive["controller.dram.background_mw"]
    return (parts_mw + drive.dies * drive["nand.energy.standby_mw"]) / (10 * power["regulator_percent"])


def power_w(drive: ns.Config, state: int) -> float:
    """Measures the power of a second without commands in a power state."""
    simulation = ns.Simulation(drive)
    simulation.set_power_state(state)
    simulation.run_until("1s")  # the change of state is over
    begin, joules = simulation.now_us, simulation.stats("all")["energy"]["total_j"]
    simulation.run_until("2s")
    return (simulation.stats("all")["energy"]["total_j"] - joules) / (1e-6 * (simulation.now_us - begin))


def verdict(row: Any) -> str:
    inside = row["ratio"] <= 1.001 if row["kind"] == MOST else 0.5 <= row["ratio"] <= 2
    return ("inside" if inside else f"outside: {row['cause'] or 'unknown'}") if row["kind"] else ""


def main(arguments: Sequence[str] | None = None) -> None:
    study = Study(__doc__, __file__, ",".join(PRESETS), arguments)
    found: list[dict[str, Any]] = []
    for preset in study.drive.split(","):
        drive = study.load(WARM, ns.synthetic(), drive=preset)
        states = enumerate(drive["host.nvme.power_states"])
        resting = {f"at rest, state {k}": (k, 1e-3 * s["idle_mw"]) for k, s in states if not s["operational"]}
        for work, (state, expected) in ({"idle": (0, idle_w(drive))} | resting).items():
            found.append({"preset": preset, "work": work, "power_w": power_w(drive, state), "expected_w": expected})
        rows = study.sweep(drive, list(LOADS.values()), METRICS, runs=1 if study.quick else 3)
        found += rows.assign(preset=preset, work=list(LOADS)).to_dict("records")
    published = pd.DataFrame(PUBLISHED, columns=["preset", "work", "source", "published_w", "kind", "cause"])
    table = pd.DataFrame(found).merge(published, how="left", on=["preset", "work"])
    table = table.fillna({"source": "", "kind": "", "cause": ""})
    table["ratio"] = table["power_w"] / table["published_w"]
    table["verdict"] = table.apply(verdict, axis=1)

    panels = study.axes(*[("", "power [W]")] * len(study.drive.split(",")))
    for panel, (preset, of) in zip(panels, table.groupby("preset", sort=False), strict=True):
        panel.plot(of["work"], of["power_w"], "o", color="C0", label="model")
        most = of["kind"] == MOST
        for name, marker, told in ("published, typical", "D", of[~most]), ("published, most", "v", of[most]):
            panel.plot(told["work"], told["published_w"], marker, color="C1", fillstyle="none", label=name)
        panel.set(title=preset, yscale="log", ylim=(0.003, 600))
        panel.tick_params(axis="x", rotation=30)
    columns = {"preset": ("preset", ""), "work": ("work", ""), "bandwidth_mib_s": ("MiB/s", ",.0f")}
    columns |= {"power_w": ("W", ".3f"), "expected_w": ("expected", ".3f"), "published_w": ("published", ".3f")}
    columns |= {"source": ("by", ""), "kind": ("kind", ""), "ratio": ("ratio", ".2f"), "verdict": ("verdict", "")}
    study.write(table, columns, panels[0])


if __name__ == "__main__":
    leave(main)

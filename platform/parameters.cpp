// SPDX-License-Identifier: Apache-2.0
#include "platform/parameters.h"

namespace nandscape {

void describe(SimulationParameters& p, ParameterVisitor& v) {
  v.integer("seed", p.seed, {}, "", "start of every random stream");
  v.choice("data", p.data, {{"none", "addresses and times only"}, {"stored", "bytes are kept and returned"}},
           "what becomes of the bytes that are written");
  v.choice(
      "cells", p.cells,
      {{"ideal", "every read is free of errors"},
       {"statistical", "the number of misread bits is drawn from closed-form probabilities"},
       {"per_cell", "every cell is programmed by pulses, aged and sensed; slow, and takes memory for what is written"}},
      "how closely cells are modelled");
  v.real("quantum_us", p.quantum_us, {0, 1e6}, "us",
         "how far the calendar may run ahead of SystemC; no result depends on it");
  v.boolean("check_protocol", p.check_protocol, "check the phases of every transaction on every socket");
  v.boolean("request_log", p.request_log, "keep start, latency, address and size of every request");
}

void describe(PlatformParameters& p, ParameterVisitor& v) {
  // Pulses that are simulated to find their time are those of the cells.
  const bool ideal = p.simulation.cells == CellFidelity::ideal;
  v.unread_if(ideal && p.nand.timing.program == ProgramTime::given, {"nand.cells"}, "simulation.cells is ideal");
  v.unread_if(ideal, {"nand.condition", "controller.read_retry"}, "simulation.cells is ideal");
  v.group("simulation", p.simulation, "what is simulated, and how faithfully");
  v.group("host", p.host, "the machine that the drive is plugged into");
  v.group("controller", p.controller, "the firmware of the drive");
  v.group("ecc", p.ecc, "error correction");
  v.group("channel", p.channel, "the buses between controller and flash");
  v.group("nand", p.nand, "the flash");
}

}  // namespace nandscape

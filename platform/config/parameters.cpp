// SPDX-License-Identifier: Apache-2.0
#include "platform/config/parameters.h"

#include <string>

namespace nandscape {

void describe(SimulationParameters& p, ParameterVisitor& v) {
  v.integer("seed", p.seed, {}, "", "start of every random stream");
  v.choice("data", p.data, {{"none", "addresses and times only"}, {"stored", "bytes are kept and returned"}},
           "whether written bytes are kept");
  v.variant("cells", p.cells, nand::cell_model_registry(), "how closely cells are modelled");
  v.real("quantum_us", p.quantum_us, {0, 1e6}, "us",
         "how far the calendar may run ahead of SystemC; no result depends on it");
  v.integer(
      "threads", p.threads, {1, 256}, "",
      "threads that share the work on a page: on the codewords of the decoder bit_true, and on per_cell cells; no "
      "result depends on it");
  v.boolean("check_protocol", p.check_protocol, "check the phases of every transaction on every socket");
  v.boolean("request_log", p.request_log, "keep start, latency, address and size of every request");
  v.boolean("breakdown", p.breakdown, "divide the latency of every request into its parts");
  v.group("warmup", p.warmup, "conditions for the begin of the measured window");
  v.group("steady", p.steady, "how a steady state is recognised");
  v.group("blocks", p.blocks, "the blocks of the platform");
  v.group("timeline", p.timeline, "a recording of operations over time, for a viewer");
  v.group("waves", p.blocks.waves, "waves of blocks at pins and of designs in SystemVerilog");
}

std::unique_ptr<nand::CellModel> cell_model_of(const SimulationParameters& p) {
  return nand::cell_model_registry().make(p.cells);
}

void describe(PlatformParameters& p, ParameterVisitor& v) {
  // If the program time is computed from the pulses of ISPP, nand.cells is used even with ideal cells.
  const bool ideal = !cell_model_of(p.simulation)->has_errors();
  const std::string by_cells = "simulation.cells is " + p.simulation.cells.name;
  v.unread_if(ideal && p.nand.timing.program == nand::ProgramTime::given, {"nand.cells"}, by_cells);
  const bool heat_counts = p.nand.condition.temperature.name == "self_heated" || p.controller.power.throttle.used();
  v.unread_if(ideal && !heat_counts, {"nand.condition"}, by_cells);
  v.unread_if(ideal && heat_counts,
              {"nand.condition.pe_cycles", "nand.condition.retention_days", "nand.condition.storage_temperature_c",
               "nand.condition.block_reads"},
              by_cells);
  v.unread_if(ideal, {"controller.read_retry"}, by_cells);
  v.unread_if(!cell_model_of(p.simulation)->uses_threads() && !decoder_of(p.ecc)->uses_threads(),
              {"simulation.threads"}, by_cells + " and ecc.decoder is " + p.ecc.decoder.name);
  v.unread_if(p.controller.mapping.memory != controller::MappingPlace::host, {"host.driver.host_buffer_bytes"},
              "controller.mapping.memory is not host");
  v.group("simulation", p.simulation, "what is simulated, and how faithfully");
  v.group("host", p.host, "the machine that the drive is plugged into");
  v.group("controller", p.controller, "the firmware of the drive");
  v.group("ecc", p.ecc, "error correction");
  v.group("channel", p.channel, "the buses between controller and flash");
  v.group("nand", p.nand, "the flash");
}

}  // namespace nandscape

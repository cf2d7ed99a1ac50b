// SPDX-License-Identifier: Apache-2.0
// The parameters of the whole platform: one group for each block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/parameters.h"

namespace nandscape {

// What is simulated, and how faithfully.

enum class DataFidelity { none, stored };
enum class CellFidelity { ideal };

struct SimulationParameters {
  std::uint64_t seed = 1;
  DataFidelity data = DataFidelity::none;
  CellFidelity cells = CellFidelity::ideal;
  double quantum_us = 0;
  bool check_protocol = false;
  bool request_log = true;
};

inline void describe(SimulationParameters& p, ParameterVisitor& v) {
  v.integer("seed", p.seed, {}, "", "start of every random stream");
  v.choice("data", p.data, {{"none", "addresses and times only"}, {"stored", "bytes are kept and returned"}},
           "what becomes of the bytes that are written");
  v.choice("cells", p.cells, {{"ideal", "every read is free of errors"}}, "how closely cells are modelled");
  v.real("quantum_us", p.quantum_us, {0, 1e6}, "us",
         "how far the calendar may run ahead of SystemC; no result depends on it");
  v.boolean("check_protocol", p.check_protocol, "check each command against the rules of its bus while it runs");
  v.boolean("request_log", p.request_log, "keep start, latency, address and size of every request");
}

// The host: its link to the drive and what it asks for.

struct LinkParameters {
  std::uint32_t generation = 3;
  std::uint32_t lanes = 4;
};

inline void describe(LinkParameters& p, ParameterVisitor& v) {
  v.integer("generation", p.generation, {1, 6}, "", "of PCI Express");
  v.integer("lanes", p.lanes, {1, 16}, "", "width of the link");
}

struct WorkloadParameters {
  std::string kind = "synthetic";
  double read_percent = 70;
  std::uint64_t block_bytes = 4096;
  std::string pattern = "uniform";
  std::uint32_t queue_depth = 64;
  std::uint64_t requests = 100'000;
};

inline void describe(WorkloadParameters& p, ParameterVisitor& v) {
  v.choice("kind", p.kind, {{"synthetic", "drawn from distributions"}}, "where requests come from");
  v.real("read_percent", p.read_percent, {0, 100}, "percent", "share of reads among the requests");
  v.integer("block_bytes", p.block_bytes, {512, 1 << 30}, "bytes", "size of a request");
  v.choice("pattern", p.pattern, {{"uniform", "every address is as likely"}}, "which addresses are asked for");
  v.integer("queue_depth", p.queue_depth, {1, 65'535}, "", "requests under way at once");
  v.integer("requests", p.requests, {1}, "", "requests in all");
}

struct HostParameters {
  LinkParameters link;
  std::vector<WorkloadParameters> workload = std::vector<WorkloadParameters>(1);
};

inline void describe(HostParameters& p, ParameterVisitor& v) {
  v.group("link", p.link, "the link between host and drive");
  v.groups("workload", p.workload, "what the host asks for; several run side by side");
}

// The controller: its policies, a group for each family.

struct MappingParameters {
  std::string allocation = "CWDP";
  double over_provisioning = 0.07;
};

inline void describe(MappingParameters& p, ParameterVisitor& v) {
  v.choice("allocation", p.allocation, {{"CWDP", "channel, then chip (way), die, plane"}},
           "order in which consecutive pages spread over the flash");
  v.real("over_provisioning", p.over_provisioning, {0, 0.9}, "", "share of the raw capacity that is not exported");
}

struct SchedulerParameters {
  std::string policy = "out_of_order";
  std::string suspend = "program_erase";
};

inline void describe(SchedulerParameters& p, ParameterVisitor& v) {
  v.choice("policy", p.policy, {{"out_of_order", "reads pass waiting programs and erases"}}, "which command goes next");
  v.choice("suspend", p.suspend, {{"program_erase", "programs and erases give way"}}, "what a waiting read interrupts");
}

struct GarbageCollectionParameters {
  std::string policy = "greedy";
};

inline void describe(GarbageCollectionParameters& p, ParameterVisitor& v) {
  v.choice("policy", p.policy, {{"greedy", "the block with the fewest valid pages"}}, "which block is reclaimed");
}

struct RefreshParameters {
  std::string policy = "none";
};

inline void describe(RefreshParameters& p, ParameterVisitor& v) {
  v.choice("policy", p.policy, {{"none", "data stays where it was written"}}, "when old data is written anew");
}

struct ReadRetryParameters {
  std::string policy = "regular";
};

inline void describe(ReadRetryParameters& p, ParameterVisitor& v) {
  v.choice("policy", p.policy, {{"regular", "one step after the other"}}, "what follows a read that fails to decode");
}

struct ControllerParameters {
  MappingParameters mapping;
  SchedulerParameters scheduler;
  GarbageCollectionParameters garbage_collection;
  RefreshParameters refresh;
  ReadRetryParameters read_retry;
};

inline void describe(ControllerParameters& p, ParameterVisitor& v) {
  v.group("mapping", p.mapping, "logical to physical pages");
  v.group("scheduler", p.scheduler, "order of the flash commands");
  v.group("garbage_collection", p.garbage_collection, "reclaiming blocks of stale pages");
  v.group("refresh", p.refresh, "rewriting old data");
  v.group("read_retry", p.read_retry, "recovering pages that do not decode");
}

// Error correction.

struct EccParameters {
  std::string codec = "bch";
  std::string decoder = "threshold";
  std::uint32_t correctable_bits = 72;
  std::uint32_t codeword_bytes = 1024;
  double t_decode_us = 20;
};

inline void describe(EccParameters& p, ParameterVisitor& v) {
  v.choice("codec", p.codec, {{"bch", "Bose-Chaudhuri-Hocquenghem"}}, "the code that protects the pages");
  v.choice("decoder", p.decoder, {{"threshold", "up to correctable_bits errors are corrected"}},
           "how decoding is modelled");
  v.integer("correctable_bits", p.correctable_bits, {1, 100'000}, "", "bit errors that a codeword survives");
  v.integer("codeword_bytes", p.codeword_bytes, {128, 65'536}, "bytes", "data bytes of a codeword");
  v.real("t_decode_us", p.t_decode_us, {0, 10'000}, "us", "decoding a page");
}

// The buses between controller and flash.

struct ChannelParameters {
  std::uint32_t count = 4;
  double rate_mt_s = 1000;
  std::uint32_t width_bits = 8;
};

inline void describe(ChannelParameters& p, ParameterVisitor& v) {
  v.integer("count", p.count, {1, 64}, "", "channels");
  v.real("rate_mt_s", p.rate_mt_s, {1, 10'000}, "mt_s", "transfers on the data lines");
  v.integer("width_bits", p.width_bits, {8, 16}, "bits", "data lines");
}

// The flash.

struct GeometryParameters {
  std::uint32_t chips_per_channel = 2;
  std::uint32_t dies_per_chip = 2;
  std::uint32_t planes_per_die = 2;
  std::uint32_t blocks_per_plane = 1888;
  std::uint32_t pages_per_block = 576;
  std::uint32_t page_bytes = 16'384;
};

inline void describe(GeometryParameters& p, ParameterVisitor& v) {
  v.integer("chips_per_channel", p.chips_per_channel, {1, 64}, "", "chips that share a channel");
  v.integer("dies_per_chip", p.dies_per_chip, {1, 64}, "", "dies, each working on a command of its own");
  v.integer("planes_per_die", p.planes_per_die, {1, 16}, "", "planes, working together on commands of one kind");
  v.integer("blocks_per_plane", p.blocks_per_plane, {1, 1'000'000}, "", "blocks, the units of erasure");
  v.integer("pages_per_block", p.pages_per_block, {1, 100'000}, "", "pages, the units of reading and programming");
  v.integer("page_bytes", p.page_bytes, {512, 262'144}, "bytes", "data of a page, without its spare bytes");
}

struct TimingParameters {
  double t_pre_us = 24;
  double t_eval_us = 5;
  double t_disch_us = 10;
  double t_prog_us = 700;
  double t_bers_us = 5000;
};

inline void describe(TimingParameters& p, ParameterVisitor& v) {
  v.real("t_pre_us", p.t_pre_us, {0, 1000}, "us", "precharging the bit lines, of one sensing");
  v.real("t_eval_us", p.t_eval_us, {0, 1000}, "us", "evaluating the cells, of one sensing");
  v.real("t_disch_us", p.t_disch_us, {0, 1000}, "us", "discharging the bit lines, of one sensing");
  v.real("t_prog_us", p.t_prog_us, {0, 100'000}, "us", "programming a page");
  v.real("t_bers_us", p.t_bers_us, {0, 1'000'000}, "us", "erasing a block");
}

struct ConditionParameters {
  std::uint32_t pe_cycles = 0;
  double retention_days = 0;
  double temperature_c = 30;
};

inline void describe(ConditionParameters& p, ParameterVisitor& v) {
  v.integer("pe_cycles", p.pe_cycles, {0, 1'000'000}, "", "program/erase cycles that the blocks have behind them");
  v.real("retention_days", p.retention_days, {0, 36'525}, "days", "age of the data that is there at the start");
  v.real("temperature_c", p.temperature_c, {-40, 125}, "c", "of the flash");
}

struct NandParameters {
  GeometryParameters geometry;
  std::string coding = "tlc_232";
  TimingParameters timing;
  ConditionParameters condition;
};

inline void describe(NandParameters& p, ParameterVisitor& v) {
  v.group("geometry", p.geometry, "how many of what");
  v.choice("coding", p.coding,
           {{"tlc_232", "three bits, found with 2, 3 and 2 sensings"},
            {"tlc_124", "three bits, found with 1, 2 and 4 sensings"}},
           "how bits become threshold voltages");
  v.group("timing", p.timing, "of the array");
  v.group("condition", p.condition, "what the flash has been through");
}

struct PlatformParameters {
  SimulationParameters simulation;
  HostParameters host;
  ControllerParameters controller;
  EccParameters ecc;
  ChannelParameters channel;
  NandParameters nand;
};

inline void describe(PlatformParameters& p, ParameterVisitor& v) {
  v.group("simulation", p.simulation, "what is simulated, and how faithfully");
  v.group("host", p.host, "the machine that the drive is plugged into");
  v.group("controller", p.controller, "the firmware of the drive");
  v.group("ecc", p.ecc, "error correction");
  v.group("channel", p.channel, "the buses between controller and flash");
  v.group("nand", p.nand, "the flash");
}

}  // namespace nandscape

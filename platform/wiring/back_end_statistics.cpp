// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/back_end_statistics.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace nandscape {

namespace {

struct EccGroup {
  const FlashBackEnd& back_end;
  const DriveCodes& codes;
  std::uint64_t changed_codes;
};

// The counters of a code, or of all codes, with the distribution of iterations if decoding takes their time.
struct CodeCounters {
  ecc::EccCounters counters;
  bool iterates;
};

void describe(const CodeCounters& c, StatisticsVisitor& v) {
  describe(c.counters, v);
  if (c.iterates) v.group("codewords_by_iterations", c.counters.by_iterations, "codewords by their iterations");
}

bool iterates(const ecc::PageCode& code) { return code.parameters.decode_time == ecc::DecodeTime::iterations; }

void describe(const EccGroup& g, StatisticsVisitor& v) {
  describe(CodeCounters{g.back_end.ecc_counters(), std::ranges::any_of(g.codes.codes, iterates)}, v);
  if (g.codes.names.empty()) return;
  v.count("encoded_again", g.changed_codes,
          "encoded pages that were encoded before with a code too weak for their place");
  for (std::size_t k = 0; k < g.codes.names.size(); ++k) {
    const CodeCounters of_code{g.back_end.ecc_counters(static_cast<CodeNumber>(k)), iterates(g.codes.codes[k])};
    v.group(g.codes.names[k], of_code, "pages with this code");
  }
}

struct ChannelGroup {
  Tick busy;  // sum over the channels
  Tick time;
};

void describe(const ChannelGroup& g, StatisticsVisitor& v) {
  v.ratio("busy_fraction", static_cast<double>(g.busy), static_cast<double>(g.time), "",
          "share of the time in which the buses were in use, mean over the channels");
}

// Busy times of all decoders and encoders, and of the FIFOs in front of them. Each is named by its direction and the
// number of its engine. The decoders of a pool are one unit, whose busy time is their mean; so are its encoders.
struct EccUnits {
  std::vector<BusyTimes::Unit> units;
  std::vector<BusyTimes::Unit> fifos;

  void add(const char* direction, std::size_t engine, Tick busy, Tick fifo_full) {
    const std::string name = direction + std::to_string(engine);
    units.push_back({name, busy});
    fifos.push_back({name, fifo_full});
  }
};

EccUnits ecc_units(const FlashBackEnd& back_end, const DriveCodes& drive) {
  EccUnits result;
  std::size_t engine = 0;
  for (std::size_t group = 0; group < drive.engines.size(); ++group) {
    for (std::uint32_t k = 0; k < drive.engines[group].engines(); ++k, ++engine) {
      double decoding_s = 0;
      double encoding_s = 0;
      ecc::EccCounters all;
      for (std::size_t code = 0; code < drive.codes.size(); ++code) {
        if (drive.codes[code].engines != group && drive.codes[code].soft_engines != group) continue;
        const ecc::EccCounters counters = back_end.ecc_counters(engine, static_cast<CodeNumber>(code));
        const ecc::CodeParameters& parameters = drive.codes[code].parameters;
        decoding_s += ecc::decode_seconds(parameters, static_cast<double>(counters.decoded_bytes), counters.iterations);
        encoding_s += ecc::encode_seconds(parameters, static_cast<double>(counters.encoded_bytes));
        all += counters;
      }
      const double units = drive.engines[group].units;
      if (k < drive.engines[group].decoders) {
        result.add("decoder_", engine, ticks_from_s(decoding_s / units), all.decode_fifo_full);
      }
      if (k < drive.engines[group].encoders) {
        result.add("encoder_", engine, ticks_from_s(encoding_s / units), all.encode_fifo_full);
      }
    }
  }
  return result;
}

}  // namespace

void describe_back_end(const FlashBackEnd& back_end, const DeviceFacts& facts, std::uint64_t changed_codes,
                       StatisticsVisitor& v, Tick now) {
  v.group("nand", back_end.nand_counters(), "all dies together");
  v.group("ecc", EccGroup{back_end, facts.codes, changed_codes}, "all engines together");
  v.group("channel", ChannelGroup{back_end.channel_busy(), facts.geometry.channels * now}, "the buses to the dies");
}

void add_back_end_busy_times(const FlashBackEnd& back_end, const DeviceFacts& facts, BusyTimes& times) {
  EccUnits ecc = ecc_units(back_end, facts.codes);
  times.add("ecc", "the busiest encoder or decoder", std::move(ecc.units));
  times.add("ecc_fifo", "jobs waited for a place in the fullest FIFO of an encoder or a decoder", std::move(ecc.fifos));
  times.add("channel", "the busiest channel's bus", back_end.busy_channels());
  times.add("die", "the array of the busiest die", back_end.busy_dies());
}

void add_back_end_energy(const FlashBackEnd& back_end, const DeviceFacts& facts,
                         const FlashDeviceParameters& parameters, EnergyAccount& account) {
  account.add("array_j", array_joules(parameters.nand.energy, back_end.nand_counters().array),
              "operations of the planes");
  const nand::NandGeometryParameters& pages = parameters.nand.geometry;
  const double with_spare =
      parameters.channel.transfer_spare ? 1 + static_cast<double>(pages.spare_bytes) / pages.page_bytes : 1;
  const double bus_bits = 8 * with_spare * static_cast<double>(back_end.channel_bytes());
  account.add("bus_j", 1e-12 * parameters.channel.energy.interface_pj_per_bit * bus_bits,
              "buses between controller and dies, with both of their ends");
  double ecc_joules = 0;
  for (std::size_t k = 0; k < facts.codes.codes.size(); ++k) {
    ecc_joules += ecc::ecc_joules(facts.codes.codes[k].parameters, back_end.ecc_counters(static_cast<CodeNumber>(k)));
  }
  account.add("ecc_j", ecc_joules, "encoders and decoders");
}

}  // namespace nandscape

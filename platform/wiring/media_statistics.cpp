// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/media_statistics.h"

#include <algorithm>

namespace nandscape {

namespace {

struct EccGroup {
  const FlashMedia& media;
  const DriveCodes& codes;
  std::uint64_t changed_codes;
};

void describe(const EccGroup& g, StatisticsVisitor& v) {
  describe(g.media.ecc_counters(), v);
  if (g.codes.names.empty()) return;
  v.count("encoded_again", g.changed_codes,
          "of the pages encoded, those that were encoded before by a code that their place did not bear");
  for (std::size_t k = 0; k < g.codes.names.size(); ++k) {
    v.group(g.codes.names[k], g.media.ecc_counters(static_cast<CodeNumber>(k)), "pages of that code");
  }
}

struct ChannelGroup {
  Tick busy;  // all of them together
  Tick time;
};

void describe(const ChannelGroup& g, StatisticsVisitor& v) {
  v.ratio("busy_fraction", static_cast<double>(g.busy), static_cast<double>(g.time), "",
          "share of the time in which the buses were in use, mean over the channels");
}

// Seconds that encoders and decoders together have taken for pages of a code.
struct BusySeconds {
  double decoding = 0;
  double encoding = 0;
};

BusySeconds busy_s(const ecc::CodeParameters& p, const ecc::EccCounters& c) {
  const auto mb = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; };
  const double codewords = static_cast<double>(c.decoded_bytes) / p.codeword_bytes;
  BusySeconds busy;
  switch (p.decode_time) {
    case ecc::DecodeTime::given: busy.decoding = mb(c.decoded_bytes) / p.decode_mb_s; break;
    case ecc::DecodeTime::codewords: busy.decoding = 1e-6 * codewords * p.t_codeword_us; break;
    case ecc::DecodeTime::iterations:
      busy.decoding = (codewords * p.codeword_cycles + c.iterations * p.iteration_cycles) / (p.clock_mhz * 1e6);
      break;
  }
  if (p.encode_mb_s != 0) busy.encoding = mb(c.encoded_bytes) / p.encode_mb_s;
  return busy;
}

// Of the group of engines that is busiest, in the mean over its encoders or its decoders, whichever are busier.
double busiest_engines_s(const FlashMedia& media, const DriveCodes& drive) {
  double busiest = 0;
  for (std::size_t group = 0; group < drive.engines.size(); ++group) {
    BusySeconds sum;
    for (std::size_t k = 0; k < drive.codes.size(); ++k) {
      if (drive.codes[k].engines != group) continue;
      const BusySeconds busy = busy_s(drive.codes[k].parameters, media.ecc_counters(static_cast<CodeNumber>(k)));
      sum.decoding += busy.decoding;
      sum.encoding += busy.encoding;
    }
    busiest =
        std::max({busiest, sum.decoding / drive.engines[group].decoders, sum.encoding / drive.engines[group].encoders});
  }
  return busiest;
}

}  // namespace

void describe_media(const FlashMedia& media, const DeviceFacts& facts, std::uint64_t changed_codes,
                    StatisticsVisitor& v, Tick now) {
  v.group("nand", media.nand_counters(), "all dies together");
  v.group("ecc", EccGroup{media, facts.codes, changed_codes}, "all engines together");
  v.group("channel", ChannelGroup{media.channel_busy(), facts.geometry.channels * now}, "the buses to the dies");
}

void add_media_busy_times(const FlashMedia& media, const DeviceFacts& facts, BusyTimes& times) {
  times.add("ecc", "ECC engines, in the mean: encoders or decoders, whichever are busier",
            ticks_from_s(busiest_engines_s(media, facts.codes)));
  times.add("channel", "the busiest channel's bus", media.busy_channels());
  times.add("die", "the array of the busiest die", media.busy_dies());
}

void add_media_energy(const FlashMedia& media, const DeviceFacts& facts, const FlashDeviceParameters& parameters,
                      EnergyAccount& account) {
  account.add("array_j", array_joules(parameters.nand.energy, media.nand_counters().array), "planes at work");
  account.add("bus_j", 1e-3 * parameters.channel.energy.interface_mw * s_from_ticks(media.channel_busy()),
              "buses between controller and dies, with both of their ends");
  double ecc_joules = 0;
  for (std::size_t k = 0; k < facts.codes.codes.size(); ++k) {
    ecc_joules += ecc::ecc_joules(facts.codes.codes[k].parameters, media.ecc_counters(static_cast<CodeNumber>(k)));
  }
  account.add("ecc_j", ecc_joules, "encoders and decoders");
}

}  // namespace nandscape

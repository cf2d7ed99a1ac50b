// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/utilisation.h"

#include <algorithm>

namespace nandscape {

namespace {

// Seconds that all engines together have taken for what they decoded and encoded.
double busy_s(const EccParameters& p, const EccCounters& c) {
  const auto mb = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; };
  const double codewords = static_cast<double>(c.decoded_bytes) / p.codeword_bytes;
  const double decoding =
      p.decode_time == DecodeTime::given
          ? mb(c.decoded_bytes) / p.decode_mb_s
          : (codewords * p.codeword_cycles + c.iterations * p.iteration_cycles) / (p.clock_mhz * 1e6);
  return std::max(decoding, mb(c.encoded_bytes) / p.encode_mb_s);
}

}  // namespace

void describe(const Utilisation& u, StatisticsVisitor& v) {
  v.real("link", u.link, "", "PCI Express, the busier direction");
  v.real("firmware", u.firmware, "", "processor cores, in the mean");
  v.real("dram", u.dram, "", "the data bus of the DRAM");
  v.real("ecc", u.ecc, "", "ECC engines, in the mean: encoders or decoders, whichever are busier");
  v.real("channel", u.channel, "", "the busiest channel's bus");
  v.real("die", u.die, "", "the array of the busiest die");
}

Utilisation utilisation_of(const PlatformParameters& p, const Machine& machine, Tick time) {
  Utilisation u;
  if (time == 0) return u;
  const auto share = [time](Tick busy) { return static_cast<double>(busy) / static_cast<double>(time); };
  const FlashDevice& flash = machine.flash();
  const PcieLinkCounters& link = machine.host().link().counters();
  u.link = share(std::max(link.upstream_busy, link.downstream_busy));
  if (const FirmwareStage* firmware = flash.firmware()) {
    u.firmware = share(firmware->counters().busy) / p.controller.firmware.cores;
  }
  if (const Dram* dram = flash.dram()) u.dram = share(dram->counters().busy);
  const double engines = p.ecc.engines == EngineSharing::shared ? 1 : p.channel.count;
  u.ecc = busy_s(p.ecc, flash.ecc_counters()) / engines / s_from_ticks(time);
  u.channel = share(flash.busiest_channel());
  u.die = share(flash.busiest_die());
  return u;
}

}  // namespace nandscape

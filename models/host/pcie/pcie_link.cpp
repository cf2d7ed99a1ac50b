// SPDX-License-Identifier: Apache-2.0
#include "host/pcie/pcie_link.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "core/error.h"

namespace nandscape::host {
namespace {

// Transfer rate of a lane in units of 0.1 GT/s, indexed by the generation minus 1.
constexpr std::array<std::uint32_t, 5> rate_tenths = {25, 50, 80, 160, 320};

double picoseconds_per_byte(const PcieLinkParameters& p) {
  const double encoding = p.generation <= 2 ? 10.0 / 8.0 : 130.0 / 128.0;
  return encoding * 8.0 * 10'000.0 / (rate_tenths.at(p.generation - 1) * static_cast<double>(p.lanes));
}

std::uint32_t shift_of(std::uint32_t bytes, const char* key) {
  if (!std::has_single_bit(bytes)) {
    throw ConfigError({}, std::string("host.link.") + key, std::to_string(bytes) + " is not a power of two");
  }
  return static_cast<std::uint32_t>(std::countr_zero(bytes));
}

}  // namespace

void describe(PcieLinkParameters& p, ParameterVisitor& v) {
  v.integer("generation", p.generation, {1, 5}, "", "PCI Express generation: 2.5, 5, 8, 16 or 32 GT/s per lane");
  v.integer("lanes", p.lanes, {1, 16}, "", "lanes of the link");
  v.integer("max_payload_bytes", p.max_payload_bytes, {128, 4096}, "bytes", "most data in one packet");
  v.integer("max_read_request_bytes", p.max_read_request_bytes, {128, 4096}, "bytes",
            "most data that one read request of the device asks for");
  v.real("propagation_ns", p.propagation_ns, {0, 1e6}, "ns",
         "one-way delay of the link and the root complex, without the serialisation time of the bytes");
  v.real("energy_pj_per_bit", p.energy_pj_per_bit, {0, 1e6}, "pj_per_bit",
         "energy per bit on the wire that the drive's end of the link takes");
  v.real("active_mw", p.active_mw, {0, 100000}, "mw",
         "power of the drive's end of the link in L0, at all times, in addition to the energy of the bits");
}

void describe(const PcieLinkCounters& c, StatisticsVisitor& v) {
  v.count("upstream_bytes", c.upstream_bytes, "bytes sent to the host, packet overhead included");
  v.count("downstream_bytes", c.downstream_bytes, "bytes sent to the device, packet overhead included");
  v.count("upstream_packets", c.upstream_packets, "transaction layer packets sent to the host");
  v.count("downstream_packets", c.downstream_packets, "transaction layer packets sent to the device");
  v.amount("upstream_busy_us", us_from_ticks(c.upstream_busy), "us", "time spent sending bytes to the host");
  v.amount("downstream_busy_us", us_from_ticks(c.downstream_busy), "us", "time spent sending bytes to the device");
}

PcieLink::PcieLink(const PcieLinkParameters& p)
    : ps_per_byte_(picoseconds_per_byte(p)),
      propagation_(ticks_from_ns(p.propagation_ns)),
      payload_shift_(shift_of(p.max_payload_bytes, "max_payload_bytes")),
      request_shift_(shift_of(p.max_read_request_bytes, "max_read_request_bytes")),
      answer_shift_(std::min(payload_shift_, request_shift_)) {}

PcieLink::RoundTrip PcieLink::round_trip(Tick now, std::uint32_t request_bytes, std::uint32_t answer_bytes) {
  settle(now);
  const Tick asked = book_downstream(now, {request_bytes, 1}) + propagation_;
  return {asked, std::max(asked, upstream_free_) + serialisation(answer_bytes) + propagation_};
}

}  // namespace nandscape::host

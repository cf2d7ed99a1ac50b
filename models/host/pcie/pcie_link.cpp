// SPDX-License-Identifier: Apache-2.0
#include "host/pcie/pcie_link.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "core/error.h"

namespace nandscape {
namespace {

// What a transaction layer packet carries besides its data [PCI Express Base Specification 3.0, chapters 2 and 4]:
// framing, sequence number and LCRC: STP 1 + sequence 2 + LCRC 4 + END 1 with 8b/10b, STP token 4 + LCRC 4 with
// 128b/130b, both 8 bytes; then a header of 3 doublewords for completions and for memory requests below 4 GiB, of 4 for
// requests above. Acknowledgement and flow control packets (8 bytes each, several TLPs apart) are not counted.
constexpr std::uint32_t framing_bytes = 8;
constexpr std::uint32_t completion_header_bytes = 12;
constexpr std::uint32_t request_header_bytes(std::uint64_t address) { return (address >> 32) == 0 ? 12 : 16; }
// BAR0 of an NVMe controller is a 64-bit BAR; its requests are taken to need 64-bit addresses.
constexpr std::uint32_t register_request_bytes = framing_bytes + 16;

// Gigatransfers per second and lane, in tenths.
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
  v.integer("max_payload_bytes", p.max_payload_bytes, {128, 4096}, "bytes", "data of one packet at most");
  v.integer("max_read_request_bytes", p.max_read_request_bytes, {128, 4096}, "bytes",
            "data that one read request of the device asks for at most");
  v.real("propagation_ns", p.propagation_ns, {0, 1e6}, "ns",
         "one way through the link and the root complex, without the time of the bytes themselves");
}

void describe(const PcieLinkCounters& c, StatisticsVisitor& v) {
  v.count("upstream_bytes", c.upstream_bytes, "bytes sent to the host, packet overhead included");
  v.count("downstream_bytes", c.downstream_bytes, "bytes sent to the device, packet overhead included");
  v.count("upstream_packets", c.upstream_packets, "transaction layer packets sent to the host");
  v.count("downstream_packets", c.downstream_packets, "transaction layer packets sent to the device");
  v.real("upstream_busy_us", us_from_ticks(c.upstream_busy), "us", "time in which bytes went to the host");
  v.real("downstream_busy_us", us_from_ticks(c.downstream_busy), "us", "time in which bytes went to the device");
}

PcieLink::PcieLink(const PcieLinkParameters& p)
    : ps_per_byte_(picoseconds_per_byte(p)),
      propagation_(ticks_from_ns(p.propagation_ns)),
      payload_shift_(shift_of(p.max_payload_bytes, "max_payload_bytes")),
      request_shift_(shift_of(p.max_read_request_bytes, "max_read_request_bytes")),
      answer_shift_(std::min(payload_shift_, request_shift_)) {}

// Bursts are cut at the aligned boundaries of the packet size, which also keeps the rule that no request crosses 4 KiB.
std::uint64_t PcieLink::write_wire_bytes(std::uint64_t address, std::uint32_t bytes) const {
  return bytes + packets_of(address, bytes, payload_shift_) * (framing_bytes + request_header_bytes(address));
}

std::uint64_t PcieLink::read_request_wire_bytes(std::uint64_t address, std::uint32_t bytes) const {
  return packets_of(address, bytes, request_shift_) * (framing_bytes + request_header_bytes(address));
}

std::uint64_t PcieLink::read_answer_wire_bytes(std::uint64_t address, std::uint32_t bytes) const {
  return bytes + packets_of(address, bytes, answer_shift_) * (framing_bytes + completion_header_bytes);
}

Tick PcieLink::book_upstream(Tick now, std::uint64_t wire_bytes, std::uint64_t packets) {
  const Tick duration = serialisation(wire_bytes);
  upstream_free_ = std::max(now, upstream_free_) + duration;
  counters_.upstream_bytes += wire_bytes;
  counters_.upstream_packets += packets;
  counters_.upstream_busy += duration;
  return upstream_free_;
}

Tick PcieLink::book_downstream(Tick now, std::uint64_t wire_bytes, std::uint64_t packets) {
  const Tick duration = serialisation(wire_bytes);
  downstream_free_ = std::max(now, downstream_free_) + duration;
  counters_.downstream_bytes += wire_bytes;
  counters_.downstream_packets += packets;
  counters_.downstream_busy += duration;
  return downstream_free_;
}

Tick PcieLink::write_upstream(Tick now, std::uint64_t address, std::uint32_t bytes) {
  return book_upstream(now, write_wire_bytes(address, bytes), packets_of(address, bytes, payload_shift_)) +
         propagation_;
}

Tick PcieLink::write_downstream(Tick now, std::uint32_t bytes) {
  settle(now);
  return book_downstream(now, register_request_bytes + bytes, 1) + propagation_;
}

Tick PcieLink::read_register(Tick now, std::uint32_t bytes) {
  settle(now);
  const Tick asked = book_downstream(now, register_request_bytes, 1) + propagation_;
  const Tick answer = serialisation(framing_bytes + completion_header_bytes + bytes);
  return std::max(asked, upstream_free_) + answer + propagation_;
}

void PcieLink::begin_read(Tick now, std::uint64_t address, std::uint32_t bytes) {
  const std::uint64_t requests = packets_of(address, bytes, request_shift_);
  const std::uint64_t request_bytes = framing_bytes + request_header_bytes(address);
  const Tick sent = book_upstream(now, requests * request_bytes, requests);
  const Tick arrival = sent - serialisation((requests - 1) * request_bytes) + propagation_;

  const std::uint64_t answer_bytes = read_answer_wire_bytes(address, bytes);
  reads_.push({arrival, answer_bytes, packets_of(address, bytes, answer_shift_), never});
}

Tick PcieLink::oldest_read_expected() const {
  const Read& read = reads_.front();
  if (read.end != never) return read.end;
  return std::max(read.arrival, downstream_free_) + serialisation(read.wire_bytes) + propagation_;
}

void PcieLink::settle(Tick now) {
  while (unsettled_ < reads_.next_number() && reads_[unsettled_].arrival <= now) {
    Read& read = reads_[unsettled_++];
    read.end = book_downstream(read.arrival, read.wire_bytes, read.packets) + propagation_;
  }
}

Tick PcieLink::oldest_read_end(Tick now) {
  settle(now);
  return reads_.empty() ? never : reads_.front().end;
}

}  // namespace nandscape

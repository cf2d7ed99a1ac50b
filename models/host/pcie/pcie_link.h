// SPDX-License-Identifier: Apache-2.0
// A PCI Express link: two directions with a propagation delay. Each direction sends its bytes in first-in-first-out
// order.
//
// Upstream packets go towards host memory: posted writes of the device, the device's read requests, and answers to
// register reads. Downstream packets go towards the device: register accesses and answers to the device's reads. A
// transfer reserves time for all of its packets at once. The sum of their bytes is exact, so the model needs no event
// for each packet.
//
// A read by the device uses both directions. Downstream time must be reserved in the order of time, so time for the
// answer can be reserved only when the request has reached the host. begin_read() therefore records when the request
// arrives, and every later reservation first reserves time for the answers whose requests have arrived by then. Reads
// end in the order in which they began, so a caller only needs to watch the oldest read.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/archive.h"
#include "core/parameters.h"
#include "core/statistics.h"
#include "core/ticks.h"

namespace nandscape::host {

struct PcieLinkParameters {
  std::uint32_t generation = 3;
  std::uint32_t lanes = 4;
  std::uint32_t max_payload_bytes = 256;
  std::uint32_t max_read_request_bytes = 512;
  double propagation_ns = 150;
  double energy_pj_per_bit = 5;  // published transceivers for 8 to 16 GT/s need 4 to 8 pJ for each bit
  double active_mw = 0;
};
void describe(PcieLinkParameters& p, ParameterVisitor& v);

struct PcieLinkCounters {
  std::uint64_t upstream_bytes = 0;  // on the wire, packet overhead included
  std::uint64_t downstream_bytes = 0;
  std::uint64_t upstream_packets = 0;
  std::uint64_t downstream_packets = 0;
  Tick upstream_busy = 0;
  Tick downstream_busy = 0;
};
void describe(const PcieLinkCounters& c, StatisticsVisitor& v);

// Overhead of a transaction layer packet (TLP) [PCI Express Base Specification 3.0, chapters 2 and 4]. Framing,
// sequence number and LCRC (link CRC) need 8 bytes in both encodings: with 8b/10b, STP has 1 byte, the sequence number
// 2, LCRC 4 and END 1; with 128b/130b, the STP token has 4 bytes and LCRC 4. The header has 3 doublewords for
// completions and for memory requests below 4 GiB, and 4 doublewords for memory requests above 4 GiB. Acknowledgement
// and flow control packets are not counted; they have 8 bytes each, and there are several TLPs between them.
namespace tlp {
inline constexpr std::uint32_t framing_bytes = 8;
inline constexpr std::uint32_t completion_bytes = framing_bytes + 12;
constexpr std::uint32_t request_bytes(std::uint64_t address) {
  return framing_bytes + ((address >> 32) == 0 ? 12 : 16);
}
// BAR0 of an NVMe controller is a 64-bit BAR, so accesses to BAR0 are assumed to need 64-bit addresses.
inline constexpr std::uint32_t register_request_bytes = framing_bytes + 16;
// A configuration request has a header of 3 doublewords. A configuration write, and the answer to a configuration read,
// also carry one doubleword of data.
inline constexpr std::uint32_t configuration_request_bytes = framing_bytes + 12;
}  // namespace tlp

class PcieLink {
 public:
  // Consecutive packets in one direction.
  struct Burst {
    std::uint32_t wire_bytes;  // packet overhead included
    std::uint32_t packets;
  };

  explicit PcieLink(const PcieLinkParameters& parameters);

  // Reserves time for a posted write of the device to host memory. Returns the tick at which its last byte arrives.
  Tick write_upstream(Tick now, std::uint64_t address, std::uint32_t bytes) {
    return book_upstream(now, write_burst(address, bytes)) + propagation_;
  }
  // Reserves time for two posted writes, one directly after the other. Returns the tick at which the last byte of the
  // second write arrives.
  Tick write_upstream(Tick now, Burst first, Burst second) {
    return occupy_upstream(now, {first.wire_bytes + second.wire_bytes, first.packets + second.packets},
                           serialisation(first.wire_bytes) + serialisation(second.wire_bytes)) +
           propagation_;
  }
  // Reserves time for a posted write of the host to a register of the device. Returns the tick at which the write
  // arrives.
  Tick write_downstream(Tick now, std::uint32_t bytes) {
    settle(now);
    return book_downstream(now, {tlp::register_request_bytes + bytes, 1}) + propagation_;
  }
  // Returns whether the next write to a register goes behind answers for which no time is reserved yet.
  bool answers_due(Tick now) const { return next_arrival_ <= now; }
  // Reserves downstream time for the answers whose requests have arrived by `now`.
  void settle(Tick now) {
    if (!answers_due(now)) return;
    book_answer();
    if (answers_due(now)) [[unlikely]]
      settle_rest(now);
  }
  // Reserves time for a read of a register by the host. Returns the tick at which the value reaches the host. The
  // answer waits for earlier upstream packets but reserves no upstream time, because a reservation in the future would
  // delay packets that are sent before the answer.
  Tick read_register(Tick now, std::uint32_t bytes) {
    return round_trip(now, tlp::register_request_bytes, tlp::completion_bytes + bytes).end;
  }
  // Reserves time for an access of the host to configuration space, within one doubleword. Returns the tick at which
  // the request reaches the device and the tick at which the answer reaches the host. As with register reads, the
  // answer reserves no upstream time. Configuration writes also have an answer.
  struct RoundTrip {
    Tick arrival;
    Tick end;
  };
  RoundTrip access_configuration(Tick now, bool is_read) {
    constexpr std::uint32_t data = 4;
    return round_trip(now, tlp::configuration_request_bytes + (is_read ? 0 : data),
                      tlp::completion_bytes + (is_read ? data : 0));
  }

  // A read of host memory by the device. The caller owns the object, which must exist until the read has ended.
  struct Read {
    // The tick at which the first request packet reaches the host. The later request packets need no attention, because
    // each answer takes longer to send than the next request packet.
    Tick arrival = 0;
    // The tick at which the last answer packet reaches the device. It is `never` until settle() has reserved time for
    // the answer.
    Tick end = never;
    Burst answer{};
    Tick answer_time = 0;  // needed to send the answer
    Read* next = nullptr;  // the read that began after this one
  };

  // Begins a read. Reserves upstream time for its request.
  void begin_read(Tick now, Read& read, std::uint64_t address, std::uint32_t bytes);
  // Returns the oldest read that has not ended; null if there is none.
  Read* oldest_read() const { return oldest_read_; }
  // Returns a lower bound of the tick at which the oldest read ends. Downstream packets that are sent before its
  // request arrives may delay the end. A read must be outstanding.
  Tick oldest_read_expected() const {
    const Read& read = *oldest_read_;
    if (read.end != never) return read.end;
    return std::max(read.arrival, downstream_free_) + read.answer_time + propagation_;
  }
  // Returns the tick at which the oldest read ends. Returns `never` if no read is outstanding, or if the request of the
  // oldest read has not reached the host at `now`.
  Tick oldest_read_end(Tick now) {
    settle(now);
    return oldest_read_ == nullptr ? never : oldest_read_->end;
  }
  void end_oldest_read() { oldest_read_ = oldest_read_->next; }

  // The time needed to send `wire_bytes`, and the propagation delay. On an idle link, a transfer needs the sum of the
  // two.
  Tick serialisation(std::uint32_t wire_bytes) const { return nearest_tick(wire_bytes * ps_per_byte_); }
  Tick propagation() const { return propagation_; }

  // The packets on the wire for each kind of transfer. A transfer is split at aligned multiples of the packet size, so
  // that no request crosses a 4-KiB boundary.
  Burst write_burst(std::uint64_t address, std::uint32_t bytes) const {
    const std::uint32_t packets = packets_of(address, bytes, payload_shift_);
    return {bytes + packets * tlp::request_bytes(address), packets};
  }
  Burst read_request_burst(std::uint64_t address, std::uint32_t bytes) const {
    const std::uint32_t packets = packets_of(address, bytes, request_shift_);
    return {packets * tlp::request_bytes(address), packets};
  }
  Burst read_answer_burst(std::uint64_t address, std::uint32_t bytes) const {
    const std::uint32_t packets = packets_of(address, bytes, answer_shift_);
    return {bytes + packets * tlp::completion_bytes, packets};
  }

  const PcieLinkCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  [[gnu::noinline]] void settle_rest(Tick now) {
    while (answers_due(now)) book_answer();
  }
  void book_answer() {
    Read& read = *unanswered_;
    read.end = occupy_downstream(read.arrival, read.answer, read.answer_time) + propagation_;
    unanswered_ = read.next;
    next_arrival_ = unanswered_ == nullptr ? never : unanswered_->arrival;
  }
  // Reserves upstream time for the burst. Returns the tick at which its last byte has been sent.
  Tick book_upstream(Tick now, Burst burst) { return occupy_upstream(now, burst, serialisation(burst.wire_bytes)); }
  Tick occupy_upstream(Tick now, Burst burst, Tick duration) {
    upstream_free_ = std::max(now, upstream_free_) + duration;
    counters_.upstream_bytes += burst.wire_bytes;
    counters_.upstream_packets += burst.packets;
    counters_.upstream_busy += duration;
    return upstream_free_;
  }
  Tick book_downstream(Tick now, Burst burst) { return occupy_downstream(now, burst, serialisation(burst.wire_bytes)); }
  Tick occupy_downstream(Tick now, Burst burst, Tick duration) {
    downstream_free_ = std::max(now, downstream_free_) + duration;
    counters_.downstream_bytes += burst.wire_bytes;
    counters_.downstream_packets += burst.packets;
    counters_.downstream_busy += duration;
    return downstream_free_;
  }
  RoundTrip round_trip(Tick now, std::uint32_t request_bytes, std::uint32_t answer_bytes);
  static std::uint32_t packets_of(std::uint64_t address, std::uint32_t bytes, std::uint32_t shift) {
    return static_cast<std::uint32_t>(((address + bytes - 1) >> shift) - (address >> shift)) + 1;
  }

  double ps_per_byte_;
  Tick propagation_;
  std::uint32_t payload_shift_;
  std::uint32_t request_shift_;
  std::uint32_t answer_shift_;

  Tick upstream_free_ = 0;
  Tick downstream_free_ = 0;

  Read* oldest_read_ = nullptr;  // the first of the list of outstanding reads
  Read* newest_read_ = nullptr;  // the last of this list; valid if the list is not empty
  Read* unanswered_ = nullptr;   // the first read for whose answer no time is reserved; null if there is none
  Tick next_arrival_ = never;    // the tick at which the request of `unanswered_` reaches the host
  PcieLinkCounters counters_;
};

inline void PcieLink::begin_read(Tick now, Read& read, std::uint64_t address, std::uint32_t bytes) {
  const Burst request = read_request_burst(address, bytes);
  const Tick sent = book_upstream(now, request);
  const Tick after_first = request.packets == 1 ? 0 : serialisation(request.wire_bytes - tlp::request_bytes(address));
  read.arrival = sent - after_first + propagation_;
  read.end = never;
  read.answer = read_answer_burst(address, bytes);
  read.answer_time = serialisation(read.answer.wire_bytes);
  read.next = nullptr;
  (oldest_read_ == nullptr ? oldest_read_ : newest_read_->next) = &read;
  newest_read_ = &read;
  if (unanswered_ != nullptr) return;
  unanswered_ = &read;
  next_arrival_ = read.arrival;
}

}  // namespace nandscape::host

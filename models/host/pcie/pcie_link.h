// SPDX-License-Identifier: Apache-2.0
// A PCI Express link: two directions, each a first-in-first-out server of bytes, and a propagation delay.
//
// Upstream is towards host memory (posted writes of the device, its read requests, answers to register reads),
// downstream towards the device (register accesses, answers to its reads). Whole bursts are booked at once: the bytes
// of all their packets are summed exactly, so that no event per packet is needed.
//
// A read takes both directions. Its answer may be booked downstream only once the request has reached the host, in the
// order of time with everything else that goes downstream: begin_read() notes the arrival, and every later booking
// first settles the answers whose requests have arrived by then. Reads end in order, so that a caller needs to look at
// the oldest one only.
#pragma once

#include <cstdint>

#include "core/parameters.h"
#include "core/statistics.h"
#include "core/ticks.h"
#include "host/ring.h"

namespace nandscape {

struct PcieLinkParameters {
  std::uint32_t generation = 3;
  std::uint32_t lanes = 4;
  std::uint32_t max_payload_bytes = 256;
  std::uint32_t max_read_request_bytes = 512;
  double propagation_ns = 150;
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

class PcieLink {
 public:
  explicit PcieLink(const PcieLinkParameters& parameters);

  // Device to host memory, posted: when the last byte arrives.
  Tick write_upstream(Tick now, std::uint64_t address, std::uint32_t bytes);
  // Host to a register of the device, posted: when it arrives.
  Tick write_downstream(Tick now, std::uint32_t bytes);
  // Host reads a register: when the value is back. The answer waits for the packets before it but books no upstream
  // time of its own: it lies in the future, and what the device sends until then must not wait for it.
  Tick read_register(Tick now, std::uint32_t bytes);

  // Device reads host memory.
  void begin_read(Tick now, std::uint64_t address, std::uint32_t bytes);
  // When the oldest read ends, as far as is known: later when more goes downstream before its request has arrived.
  Tick oldest_read_expected() const;
  // The same for sure, or `never` while its request has not reached the host or there is none.
  Tick oldest_read_end(Tick now);
  void end_oldest_read() { reads_.pop(); }

  // Serialisation time of that many bytes on the wire, and the propagation delay, for closed forms.
  Tick serialisation(std::uint64_t wire_bytes) const {
    return static_cast<Tick>(static_cast<double>(wire_bytes) * ps_per_byte_ + 0.5);
  }
  Tick propagation() const { return propagation_; }
  // Bytes on the wire of each kind of burst.
  std::uint64_t write_wire_bytes(std::uint64_t address, std::uint32_t bytes) const;
  std::uint64_t read_request_wire_bytes(std::uint64_t address, std::uint32_t bytes) const;
  std::uint64_t read_answer_wire_bytes(std::uint64_t address, std::uint32_t bytes) const;

  const PcieLinkCounters& counters() const { return counters_; }

 private:
  struct Read {
    Tick arrival;  // of the request's first packet at the host; the answer of each takes longer than the next request
    std::uint64_t wire_bytes;
    std::uint64_t packets;
    Tick end;  // known once settled
  };

  void settle(Tick now);
  Tick book_upstream(Tick now, std::uint64_t wire_bytes, std::uint64_t packets);
  Tick book_downstream(Tick now, std::uint64_t wire_bytes, std::uint64_t packets);
  std::uint64_t packets_of(std::uint64_t address, std::uint32_t bytes, std::uint32_t shift) const {
    return ((address + bytes - 1) >> shift) - (address >> shift) + 1;
  }

  double ps_per_byte_;
  Tick propagation_;
  std::uint32_t payload_shift_;
  std::uint32_t request_shift_;
  std::uint32_t answer_shift_;

  Tick upstream_free_ = 0;
  Tick downstream_free_ = 0;

  Ring<Read> reads_;
  std::uint64_t unsettled_ = 0;  // number of the first read whose answer is not booked
  PcieLinkCounters counters_;
};

}  // namespace nandscape

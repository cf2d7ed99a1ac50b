// SPDX-License-Identifier: Apache-2.0
// Interrupts by MSI-X: the table of vectors, their masks, and coalescing (features 08h and 09h).
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/calendar.h"
#include "host/nvme/dma_port.h"

namespace nandscape::host {

class Interrupts {
 public:
  Interrupts(Calendar& calendar, DmaPort& port, std::uint32_t vectors)
      : calendar_(calendar), port_(port), vectors_(vectors) {}

  std::uint32_t vectors() const { return static_cast<std::uint32_t>(vectors_.size()); }

  // One doubleword of the MSI-X table: address low, address high, data, control (bit 0: masked).
  std::uint32_t read_table(std::uint32_t offset) const;
  void write_table(std::uint32_t offset, std::uint32_t value);

  // INTMS and INTMC: a bit for each of the first 32 vectors.
  std::uint32_t mask() const { return mask_; }
  void set_mask(std::uint32_t bits) { mask_ |= bits; }
  void clear_mask(std::uint32_t bits);

  // Interrupt Coalescing (THR 7:0 counts from 0, TIME 15:8 in 100 us, 0: off), and CD of one vector's configuration.
  void set_coalescing(std::uint32_t feature) { coalescing_ = feature; }
  void disable_coalescing(std::uint32_t vector, bool disabled) { vectors_[vector].uncoalesced = disabled; }

  // Whether raise() would send at once.
  bool sends_at_once(std::uint32_t vector) const {
    const Vector& v = vectors_[vector];
    return !masked(vector) && (v.uncoalesced || coalescing_time() == 0);
  }
  // A completion was posted to a queue that uses this vector.
  void raise(std::uint32_t vector);

  void reset();

  std::uint64_t sent() const { return sent_; }
  void persist_counters(Archive& archive) { archive(sent_); }

 private:
  struct Vector {
    std::uint64_t address = 0;
    std::uint32_t data = 0;
    std::uint32_t control = 1;  // masked after reset
    bool uncoalesced = false;
    bool pending = false;         // raised while masked
    std::uint32_t held_back = 0;  // completions since the last interrupt
    std::uint32_t sends = 0;      // so that a timer knows whether it is outdated
  };

  bool masked(std::uint32_t vector) const {
    return (vectors_[vector].control & 1) != 0 || (vector < 32 && (mask_ >> vector & 1) != 0);
  }
  std::uint32_t coalescing_time() const { return coalescing_ >> 8 & 0xff; }
  void send(std::uint32_t vector);
  void send_pending();
  void coalescing_time_over(std::uint64_t vector_and_sends);

  Calendar& calendar_;
  DmaPort& port_;
  std::vector<Vector> vectors_;
  std::uint32_t mask_ = 0;
  std::uint32_t coalescing_ = 0;
  std::uint64_t sent_ = 0;
};

}  // namespace nandscape::host

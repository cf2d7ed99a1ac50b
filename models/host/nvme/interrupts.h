// SPDX-License-Identifier: Apache-2.0
// Sends interrupts by MSI-X, with masks and coalescing (features 08h and 09h), or, while MSI-X is off, by the INTx line
// [NVM Express 1.4, 7.5].
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/calendar.h"
#include "host/nvme/dma_engine.h"
#include "host/pcie/endpoint/interrupt_routing.h"
#include "host/pcie/endpoint/msix_table.h"

namespace nandscape::host {

class Interrupts {
 public:
  Interrupts(Calendar& calendar, DmaEngine& dma, std::uint32_t vectors)
      : calendar_(calendar), dma_(dma), table_(vectors), vectors_(vectors) {}

  // Returns the number of vectors that completion queues may use. While interrupts are signalled by the INTx line, this
  // is 1.
  std::uint32_t vectors() const { return by_line() ? 1 : table_.vectors(); }

  void route(const InterruptRouting& routing);

  const MsixTable& table() const { return table_; }
  void write_table(std::uint32_t offset, std::uint32_t value);

  // The registers INTMS and INTMC: the mask of interrupts, with one bit for each of the first 32 vectors.
  std::uint32_t mask() const { return mask_; }
  void set_mask(std::uint32_t bits);
  void clear_mask(std::uint32_t bits);

  // Set two features. set_coalescing() takes the value of Interrupt Coalescing: bits 7:0 hold the threshold, counted
  // from 0, and bits 15:8 hold the time in units of 100 us, where 0 turns coalescing off. disable_coalescing() takes
  // the bit Coalescing Disable of Interrupt Vector Configuration.
  void set_coalescing(std::uint32_t feature);
  void disable_coalescing(std::uint32_t vector, bool disabled);

  // Returns whether raise() would send an interrupt at once, because the vector is neither masked nor coalesced.
  bool sends_at_once(std::uint32_t vector) const { return vectors_[vector].sends_at_once; }
  // Call when a completion has been posted to a queue that uses this vector. MSI-X must be on. Sends the interrupt, or
  // holds it back as long as the vector is masked or its interrupts are coalesced.
  void raise(std::uint32_t vector);
  // Counts an interrupt of a vector for which sends_at_once() is true, and returns its message. The caller must send
  // the message, instead of calling raise(). Such a vector has no pending bit set.
  [[nodiscard]] DmaMessage message_at_once(std::uint32_t vector) {
    vectors_[vector].restart();
    ++sent_;
    return vectors_[vector].message;
  }

  // Returns whether the INTx line signals interrupts.
  bool by_line() const { return !routing_.msix; }
  // Sets which of the first 32 vectors have completions that the host has not taken, and asserts or deasserts the
  // interrupt line accordingly.
  void set_waiting(std::uint32_t vectors);
  // Returns the bit Interrupt Status of configuration space. The bit is set even if configuration space does not allow
  // the line to be asserted.
  bool status() const { return by_line() && (waiting_ & ~mask_) != 0; }

  // reset() is for a controller reset. It keeps the entries of the MSI-X table, because the table belongs to PCI
  // Express. A function level reset calls reset_table() in addition.
  void reset();
  void reset_table();

  std::uint64_t sent() const { return sent_; }
  void persist_counters(Archive& archive) { archive(sent_); }

 private:
  struct Vector {
    bool uncoalesced = false;
    bool sends_at_once = false;   // set by look_at_vectors(); false at first, because every vector is masked
    std::uint32_t held_back = 0;  // completions since the last interrupt
    std::uint32_t sends = 0;      // number of calls of send(); a coalescing timer set at another number is outdated
    DmaMessage message;           // the entry of the MSI-X table, set by look_at_vectors()

    // Begins to count the completions for the next interrupt.
    void restart() {
      held_back = 0;
      ++sends;
    }
  };

  bool masked(std::uint32_t vector) const {
    return silent_ || table_.masked(vector) || (vector < 32 && (mask_ >> vector & 1) != 0);
  }
  std::uint32_t coalescing_time() const { return coalescing_ >> 8 & 0xff; }
  // Call when the table, masks or coalescing have changed.
  void look_at_vectors();
  void send(std::uint32_t vector);
  void send_pending();
  void update_line();
  void coalescing_time_over(std::uint64_t vector_and_sends);

  Calendar& calendar_;
  DmaEngine& dma_;
  MsixTable table_;
  std::vector<Vector> vectors_;
  InterruptRouting routing_;
  bool silent_ = false;  // no vector may send
  std::uint32_t mask_ = 0;
  std::uint32_t waiting_ = 0;
  bool line_ = false;
  std::uint32_t coalescing_ = 0;
  std::uint64_t sent_ = 0;
};

}  // namespace nandscape::host

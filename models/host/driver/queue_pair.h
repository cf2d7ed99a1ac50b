// SPDX-License-Identifier: Apache-2.0
// The driver's side of a submission queue and a completion queue in host memory, with a data buffer for each command
// that can be outstanding.
//
// The buffer of a command is contiguous in memory and begins on a memory page. The PRP list of the buffer never
// changes, so it is written only once, when the command identifier is first used with more than two pages.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/calendar.h"
#include "host/memory/host_memory.h"
#include "protocol/direct_link.h"
#include "protocol/direct_writes.h"
#include "protocol/nvme.h"

namespace nandscape::host {

// The driver's interface to the controller's registers.
class RegisterPort {
 public:
  // Sends a posted write, which arrives at the controller after the delay of the link.
  void write(std::uint32_t offset, std::uint32_t value) {
    if (DirectWrites* const device = link_.found(calendar_)) [[likely]]
      return device->write_doubleword(offset, value, calendar_.now());
    send_write(offset, value);
  }
  // Reads a register after all earlier writes have arrived, and calls `then` with the value. If the device answers at
  // once, `then` is called before read() returns; otherwise it is called when the answer arrives.
  using Then = std::function<void(std::uint32_t value)>;
  virtual void read(std::uint32_t offset, Then then) = 0;

 protected:
  explicit RegisterPort(const Calendar& calendar) : calendar_(calendar) {}
  ~RegisterPort() = default;

  // Sends a write for which link_.found() returns null.
  virtual void send_write(std::uint32_t offset, std::uint32_t value) = 0;

  const Calendar& calendar_;
  DirectLink<DirectWrites> link_;  // to the device, or to the link before it
};

class QueuePair {
 public:
  struct Layout {
    std::uint16_t id = 0;
    std::uint32_t entries = 0;
    std::uint32_t buffer_bytes = 0;  // buffer size of a command
    std::uint32_t memory_page_bytes = 0;
  };

  QueuePair(HostMemory& memory, RegisterPort& registers, const Layout& layout);

  std::uint16_t id() const { return layout_.id; }
  std::uint32_t entries() const { return layout_.entries; }
  std::uint64_t submission_base() const { return submission_base_; }
  std::uint64_t completion_base() const { return completion_base_; }

  // Empties both rings and frees all identifiers. Call only after the controller has deleted its queues and before it
  // creates them again.
  void clear();

  [[nodiscard]] bool has_room() const { return free_ids_ != 0; }
  // Returns the largest number of bytes for which the buffer of the next command is prepared. has_room() must be true.
  std::uint32_t prepared_bytes() const { return slots_[ids_[free_ids_ - 1]].prepared_bytes; }
  // Prepares the buffer of the next command for `bytes` bytes. has_room() must be true.
  void prepare(std::uint32_t bytes);
  // Takes a free command identifier and the buffer that belongs to it. The buffer must be prepared.
  std::uint16_t take_id() {
    const std::uint16_t id = ids_[--free_ids_];
    in_flight_[id] = true;
    return id;
  }
  std::uint64_t buffer(std::uint16_t id) const { return slots_[id].buffer; }

  // Adds a command to the submission queue and returns its entry. The caller must fill in the entry before it rings the
  // doorbell.
  nvme::SubmissionEntry& push() {
    nvme::SubmissionEntry& entry = submissions_[tail_];
    tail_ = tail_ + 1 == layout_.entries ? 0 : tail_ + 1;
    ++pushed_;
    return entry;
  }
  // Sets the PRP fields of a command to the first `bytes` bytes of its buffer, which must be prepared.
  void set_prps(nvme::SubmissionEntry& entry, std::uint32_t bytes) const {
    const Slot& slot = slots_[entry.command_id];
    const std::uint32_t page = layout_.memory_page_bytes;
    entry.prp1 = slot.buffer;
    if (bytes <= page) return;
    entry.prp2 = bytes > 2 * page ? slot.list : slot.buffer + page;
  }
  // Returns the number of commands added to the submission queue since it was created or cleared.
  std::uint64_t pushed() const { return pushed_; }
  // Writes the tail doorbell if commands have been added since it was last written.
  void ring_submission() {
    if (rung_tail_ == tail_) return;
    rung_tail_ = tail_;
    registers_.write(nvme::reg::submission_tail(layout_.id), tail_);
  }

  // Takes all completions that have arrived. Frees the command identifier of each completion and calls visit(entry),
  // then writes the head doorbell, which frees the queue entries. Throws Error if the device completes a command that
  // is not in flight.
  template <class Visit>
  void reap(Visit visit) {
    const std::uint32_t before = head_;
    while (nvme::phase_of(completions_[head_]) == phase_) {
      const nvme::CompletionEntry entry = completions_[head_];
      if (++head_ == layout_.entries) {
        head_ = 0;
        phase_ = !phase_;
      }
      give_back(entry.command_id);
      visit(entry);
    }
    if (head_ != before) registers_.write(nvme::reg::completion_head(layout_.id), head_);
  }

 private:
  struct Slot {
    std::uint64_t buffer = 0;  // 0: the identifier was never used
    std::uint64_t list = 0;
    std::uint32_t prepared_bytes = 0;  // longer commands need the list, which has not been written
  };

  void give_back(std::uint16_t id) {
    if (id >= in_flight_.size() || !in_flight_[id]) [[unlikely]]
      refuse(id);
    in_flight_[id] = false;
    ids_[free_ids_++] = id;
  }
  [[noreturn]] void refuse(std::uint16_t id) const;
  void reserve(Slot& slot);
  void write_list(Slot& slot);

  HostMemory& memory_;
  RegisterPort& registers_;
  Layout layout_;
  std::uint64_t submission_base_;
  std::uint64_t completion_base_;
  nvme::SubmissionEntry* submissions_;  // the rings in host memory; each ring lies within one chunk
  const nvme::CompletionEntry* completions_;
  std::uint32_t tail_ = 0;
  std::uint64_t pushed_ = 0;
  std::uint32_t rung_tail_ = 0;
  std::uint32_t head_ = 0;
  bool phase_ = true;
  std::vector<Slot> slots_;              // by command identifier
  std::vector<std::uint8_t> in_flight_;  // by command identifier: whether a command with this identifier is in flight
  std::vector<std::uint16_t> ids_;       // the first `free_ids_` elements are the free command identifiers
  std::uint32_t free_ids_ = 0;
};

}  // namespace nandscape::host

// SPDX-License-Identifier: Apache-2.0
// The MSI-X table of a function and its pending bit array [PCI Local Bus 3.0, 6.8.2]. The table stores the mask and the
// message of each vector. The owner of the table sends the messages.
#pragma once

#include <cstdint>
#include <vector>

namespace nandscape::host {

class MsixTable {
 public:
  static constexpr std::uint32_t entry_bytes = 16;

  explicit MsixTable(std::uint32_t vectors) : entries_(vectors) {}

  std::uint32_t vectors() const { return static_cast<std::uint32_t>(entries_.size()); }

  // Read or write one doubleword of the table. An entry has four doublewords: lower half of the address, upper half of
  // the address, data, and control, whose bit 0 is the mask. Offsets past the last entry read as 0, and writes to them
  // are ignored.
  std::uint32_t read(std::uint32_t offset) const;
  void write(std::uint32_t offset, std::uint32_t value);
  // Reads one doubleword of the pending bit array.
  std::uint32_t read_pending(std::uint32_t offset) const;

  std::uint64_t address(std::uint32_t vector) const { return entries_[vector].address; }
  std::uint32_t data(std::uint32_t vector) const { return entries_[vector].data; }
  bool masked(std::uint32_t vector) const { return (entries_[vector].control & 1) != 0; }
  bool pending(std::uint32_t vector) const { return entries_[vector].pending; }
  void set_pending(std::uint32_t vector, bool pending) { entries_[vector].pending = pending; }
  void clear_pending() {
    for (Entry& entry : entries_) entry.pending = false;
  }
  // Returns all entries to their state after power-on: every vector is masked, and no vector is pending.
  void reset() { entries_.assign(entries_.size(), {}); }

 private:
  struct Entry {
    std::uint64_t address = 0;
    std::uint32_t data = 0;
    std::uint32_t control = 1;
    bool pending = false;
  };

  std::vector<Entry> entries_;
};

}  // namespace nandscape::host

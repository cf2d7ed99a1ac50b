// SPDX-License-Identifier: Apache-2.0
// The mapping of a drive without DRAM. Without a host memory buffer, the controller's SRAM holds translation pages, and
// a look-up takes no time. With a buffer, the buffer holds translation pages, and the SRAM holds lines of them:
//
//   SRAM: lines of 64 bytes  <--reads, writes of changed lines--  buffer: translation pages  <--loads, stores--  flash
//
// A look-up that misses in SRAM reads a line over the link, so it competes with the data of the host. A translation
// page that is read from flash is written to the buffer, and the line of the entry goes to SRAM at once. Each line in
// SRAM belongs to a translation page in the buffer. A translation page goes from the buffer over the link to flash.
//
// The buffer is lost with the power of the host, and with a reset. No data depend on it: the tags of the pages on flash
// record the mapping, and MappingCache assumes that changed entries are rebuilt from them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "controller/mapping/mapping_cache.h"
#include "controller/mapping/mapping_memory.h"
#include "controller/mapping_memory/line_cache.h"
#include "core/calendar.h"
#include "protocol/host_buffer.h"

namespace nandscape::controller {

class HostMapping final : public MappingMemory, public HostBufferUser {
 public:
  struct Sizes {
    std::uint64_t sram_bytes;       // at least a translation page
    std::uint64_t preferred_bytes;  // of the buffer, at least `sram_bytes`
    std::uint32_t page_bytes;       // of a translation page, a multiple of a line
    std::uint32_t entry_bytes;
  };

  HostMapping(const Sizes& sizes, MappingCache& cache);

  // MappingMemory
  bool look_up(MappingWaiter& waiter, Tick now) override;
  bool look_up_loaded(MappingWaiter& waiter, Tick now) override;
  bool joins(MappingWaiter& waiter) override;
  void change(Lpn lpn, Tick now) override;
  void put(std::uint64_t page, Tick now) override;
  void take(std::uint64_t page, Tick now) override;
  void drop(std::uint64_t page) override;
  MappingMemoryCounters counters() const override { return counters_; }

  // HostBufferUser
  std::uint64_t preferred_bytes() const override { return sizes_.preferred_bytes; }
  std::uint64_t least_bytes() const override { return sizes_.sram_bytes; }
  void granted(HostBuffer& buffer, std::uint64_t bytes, Tick now) override;
  void withdrawn(Tick now) override;
  void arrived(std::uint32_t tag, Tick now) override;

  std::uint64_t granted_bytes() const { return granted_bytes_; }

  // Component. A checkpoint holds what the buffer and the SRAM hold.
  bool idle() const override { return under_way_ == 0; }
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override { archive(counters_); }

 private:
  using Slot = std::uint32_t;
  static constexpr Slot no_slot = ~Slot{0};

  // A read of the buffer: of a line, or of a translation page that leaves the buffer.
  struct Read {
    bool of_page = false;
    std::uint64_t number = 0;  // of the line or of the page
    bool changed = false;      // the line has changed since the read began
    MappingWaiters waiters;
  };

  std::uint64_t line_of(Lpn lpn) const;
  std::uint64_t page_of_line(std::uint64_t line) const { return line / lines_per_page_; }
  std::uint64_t offset_of(Slot slot) const { return std::uint64_t{slot} * sizes_.page_bytes; }
  std::uint32_t begin_read(bool of_page, std::uint64_t number);
  // Reads a line over the link.
  Read& fetch(std::uint64_t line);
  void line_arrived(std::uint32_t tag, Tick now);
  void keep(const LineCache::Line& line);
  void assign_slot(std::uint64_t page);
  void release_slot(std::uint64_t page);
  void write(std::uint64_t offset, std::uint32_t bytes);

  const Sizes sizes_;
  const std::uint64_t lines_per_page_;
  MappingCache& cache_;
  Client& client_;
  HostBuffer* buffer_ = nullptr;  // null without a buffer
  std::uint64_t granted_bytes_ = 0;
  bool content_restored_ = false;  // a checkpoint has filled the buffer that the host will grant
  LineCache sram_;
  std::vector<Slot> slots_;  // the place of each translation page in the buffer
  std::vector<Slot> free_slots_;
  std::vector<Read> reads_;
  std::vector<std::uint32_t> free_reads_;
  std::uint64_t under_way_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> fetches_;  // lines that are being read, and their index in reads_
  MappingMemoryCounters counters_;
};

}  // namespace nandscape::controller

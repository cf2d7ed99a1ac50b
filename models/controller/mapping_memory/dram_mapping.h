// SPDX-License-Identifier: Apache-2.0
// The mapping in the controller's DRAM. A look-up reads the line that holds the entry: it waits for the data bus, and
// for the row of the line, which random accesses have to open. A line holds the entries of several neighbouring units,
// which a host command looks up together, so a look-up joins the latest one if that reads the same line. Changes of
// entries and translation pages occupy the DRAM, too, but nothing waits for them. Look-ups end in their order, because
// the DRAM has one data bus.
#pragma once

#include <cstdint>
#include <deque>

#include "controller/dram/dram.h"
#include "controller/mapping/mapping_cache.h"
#include "controller/mapping/mapping_memory.h"
#include "core/calendar.h"

namespace nandscape::controller {

// Where the mapping lies, and the sizes of its parts.
struct DramMappingLayout {
  std::uint64_t base = 0;  // address of the mapping; the data cache lies before it
  std::uint32_t entry_bytes = 4;
  std::uint32_t page_bytes = 4096;  // of a translation page
};

class DramMapping final : public MappingMemory {
 public:
  DramMapping(const DramMappingLayout& layout, Dram& dram, MappingCache& cache, Calendar& calendar)
      : layout_(layout), dram_(dram), client_(cache.set_memory(*this)), calendar_(calendar) {}

  bool look_up(MappingWaiter& waiter, Tick now) override;
  bool joins(MappingWaiter& waiter) override;
  bool look_up_loaded(MappingWaiter& waiter, Tick now) override { return look_up(waiter, now); }
  void change(Lpn lpn, Tick now) override;
  void put(std::uint64_t page, Tick now) override;
  void take(std::uint64_t page, Tick now) override;
  void drop(std::uint64_t) override {}

  bool idle() const override { return lines_.empty() && taking_ == 0; }
  MappingMemoryCounters counters() const override { return counters_; }
  void persist_counters(Archive& archive) override { archive(counters_); }

 private:
  // A line that is being read, and the look-ups that wait for it.
  struct Line {
    std::uint64_t number = 0;
    MappingWaiters waiters;
  };

  std::uint64_t address_of(Lpn lpn) const { return layout_.base + lpn.value * layout_.entry_bytes; }
  std::uint64_t address_of_page(std::uint64_t page) const { return layout_.base + page * layout_.page_bytes; }
  std::uint64_t line_of(Lpn lpn) const { return address_of(lpn) / line_bytes; }
  void oldest_read();
  void taken(std::uint64_t page);

  const DramMappingLayout layout_;
  Dram& dram_;
  Client& client_;
  Calendar& calendar_;
  std::deque<Line> lines_;
  std::uint64_t taking_ = 0;  // translation pages that take() is reading
  MappingMemoryCounters counters_;
};

}  // namespace nandscape::controller

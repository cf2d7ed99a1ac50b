// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping_memory/dram_mapping.h"

namespace nandscape::controller {

bool DramMapping::look_up(MappingWaiter& waiter, Tick now) {
  ++counters_.dram;
  const std::uint64_t line = line_of(waiter.lpn);
  lines_.push_back({line, {}});
  lines_.back().waiters.push(waiter);
  const Tick end = dram_.transfer(Dram::Direction::read, line * line_bytes, line_bytes, now);
  calendar_.schedule<&DramMapping::oldest_read>(end, *this);
  return false;
}

bool DramMapping::joins(MappingWaiter& waiter) {
  if (lines_.empty() || lines_.back().number != line_of(waiter.lpn)) return false;
  ++counters_.dram;
  lines_.back().waiters.push(waiter);
  return true;
}

void DramMapping::oldest_read() {
  MappingWaiters waiters = lines_.front().waiters;
  lines_.pop_front();
  while (!waiters.empty()) waiters.pop().translated(calendar_.now());
}

void DramMapping::change(Lpn lpn, Tick now) {
  dram_.transfer(Dram::Direction::write, address_of(lpn), layout_.entry_bytes, now);
}

void DramMapping::put(std::uint64_t page, Tick now) {
  dram_.transfer(Dram::Direction::write, address_of_page(page), layout_.page_bytes, now);
}

void DramMapping::take(std::uint64_t page, Tick now) {
  ++taking_;
  const Tick end = dram_.transfer(Dram::Direction::read, address_of_page(page), layout_.page_bytes, now);
  calendar_.schedule<&DramMapping::taken>(end, *this, page);
}

void DramMapping::taken(std::uint64_t page) {
  --taking_;
  client_.taken(page, calendar_.now());
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping_memory/dram_mapping.h"

namespace nandscape::controller {

bool DramMapping::look_up(MappingWaiter& waiter, Tick now) {
  ++counters_.dram;
  waiters_.push(waiter);
  const Tick end = dram_.transfer(Dram::Direction::read, address_of(waiter.lpn), layout_.entry_bytes, now);
  calendar_.schedule<&DramMapping::oldest_found>(end, *this);
  return false;
}

void DramMapping::oldest_found() { client_.found(waiters_.pop(), calendar_.now()); }

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

// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/page_copies.h"

#include <cstring>
#include <utility>

namespace nandscape::controller {

PageCopies::PageCopies(const FlashIo& io, Calendar& calendar) : io_(io), calendar_(calendar) {}

void PageCopies::keep(Ppa unit, const std::array<std::uint64_t, 2 * most_units_per_page>& tag, const std::byte* data) {
  std::unique_ptr<PageCopy>& copy = copies_[page_of(unit)];
  if (unused_.empty()) {
    copy = std::make_unique<PageCopy>();
    if (io_.path().keeps_data()) copy->bytes.resize(io_.layout().flash().page_bytes);
  } else {
    copy = std::move(unused_.back());
    unused_.pop_back();
  }
  copy->tag = tag;
  copy->dropped = false;
  if (!copy->bytes.empty()) std::memcpy(copy->bytes.data(), data, copy->bytes.size());
}

void PageCopies::drop(Ppa unit) {
  const auto found = copies_.find(page_of(unit));
  if (found == copies_.end()) return;
  if (found->second->at_risk != 0) {
    found->second->dropped = true;
  } else {
    erase(found->first);
  }
}

void PageCopies::erase(std::uint64_t page) {
  const auto found = copies_.find(page);
  unused_.push_back(std::move(found->second));
  copies_.erase(found);
}

void PageCopies::answer(PageRead& read, std::uint32_t first, std::uint32_t end, Tick now) {
  const PageCopy& copy = of(read.ppa);
  ++reads_;
  read.tag = copy.tag;
  if (!copy.bytes.empty()) std::memcpy(read.command.data + first, copy.bytes.data() + first, end - first);
  read.ecc.uncorrectable = read.lost;
  calendar_.schedule<&PageCopies::deliver>(now, *this, read);
}

void PageCopies::put_at_risk(Ppa unit) {
  ++copies_.at(page_of(unit))->at_risk;
  ++at_risk_;
}

void PageCopies::safe(Ppa unit, Tick now) {
  PageCopy& copy = *copies_.at(page_of(unit));
  if (--copy.at_risk == 0 && copy.dropped) erase(page_of(unit));
  if (--at_risk_ == 0 && listener_ != nullptr) listener_->none_at_risk(now);
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Pages that are programmed and not durable, in the order in which they were programmed. Until the last page of its
// wordline is programmed, a page is only in the latches of its die.
#pragma once

#include <cstdint>

#include "controller/mapping/power_state.h"
#include "controller/writing/page_program.h"
#include "core/archive.h"

namespace nandscape::controller {

class UndurablePages {
 public:
  explicit UndurablePages(const PowerState& power) : power_(power) {}

  // The page is programmed. No effect if the page is in the list already, and has been written again.
  void add(PageProgram& page) {
    if (page.programmed_order != 0) return;
    ++count_;
    for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
      page.new_data |= unit->access != nullptr;
    }
    page.programmed_order = ++programmed_;
    page.before = latest_;
    page.behind = nullptr;
    (latest_ == nullptr ? oldest_ : latest_->behind) = &page;
    latest_ = &page;
    if (page.new_data && oldest_new_ == nullptr) oldest_new_ = &page;
  }

  // The page is durable, or is given up.
  void remove(PageProgram& page) {
    if (page.programmed_order == 0) return;
    --count_;
    (page.before == nullptr ? oldest_ : page.before->behind) = page.behind;
    (page.behind == nullptr ? latest_ : page.behind->before) = page.before;
    if (&page != oldest_new_) return;
    do oldest_new_ = oldest_new_->behind;
    while (oldest_new_ != nullptr && !oldest_new_->new_data);
  }

  std::uint64_t count() const { return count_; }
  // The order of the page that was programmed last.
  std::uint64_t latest() const { return programmed_; }
  // The order of the first page with new data that is not durable; 0 when there is none.
  std::uint64_t oldest_new() const {
    const PageProgram* const first = power_.saving ? oldest_ : oldest_new_;
    return first == nullptr ? 0 : first->programmed_order;
  }
  // Whether flushes wait for the page. Moved data need not become durable, since their old copies are kept until then.
  // When the power fails, there is no time for that, and all pages count.
  bool is_new(const PageProgram& page) const { return page.new_data || power_.saving; }

  // All pages programmed so far are to become durable, even if they have to be written again after a failed program.
  void want_all() { wanted_ = programmed_; }
  bool wanted(const PageProgram& page) const { return is_new(page) && page.programmed_order <= wanted_; }

  template <class Visit>
  void for_each(Visit visit) const {
    for (PageProgram* page = oldest_; page != nullptr; page = page->behind) visit(*page);
  }
  template <class Visit>
  void for_each_unit(Visit visit) const {
    for_each([&](PageProgram& page) {
      for (UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) visit(*unit);
    });
  }

  // Requires that all pages are durable.
  void persist(Archive& archive) { archive.counter(programmed_, "the number of pages"); }

 private:
  const PowerState& power_;
  PageProgram* oldest_ = nullptr;
  PageProgram* latest_ = nullptr;
  PageProgram* oldest_new_ = nullptr;  // with new data
  std::uint64_t programmed_ = 0;
  std::uint64_t wanted_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace nandscape::controller

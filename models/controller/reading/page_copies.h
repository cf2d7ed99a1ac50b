// SPDX-License-Identifier: Apache-2.0
// Decoded copies of flash pages, stored in memory while the wordline of these pages is being changed and the pages
// cannot be read. Reads of these pages are answered from the copies.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/reading/page_read.h"
#include "core/calendar.h"

namespace nandscape::controller {

struct PageCopy {
  std::array<std::uint64_t, 2 * most_units_per_page> tag{};
  std::vector<std::byte> bytes;  // the whole page; empty if the simulation keeps no data
  std::uint32_t at_risk = 0;
  bool dropped = false;  // erase the copy as soon as the page is no longer at risk
};

class PageCopies {
 public:
  class Listener {
   public:
    // Called when all copied data can be read from flash again.
    virtual void none_at_risk(Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  PageCopies(const FlashIo& io, Calendar& calendar);

  void set_listener(Listener& listener) { listener_ = &listener; }

  // Returns whether there is a copy of the page to which the unit belongs.
  bool hold(Ppa unit) const { return !copies_.empty() && copies_.contains(page_of(unit)); }
  const PageCopy& of(Ppa unit) const { return *copies_.at(page_of(unit)); }
  void keep(const PageRead& read) { keep(read.ppa, read.tag, read.command.data); }
  // Keeps a copy of the page that begins at `unit`. `data` is ignored if the simulation keeps no data.
  void keep(Ppa unit, const std::array<std::uint64_t, 2 * most_units_per_page>& tag, const std::byte* data);
  // Discards the copy of the page, if there is one. If the page is at risk, its copy still answers reads and is
  // discarded later.
  void drop(Ppa unit);
  // Completes the read with the data of the copy instead of a flash operation. The read completes in a separate event
  // at `now`.
  void answer(PageRead& read, std::uint32_t first, std::uint32_t end, Tick now);

  // put_at_risk() records that, from now on, the page or a unit of it may exist only in the copy. Each call must be
  // matched by a call of safe() when the data are on flash again or have been given up.
  void put_at_risk(Ppa unit);
  void safe(Ppa unit, Tick now);
  bool at_risk() const { return at_risk_ != 0; }

  std::uint64_t reads() const { return reads_; }
  void persist_counters(Archive& archive) { archive(reads_); }

 private:
  std::uint64_t page_of(Ppa unit) const { return unit.value / io_.layout().units_per_page(); }
  void deliver(PageRead& read) { read.page_read(calendar_.now()); }
  void erase(std::uint64_t page);

  const FlashIo& io_;
  Calendar& calendar_;
  Listener* listener_ = nullptr;
  std::unordered_map<std::uint64_t, std::unique_ptr<PageCopy>> copies_;  // by page
  std::vector<std::unique_ptr<PageCopy>> unused_;
  std::uint32_t at_risk_ = 0;
  std::uint64_t reads_ = 0;
};

}  // namespace nandscape::controller

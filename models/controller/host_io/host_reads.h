// SPDX-License-Identifier: Apache-2.0
// Host reads: looks the unit up, reads its page and answers. If a page holds several units, a read waits for the other
// reads of the same instant. The page is then read once for all of them.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "controller/host_io/host_port.h"
#include "controller/mapping/unit_map.h"
#include "controller/reading/page_reader.h"
#include "controller/writing/unit_writes.h"
#include "core/calendar.h"
#include "core/component.h"
#include "protocol/access_queue.h"

namespace nandscape::controller {

class HostReads final : public Component {
 public:
  class Listener {
   public:
    // Called when the unit has left the place where it was looked up, and that place cannot be read. Looks the unit up
    // again.
    virtual void look_up_again(PageAccess& access, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  // `together`: reads of one instant are sent together.
  HostReads(FlashIo& io, FlashScheduler& scheduler, const UnitMap& map, const UnitWrites& units, PageReader& reader,
            const HostPort& host, Listener& listener, Calendar& calendar, bool together);

  void read(PageAccess& access, Tick now) {
    if (io_.layout().units_per_page() == 1) {
      start(access, now);
    } else {
      gather(access, now);
    }
  }
  // Whether every read has been looked up.
  bool idle() const override { return gathered_.empty(); }
  // Reads of unmapped units.
  std::uint64_t unmapped() const { return unmapped_; }
  void persist_counters(Archive& archive) override { archive(unmapped_); }

 private:
  struct HostRead final : PageRead {
    explicit HostRead(HostReads& reads) : PageRead(reads.reader_), owner(reads) {}
    void renew() { renew_read(); }
    void page_read(Tick now) override { owner.answer(*this, now); }

    HostReads& owner;
    PageAccess* access = nullptr;                          // first access that the read serves
    std::array<std::uint8_t, most_units_per_page> unit{};  // by access: the unit's index in the page
    std::uint8_t accesses = 0;
  };
  // A read that others may join: the bytes [first, end) of a flash page.
  struct GatheredRead {
    HostRead* read;
    Ppa first_unit;
    std::uint32_t first;
    std::uint32_t end;
  };

  void gather(PageAccess& access, Tick now);
  // Looks the unit up and reads its page, alone or with others that are gathered.
  void start(PageAccess& access, Tick now);
  void answer_unmapped(PageAccess& access, Tick now);
  bool join(PageAccess& access, Ppa first_unit, std::uint8_t unit, std::uint32_t first, std::uint32_t end);
  void start_gathered();
  bool companion_joined(const GatheredRead& page) const;
  void answer(HostRead& read, Tick now);
  void give_times(HostRead& read, Tick now);
  void copy_data(const HostRead& read) const;
  // Splits the accesses of a read that could not be corrected: into those that fail, and those whose unit has left its
  // place, since a program of the wordline failed during the read.
  std::pair<PageAccess*, PageAccess*> fail(const HostRead& read) const;

  FlashIo& io_;
  FlashScheduler& scheduler_;
  const UnitMap& map_;
  const UnitWrites& units_;
  PageReader& reader_;
  const HostPort& host_;
  Listener& listener_;
  Calendar& calendar_;
  const bool together_;
  OpPool<HostRead, HostReads> reads_;
  AccessQueue gathered_;  // reads of this instant
  std::vector<GatheredRead> joined_;
  std::uint64_t unmapped_ = 0;
};

}  // namespace nandscape::controller

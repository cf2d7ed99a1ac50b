// SPDX-License-Identifier: Apache-2.0
// Executes host reads: looks up the address of the unit, reads the page and returns the data. If a flash page holds
// several units, the reads that arrive at the same simulated time are first gathered. Each page is then read only once
// for all of its units.
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
    // Called when the page of the unit could not be read, but the unit has been moved to another page since the read
    // began, or is being written again. Looks up the unit again and repeats the read.
    virtual void look_up_again(PageAccess& access, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  // If `together` is set, the scheduler receives all reads of the same simulated time before it sends the first one, so
  // that it can combine them in one operation.
  HostReads(FlashIo& io, FlashScheduler& scheduler, const UnitMap& map, const UnitWrites& units, PageReader& reader,
            const HostPort& host, Listener& listener, Calendar& calendar, bool together);

  // Starts a host read. The mapping entry of its unit must be in memory.
  void read(PageAccess& access, Tick now) {
    if (whole_pages_) {
      read_page(access, now);
    } else {
      gather(access, now);
    }
  }
  // Returns whether no gathered read is waiting to be looked up.
  bool idle() const override { return gathered_.empty(); }
  // Returns the number of reads of units that are not mapped.
  std::uint64_t unmapped() const { return unmapped_; }
  void persist_counters(Archive& archive) override { archive(unmapped_); }

 private:
  struct HostRead final : PageRead {
    explicit HostRead(HostReads& reads) : PageRead(reads.reader_), owner(reads) {}
    void renew() { renew_read(); }
    void page_read(Tick now) override;

    HostReads& owner;
    PageAccess* access = nullptr;  // first of the accesses that the read serves; linked by PageAccess::next
    std::array<std::uint8_t, most_units_per_page> unit{};  // for each access: the index of its unit in the page
    std::uint8_t accesses = 0;
  };
  // A gathered read of the bytes [first, end) of a flash page. Accesses to other units of the page may join it.
  struct GatheredRead {
    HostRead* read;
    Ppa first_unit;
    std::uint32_t first;
    std::uint32_t end;
  };

  // Reads the page of a unit that fills it.
  void read_page(PageAccess& access, Tick now);
  void gather(PageAccess& access, Tick now);
  // Looks up the unit, and joins a gathered read of the same page, or adds a new one.
  void look_up(PageAccess& access, Tick now);
  // Returns the address of the unit. Returns an invalid address if there is nothing to read: the access waits until the
  // unit has been written again, or the unit is not mapped and the access has been answered.
  Ppa source_of(PageAccess& access, Tick now);
  void answer_unmapped(PageAccess& access, Tick now);
  [[gnu::always_inline]] HostRead& begin(PageAccess& access, bool lost, Tick now);
  // Adds the access to a gathered read of the same page. Returns false if there is no such read.
  bool join(PageAccess& access, Ppa first_unit, std::uint8_t unit, std::uint32_t first, std::uint32_t end);
  void start_gathered();
  bool companion_joined(const GatheredRead& page) const;
  void answer(HostRead& read, Tick now);
  // Answers a read that has latency parts, an error or data.
  [[gnu::noinline]] void answer_in_full(HostRead& read, Tick now);
  void answer_uncorrectable(HostRead& read, Tick now);
  // Complete the list of accesses that begins with `first`.
  void complete(PageAccess& first, Tick now);
  [[gnu::noinline]] void complete_all(PageAccess& first, Tick now);
  void give_times(HostRead& read, Tick now);
  void copy_data(const HostRead& read) const;
  // Called for a read that could not be corrected. Splits its accesses into two lists and returns them. Accesses in the
  // first list fail. Those in the second list must be repeated, because their unit has been moved, or is being written
  // again, since the read began. The usual reason is a failed program of the same wordline.
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
  const bool whole_pages_;  // each unit fills a page
  OpPool<HostRead, HostReads> reads_;
  AccessQueue gathered_;  // reads that arrived at the current simulated time
  std::vector<GatheredRead> joined_;
  std::uint64_t unmapped_ = 0;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Keeps host reads, writes and trims in order. An access waits for its mapping entry, and for a write to the same unit
// under way. Writes and trims also wait for earlier trims, and trims for earlier writes, so that no access replaces
// newer data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "controller/host_io/end_of_life.h"
#include "controller/host_io/host_reads.h"
#include "controller/host_io/host_trims.h"
#include "controller/host_io/host_writes.h"
#include "controller/host_io/translation_pages.h"
#include "controller/writing/unit_writes.h"

namespace nandscape::controller {

class HostAccesses final : public UnitWrites::Listener, public HostTrims::Listener, public TranslationPages::Listener {
 public:
  HostAccesses(HostReads& reads, HostWrites& writes, HostTrims& trims, TranslationPages& translation,
               const UnitWrites& units, const EndOfLife& end_of_life, const HostPort& host)
      : reads_(reads),
        writes_(writes),
        trims_(trims),
        translation_(translation),
        units_(units),
        end_of_life_(end_of_life),
        host_(host) {}

  void read(PageAccess& access, Tick now) {
    if (translation_.at_hand(access, now)) reads_.read(access, now);
  }
  // Takes a write or a trim.
  void change(PageAccess& access, Tick now);

  bool empty() const { return held_.empty(); }

  // UnitWrites::Listener
  void resume(UnitWrite& ended, PageAccess* completed, Tick now) override;
  void written_again(Lpn lpn, Tick now) override { writes_.go_on_merging(lpn, now); }
  void complete(PageAccess& access, Tick now) override { host_.complete(access, now); }
  // HostTrims::Listener
  void trimmed(Lpn first, std::uint64_t count, Tick now) override { retry_held(first, count, now); }
  // TranslationPages::Listener
  void translated(PageAccess& access, Tick now) override;

 private:
  void start(PageAccess& access, Tick now);
  bool waits_for_earlier(const PageAccess& change, std::size_t held_before) const;
  void retry_held(Lpn first, std::uint64_t count, Tick now);

  HostReads& reads_;
  HostWrites& writes_;
  HostTrims& trims_;
  TranslationPages& translation_;
  const UnitWrites& units_;
  const EndOfLife& end_of_life_;
  const HostPort& host_;
  std::vector<const PageAccess*> untranslated_;  // writes whose mapping entry is being loaded
  std::vector<PageAccess*> held_;  // waiting trims, and writes and trims that wait for them, in order of arrival
};

}  // namespace nandscape::controller

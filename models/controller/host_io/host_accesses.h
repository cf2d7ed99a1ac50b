// SPDX-License-Identifier: Apache-2.0
// Keeps host reads, writes and trims in order. An access waits for its mapping entry, and for any write under way to
// the same unit. Writes and trims also wait for earlier trims, and trims for earlier writes, so that no access replaces
// newer data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "controller/host_io/end_of_life.h"
#include "controller/host_io/host_flushes.h"
#include "controller/host_io/host_reads.h"
#include "controller/host_io/host_trims.h"
#include "controller/host_io/host_writes.h"
#include "controller/host_io/translation_pages.h"
#include "controller/migration/media_care.h"
#include "controller/power_loss/power_on_recovery.h"
#include "controller/writing/unit_writes.h"
#include "core/component.h"

namespace nandscape::controller {

class HostAccesses final : public Component,
                           public UnitWrites::Listener,
                           public HostReads::Listener,
                           public HostTrims::Listener,
                           public TranslationPages::Listener,
                           public EndOfLife::Accesses {
 public:
  struct Context {
    HostReads& reads;
    HostWrites& writes;
    HostTrims& trims;
    HostFlushes& flushes;
    TranslationPages& translation;
    UnitWrites& units;
    const UndurablePages& undurable;
    const EndOfLife& end_of_life;
    MediaCare& care;
    TemperatureSource& temperature;
    const PowerOnRecovery& recovery;
    const HostPort& host;
  };

  explicit HostAccesses(const Context& context) : drive_(context) {}

  // Begins the access. While the mapping is being recovered, the access waits.
  void submit(PageAccess& access, Tick now);
  // Called when the mapping has been recovered. Begins the accesses that have waited for it.
  void recovered(Tick now);

  bool idle() const override { return held_.empty(); }

  // EndOfLife::Accesses
  bool wait_for_programs() const override;
  void give_up(Tick now) override;
  // UnitWrites::Listener
  void resume(UnitWrite& ended, PageAccess* completed, Tick now) override;
  void written_again(Lpn lpn, Tick now) override { drive_.writes.go_on_merging(lpn, now); }
  void complete(PageAccess& access, Tick now) override { drive_.host.complete(access, now); }
  // HostReads::Listener
  void look_up_again(PageAccess& access, Tick now) override { submit(access, now); }
  // HostTrims::Listener
  void trimmed(Lpn first, std::uint64_t count, Tick now) override { retry_held(first, count, now); }
  // TranslationPages::Listener
  void translated(PageAccess& access, Tick now) override;

 private:
  // Does the work that depends on time and is due.
  void do_due_work(Tick now);
  // Fails a read, since the mapping is lost.
  void fail(PageAccess& read, Tick now) const;
  // Takes a write, a trim or a flush.
  void change(PageAccess& access, Tick now);
  void start(PageAccess& access, Tick now);
  bool waits_for_earlier(const PageAccess& change, std::size_t held_before) const;
  void retry_held(Lpn first, std::uint64_t count, Tick now);

  const Context drive_;
  AccessQueue waiting_;                          // for the recovery of the mapping
  std::vector<const PageAccess*> untranslated_;  // writes whose mapping entry is being loaded
  std::vector<PageAccess*> held_;  // waiting trims, and writes and trims that wait for them, in order of arrival
};

}  // namespace nandscape::controller

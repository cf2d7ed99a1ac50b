// SPDX-License-Identifier: Apache-2.0
// Executes host reads, writes and trims in an order that is safe for the data. An access waits until its mapping entry
// is in memory, and until no other write to the same unit is in flight. Writes and trims also wait for earlier trims of
// the same units, and trims wait for earlier writes. Otherwise an older access could replace newer data.
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

  // Starts the access. If the mapping is still being recovered after power-on, the access waits until recovered() is
  // called.
  void submit(PageAccess& access, Tick now);
  // Called when the mapping has been recovered. Starts the accesses that have waited for this.
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
  void begin(PageAccess& access, Tick now);
  // Performs the periodic work that is due before it begins the access: updates the temperature, and lets media care
  // check the blocks.
  [[gnu::noinline]] void work_and_begin(PageAccess& access, Tick now);
  // Reads a unit whose mapping entry may not be in memory.
  [[gnu::noinline]] void read_translated(PageAccess& access, Tick now);
  // Completes a read with an error because the mapping is lost.
  void fail(PageAccess& read, Tick now) const;
  // Starts a write, a trim or a flush. A write or a trim is held if it must wait for an earlier write or trim.
  void change(PageAccess& access, Tick now);
  void start(PageAccess& access, Tick now);
  // Returns whether the write or trim must wait for an earlier access to the same units: for one of the first
  // `held_before` held accesses, for a trim in progress, or, if it is a trim, for a write that has been started.
  bool waits_for_earlier(const PageAccess& change, std::size_t held_before) const;
  // Called when a write or trim of the `count` units from `first` on has ended. Starts the held accesses that need no
  // longer wait.
  void retry_held(Lpn first, std::uint64_t count, Tick now);

  const Context drive_;
  AccessQueue waiting_;                          // accesses that wait until the mapping has been recovered
  std::vector<const PageAccess*> untranslated_;  // writes whose mapping entry is being loaded
  // Trims that wait for earlier writes or trims, and writes that wait for trims, in the order of arrival.
  std::vector<PageAccess*> held_;
};

}  // namespace nandscape::controller

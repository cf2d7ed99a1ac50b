// SPDX-License-Identifier: Apache-2.0
#include "controller/subpages/subpages.h"

#include "controller/subpages/locked_subpages.h"
#include "controller/subpages/subpage_rounds.h"

namespace nandscape::controller {

std::unique_ptr<GroupedReads> Subpages::make_reads(bool retries_lock_die, FlashIo& io, FlashScheduler& scheduler,
                                                   const FtlGeometry& mapping, std::uint32_t layers) const {
  switch (reads_) {
    case SubpageReads::none: break;
    case SubpageReads::soml: return std::make_unique<LockedSubpages>(scheduler);
    case SubpageReads::srs:
      if (retries_lock_die) break;
      return std::make_unique<SubpageRounds>(io, mapping.blocks(), layers);
  }
  return nullptr;
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Chooses the blocks to refresh before too many of their bits have flipped [Cai et al., ICCD 2012].
#pragma once

#include <cstdint>
#include <memory>

#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/block_age.h"
#include "controller/mapping/block_ages.h"
#include "core/calendar.h"
#include "core/registry.h"

namespace nandscape::controller {

class BlockRenewal;
class GarbageCollector;
class Migrator;
class PageReader;

// The objects that a renewal works with.
struct RenewalContext {
  FlashIo& io;
  BlockTable& blocks;
  BlockAges& ages;
  PageReader& reader;
  Migrator& migrator;
  GarbageCollector& collector;
  Calendar& calendar;
  std::uint64_t seed;
};

class RefreshPolicy {
 public:
  virtual ~RefreshPolicy() = default;
  virtual bool due(const BlockAge& block) const = 0;
  // Whether a renewal adjusts the voltages of wordlines, which leaves some of their pages unreadable.
  virtual bool adjusts_wordlines() const { return false; }
  // Makes the renewal of blocks in place. Null if due blocks are emptied instead.
  virtual std::unique_ptr<BlockRenewal> make_renewal(const RenewalContext& context) const;
};

using RefreshRegistry = Registry<RefreshPolicy, const RefreshContext&>;
RefreshRegistry& refresh_registry();

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Chooses the blocks to refresh before too many of their bits have flipped [Cai et al., ICCD 2012].
#pragma once

#include <cstdint>
#include <memory>

#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/block_age.h"
#include "controller/mapping/block_ages.h"
#include "core/calendar.h"
#include "core/parameters.h"
#include "core/registry.h"

namespace nandscape::controller {

class BlockRenewal;
class GarbageCollector;
class Migrator;
class PageReader;

// The objects that an implementation of BlockRenewal uses.
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
  struct Traits {
    // Whether a renewal adjusts the voltages of wordlines, after which some pages of the wordline can no longer be
    // read.
    bool adjusts_wordlines = false;
  };

  virtual ~RefreshPolicy() = default;
  [[nodiscard]] virtual bool due(const BlockAge& block) const = 0;
  // Returns an object that renews due blocks in place, or null if due blocks are emptied instead.
  virtual std::unique_ptr<BlockRenewal> make_renewal(const RenewalContext& context) const;
};

using RefreshRegistry = Registry<RefreshPolicy, const RefreshContext&>;
RefreshRegistry& refresh_registry();

// Configuration groups `controller.refresh`, `controller.read_disturb` and `controller.scrub`.
struct RefreshParameters {
  VariantChoice policy{"none", nullptr};
  double check_hours = 24;

  // Whether blocks are ever refreshed.
  bool refreshes() const { return policy.name != "none"; }
};
void describe(RefreshParameters& p, ParameterVisitor& v);

struct ReadDisturbParameters {
  std::uint32_t limit_reads = 0;
};
void describe(ReadDisturbParameters& p, ParameterVisitor& v);

struct ScrubParameters {
  double period_hours = 0;
  double relocate_error_fraction = 0.8;
};
void describe(ScrubParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller

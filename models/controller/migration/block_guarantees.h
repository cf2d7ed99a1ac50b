// SPDX-License-Identifier: Apache-2.0
// Blocks whose data last for a limited time only, since of how they were written: what is still valid of them is
// written anew before that has passed. Who knows of them asks for them to be emptied; the collector does it. It takes
// care, too, that nothing which would count again after a loss of power stays in them for longer.
#pragma once

#include <cstdint>

#include "controller/addresses/ids.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/drive_clock.h"
#include "core/archive.h"
#include "core/statistics.h"
#include "core/ticks.h"

namespace nandscape::controller {

struct GuaranteeCounters {
  std::uint64_t blocks = 0;
  double oldest_hours = 0;
  std::uint64_t reprogrammed_blocks = 0;
  std::uint64_t reprogrammed_pages = 0;
  std::uint64_t reprogrammed_bytes = 0;
  double longest_hours = 0;
};
void describe(const GuaranteeCounters& counters, StatisticsVisitor& visitor);

class BlockGuarantees {
 public:
  class Host {
   public:
    // Has the block, which is full, emptied.
    virtual void empty(Superblock block, Tick now) = 0;
    // The block, which is open, takes no more pages once its wordline is complete.
    virtual void close(Superblock block) = 0;
    // What the block held lies elsewhere, and becomes durable there.
    virtual void make_durable(Superblock block) = 0;

   protected:
    ~Host() = default;
  };

  virtual ~BlockGuarantees() = default;

  // When there is something to do next, while time is simulated, or may be.
  virtual Tick due(Tick now) const = 0;
  // Likewise where time passes that is not: in hours as if at 30 C; infinite as long as no block has such data.
  virtual double hours_left(Tick now) const = 0;
  virtual void work(Tick now) = 0;
  // After time without power, the mapping is known again.
  virtual void resume(Tick now) = 0;
  virtual void block_erased(Superblock block, Tick now) = 0;

  // What it knows: `blocks`, and the hours.
  virtual GuaranteeCounters counters(Tick now) const = 0;
  virtual void persist(Archive& archive) = 0;
  virtual void persist_counters(Archive& archive) = 0;
};

// What they work with.
struct GuaranteeContext {
  const BlockTable& blocks;
  const DriveClock& clock;
  BlockGuarantees::Host& host;
};

}  // namespace nandscape::controller

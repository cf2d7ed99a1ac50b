// SPDX-License-Identifier: Apache-2.0
// Preserves data that last only for a limited time because of how they were written: valid data are rewritten before
// that time ends. An implementation asks for blocks to be emptied, and the collector empties them. It also has moved
// data made durable, so that an expired old copy never counts again after a loss of power.
#pragma once

#include <cstdint>

#include "controller/addresses/ids.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/power_state.h"
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
    // Has the full block emptied.
    virtual void empty(Superblock block, Tick now) = 0;
    // Closes the open block once its wordline is complete.
    virtual void close(Superblock block) = 0;
    // Makes the data that were moved out of the block durable.
    virtual void make_durable(Superblock block) = 0;

   protected:
    ~Host() = default;
  };

  virtual ~BlockGuarantees() = default;

  // The simulated time at which work() is next needed, or an earlier time.
  virtual Tick due(Tick now) const = 0;
  // Unsimulated time that may pass until work() is needed, in equivalent hours at 30 C. Infinite while no block holds
  // data that last only for a limited time.
  virtual double hours_left(Tick now) const = 0;
  virtual void work(Tick now) = 0;
  // Call this after time without power, once the mapping is restored.
  virtual void resume(Tick now) = 0;
  virtual void block_erased(Superblock block, Tick now) = 0;

  // Fills in only `blocks` and the hours.
  virtual GuaranteeCounters counters(Tick now) const = 0;
  virtual void persist(Archive& archive) = 0;
  virtual void persist_counters(Archive& archive) = 0;
};

// The objects that an implementation works with.
struct GuaranteeContext {
  const BlockTable& blocks;
  const DriveClock& clock;
  BlockGuarantees::Host& host;
};

}  // namespace nandscape::controller

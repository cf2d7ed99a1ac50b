// SPDX-License-Identifier: Apache-2.0
// Preserves data whose retention time is limited because of how they were written, for example with a larger ISPP step:
// data that are still valid are rewritten before their retention time ends. An implementation requests that blocks be
// emptied, and the collector empties them. The implementation also has the moved data made durable, so that an expired
// old copy never becomes valid again after a power loss.
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
    // Requests that the collector empty the full block.
    virtual void empty(Superblock block, Tick now) = 0;
    // Closes the open block once its current wordline is complete.
    virtual void close(Superblock block) = 0;
    // Makes the data that have been moved out of the block durable.
    virtual void make_durable(Superblock block) = 0;

   protected:
    ~Host() = default;
  };

  virtual ~BlockGuarantees() = default;

  // Returns the simulated time at which work() must be called next. May return an earlier time.
  virtual Tick due(Tick now) const = 0;
  // Returns the time that may pass without being simulated until work() must be called, in equivalent hours at 30 C.
  // Returns infinity while no block holds data with a limited retention time.
  virtual double hours_left(Tick now) const = 0;
  virtual void work(Tick now) = 0;
  // Called after a time without power, once the mapping has been restored.
  virtual void resume(Tick now) = 0;
  virtual void block_erased(Superblock block, Tick now) = 0;

  // Returns the number of blocks with limited retention and the hours. The other counters are filled in by the caller.
  virtual GuaranteeCounters counters(Tick now) const = 0;
  virtual void persist(Archive& archive) = 0;
  virtual void persist_counters(Archive& archive) = 0;
};

// The objects that an implementation of BlockGuarantees uses.
struct GuaranteeContext {
  const BlockTable& blocks;
  const DriveClock& clock;
  BlockGuarantees::Host& host;
};

}  // namespace nandscape::controller

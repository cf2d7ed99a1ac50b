// SPDX-License-Identifier: Apache-2.0
// The reads that the planes of a die execute on their own (NandCommand::independent). Each plane has at most one. The
// responses of reads whose arrays have ended wait here, in the order in which the arrays have ended.
#pragma once

#include <algorithm>
#include <vector>

#include "core/id_vector.h"
#include "core/ids.h"
#include "core/ticks.h"
#include "protocol/nand_command.h"

namespace nandscape::nand {

class PlaneReads {
 public:
  explicit PlaneReads(std::uint32_t planes) : planes_(planes) {}

  // Returns whether no plane has a read whose response has not ended.
  bool none() const { return reads_ == 0; }
  bool busy(PlaneInDie plane) const { return planes_[plane].read != nullptr; }
  // Returns the time at which the array of the plane ends or has ended its read. The plane must be busy.
  Tick end(PlaneInDie plane) const { return planes_[plane].end; }

  // Starts the array of the read's plane. Returns the time by which this extends the time during which any plane of the
  // die works.
  Tick begin(NandCommand& read, Tick duration, Tick now);
  // Returns a read whose array ends at `now` or has ended before; null if there is none. The response of the read waits
  // from now on.
  NandCommand* take_ended(Tick now);

  // Returns the read whose response is fetched next; null if no response is waiting.
  NandCommand* response() const { return waiting_.empty() ? nullptr : waiting_.front(); }
  void release();

  // The reads whose responses have not ended, by plane.
  std::vector<NandCommand*> reads() const;
  // Returns for how long after `now` any plane of the die works.
  Tick ahead(Tick now) const { return any_works_until_ - std::min(now, any_works_until_); }
  void drop();

 private:
  struct Plane {
    NandCommand* read = nullptr;
    Tick end = 0;
    bool ended = false;
  };

  IdVector<PlaneInDie, Plane> planes_;
  std::uint32_t reads_ = 0;
  Tick any_works_until_ = 0;
  std::vector<NandCommand*> waiting_;
};

}  // namespace nandscape::nand

// SPDX-License-Identifier: Apache-2.0
// Gathers writes for layer-aware fullpage allocation (FPA; Nie et al., section III-B; fullpage_pattern.h): the
// four units of an aligned piece of the address space that are written at about the same time are a fullpage, and as
// many fullpages as fill a wordline in each quarter of the layers go to flash together. What remains alone is written
// as without it: units of a piece that is not written as a whole, and fullpages for which no others come in time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "controller/fullpages/fullpage_pattern.h"
#include "controller/writing/unit_write.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/statistics.h"

namespace nandscape::controller {

using Fullpage = std::array<UnitWrite*, layer_quarters>;

struct FullpageCounters {
  std::uint64_t written = 0;
  std::uint64_t in_one_page = 0;
  std::uint64_t lone_reads = 0;
};
void describe(const FullpageCounters& counters, StatisticsVisitor& visitor);

class Fullpages {
 public:
  class Client {
   public:
    // The plane of the mapping that the fullpage goes to, or an invalid id when there is no room on any.
    virtual FtlPlane plane_of_fullpage(Lpn first) = 0;
    virtual void write_fullpages(std::span<const Fullpage> fullpages, FtlPlane plane, Tick now) = 0;
    // The unit goes to flash as any other.
    virtual void write_alone(UnitWrite& unit, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  // So many fullpages go together. Units wait for the others of their piece, and fullpages for others.
  Fullpages(std::uint32_t together, std::uint32_t planes, Tick unit_wait, Tick fullpage_wait, Calendar& calendar,
            Client& client);

  void take(UnitWrite& unit, Tick now);
  // Whether fullpages wait for others on that plane.
  bool waiting(FtlPlane plane) const { return !planes_[plane].fullpages.empty(); }
  // Nothing waits any longer.
  void release(Tick now);

  const FullpageCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  struct Piece {
    std::uint64_t number;  // of arrival
    std::uint64_t index;   // in the address space
    std::uint32_t units;
    Fullpage fullpage;
  };
  struct Waiting {
    std::uint64_t group = 0;  // number of the group that forms
    std::vector<Fullpage> fullpages;
  };

  void complete(const Fullpage& fullpage, Tick now);
  void write_alone(const Fullpage& fullpage, Tick now);
  void unit_waited(std::uint64_t number);
  void fullpage_waited(std::uint64_t group);
  void give_up(FtlPlane plane, Tick now);

  const std::uint32_t together_;
  const Tick unit_wait_;
  const Tick fullpage_wait_;
  Calendar& calendar_;
  Client& client_;
  std::vector<Piece> pieces_;  // few at a time
  std::uint64_t pieces_begun_ = 0;
  IdVector<FtlPlane, Waiting> planes_;
  FullpageCounters counters_;
};

}  // namespace nandscape::controller

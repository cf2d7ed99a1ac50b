// SPDX-License-Identifier: Apache-2.0
// Gathers writes for layer-aware fullpage allocation (FPA; Nie et al., section III-B; fullpage_pattern.h): the
// four units of an aligned piece of the address space that are written at about the same time are a fullpage, and as
// many fullpages as fill a wordline in each quarter of the layers are a group, which goes to one plane. Groups for all
// planes of a die go to flash together, page by page, so that multi-plane programs write them; when the time is over,
// as many groups go as are complete, to as many planes. What remains alone is written as without it: units of a
// piece that is not written as a whole, and fullpages for which no others come in time.
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
    // Whether a group may go to that plane, of the die of which a fullpage was for another.
    virtual bool takes_group(FtlPlane plane) = 0;
    // A group for each of these planes, one behind the other.
    virtual void write_groups(std::span<const Fullpage> fullpages, std::span<const FtlPlane> planes, Tick now) = 0;
    // The unit goes to flash as any other.
    virtual void write_alone(UnitWrite& unit, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  // How many fullpages and planes go together: planes_together divides the number of planes.
  struct Shape {
    std::uint32_t per_group;
    std::uint32_t planes_together;
    std::uint32_t planes;
  };
  // Units wait for the others of their piece, and fullpages for others.
  Fullpages(const Shape& shape, Tick unit_wait, Tick fullpage_wait, Calendar& calendar, Client& client);

  void take(UnitWrite& unit, Tick now);
  // Whether fullpages for that plane, or those beside it, wait for others.
  bool waiting(FtlPlane plane) const { return !dies_[plane.value / shape_.planes_together].fullpages.empty(); }
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
  // Planes that go together.
  struct Die {
    std::uint64_t round = 0;  // number of the groups that form
    FtlPlane first;           // that the first of these fullpages is for
    std::vector<Fullpage> fullpages;
  };

  void complete(const Fullpage& fullpage, Tick now);
  void write_alone(const Fullpage& fullpage, Tick now);
  void unit_waited(std::uint64_t number);
  void fullpage_waited(std::uint64_t round);
  // Writes the groups that are complete, and what is left alone.
  void write(std::uint32_t die, Tick now);
  std::vector<FtlPlane> planes_for(std::uint32_t groups, FtlPlane first);

  const Shape shape_;
  const Tick unit_wait_;
  const Tick fullpage_wait_;
  Calendar& calendar_;
  Client& client_;
  std::vector<Piece> pieces_;  // few at a time
  std::uint64_t pieces_begun_ = 0;
  std::vector<Die> dies_;
  FullpageCounters counters_;
};

}  // namespace nandscape::controller

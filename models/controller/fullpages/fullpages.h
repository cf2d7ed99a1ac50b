// SPDX-License-Identifier: Apache-2.0
// Gathers host writes into fullpages for layer-aware fullpage allocation (FPA) [Nie et al., section III-B]; see
// fullpage_pattern.h for their layout. The address space is divided into aligned pieces of four mapping units. If all
// units of a piece are written at about the same time, they form a fullpage. A group consists of the fullpages that
// fill one wordline in each quarter of the layers, and is written to one plane.
//
// Groups for all planes of a die are written together, page by page, so that multi-plane programs can be used. When the
// waiting time of the fullpages ends, the groups that are complete are written, each to a separate plane. The following
// units are written as without FPA: units of a piece that has not been written completely, and fullpages of an
// incomplete group.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "controller/fullpages/fullpage_pattern.h"
#include "controller/mapping/initial_fill.h"
#include "controller/writing/unit_write.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "core/parameters.h"
#include "core/statistics.h"
#include "protocol/geometry.h"

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
    // Returns the plane of the mapping for a fullpage that begins at `first`, or an invalid id if no plane has room.
    virtual FtlPlane plane_of_fullpage(Lpn first) = 0;
    // Returns whether a group may be written to the plane. The plane may differ from the plane that was chosen for the
    // group's fullpages, but belongs to the same die.
    [[nodiscard]] virtual bool takes_group(FtlPlane plane) = 0;
    // Writes one group to each of the planes. `fullpages` contains the groups one after the other, in the order of
    // `planes`.
    virtual void write_groups(std::span<const Fullpage> fullpages, std::span<const FtlPlane> planes, Tick now) = 0;
    // Writes a unit that is not part of a fullpage.
    virtual void write_alone(UnitWrite& unit, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  // `per_group` is the number of fullpages in a group, `planes_together` the number of planes that are written
  // together, and `planes` the number of planes of the mapping. `planes_together` must divide `planes`.
  struct Shape {
    std::uint32_t per_group;
    std::uint32_t planes_together;
    std::uint32_t planes;
  };
  // A unit waits for the other units of its piece for at most `unit_wait`, and a fullpage waits for more fullpages for
  // at most `fullpage_wait`.
  Fullpages(const Shape& shape, Tick unit_wait, Tick fullpage_wait, Calendar& calendar, Client& client);

  void take(UnitWrite& unit, Tick now);
  // Returns whether any fullpage waits for more fullpages on the plane, or on a plane that is written together with it.
  bool waiting(FtlPlane plane) const { return !dies_[plane.value / shape_.planes_together].fullpages.empty(); }
  // Writes all waiting units and fullpages now.
  void release(Tick now);

  const FullpageCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  struct Piece {
    std::uint64_t number;  // number of the piece in the order of arrival
    std::uint64_t index;   // number of the piece in the address space
    std::uint32_t units;
    Fullpage fullpage;
  };
  // The planes that are written together, usually those of a die.
  struct Die {
    std::uint64_t round = 0;  // incremented with each write
    FtlPlane first;           // the plane that was chosen for the first fullpage in `fullpages`
    std::vector<Fullpage> fullpages;
  };

  void complete(const Fullpage& fullpage, Tick now);
  void write_alone(const Fullpage& fullpage, Tick now);
  void unit_waited(std::uint64_t number);
  void fullpage_waited(std::uint64_t round);
  // Writes the complete groups of the die, and writes the units of the remaining fullpages without FPA.
  void write(std::uint32_t die, Tick now);
  std::vector<FtlPlane> planes_for(std::uint32_t groups, FtlPlane first);

  const Shape shape_;
  const Tick unit_wait_;
  const Tick fullpage_wait_;
  Calendar& calendar_;
  Client& client_;
  std::vector<Piece> pieces_;  // a linear search is fast enough, since there are few pieces at a time
  std::uint64_t pieces_begun_ = 0;
  std::vector<Die> dies_;
  FullpageCounters counters_;
};

// Configuration group `controller.fullpages`: how the four mapping units that fill a flash page are stored.
enum class FullpageAllocation { in_one_page, fpa };

struct FullpageParameters {
  FullpageAllocation allocation = FullpageAllocation::in_one_page;
  std::vector<double> layer_groups = {0, 2, 1, 3};
  std::uint32_t borrowed_parity_bytes = 32;
  double wait_ms = 1;
  std::uint32_t precondition_percent = 0;

  bool spread() const { return allocation == FullpageAllocation::fpa; }
};
void describe(FullpageParameters& p, ParameterVisitor& v);

// Returns how many parity bytes each codeword has more or less than a codeword of the ordinary code, for each other
// code in the order of the code numbers (see fullpage_pattern.h). Empty if fullpages are not spread over layers.
std::vector<std::int32_t> parity_of_codes(const FullpageParameters& parameters);

// Returns the layout of fullpages over the layers, or nothing if fullpages are not spread. Throws ConfigError if the
// geometry of the flash does not allow the layout.
std::optional<FullpagePattern> fullpage_pattern(const FullpageParameters& parameters, const Geometry& flash);

}  // namespace nandscape::controller

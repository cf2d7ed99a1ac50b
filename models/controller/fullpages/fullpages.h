// SPDX-License-Identifier: Apache-2.0
// Gathers writes for layer-aware fullpage allocation (FPA; Nie et al., section III-B; fullpage_pattern.h). A fullpage
// is the four units of an aligned piece of the address space that are written at about the same time. A group is the
// fullpages that fill one wordline in each quarter of the layers; it is written to one plane. Groups for all planes of
// a die are written together, page by page, so that multi-plane programs can write them. When the waiting time is over,
// the complete groups are written, each to a plane of its own. Units of a piece that is not completely written, and
// fullpages of incomplete groups, are written as without FPA.
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
    // The mapping plane for the fullpage, or an invalid id when no plane has room.
    virtual FtlPlane plane_of_fullpage(Lpn first) = 0;
    // Whether a group may be written to that plane, although its fullpages were meant for another plane of the die.
    [[nodiscard]] virtual bool takes_group(FtlPlane plane) = 0;
    // Writes one group to each of these planes; `fullpages` holds the groups one after the other.
    virtual void write_groups(std::span<const Fullpage> fullpages, std::span<const FtlPlane> planes, Tick now) = 0;
    // Writes the unit outside a fullpage.
    virtual void write_alone(UnitWrite& unit, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  // Fullpages per group, planes written together, and mapping planes. `planes_together` must divide `planes`.
  struct Shape {
    std::uint32_t per_group;
    std::uint32_t planes_together;
    std::uint32_t planes;
  };
  // Units wait for the rest of their piece for `unit_wait`, fullpages for further fullpages for `fullpage_wait`.
  Fullpages(const Shape& shape, Tick unit_wait, Tick fullpage_wait, Calendar& calendar, Client& client);

  void take(UnitWrite& unit, Tick now);
  // Whether fullpages for that plane or its die's other planes wait for further fullpages.
  bool waiting(FtlPlane plane) const { return !dies_[plane.value / shape_.planes_together].fullpages.empty(); }
  // Writes all waiting units and fullpages at once.
  void release(Tick now);

  const FullpageCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) { archive(counters_); }

 private:
  struct Piece {
    std::uint64_t number;  // in the order of arrival
    std::uint64_t index;   // in the address space
    std::uint32_t units;
    Fullpage fullpage;
  };
  // Planes that are written together.
  struct Die {
    std::uint64_t round = 0;  // increases with each write
    FtlPlane first;           // the plane chosen for the first of these fullpages
    std::vector<Fullpage> fullpages;
  };

  void complete(const Fullpage& fullpage, Tick now);
  void write_alone(const Fullpage& fullpage, Tick now);
  void unit_waited(std::uint64_t number);
  void fullpage_waited(std::uint64_t round);
  // Writes the complete groups, and the remaining fullpages alone.
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

// Configuration group `controller.fullpages`: the place of four mapping units that fill a flash page.
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

// The additional parity bytes per codeword of each code besides the ordinary one, in the order of the code numbers
// (fullpage_pattern.h). Empty unless fullpages are spread over layers.
std::vector<std::int32_t> parity_of_codes(const FullpageParameters& parameters);

// The layout of fullpages over the layers, or nothing if they are not spread. Throws ConfigError when the device does
// not allow it.
std::optional<FullpagePattern> fullpage_pattern(const FullpageParameters& parameters, const Geometry& flash);

}  // namespace nandscape::controller

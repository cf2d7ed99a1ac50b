// SPDX-License-Identifier: Apache-2.0
// The content of a preconditioned device, as a formula instead of a table. On each plane the first logical pages
// ("slots") are written, scattered over full blocks among pages that are already invalid. Both directions of the
// mapping are computed on demand, so filling any device costs time and memory per block, not per page:
//
//   slot --permutation--> rank --prefix sums of valid pages per block--> block, k --permutation in the block--> page
//
// Both permutations are affine, x -> (a x + c) mod n with a near n times the golden section, which spreads neighbours
// far apart.
//
// Data are placed as the drive's own write frontiers would have placed them. Data written in the order of their
// addresses (order sequential) fill pages on one plane after the other. Data written at random (order random) are on
// the planes of their addresses, or on any plane (ScatteredPlanes), depending on the allocation policy.
//
// If the mapping is on flash, its translation pages are logical pages after those of the host. Translation pages with
// an entry of a written page are written, too, and are stored among the others.
//
// The data written last, a part of the address space, take the last ranks. They are stored together, and blocks that
// hold any of them are young.
//
// Some data may be stored in a pattern of their own (FillPattern). They take the first ranks, so that the first blocks
// hold nothing else.
//
// Each block has as many valid pages as overwriting pages at random leaves (scattered), or as greedy collection leaves
// in the long run (steady_state). In a steady state, collection starts in balance, and each stream of writes has a
// block open on each plane. Open blocks are written to different extents, evenly spread from plane to plane. Planes
// then need their next blocks, and collection, one after the other. All data in an open block are new and valid.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "controller/addresses/ftl_geometry.h"
#include "controller/addresses/ids.h"
#include "controller/mapping/allocation_order.h"
#include "core/divisor.h"
#include "core/parameters.h"
#include "core/random.h"

namespace nandscape::controller {

// Describes data of a preconditioned device that are not stored unit after unit (InitialFill). Such data take the first
// ranks, so that the first blocks hold nothing else.
class FillPattern {
 public:
  // Number of a plane's `slots` that are stored in the pattern.
  virtual std::uint64_t patterned(std::uint64_t slots) const = 0;
  // Return the rank of a slot among `slots`, and the slot of a rank.
  virtual std::uint64_t rank_of(std::uint64_t slot, std::uint64_t slots) const = 0;
  virtual std::uint64_t slot_of(std::uint64_t rank, std::uint64_t slots) const = 0;
  // Return, for a block that holds only such data, the place of its k-th unit, and the k of the unit at a place.
  virtual std::uint32_t place_of(std::uint32_t k) const = 0;
  virtual std::uint32_t at(std::uint32_t place) const = 0;

 protected:
  ~FillPattern() = default;
};

// Gives the planes of units that were written one by one, at different times, by a policy that is free to choose
// planes. Each unit is on any plane, whatever its address, and all planes hold the same number of units. A formula
// computes both directions, instead of a table:
//
//   A row is 64 units for each plane: piece q holds the units 64 q to 64 q + 63 of the row. Unit j of piece q takes the
//   place that the static allocation gives unit j of piece (q + h) mod planes, with h drawn for the row and for j.
//
// Neighbours are therefore on planes drawn independently of each other. Units of a row that are moved by the same h
// stay apart.
class ScatteredPlanes {
 public:
  // `together`: number of units that the static allocation keeps together, a divisor of 64.
  ScatteredPlanes(std::uint32_t planes, std::uint32_t together, std::uint64_t seed)
      : planes_(planes), together_(together), seed_(seed) {}

  std::uint64_t row_of(Lpn lpn) const { return planes_.quotient(lpn.value / piece); }
  std::uint64_t units_per_row() const { return piece * planes_.value(); }

  // The unit whose place in the static allocation this unit takes.
  Lpn place_of(Lpn lpn) const {
    const std::uint64_t row = row_of(lpn);
    const auto unit = static_cast<std::uint32_t>(lpn.value - row * units_per_row());
    const std::uint32_t j = unit % piece;
    const std::uint32_t column = wrapped(unit / piece + drawn(row, j));
    return Lpn(row * units_per_row() + (j / together_ * planes_.value() + column) * together_ + j % together_);
  }
  // The unit that takes the place of `place`.
  Lpn unit_at(Lpn place) const {
    const std::uint64_t row = row_of(place);
    const auto position = static_cast<std::uint32_t>(place.value - row * units_per_row());
    const std::uint32_t group = position / together_;
    const auto round = static_cast<std::uint32_t>(planes_.quotient(group));
    const std::uint32_t column = group - round * planes_.value();
    const std::uint32_t j = round * together_ + position % together_;
    return Lpn(row * units_per_row() + wrapped(column + planes_.value() - drawn(row, j)) * piece + j);
  }

 private:
  static constexpr std::uint32_t piece = 64;

  // The drawn h, below the number of planes.
  std::uint32_t drawn(std::uint64_t row, std::uint32_t j) const {
    const std::uint64_t word = mix64(seed_ ^ (row * piece + j)) >> 32;
    return static_cast<std::uint32_t>(word * planes_.value() >> 32);
  }
  std::uint32_t wrapped(std::uint32_t column) const {
    return column < planes_.value() ? column : column - planes_.value();
  }

  Divisor planes_;
  std::uint32_t together_;
  std::uint64_t seed_;
};

enum class FillDistribution { scattered, steady_state };
enum class FillOrder { random, sequential };
enum class FillAges { uniform, spread };

struct PreconditionParameters {
  double occupancy = 1.0;
  FillDistribution distribution = FillDistribution::scattered;
  double invalid_page_ratio = 0.0;
  FillOrder order = FillOrder::random;
  FillAges ages = FillAges::uniform;
  double drive_writes_per_day = 1.0;
  std::uint64_t updated_start_bytes = 0;
  std::uint64_t updated_bytes = 0;
  double updated_age_days = 0;
  double last_read_share = 0;
};
void describe(PreconditionParameters& p, ParameterVisitor& v);

// Throws ConfigError if the planes cannot hold the configured data and keep `free_blocks` free blocks each.
void check(const PreconditionParameters& parameters, const FtlGeometry& geometry, std::uint64_t logical_pages,
           std::uint32_t free_blocks, std::uint32_t entries_per_translation_page = 0);

// Facts about the drive's write frontiers.
struct FillFrontiers {
  bool any_plane = false;                // a policy chooses the plane of new data, not their address
  std::uint32_t open_blocks = 0;         // on each plane
  std::uint32_t units_per_wordline = 1;  // units that become durable together: open blocks end with a whole wordline
};

class InitialFill {
 public:
  // The parameters must have passed check(). `entries_per_translation_page` is 0 if the mapping is not on flash.
  // `pattern` is null if all data are stored one after the other.
  InitialFill(const PreconditionParameters& parameters, const FtlGeometry& geometry, const AllocationOrder& order,
              std::uint64_t logical_pages, std::uint64_t seed, std::uint32_t free_blocks,
              std::uint32_t entries_per_translation_page = 0, const FillPattern* pattern = nullptr,
              const FillFrontiers& frontiers = {});

  // The place of a logical page, or an invalid Ppa if it was not written.
  Ppa find(Lpn lpn) const;
  // The logical page that a page held before any overwrite, or an invalid Lpn if it was invalid from the start.
  Lpn lpn_at(Ppa ppa) const;

  // Blocks 0 .. full_blocks-1 of the plane are full, the next ones up to used_blocks-1 are open, the others are erased.
  std::uint32_t full_blocks(FtlPlane plane) const { return planes_[plane].full_blocks; }
  std::uint32_t used_blocks(FtlPlane plane) const { return planes_[plane].used_blocks; }
  std::uint32_t valid_pages(Superblock block) const;
  // Number of the block's first pages that are programmed, valid or not.
  std::uint32_t programmed_pages(Superblock block) const;

  // Days from programming the block to the device's last write. Its data have aged for this time in addition to
  // nand.condition.retention_days. With V valid pages on the device, i of a block's b pages survive V (1/b + ... + 1/i)
  // random writes.
  double age_days(Superblock block) const;
  // Whether the block holds data that were written last, after the retention time. nand.condition.retention_days then
  // does not count for the block.
  bool updated(Superblock block) const;
  // Whether all data of the block are in the pattern.
  bool patterned(Superblock block) const;

 private:
  // The permutation x -> (factor x + offset) mod modulus, and its inverse.
  struct Affine {
    std::uint64_t modulus = 1;
    std::uint64_t factor = 1;
    std::uint64_t inverse = 1;

    static Affine spread(std::uint64_t modulus);
    static Affine identity(std::uint64_t modulus) { return {modulus, 1, 1}; }
    std::uint64_t forward(std::uint64_t x, std::uint64_t offset) const;
    std::uint64_t backward(std::uint64_t y, std::uint64_t offset) const;
  };

  struct PlaneFill {
    std::uint64_t slots = 0;  // logical pages written
    // Slots of the host; the others are the plane's logical pages from `first_translation` onward.
    std::uint64_t host_slots = 0;
    std::uint64_t first_translation = 0;
    // Slots that were written last: `updated_slots` slots of the host from `first_updated` onward, and translation
    // pages; their total number; and the first of their ranks.
    std::uint64_t first_updated = 0;
    std::uint64_t updated_slots = 0;
    std::uint64_t last_slots = 0;
    std::uint64_t first_last_rank = 0;
    std::uint32_t patterned_blocks = 0;  // number of first blocks that hold only data in the pattern
    std::uint32_t full_blocks = 0;
    std::uint32_t used_blocks = 0;
    double blocks_per_rank = 0;    // for a first guess of the block that holds a rank
    std::size_t first_prefix = 0;  // index of the plane's used_blocks + 1 entries in prefix_
    Affine slots_permutation;      // permutes the slots not written last; the next one permutes the rest
    Affine last_permutation;
  };

  std::uint64_t rank_of(const PlaneFill& plane, std::uint64_t slot) const;
  std::uint64_t slot_of(const PlaneFill& plane, std::uint64_t rank) const;
  bool is_open(const PlaneFill& plane, std::uint32_t index) const { return index >= plane.full_blocks; }
  // Whether the units of the row may be on any plane. In a row shared by data of two kinds, units are on the planes of
  // their addresses.
  bool is_scattered(std::uint64_t row) const {
    return row < scattered_rows_ && row != edge_rows_[0] && row != edge_rows_[1];
  }
  void scatter_planes(std::uint32_t together, std::uint64_t written, std::uint64_t first_updated,
                      std::uint64_t end_updated);
  // Appends the valid pages of the plane's used blocks to prefix_.
  void scatter(const PlaneFill& plane, RandomStream& random);
  void balance(const PlaneFill& plane, const std::vector<std::uint32_t>& open, RandomStream& random);
  // Number of units written in each open block; empty if the plane does not hold that many units.
  std::vector<std::uint32_t> open_blocks(FtlPlane plane, const FillFrontiers& frontiers) const;

  const FtlGeometry geometry_;
  const AllocationOrder& order_;
  bool sequential_;
  double days_per_turnover_;  // time in which the host writes as many pages as are valid; 0: all data are of one age
  double updated_age_days_;
  const FillPattern* pattern_;
  std::uint64_t seed_;
  Affine pages_permutation_;
  std::optional<ScatteredPlanes> scattered_;  // none: data are on the planes of their addresses
  std::uint64_t scattered_rows_ = 0;
  std::array<std::uint64_t, 2> edge_rows_{};
  IdVector<FtlPlane, PlaneFill> planes_;
  std::vector<std::uint32_t> prefix_;                  // valid pages in the plane's blocks before each block
  IdVector<Superblock, std::uint32_t> block_offsets_;  // of the permutation of each block's pages
};

}  // namespace nandscape::controller

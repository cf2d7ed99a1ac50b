// SPDX-License-Identifier: Apache-2.0
// Computes the data placement of a preconditioned device by a formula instead of a table. On each plane, the first
// logical pages ("slots") are written. They are scattered over full blocks, among pages that are already invalid. The
// mapping is computed on demand in both directions. Therefore the time and memory for filling a device grow with the
// number of blocks, not with the number of pages:
//
//   slot --permutation--> rank --prefix sums of valid pages per block--> block, k --permutation in the block--> page
//
// Both permutations are affine: x -> (a x + c) mod n. The factor a is close to n times the golden section, so
// neighbouring values of x are mapped far apart.
//
// Data are placed as the write frontiers of the drive would have placed them. Data written in the order of their
// addresses (order `sequential`) fill pages on one plane after another. Data written in random order (order `random`)
// are stored on the planes that the static allocation assigns to their addresses, or on any plane (ScatteredPlanes).
// This depends on the allocation policy.
//
// If the mapping is stored on flash, its translation pages are logical pages whose numbers follow those of the host. A
// translation page that contains the entry of a written page is also written. Translation pages are stored among the
// data of the host.
//
// A part of the address space can be configured as written last. These data take the last ranks, so they are stored
// together. Blocks that contain any of these data have a low age.
//
// Some data may be stored in a special pattern (FillPattern). They take the first ranks, so that the first blocks
// contain only these data.
//
// The number of valid pages in each block is the number that remains after random overwrites without collection
// (distribution `scattered`), or after a long time of random writes with greedy collection (`steady_state`). In a
// steady state, each stream of writes also has an open block on each plane. The written shares of the open blocks are
// evenly distributed from plane to plane. Thus the planes need their next blocks, and garbage collection, at different
// times. All data in an open block are new and valid.
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

// Describes data of a preconditioned device whose units are not stored in consecutive order (see InitialFill). Such
// data take the first ranks, so that the first blocks contain only these data.
class FillPattern {
 public:
  // Returns how many of a plane's `slots` slots are stored in the pattern.
  virtual std::uint64_t patterned(std::uint64_t slots) const = 0;
  // rank_of() returns the rank of a slot if the plane has `slots` slots. slot_of() is the inverse.
  virtual std::uint64_t rank_of(std::uint64_t slot, std::uint64_t slots) const = 0;
  virtual std::uint64_t slot_of(std::uint64_t rank, std::uint64_t slots) const = 0;
  // For a block that contains only data in the pattern, place_of() returns the position in the block at which its k-th
  // unit is stored. at() is the inverse: it returns k for a position.
  virtual std::uint32_t place_of(std::uint32_t k) const = 0;
  virtual std::uint32_t at(std::uint32_t place) const = 0;

 protected:
  ~FillPattern() = default;
};

// Determines the planes of units that were written one by one, at different times, by a policy that may choose any
// plane. The plane of a unit is independent of its address, and all planes hold the same number of units. Both
// directions are computed by a formula instead of a table:
//
//   A row consists of 64 units for each plane. It is divided into pieces of 64 units: piece q contains the units 64 q
//   to 64 q + 63 of the row. Unit j of piece q takes the place that the static allocation assigns to unit j of piece (q
//   + h) mod planes. h is a random number that depends on the row and on j.
//
// Therefore the planes of neighbouring units are independent of each other. Different units never take the same place,
// because units with the same j are all moved by the same h.
class ScatteredPlanes {
 public:
  // `together` is the number of consecutive units that the static allocation keeps on one plane. It must be a divisor
  // of 64.
  ScatteredPlanes(std::uint32_t planes, std::uint32_t together, std::uint64_t seed)
      : planes_(planes), together_(together), seed_(seed) {}

  std::uint64_t row_of(Lpn lpn) const { return planes_.quotient(lpn.value / piece); }
  std::uint64_t units_per_row() const { return piece * planes_.value(); }

  // A place in the static allocation: a position in its round over the planes, and a slot of the plane at this
  // position.
  struct Place {
    std::uint32_t position;
    std::uint64_t slot;
  };
  // Returns the place that the unit takes. The unit is in the row `row`. Each row takes the next `piece` slots of all
  // planes.
  Place place_of(Lpn lpn, std::uint64_t row) const {
    const auto unit = static_cast<std::uint32_t>(lpn.value - row * units_per_row());
    const std::uint32_t j = unit % piece;
    return {wrapped(unit / piece + drawn(row, j)), row * piece + j};
  }
  // Returns the unit that takes the place of the unit `place` in the static allocation. This is the inverse of
  // place_of().
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

  // Returns the random number h for unit j of the row. It is less than the number of planes.
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

// Throws ConfigError if the planes cannot hold the configured data with `free_blocks` free blocks left on each plane,
// or if a plane has too many units, or if the data written last exceed the exported capacity.
void check(const PreconditionParameters& parameters, const FtlGeometry& geometry, std::uint64_t logical_pages,
           std::uint32_t free_blocks, std::uint32_t entries_per_translation_page = 0);

// The properties of the drive's write frontiers that determine where the initial data are stored.
struct FillFrontiers {
  bool any_plane = false;         // the plane of new data is chosen by a policy and does not depend on their address
  std::uint32_t open_blocks = 0;  // number of open blocks on each plane
  // Number of units in a wordline; open blocks are written up to the end of a wordline.
  std::uint32_t units_per_wordline = 1;
};

class InitialFill {
 public:
  // The parameters must have passed check(). `entries_per_translation_page` is 0 if the mapping is not stored on flash.
  // `pattern` is null if no data are stored in a special pattern.
  InitialFill(const PreconditionParameters& parameters, const FtlGeometry& geometry, const AllocationOrder& order,
              std::uint64_t logical_pages, std::uint64_t seed, std::uint32_t free_blocks,
              std::uint32_t entries_per_translation_page = 0, const FillPattern* pattern = nullptr,
              const FillFrontiers& frontiers = {});

  // Returns the physical address of a logical page, or an invalid Ppa if the page was not written.
  Ppa find(Lpn lpn) const;
  // Returns the logical page that was stored at the physical address at the start of the simulation. Returns an invalid
  // Lpn if the page was invalid or erased at that time.
  Lpn lpn_at(Ppa ppa) const;

  // Blocks 0 to full_blocks - 1 of the plane are full, blocks full_blocks to used_blocks - 1 are open, and the
  // remaining blocks are erased.
  std::uint32_t full_blocks(FtlPlane plane) const { return planes_[plane].full_blocks; }
  std::uint32_t used_blocks(FtlPlane plane) const { return planes_[plane].used_blocks; }
  std::uint32_t valid_pages(Superblock block) const;
  // Returns the number of programmed pages in the block, valid or not. In an open block these are the first pages.
  std::uint32_t programmed_pages(Superblock block) const;

  // Returns the time in days between the programming of the block and the last write to the device. The data of the
  // block have aged for this time in addition to nand.condition.retention_days. The time is computed from the number of
  // valid pages: if the device holds V valid pages, i of the b pages of a block are still valid after V (1/b + ... +
  // 1/i) random writes.
  double age_days(Superblock block) const;
  // Returns whether the block contains data that were written last (updated_bytes). These data were written after the
  // retention time, so nand.condition.retention_days does not count for the block.
  bool updated(Superblock block) const;
  // Returns whether all data of the block are stored in the pattern.
  bool patterned(Superblock block) const;

 private:
  // The permutation x -> (factor x + offset) mod modulus, and its inverse.
  class Affine {
   public:
    Affine() = default;
    Affine(std::uint64_t modulus, std::uint64_t factor, std::uint64_t inverse)
        : modulus_(modulus), factor_(factor, modulus), inverse_(inverse, modulus) {}
    static Affine spread(std::uint64_t modulus);
    static Affine identity(std::uint64_t modulus) { return {modulus, 1, 1}; }

    // `x`, `y` and `offset` must be less than the modulus.
    std::uint64_t forward(std::uint64_t x, std::uint64_t offset) const {
      const std::uint64_t y = factor_.times(x, modulus_) + offset;
      return y < modulus_ ? y : y - modulus_;
    }
    std::uint64_t backward(std::uint64_t y, std::uint64_t offset) const {
      return inverse_.times(y >= offset ? y - offset : y + modulus_ - offset, modulus_);
    }

   private:
    // Multiplies modulo `modulus` without a division. The quotient that is computed from the reciprocal is exact or too
    // small by 1, because x is less than 2^64. The modulus is at most the number of units in a plane, which check()
    // limits to 2^32 - 1, so products fit into 64 bits.
    struct Factor {
      Factor() = default;
      Factor(std::uint64_t factor, std::uint64_t modulus)
          : value(factor % modulus),
            reciprocal(static_cast<std::uint64_t>((static_cast<unsigned __int128>(value) << 64) / modulus)) {}
      std::uint64_t times(std::uint64_t x, std::uint64_t modulus) const {
        const auto quotient = static_cast<std::uint64_t>(static_cast<unsigned __int128>(x) * reciprocal >> 64);
        const std::uint64_t rest = x * value - quotient * modulus;
        return rest < modulus ? rest : rest - modulus;
      }

      std::uint64_t value = 0;
      std::uint64_t reciprocal = 0;  // 2^64 value / modulus
    };

    std::uint64_t modulus_ = 1;
    Factor factor_;
    Factor inverse_;
  };

  // The members that find() needs for most pages fill the first cache line. The numbers of slots fit into 32 bits,
  // because check() limits them.
  struct alignas(64) PlaneFill {
    // The first `host_slots` slots are logical pages of the host. The remaining slots are translation pages: the
    // plane's logical pages from `first_translation` on.
    std::uint32_t host_slots = 0;
    // The slots that were written last are the translation pages and the `updated_slots` slots of the host from
    // `first_updated` on. `last_slots` is their total number, and `first_last_rank` is the lowest of their ranks.
    std::uint32_t first_updated = 0;
    std::uint32_t updated_slots = 0;
    std::uint32_t last_slots = 0;
    double blocks_per_rank = 0;   // for a first guess of the block that contains a rank
    std::size_t first_block = 0;  // index in blocks_ of the plane's first entry; the plane has used_blocks + 1 entries
    std::uint32_t full_blocks = 0;
    std::uint32_t used_blocks = 0;
    Affine slots_permutation;  // of the slots that were not written last
    Affine last_permutation;   // of the slots that were written last
    std::uint64_t first_translation = 0;
    std::uint32_t slots = 0;  // number of logical pages that are written
    std::uint32_t first_last_rank = 0;
    std::uint32_t patterned_blocks = 0;  // blocks 0 to patterned_blocks - 1 contain only data in the pattern
  };
  struct BlockFill {
    std::uint32_t first_rank = 0;  // number of valid pages in the preceding blocks of the plane
    std::uint32_t offset = 0;      // the offset c of the block's page permutation
  };

  // Returns the address of the unit in this slot of the plane, or an invalid Ppa if the slot was not written.
  Ppa find(FtlPlane plane, std::uint64_t slot) const;
  [[gnu::noinline]] Ppa find_in_pattern(FtlPlane plane, std::uint64_t slot) const;
  // The argument `patterned` is whether `pattern_` is set.
  template <bool patterned>
  Ppa find_by(FtlPlane plane_id, std::uint64_t slot) const;
  template <bool patterned>
  std::uint64_t rank_of(const PlaneFill& plane, std::uint64_t slot) const;
  std::uint64_t slot_of(const PlaneFill& plane, std::uint64_t rank) const;
  bool is_open(const PlaneFill& plane, std::uint32_t index) const { return index >= plane.full_blocks; }
  // Returns whether the units of the row may be on any plane. In a row that contains both data written last and other
  // data, units stay on the planes of their addresses.
  bool is_scattered(std::uint64_t row) const {
    return row < scattered_rows_ && row != edge_rows_[0] && row != edge_rows_[1];
  }
  void scatter_planes(std::uint32_t together, std::uint64_t written, std::uint64_t first_updated,
                      std::uint64_t end_updated);
  // Appends the next used block of the plane, which has `valid` valid pages, to blocks_.
  void append(std::uint32_t valid) { blocks_.push_back({blocks_.back().first_rank + valid, 0}); }
  // scatter() and balance() append the used blocks of the plane to blocks_, for the two distributions.
  void scatter(const PlaneFill& plane, RandomStream& random);
  void balance(const PlaneFill& plane, const std::vector<std::uint32_t>& open, RandomStream& random);
  // Returns the number of units that are written in each open block of the plane. Returns an empty list if the plane
  // has no open blocks, because it holds too few units or too many for its full blocks.
  std::vector<std::uint32_t> open_blocks(FtlPlane plane, const FillFrontiers& frontiers) const;

  const FtlGeometry geometry_;
  const AllocationOrder& order_;
  bool sequential_;
  // Time in which the host writes as many pages as are valid; 0 if all data have the same age.
  double days_per_turnover_;
  double updated_age_days_;
  const FillPattern* pattern_;
  std::uint64_t seed_;
  Affine pages_permutation_;
  std::optional<ScatteredPlanes> scattered_;  // empty if data are on the planes of their addresses
  std::uint64_t scattered_rows_ = 0;
  std::array<std::uint64_t, 2> edge_rows_{};
  IdVector<FtlPlane, PlaneFill> planes_;
  // For each plane: its used blocks, and an entry behind them whose first rank is the number of ranks.
  std::vector<BlockFill> blocks_;
};

}  // namespace nandscape::controller

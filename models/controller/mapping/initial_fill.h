// SPDX-License-Identifier: Apache-2.0
// What a preconditioned device holds, as a formula instead of a table. On each plane the first logical pages ("slots")
// are written; they lie scattered over full blocks among pages that are invalid already. Both directions of the mapping
// are computed on demand, so filling any device costs time and memory per block, not per page:
//
//   slot --permutation--> rank --prefix sums of valid pages per block--> block, k --permutation in the block--> page
//
// Both permutations are affine, x -> (a x + c) mod n with a near n times the golden section, which spreads neighbours
// far apart.
//
// Data lie as the drive's own write frontiers would have put them: those in the order of their addresses fill pages
// that go round the planes; those that were written at random lie on the planes of their addresses, or on any (order
// random, ScatteredPlanes), as the allocation policy has it.
//
// Where the mapping is on flash, its translation pages are logical pages behind those of the host; those with an entry
// of a written page are written, too, and lie among the others.
//
// Data that were written last, those of a part of the address space, take the last ranks: they lie together, and blocks
// that hold any of them are young.
//
// Some data may lie in a pattern of their own (FillPattern). They take the first ranks, so that the first blocks hold
// nothing else.
//
// How many pages of each block are valid is either what overwriting pages at random leaves (scattered), or what greedy
// collection has made of that in the long run (steady_state): then collection starts in balance. In a steady state each
// stream of writes has a block open on each plane. They are written to different extents, evenly spread from plane to
// plane, so that planes need their next blocks, and collection, one after the other. What an open block holds is new:
// all of it is valid.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "controller/addresses/ftl_geometry.h"
#include "controller/addresses/ids.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/fill_pattern.h"
#include "controller/mapping/scattered_planes.h"
#include "core/parameters.h"
#include "core/random.h"

namespace nandscape::controller {

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

// Throws ConfigError when the planes cannot hold what is asked for and keep `free_blocks` blocks each.
void check(const PreconditionParameters& parameters, const FtlGeometry& geometry, std::uint64_t logical_pages,
           std::uint32_t free_blocks, std::uint32_t entries_per_translation_page = 0);

// What the drive's write frontiers are like.
struct FillFrontiers {
  bool any_plane = false;                // new data go to the plane that a policy chooses, not to that of their address
  std::uint32_t open_blocks = 0;         // of each plane
  std::uint32_t units_per_wordline = 1;  // that become durable together: open blocks end with whole ones
};

class InitialFill {
 public:
  // The parameters have passed check(). entries_per_translation_page 0: the mapping is not on flash.
  // `pattern` is null where all data lie one after the other.
  InitialFill(const PreconditionParameters& parameters, const FtlGeometry& geometry, const AllocationOrder& order,
              std::uint64_t logical_pages, std::uint64_t seed, std::uint32_t free_blocks,
              std::uint32_t entries_per_translation_page = 0, const FillPattern* pattern = nullptr,
              const FillFrontiers& frontiers = {});

  // Where the logical page was put, or an invalid Ppa when it was not written.
  Ppa find(Lpn lpn) const;
  // What a page held before anything was overwritten, or an invalid Lpn when it was invalid from the start.
  Lpn lpn_at(Ppa ppa) const;

  // Blocks 0 .. full_blocks-1 of the plane are full, those behind them up to used_blocks-1 open, the others erased.
  std::uint32_t full_blocks(FtlPlane plane) const { return planes_[plane].full_blocks; }
  std::uint32_t used_blocks(FtlPlane plane) const { return planes_[plane].used_blocks; }
  std::uint32_t valid_pages(Superblock block) const;
  // Valid or not: the first ones of the block.
  std::uint32_t programmed_pages(Superblock block) const;

  // How many days before the device's last write the block was programmed; this long its data have aged on top of
  // nand.condition.retention_days. Of the V valid pages i of a block of b survive V (1/b + ... + 1/i) random writes.
  double age_days(Superblock block) const;
  // Whether it holds data that were written last: after nand.condition.retention_days, which do not count for it.
  bool updated(Superblock block) const;
  // Whether all that the block holds lies in the pattern.
  bool patterned(Superblock block) const;

 private:
  // x -> (factor x + offset) mod modulus, and back.
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
    // Of these, pages of the host; the others are the plane's logical pages from `first_translation` on.
    std::uint64_t host_slots = 0;
    std::uint64_t first_translation = 0;
    // Slots that were written last: so many of the host's from `first_updated` on, and translation pages; and the first
    // of their ranks.
    std::uint64_t first_updated = 0;
    std::uint64_t updated_slots = 0;
    std::uint64_t last_slots = 0;
    std::uint64_t first_last_rank = 0;
    std::uint32_t patterned_blocks = 0;  // the first ones
    std::uint32_t full_blocks = 0;
    std::uint32_t used_blocks = 0;
    double blocks_per_rank = 0;    // to guess the block of a rank
    std::size_t first_prefix = 0;  // of prefix_, used_blocks + 1 entries
    Affine slots_permutation;      // of the slots without those written last, and theirs
    Affine last_permutation;
  };

  std::uint64_t block_offset(Superblock block) const;
  std::uint64_t rank_of(const PlaneFill& plane, std::uint64_t slot) const;
  std::uint64_t slot_of(const PlaneFill& plane, std::uint64_t rank) const;
  bool is_open(const PlaneFill& plane, std::uint32_t index) const { return index >= plane.full_blocks; }
  // Whether units of the row lie on any plane. Those of a row that data of another kind share lie where their addresses
  // say.
  bool is_scattered(std::uint64_t row) const {
    return row < scattered_rows_ && row != edge_rows_[0] && row != edge_rows_[1];
  }
  void scatter_planes(std::uint32_t together, std::uint64_t written, std::uint64_t first_updated,
                      std::uint64_t end_updated);
  // Valid pages of the plane's used blocks, appended to prefix_.
  void scatter(const PlaneFill& plane, RandomStream& random);
  void balance(const PlaneFill& plane, const std::vector<std::uint32_t>& open, RandomStream& random);
  // The same of blocks that are open, in units: none where the plane does not hold that much.
  std::vector<std::uint32_t> open_blocks(FtlPlane plane, const FillFrontiers& frontiers) const;

  const FtlGeometry geometry_;
  const AllocationOrder& order_;
  bool sequential_;
  double days_per_turnover_;  // in which the host writes as many pages as are valid; 0: all data are of the same age
  double updated_age_days_;
  const FillPattern* pattern_;
  std::uint64_t seed_;
  Affine pages_permutation_;
  std::optional<ScatteredPlanes> scattered_;  // none where data lie on the planes of their addresses
  std::uint64_t scattered_rows_ = 0;
  std::array<std::uint64_t, 2> edge_rows_{};
  IdVector<FtlPlane, PlaneFill> planes_;
  std::vector<std::uint32_t> prefix_;  // valid pages in the blocks before
};

}  // namespace nandscape::controller

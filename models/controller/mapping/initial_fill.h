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
// collection has made of that in the long run (steady_state): then collection starts in balance.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/addresses/ftl_geometry.h"
#include "controller/addresses/ids.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/fill_pattern.h"
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

class InitialFill {
 public:
  // The parameters have passed check(). entries_per_translation_page 0: the mapping is not on flash.
  // `pattern` is null where all data lie one after the other.
  InitialFill(const PreconditionParameters& parameters, const FtlGeometry& geometry, const AllocationOrder& order,
              std::uint64_t logical_pages, std::uint64_t seed, std::uint32_t free_blocks,
              std::uint32_t entries_per_translation_page = 0, const FillPattern* pattern = nullptr);

  // Where the logical page was put, or an invalid Ppa when it was not written.
  Ppa find(Lpn lpn) const;
  // What a page held before anything was overwritten, or an invalid Lpn when it was invalid from the start.
  Lpn lpn_at(Ppa ppa) const;

  // Blocks 0 .. used_blocks-1 of the plane are full, the others erased.
  std::uint32_t used_blocks(FtlPlane plane) const { return planes_[plane].used_blocks; }
  std::uint32_t valid_pages(Superblock block) const;

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
    std::uint32_t used_blocks = 0;
    double blocks_per_rank = 0;    // to guess the block of a rank
    std::size_t first_prefix = 0;  // of prefix_, used_blocks + 1 entries
    Affine slots_permutation;      // of the slots without those written last, and theirs
    Affine last_permutation;
  };

  std::uint64_t block_offset(Superblock block) const;
  std::uint64_t rank_of(const PlaneFill& plane, std::uint64_t slot) const;
  std::uint64_t slot_of(const PlaneFill& plane, std::uint64_t rank) const;
  // Valid pages of the plane's used blocks, appended to prefix_.
  void scatter(const PlaneFill& plane, RandomStream& random);
  void balance(const PlaneFill& plane, RandomStream& random);

  const FtlGeometry geometry_;
  const AllocationOrder& order_;
  bool sequential_;
  double days_per_turnover_;  // in which the host writes as many pages as are valid; 0: all data are of the same age
  double updated_age_days_;
  const FillPattern* pattern_;
  std::uint64_t seed_;
  Affine pages_permutation_;
  IdVector<FtlPlane, PlaneFill> planes_;
  std::vector<std::uint32_t> prefix_;  // valid pages in the blocks before
};

}  // namespace nandscape::controller

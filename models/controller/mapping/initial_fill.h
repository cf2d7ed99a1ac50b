// SPDX-License-Identifier: Apache-2.0
// What a preconditioned device holds, as a formula instead of a table. On each plane the first logical pages ("slots")
// are written; they lie scattered over full blocks among pages that are invalid already. Both directions of the mapping
// are computed on demand, so filling any device costs time and memory per block, not per page:
//
//   slot --permutation--> rank --prefix sums of valid pages per block--> block, k --permutation in the block--> page
//
// Both permutations are affine, x -> (a x + c) mod n with a near n times the golden section, which spreads neighbours
// far apart.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/mapping/allocation_order.h"
#include "core/ids.h"
#include "core/parameters.h"
#include "protocol/geometry.h"

namespace nandscape {

enum class FillOrder { random, sequential };

struct PreconditionParameters {
  double occupancy = 1.0;
  double invalid_page_ratio = 0.0;
  FillOrder order = FillOrder::random;
};
void describe(PreconditionParameters& p, ParameterVisitor& v);

// Throws ConfigError when the planes cannot hold what is asked for and keep `free_blocks` blocks each.
void check(const PreconditionParameters& parameters, const Geometry& geometry, std::uint64_t logical_pages,
           std::uint32_t free_blocks);

class InitialFill {
 public:
  // The parameters have passed check().
  InitialFill(const PreconditionParameters& parameters, const Geometry& geometry, const AllocationOrder& order,
              std::uint64_t logical_pages, std::uint64_t seed);

  // Where the logical page was put, or an invalid Ppn when it was not written.
  Ppn find(Lpn lpn) const;
  // What a page held before anything was overwritten, or an invalid Lpn when it was invalid from the start.
  Lpn lpn_at(Ppn ppn) const;

  // Blocks 0 .. used_blocks-1 of the plane are full, the others erased.
  std::uint32_t used_blocks(PlaneId plane) const { return planes_[plane.value].used_blocks; }
  std::uint32_t valid_pages(BlockId block) const;

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
    std::uint32_t used_blocks = 0;
    double blocks_per_rank = 0;    // to guess the block of a rank
    std::size_t first_prefix = 0;  // of prefix_, used_blocks + 1 entries
    Affine slots_permutation;
  };

  std::uint64_t block_offset(BlockId block) const;

  const Geometry geometry_;
  const AllocationOrder& order_;
  bool sequential_;
  std::uint64_t seed_;
  Affine pages_permutation_;
  std::vector<PlaneFill> planes_;
  std::vector<std::uint32_t> prefix_;  // valid pages in the blocks before
};

}  // namespace nandscape

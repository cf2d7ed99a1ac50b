// SPDX-License-Identifier: Apache-2.0
// A simple simulation of one plane, which serves as a reference for the theory of garbage collection. It uses plain
// arrays, writes pages at random and empties victims instantly.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/random.h"

namespace nandscape::controller {

class PlaneMonteCarlo {
 public:
  enum class State { free, open, full };
  static constexpr std::uint32_t none = ~0U;

  struct Block {
    State state = State::free;
    std::uint32_t valid = 0;
    std::uint32_t next_page = 0;
    std::uint64_t filled = 0;     // position of the block in the order in which blocks were filled
    std::uint64_t filled_at = 0;  // number of pages that the host had written when the block became full
  };
  // A victim policy: returns the index of a full block.
  using Choose = std::function<std::uint32_t(const PlaneMonteCarlo&)>;

  PlaneMonteCarlo(std::uint32_t blocks, std::uint32_t pages_per_block, std::uint32_t logical_pages,
                  std::uint32_t start_free_blocks, Choose choose)
      : pages_per_block_(pages_per_block),
        start_free_blocks_(start_free_blocks),
        choose_(std::move(choose)),
        blocks_(blocks),
        held_(std::size_t{blocks} * pages_per_block, none),
        place_(logical_pages, none),
        free_(blocks) {}

  const std::vector<Block>& blocks() const { return blocks_; }
  std::uint32_t pages_per_block() const { return pages_per_block_; }
  std::uint64_t host_pages() const { return host_pages_; }

  // Makes a block full, with only these pages valid. Must be called before any page is written.
  void fill(std::uint32_t block, const std::vector<std::uint32_t>& pages) {
    for (const std::uint32_t page : pages) append(block, page);
    blocks_[block].next_page = pages_per_block_;
    blocks_[block].state = State::full;
    --free_;
  }

  void write(std::uint32_t page) {
    if (host_ == none || blocks_[host_].state != State::open) {
      host_ = take_free();
      while (free_ < start_free_blocks_) collect(choose_(*this));
    }
    append(host_, page);
    ++host_pages_;
  }

  // Performs `writes` random writes. Returns the number of programmed pages per page written by the host.
  double write_amplification(std::uint64_t writes, RandomStream& random) {
    const std::uint64_t host = host_pages_, programmed = programmed_pages_;
    for (std::uint64_t k = 0; k < writes; ++k) write(static_cast<std::uint32_t>(random.below(place_.size())));
    return static_cast<double>(programmed_pages_ - programmed) / static_cast<double>(host_pages_ - host);
  }

 private:
  std::uint32_t take_free() {
    for (std::uint32_t k = 0; k < blocks_.size(); ++k) {
      if (blocks_[k].state != State::free) continue;
      blocks_[k] = {.state = State::open};
      --free_;
      return k;
    }
    throw std::logic_error("no free block is left");
  }

  void append(std::uint32_t block, std::uint32_t page) {
    if (place_[page] != none) {
      --blocks_[place_[page] / pages_per_block_].valid;
      held_[place_[page]] = none;
    }
    Block& b = blocks_[block];
    place_[page] = block * pages_per_block_ + b.next_page++;
    held_[place_[page]] = page;
    ++b.valid;
    ++programmed_pages_;
    if (b.next_page == pages_per_block_) {
      b.state = State::full;
      b.filled = ++filled_;
      b.filled_at = host_pages_;
    }
  }

  void collect(std::uint32_t victim) {
    for (std::uint32_t k = 0; k < pages_per_block_; ++k) {
      const std::uint32_t page = held_[std::size_t{victim} * pages_per_block_ + k];
      if (page == none) continue;
      if (moved_ == none || blocks_[moved_].state != State::open) moved_ = take_free();
      append(moved_, page);
    }
    blocks_[victim] = {};
    ++free_;
  }

  std::uint32_t pages_per_block_;
  std::uint32_t start_free_blocks_;
  Choose choose_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> held_;   // indexed by physical page
  std::vector<std::uint32_t> place_;  // indexed by logical page
  std::uint32_t free_;
  std::uint32_t host_ = none;
  std::uint32_t moved_ = none;
  std::uint64_t filled_ = 0;
  std::uint64_t host_pages_ = 0;
  std::uint64_t programmed_pages_ = 0;
};

inline std::uint32_t greedy_choice(const PlaneMonteCarlo& plane) {
  std::uint32_t best = PlaneMonteCarlo::none;
  for (std::uint32_t k = 0; k < plane.blocks().size(); ++k) {
    if (plane.blocks()[k].state != PlaneMonteCarlo::State::full) continue;
    if (best == PlaneMonteCarlo::none || plane.blocks()[k].valid < plane.blocks()[best].valid) best = k;
  }
  return best;
}

inline std::uint32_t fifo_choice(const PlaneMonteCarlo& plane) {
  std::uint32_t best = PlaneMonteCarlo::none;
  for (std::uint32_t k = 0; k < plane.blocks().size(); ++k) {
    if (plane.blocks()[k].state != PlaneMonteCarlo::State::full) continue;
    if (best == PlaneMonteCarlo::none || plane.blocks()[k].filled < plane.blocks()[best].filled) best = k;
  }
  return best;
}

// Draws `candidates` full blocks at random from those with an invalid page, and chooses the one with the fewest valid
// pages. With one candidate, the choice is random.
inline PlaneMonteCarlo::Choose d_choice(std::uint32_t candidates, RandomStream& random) {
  return [candidates, &random](const PlaneMonteCarlo& plane) {
    std::uint32_t best = PlaneMonteCarlo::none;
    for (std::uint32_t k = 0; k < candidates;) {
      const auto block = static_cast<std::uint32_t>(random.below(plane.blocks().size()));
      const PlaneMonteCarlo::Block& drawn = plane.blocks()[block];
      if (drawn.state != PlaneMonteCarlo::State::full || drawn.valid == plane.pages_per_block()) continue;
      ++k;
      if (best == PlaneMonteCarlo::none || plane.blocks()[block].valid < plane.blocks()[best].valid) best = block;
    }
    return best;
  };
}

}  // namespace nandscape::controller

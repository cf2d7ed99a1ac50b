// SPDX-License-Identifier: Apache-2.0
// The tags of a die's pages. A tag consists of words that the controller stores in the spare area of a page. Most tags
// have the regular number of words. They are stored by block, and their memory is allocated at the first program of the
// block. A few tags are longer, for example those of a journal, and are stored separately.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/archive.h"
#include "core/id_vector.h"
#include "core/ids.h"

namespace nandscape::nand {

// The value of a word that has not been written.
inline constexpr std::uint64_t no_tag = ~std::uint64_t{0};

// Supplies the tags of pages that were programmed before the simulation began.
class InitialTags {
 public:
  virtual ~InitialTags() = default;
  // Reads a tag. `row` is the number of the page within the die, and `tag` has the length of a regular tag.
  virtual void read(std::uint64_t row, std::span<std::uint64_t> tag) const = 0;
};

class PageTags {
 public:
  // If `initial` is null, pages that have not been written in the simulation have no tags.
  PageTags(std::uint32_t blocks, std::uint32_t pages_per_block, std::uint32_t regular_words,
           std::unique_ptr<InitialTags> initial = nullptr)
      : pages_per_block_(pages_per_block),
        regular_words_(regular_words),
        initial_(std::move(initial)),
        block_count_(blocks),
        regular_(regular_words) {}

  void write(BlockInDie block, std::uint32_t page, std::span<const std::uint64_t> tag);
  // Reads the tag of a page. If the tag is longer than `tag`, it is cut; if it is shorter, the rest is filled with
  // no_tag. `initial` is true if the page still has its content from before the simulation.
  void read(BlockInDie block, std::uint32_t page, bool initial, std::span<std::uint64_t> tag);
  std::size_t words(BlockInDie block, std::uint32_t page) const;
  void erase(BlockInDie block);
  // Erases the tags of the pages from `first` to `end` - 1.
  void erase(BlockInDie block, std::uint32_t first, std::uint32_t end);

  void persist(Archive& archive);

 private:
  std::uint64_t row(BlockInDie block, std::uint32_t page) const {
    return std::uint64_t{block.value} * pages_per_block_ + page;
  }
  bool has(BlockInDie block) const { return !blocks_.empty() && blocks_[block] != nullptr; }
  std::uint64_t* words_at(BlockInDie block, std::uint32_t page) const {
    return blocks_[block].get() + std::size_t{page} * regular_words_;
  }

  std::uint32_t pages_per_block_;
  std::uint32_t regular_words_;
  std::unique_ptr<InitialTags> initial_;
  std::uint32_t block_count_;
  IdVector<BlockInDie, std::unique_ptr<std::uint64_t[]>> blocks_;  // empty until the first tag of the die is written
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> long_;  // by row
  std::vector<std::uint64_t> regular_;  // buffer for an initial tag before it is cut to the requested length
};

}  // namespace nandscape::nand

// SPDX-License-Identifier: Apache-2.0
#include "nand/page_tags.h"

#include <algorithm>

namespace nandscape::nand {

namespace {

void fill_up(std::span<const std::uint64_t> words, std::span<std::uint64_t> tag) {
  const std::size_t common = std::min(words.size(), tag.size());
  std::copy_n(words.begin(), common, tag.begin());
  std::fill(tag.begin() + static_cast<std::ptrdiff_t>(common), tag.end(), no_tag);
}

}  // namespace

void PageTags::write(BlockInDie block, std::uint32_t page, std::span<const std::uint64_t> tag) {
  if (tag.size() > regular_words_) {
    long_[row(block, page)].assign(tag.begin(), tag.end());
    return;
  }
  if (blocks_.empty()) blocks_.resize(block_count_);
  if (blocks_[block] == nullptr) {
    const std::size_t words = std::size_t{pages_per_block_} * regular_words_;
    blocks_[block] = std::make_unique_for_overwrite<std::uint64_t[]>(words);
    std::fill_n(blocks_[block].get(), words, no_tag);
  }
  fill_up(tag, {words_at(block, page), regular_words_});
}

void PageTags::read(BlockInDie block, std::uint32_t page, bool initial, std::span<std::uint64_t> tag) {
  if (initial) {
    if (initial_ == nullptr) {
      fill_up({}, tag);
      return;
    }
    initial_->read(row(block, page), regular_);
    fill_up(regular_, tag);
    return;
  }
  if (!long_.empty()) {
    if (const auto found = long_.find(row(block, page)); found != long_.end()) {
      fill_up(found->second, tag);
      return;
    }
  }
  if (has(block)) {
    fill_up({words_at(block, page), regular_words_}, tag);
  } else {
    fill_up({}, tag);
  }
}

std::size_t PageTags::words(BlockInDie block, std::uint32_t page) const {
  const auto found = long_.find(row(block, page));
  return found == long_.end() ? regular_words_ : found->second.size();
}

void PageTags::erase(BlockInDie block) {
  if (has(block)) blocks_[block].reset();
  for (std::uint32_t page = 0; page < pages_per_block_ && !long_.empty(); ++page) long_.erase(row(block, page));
}

void PageTags::erase(BlockInDie block, std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t page = first; page < end; ++page) {
    long_.erase(row(block, page));
    if (has(block)) std::fill_n(words_at(block, page), regular_words_, no_tag);
  }
}

void PageTags::persist(Archive& archive) {
  archive.section("page tags");
  archive.expect("words of a tag", regular_words_);
  const std::size_t words = std::size_t{pages_per_block_} * regular_words_;
  blocks_.resize(block_count_);
  for (std::unique_ptr<std::uint64_t[]>& block : blocks_) archive.array_or_none(block, words);
  archive.map(long_, std::uint64_t{block_count_} * pages_per_block_, "the row of a page",
              [&](std::vector<std::uint64_t>& tag) { archive(tag); });
}

}  // namespace nandscape::nand

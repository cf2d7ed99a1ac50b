// SPDX-License-Identifier: Apache-2.0
// What a page says of itself in its spare area: for each of its mapping units a word with the logical page and a word
// with the version of the data and how often its block had been erased. After a loss of power the mapping is made from
// these alone.
//
// A page of parity carries the sum (exclusive or) of the tags of its row and of parity_mark, so that with a lost page
// its tag is known, too. Its words mean nothing by themselves: which pages hold parity follows from where they are
// (FlashLayout::of_flash_page() is invalid), and who goes through tags has to pass them over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ids.h"

namespace nandscape::controller {

// The unit holds nothing.
inline constexpr std::uint64_t no_unit = ~std::uint64_t{0};
// In the first word: the page belongs to the journal of trims, and what follows are its records.
inline constexpr std::uint64_t journal_mark = no_unit - 1;
// In the first word of parity: the sum of the others could be anything, the journal's mark too. In those, this bit and
// the one below it are equal.
inline constexpr std::uint64_t parity_mark = std::uint64_t{1} << 62;
// The data could not be read when they had to move: what stands there is not what was written.
inline constexpr std::uint64_t lost_bit = std::uint64_t{1} << 63;

// In the first word, above the logical page: the mode that the page's block is written in (BlockTable::write_mode). Of
// a page without data it is not known.
inline constexpr unsigned write_mode_shift = 48;
inline constexpr std::uint64_t write_mode_mask = std::uint64_t{0xff} << write_mode_shift;
inline constexpr std::uint64_t lpn_mask = (std::uint64_t{1} << write_mode_shift) - 1;

// In the second word: a mark that the write frontier sets in pages of a block, and that the block keeps.
inline constexpr std::uint64_t frontier_mark_bit = std::uint64_t{1} << 63;

// Between this bit and the version: the stamp of the block, how often it had been erased when the page was written. It
// tells what was written since a checkpoint of the mapping from what had been there before. A page without data has it,
// too. It is never all ones, which what cannot be read is.
inline constexpr unsigned stamp_shift = 48;
inline constexpr std::uint32_t stamps = 0x7fff;
inline constexpr std::uint64_t version_mask = (std::uint64_t{1} << stamp_shift) - 1;

// No write comes so late: what says so is no tag.
inline constexpr std::uint64_t most_version = version_mask / 2;

inline std::uint64_t version_in(std::uint64_t word) { return word & version_mask; }
inline std::uint32_t stamp_in(std::uint64_t word) { return static_cast<std::uint32_t>(word >> stamp_shift) & stamps; }
inline std::uint32_t stamp_of(std::uint32_t erase_count) { return erase_count % stamps; }
inline void set_stamp(std::span<std::uint64_t> tag, std::uint32_t stamp) {
  for (std::size_t word = 1; word < tag.size(); word += 2) {
    tag[word] = (tag[word] & (frontier_mark_bit | version_mask)) | std::uint64_t{stamp} << stamp_shift;
  }
}

inline std::uint64_t lpn_in(std::uint64_t word) { return word & lpn_mask; }
inline std::uint8_t write_mode_in(std::uint64_t word) { return static_cast<std::uint8_t>(word >> write_mode_shift); }
inline void set_write_mode(std::span<std::uint64_t> tag, std::uint8_t mode) {
  if (tag.empty() || tag.front() == no_unit) return;
  tag.front() = (tag.front() & ~write_mode_mask) | std::uint64_t{mode} << write_mode_shift;
}

// What does not change when the page gets its place, which is after it was scrambled.
inline std::uint64_t scrambler_key(std::uint64_t word) { return word == no_unit ? word : word & ~write_mode_mask; }

inline std::uint64_t tag_word(Lpn lpn, bool lost) { return lpn.value | (lost ? lost_bit : 0); }

}  // namespace nandscape::controller

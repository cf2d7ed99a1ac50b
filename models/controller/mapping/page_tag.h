// SPDX-License-Identifier: Apache-2.0
// The tag of a page, stored in the page's spare area. It has two words for each mapping unit: the logical page, and the
// version of the data with the erase count of the block. After a loss of power the mapping is rebuilt from tags.
//
// A page of parity carries the sum (exclusive or) of the tags of its row and of parity_mark. Rebuilding a lost page
// therefore also gives its tag. The words of parity mean nothing by themselves. The position of a page shows whether it
// holds parity (FlashLayout::of_flash_page() is invalid); readers of tags must skip such pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ids.h"

namespace nandscape::controller {

// The unit holds nothing.
inline constexpr std::uint64_t no_unit = ~std::uint64_t{0};
// In the first word: the page belongs to the journal of trims, and its records follow.
inline constexpr std::uint64_t journal_mark = no_unit - 1;
// In the first word of parity. In the first word of every other tag, and so in their sum, this bit equals the one below
// it. Parity differs in the two bits, so it is never taken for the journal's mark.
inline constexpr std::uint64_t parity_mark = std::uint64_t{1} << 62;
// In the first word: the data could not be read when they had to move, so the page does not hold what was written.
inline constexpr std::uint64_t lost_bit = std::uint64_t{1} << 63;

// In the first word, above the logical page: the mode in which the page's block is written (BlockTable::write_mode). A
// page without data does not have it.
inline constexpr unsigned write_mode_shift = 48;
inline constexpr std::uint64_t write_mode_mask = std::uint64_t{0xff} << write_mode_shift;
inline constexpr std::uint64_t lpn_mask = (std::uint64_t{1} << write_mode_shift) - 1;

// In the second word: a mark that a write frontier sets in a block's pages, and that the block table keeps, too.
inline constexpr std::uint64_t frontier_mark_bit = std::uint64_t{1} << 63;

// The block's stamp, its erase count when the page was written, lies between this bit and the version. The stamp
// distinguishes pages written since a checkpoint of the mapping from older ones. A page without data has it, too. The
// stamp is never all ones, whereas that of an unreadable tag is.
inline constexpr unsigned stamp_shift = 48;
inline constexpr std::uint32_t stamps = 0x7fff;

// Below the stamp, if the drive has several codes: the number of the page's code, and above that the number of its
// state map (0: states are not mapped).
inline constexpr unsigned code_shift = 40;
inline constexpr std::uint64_t code_mask = 7;
inline constexpr unsigned state_map_shift = 43;
inline constexpr std::uint64_t state_map_mask = 31;
inline constexpr std::uint64_t version_mask = (std::uint64_t{1} << code_shift) - 1;

// No write reaches a higher version, so a tag with a higher version is invalid.
inline constexpr std::uint64_t most_version = version_mask / 2;

inline std::uint64_t version_in(std::uint64_t word) { return word & version_mask; }
inline std::uint32_t stamp_in(std::uint64_t word) { return static_cast<std::uint32_t>(word >> stamp_shift) & stamps; }
inline std::uint32_t stamp_of(std::uint32_t erase_count) { return erase_count % stamps; }
inline void set_stamp(std::span<std::uint64_t> tag, std::uint32_t stamp) {
  constexpr std::uint64_t below = (std::uint64_t{1} << stamp_shift) - 1;
  for (std::size_t word = 1; word < tag.size(); word += 2) {
    tag[word] = (tag[word] & (frontier_mark_bit | below)) | std::uint64_t{stamp} << stamp_shift;
  }
}

inline std::uint8_t code_in(std::span<const std::uint64_t> tag) {
  return static_cast<std::uint8_t>(tag[1] >> code_shift & code_mask);
}
inline std::uint8_t state_map_in(std::span<const std::uint64_t> tag) {
  return static_cast<std::uint8_t>(tag[1] >> state_map_shift & state_map_mask);
}
inline void set_coding(std::span<std::uint64_t> tag, std::uint8_t code, std::uint8_t state_map) {
  constexpr std::uint64_t mask = code_mask << code_shift | state_map_mask << state_map_shift;
  const std::uint64_t coding = std::uint64_t{code} << code_shift | std::uint64_t{state_map} << state_map_shift;
  for (std::size_t word = 1; word < tag.size(); word += 2) tag[word] = (tag[word] & ~mask) | coding;
}

inline std::uint64_t lpn_in(std::uint64_t word) { return word & lpn_mask; }
inline std::uint8_t write_mode_in(std::uint64_t word) { return static_cast<std::uint8_t>(word >> write_mode_shift); }
inline void set_write_mode(std::span<std::uint64_t> tag, std::uint8_t mode) {
  if (tag.empty() || tag.front() == no_unit) return;
  tag.front() = (tag.front() & ~write_mode_mask) | std::uint64_t{mode} << write_mode_shift;
}

// The first word without the write mode, which is set after scrambling, when the page gets its place.
inline std::uint64_t scrambler_key(std::uint64_t word) { return word == no_unit ? word : word & ~write_mode_mask; }

inline std::uint64_t tag_word(Lpn lpn, bool lost) { return lpn.value | (lost ? lost_bit : 0); }

}  // namespace nandscape::controller

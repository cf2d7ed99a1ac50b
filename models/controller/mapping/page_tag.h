// SPDX-License-Identifier: Apache-2.0
// The tag of a page, stored in the page's spare area. The tag has two words for each mapping unit of the page. The
// first word contains the logical page; the second contains the version of the data and the erase count of the block.
// After a power loss, the mapping is rebuilt from the tags.
//
// The tag of a parity page is the exclusive or of the tags of its row and of parity_mark. Rebuilding a lost page of the
// row from parity therefore also restores its tag. The words in the tag of a parity page have no meaning by themselves.
// Whether a page holds parity follows from its position (FlashLayout::of_flash_page() is then invalid), and code that
// reads tags must skip parity pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ids.h"

namespace nandscape::controller {

// In the first word: the unit holds no data.
inline constexpr std::uint64_t no_unit = ~std::uint64_t{0};
// In the first word: the page belongs to the journal of trims, and trim records follow this word.
inline constexpr std::uint64_t journal_mark = no_unit - 1;
// In the first word of a parity page. In the first word of every other tag, this bit equals bit 61, and so the two bits
// are equal in the exclusive or of such tags. In a parity page the two bits differ, so its tag is never mistaken for
// journal_mark.
inline constexpr std::uint64_t parity_mark = std::uint64_t{1} << 62;
// In the first word: the unit is lost. Its data could not be read when they had to be moved, so the page holds other
// data than were written.
inline constexpr std::uint64_t lost_bit = std::uint64_t{1} << 63;

// In the first word, above the logical page: the mode in which the page's block is written (BlockTable::write_mode).
// The tag of a page without data does not contain the mode.
inline constexpr unsigned write_mode_shift = 48;
inline constexpr std::uint64_t write_mode_mask = std::uint64_t{0xff} << write_mode_shift;
inline constexpr std::uint64_t lpn_mask = (std::uint64_t{1} << write_mode_shift) - 1;

// In the second word: the frontier mark, which a write frontier sets in the pages of a block. The block table stores it
// as well.
inline constexpr std::uint64_t frontier_mark_bit = std::uint64_t{1} << 63;

// In the second word, between the frontier mark and the version: the stamp, which is the erase count of the block when
// the page was written, modulo `stamps`. The stamp distinguishes pages that were written after a checkpoint of the
// mapping from older pages. Pages without data have a stamp, too. A stamp never has all bits set, so it differs from
// the stamp of an unreadable tag, in which all bits are set.
inline constexpr unsigned stamp_shift = 48;
inline constexpr std::uint32_t stamps = 0x7fff;

// In the second word, below the stamp, if the drive has several codes: the number of the page's code in the lower bits,
// and the number of its state mapping in the bits above. State mapping 0 leaves the cell states unchanged.
inline constexpr unsigned code_shift = 40;
inline constexpr std::uint64_t code_mask = 7;
inline constexpr unsigned state_map_shift = 43;
inline constexpr std::uint64_t state_map_mask = 31;
inline constexpr std::uint64_t version_mask = (std::uint64_t{1} << code_shift) - 1;

// The highest version that a write can have. A tag with a higher version is invalid.
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

// Returns the first word without the write mode, as the key of the scrambler. The write mode must not change the key,
// because it is set after the data are scrambled, when the page is assigned its address.
inline std::uint64_t scrambler_key(std::uint64_t word) { return word == no_unit ? word : word & ~write_mode_mask; }

inline std::uint64_t tag_word(Lpn lpn, bool lost) { return lpn.value | (lost ? lost_bit : 0); }

}  // namespace nandscape::controller

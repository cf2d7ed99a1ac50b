// SPDX-License-Identifier: Apache-2.0
// The tag of a page (NandCommand::tag) as bytes of its spare area: the words, 8 bytes each with the lowest first, how
// many of them the page has, and a checksum over both, 2 bytes each. Words that a page does not have are FFh, as in an
// erased page.
//
// A tag of more words than the field takes, the journal of a drive, say, lies in the data bytes of its page; the field
// holds the first of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nandscape::rtl::onfi {

class SpareTag {
 public:
  enum class Content : std::uint8_t {
    erased,   // nothing has been programmed
    damaged,  // the checksum does not fit: the program was interrupted, or has failed
    words,
  };

  // 0 words: there is no tag.
  explicit SpareTag(std::uint32_t words);

  static constexpr std::uint32_t bytes_of(std::uint32_t words) { return words == 0 ? 0 : 8 * words + 4; }

  std::uint32_t words() const { return words_; }
  std::uint32_t bytes() const { return bytes_of(words_); }
  // Of the field, to be moved.
  std::byte* field() { return field_.data(); }
  // Likewise of a longer tag; as many as it has been filled with, or resized to.
  std::vector<std::byte>& long_words() { return long_; }
  bool is_long(std::size_t words) const { return words > words_; }

  void fill(std::span<const std::uint64_t> tag);
  Content content() const;
  // What has been moved, cut to the span or filled up with ~0; ~0 where it is erased or damaged.
  void take(std::span<std::uint64_t> tag) const;

 private:
  std::uint16_t checksum() const;
  std::uint16_t number_at(std::size_t byte) const;
  void put_number(std::size_t byte, std::uint16_t number);

  const std::uint32_t words_;
  std::vector<std::byte> field_;
  std::vector<std::byte> long_;
};

}  // namespace nandscape::rtl::onfi

// SPDX-License-Identifier: Apache-2.0
// The tag of a page (NandCommand::tag) as bytes of its spare area: the words, 8 bytes each with the lowest byte first,
// then the number of words and a checksum over both, 2 bytes each. Words that a page does not have are FFh, as in an
// erased page.
//
// A tag with more words than the field, such as the journal of a drive, is stored in the data bytes of its page; the
// field holds its first words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nandscape::rtl::onfi {

class SpareTag {
 public:
  enum class Content : std::uint8_t {
    erased,   // not programmed
    damaged,  // the checksum does not match: the program was interrupted or failed
    words,
  };

  // With 0 words there is no tag.
  explicit SpareTag(std::uint32_t words);

  static constexpr std::uint32_t bytes_of(std::uint32_t words) { return words == 0 ? 0 : 8 * words + 4; }

  std::uint32_t words() const { return words_; }
  std::uint32_t bytes() const { return bytes_of(words_); }
  // The bytes of the field, for the transfer.
  std::byte* field() { return field_.data(); }
  // The bytes of a longer tag; their number is set by fill() or by resizing the vector.
  std::vector<std::byte>& long_words() { return long_; }
  bool is_long(std::size_t words) const { return words > words_; }

  void fill(std::span<const std::uint64_t> tag);
  Content content() const;
  // Copies the transferred words to `tag`, cut to the span or padded with ~0; all ~0 if the tag is erased or damaged.
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

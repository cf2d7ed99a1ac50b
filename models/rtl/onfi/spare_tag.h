// SPDX-License-Identifier: Apache-2.0
// Converts the tag of a page (NandCommand::tag) to bytes of the spare area and back. The field in the spare area
// contains the words with 8 bytes each and the lowest byte first, then the number of words and a checksum over both,
// with 2 bytes each. Unused words are FFh, as in an erased page.
//
// A tag can have more words than the field, for example in the journal of a drive. Such a tag is stored in the data
// bytes of its page, and the field contains only its first words.
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
    damaged,  // the checksum does not match, because the program was interrupted or has failed
    words,
  };

  // If `words` is 0, there is no tag.
  explicit SpareTag(std::uint32_t words);

  static constexpr std::uint32_t bytes_of(std::uint32_t words) { return words == 0 ? 0 : 8 * words + 4; }

  std::uint32_t words() const { return words_; }
  std::uint32_t bytes() const { return bytes_of(words_); }
  // Returns the bytes of the field, to be sent or received.
  std::byte* field() { return field_.data(); }
  // Returns the bytes of a tag that is longer than the field. The size is set by fill(), or by the caller before a
  // transfer.
  std::vector<std::byte>& long_words() { return long_; }
  bool is_long(std::size_t words) const { return words > words_; }

  void fill(std::span<const std::uint64_t> tag);
  Content content() const;
  // Copies the received words into `tag`. If `tag` has fewer words, the others are dropped; if it has more, those are
  // filled with ~0. If the page is erased or damaged, all words are ~0.
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

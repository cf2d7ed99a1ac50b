// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/spare_tag.h"

#include <algorithm>

#include "nand/parameter_page.h"

namespace nandscape::rtl::onfi {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

void put_word(std::vector<std::byte>& bytes, std::size_t number, std::uint64_t word) {
  for (std::size_t byte = 0; byte < word_bytes; ++byte) {
    bytes[number * word_bytes + byte] = static_cast<std::byte>(word >> 8 * byte);
  }
}

std::uint64_t word_at(const std::vector<std::byte>& bytes, std::size_t number) {
  std::uint64_t word = 0;
  for (std::size_t byte = 0; byte < word_bytes; ++byte) {
    word |= std::to_integer<std::uint64_t>(bytes[number * word_bytes + byte]) << 8 * byte;
  }
  return word;
}

}  // namespace

SpareTag::SpareTag(std::uint32_t words) : words_(words), field_(bytes_of(words), std::byte{0xff}) {}

void SpareTag::fill(std::span<const std::uint64_t> tag) {
  std::fill(field_.begin(), field_.end(), std::byte{0xff});
  for (std::size_t k = 0; k < std::min<std::size_t>(tag.size(), words_); ++k) put_word(field_, k, tag[k]);
  put_number(words_ * word_bytes, static_cast<std::uint16_t>(tag.size()));
  put_number(words_ * word_bytes + 2, checksum());
  long_.resize(is_long(tag.size()) ? tag.size() * word_bytes : 0);
  for (std::size_t k = 0; k * word_bytes < long_.size(); ++k) put_word(long_, k, tag[k]);
}

SpareTag::Content SpareTag::content() const {
  if (std::all_of(field_.begin(), field_.end(), [](std::byte byte) { return byte == std::byte{0xff}; })) {
    return Content::erased;
  }
  return number_at(words_ * word_bytes + 2) == checksum() ? Content::words : Content::damaged;
}

void SpareTag::take(std::span<std::uint64_t> tag) const {
  const std::size_t stored = content() == Content::words ? number_at(words_ * word_bytes) : 0;
  const bool whole = is_long(stored) && is_long(tag.size());
  const std::vector<std::byte>& from = whole ? long_ : field_;
  const std::size_t there = std::min(stored, whole ? long_.size() / word_bytes : std::size_t{words_});
  for (std::size_t k = 0; k < tag.size(); ++k) tag[k] = k < there ? word_at(from, k) : ~std::uint64_t{0};
}

// Returns the checksum of all bytes of the field that precede the checksum.
std::uint16_t SpareTag::checksum() const { return nand::onfi_crc(std::span(field_).first(words_ * word_bytes + 2)); }

std::uint16_t SpareTag::number_at(std::size_t byte) const {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(field_[byte]) |
                                    std::to_integer<unsigned>(field_[byte + 1]) << 8);
}

void SpareTag::put_number(std::size_t byte, std::uint16_t number) {
  field_[byte] = static_cast<std::byte>(number);
  field_[byte + 1] = static_cast<std::byte>(number >> 8);
}

}  // namespace nandscape::rtl::onfi

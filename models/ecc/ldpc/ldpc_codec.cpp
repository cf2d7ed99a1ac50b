// SPDX-License-Identifier: Apache-2.0
#include "ecc/ldpc/ldpc_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "ecc/codes/sensing_channel.h"

namespace nandscape::ecc {

static_assert(strongest_llr <= ldpc::most_prior);
static_assert(std::endian::native == std::endian::little, "bytes are copied into words of bits");

namespace {

constexpr std::uint32_t most_iterations = 25;
// The number of times per iteration that all checks are tested. A test that fails costs less time than the quarter of
// an iteration that a successful test saves.
constexpr std::uint32_t looks_per_iteration = 4;

constexpr std::array<std::uint64_t, 256> beliefs_of_bytes = [] {
  std::array<std::uint64_t, 256> words = {};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::array<std::int8_t, 8> beliefs = {};
    for (std::uint32_t i = 0; i < 8; ++i) beliefs[i] = (byte >> i & 1) != 0 ? -strongest_llr : strongest_llr;
    words[byte] = std::bit_cast<std::uint64_t>(beliefs);
  }
  return words;
}();

std::uint32_t differing_bits(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < a.size(); ++i) bits += static_cast<std::uint32_t>(std::popcount(a[i] ^ b[i]));
  return bits;
}

}  // namespace

LdpcCodec::LdpcCodec(const LdpcCode& code, const ldpc::DecoderKernels& kernels)
    : code_(code),
      kernels_(kernels),
      stride_(code.lifting() + ldpc::repeated_beliefs),
      codeword_(code.columns() * code.words_of_column()),
      decided_(codeword_.size()),
      beliefs_(code.columns() * stride_ / sizeof(CacheLine)),
      messages_(code.edges() * code.lifting() / sizeof(CacheLine)),
      rotations_(code.columns()) {}

void LdpcCodec::read(const std::byte* payload, const std::byte* parity) {
  std::memcpy(codeword_.data(), payload, payload_bytes());
  std::memcpy(&codeword_[code_.information_columns() * code_.words_of_column()], parity, parity_bytes());
}

void LdpcCodec::write(const std::vector<std::uint64_t>& codeword, std::byte* payload, std::byte* parity) const {
  std::memcpy(payload, codeword.data(), payload_bytes());
  std::memcpy(parity, &codeword[code_.information_columns() * code_.words_of_column()], parity_bytes());
}

void LdpcCodec::encode(const std::byte* payload, std::byte* parity) {
  std::memcpy(codeword_.data(), payload, payload_bytes());
  code_.encode(codeword_.data());
  std::memcpy(parity, &codeword_[code_.information_columns() * code_.words_of_column()], parity_bytes());
}

std::int8_t* LdpcCodec::beliefs_of(std::uint32_t column) { return beliefs_.data()->bytes + column * stride_; }

void LdpcCodec::repeat_first_beliefs() {
  for (std::uint32_t column = 0; column < code_.columns(); ++column) {
    std::memcpy(beliefs_of(column) + code_.lifting(), beliefs_of(column), ldpc::repeated_beliefs);
  }
  std::fill(rotations_.begin(), rotations_.end(), 0);
}

void LdpcCodec::believe_bits() {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(codeword_.data());
  const std::uint32_t bytes_of_column = code_.lifting() / 8;
  for (std::uint32_t column = 0; column < code_.columns(); ++column) {
    std::int8_t* const beliefs = beliefs_of(column);
    for (std::uint32_t i = 0; i < bytes_of_column; ++i) {
      std::memcpy(beliefs + 8 * i, &beliefs_of_bytes[bytes[column * bytes_of_column + i]], 8);
    }
  }
  // The bits after the payload are padding, which is known to be zero.
  const std::uint32_t payload_bits = 8 * payload_bytes();
  for (std::uint32_t bit = payload_bits; bit < code_.information_columns() * code_.lifting(); ++bit) {
    beliefs_of(bit / code_.lifting())[bit % code_.lifting()] = ldpc::most_prior;
  }
  repeat_first_beliefs();
}

void LdpcCodec::believe(std::span<const std::int8_t> llr) {
  const auto belief_of = [](std::int8_t ratio) {
    return static_cast<std::int8_t>(-std::clamp<int>(ratio, -ldpc::most_prior, ldpc::most_prior));
  };
  const std::uint32_t lifting = code_.lifting();
  for (std::uint32_t column = 0; column < code_.columns(); ++column) {
    std::int8_t* const beliefs = beliefs_of(column);
    const bool of_parity = column >= code_.information_columns();
    const std::size_t first =
        of_parity ? 8 * payload_bytes() + (column - code_.information_columns()) * lifting : column * lifting;
    const std::size_t end = of_parity ? llr.size() : 8 * payload_bytes();
    const std::size_t count = std::min<std::size_t>(lifting, end - first);
    std::transform(llr.begin() + first, llr.begin() + first + count, beliefs, belief_of);
    std::fill(beliefs + count, beliefs + lifting, ldpc::most_prior);
  }
  repeat_first_beliefs();
}

void LdpcCodec::decide_by_beliefs(std::vector<std::uint64_t>& codeword) {
  const std::uint32_t lifting = code_.lifting();
  auto* const bytes = reinterpret_cast<unsigned char*>(codeword.data());
  for (std::uint32_t column = 0; column < code_.columns(); ++column) {
    const std::int8_t* const beliefs = beliefs_of(column);
    const std::uint32_t rotation = rotations_[column];
    for (std::uint32_t lane = 0; lane < lifting; lane += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, beliefs + ((lane - rotation) & (lifting - 1)), 8);
      // The multiplication collects the lowest bits of all eight bytes in the highest byte of the product.
      eight = (eight >> 7 & 0x0101010101010101) * 0x0102040810204080;
      bytes[(column * lifting + lane) / 8] = static_cast<unsigned char>(eight >> 56);
    }
  }
}

ldpc::Layer LdpcCodec::layer(std::uint32_t row) {
  const std::span<const LdpcCode::Edge> edges = code_.edges_of_row(row);
  return {.edges = edges.data(),
          .degree = static_cast<std::uint32_t>(edges.size()),
          .lifting = code_.lifting(),
          .beliefs = beliefs_of(0),
          .rotations = rotations_.data(),
          .messages = messages_.data()->bytes + code_.first_edge(row) * code_.lifting()};
}

bool LdpcCodec::beliefs_hold() {
  for (std::uint32_t row = 0; row < code_.rows(); ++row) {
    if (!kernels_.layer_holds(layer(row))) return false;
  }
  return true;
}

DecodeOutcome LdpcCodec::iterate() {
  const std::uint32_t layers_per_look = (code_.rows() + looks_per_iteration - 1) / looks_per_iteration;
  DecodeOutcome outcome;
  while (outcome.iterations < most_iterations) {
    const bool first = outcome.iterations++ == 0;
    for (std::uint32_t row = 0; row < code_.rows(); ++row) {
      kernels_.update_layer(layer(row), first);
      const bool look = (row + 1) % layers_per_look == 0 || row + 1 == code_.rows();
      if (look && beliefs_hold()) {
        outcome.corrected = true;
        return outcome;
      }
    }
  }
  return outcome;
}

bool LdpcCodec::padding_is_zero() const {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(decided_.data());
  const std::uint32_t end = code_.information_columns() * code_.lifting() / 8;
  return std::all_of(bytes + payload_bytes(), bytes + end, [](unsigned char byte) { return byte == 0; });
}

DecodeOutcome LdpcCodec::decide(std::byte* payload, std::byte* parity) {
  read(payload, parity);
  if (code_.holds(codeword_.data())) return {true, 0, 0};
  believe_bits();
  DecodeOutcome outcome = iterate();
  decide_by_beliefs(decided_);
  outcome.corrected = outcome.corrected && padding_is_zero();
  if (outcome.corrected) outcome.corrected_bits = differing_bits(codeword_, decided_);
  write(decided_, payload, parity);
  return outcome;
}

DecodeOutcome LdpcCodec::decode(std::byte* payload, std::byte* parity) {
  const DecodeOutcome outcome = decide(payload, parity);
  if (!outcome.corrected) write(codeword_, payload, parity);
  return outcome;
}

DecodeOutcome LdpcCodec::decide_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity) {
  believe(llr);
  decide_by_beliefs(codeword_);
  DecodeOutcome outcome;
  outcome.corrected = code_.holds(codeword_.data());
  if (!outcome.corrected) outcome = iterate();
  decide_by_beliefs(decided_);
  outcome.corrected = outcome.corrected && padding_is_zero();
  if (outcome.corrected) outcome.corrected_bits = differing_bits(codeword_, decided_);
  write(decided_, payload, parity);
  return outcome;
}

DecodeOutcome LdpcCodec::decode_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity) {
  const DecodeOutcome outcome = decide_soft(llr, payload, parity);
  if (!outcome.corrected) write(codeword_, payload, parity);
  return outcome;
}

}  // namespace nandscape::ecc

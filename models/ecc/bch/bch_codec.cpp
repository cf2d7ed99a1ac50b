// SPDX-License-Identifier: Apache-2.0
#include "ecc/bch/bch_codec.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ecc/codes/hard_decisions.h"

namespace nandscape::ecc {

namespace {

void flip(std::byte* bits, std::uint32_t i) { bits[i / 8] ^= std::byte{1} << i % 8; }

}  // namespace

BchCodec::BchCodec(std::shared_ptr<const BchCode> code, const BchKernels& kernels)
    : code_(std::move(code)),
      kernels_(kernels),
      scratch_(code_->field().degree(), code_->correctable_bits(), code_->remainder().words, code_->root_search()) {}

void BchCodec::encode(const std::byte* payload, std::byte* parity) {
  kernels_.remainder(code_->remainder(), payload, payload_bytes(), scratch_.remainder.data());
  std::memcpy(parity, scratch_.remainder.data(), parity_bytes());
}

// Computes the remainder of the codeword as read and stores it in scratch_.remainder. Since the remainder of a valid
// codeword is 0, this is also the remainder of the error pattern.
void BchCodec::find_remainder_of_read(const std::byte* payload, const std::byte* parity) {
  kernels_.remainder(code_->remainder(), payload, payload_bytes(), scratch_.remainder.data());
  const std::uint32_t bits = code_->parity_bits();
  for (std::uint32_t w = 0; w < scratch_.remainder.size(); ++w) {
    std::uint64_t word = 0;
    std::memcpy(&word, parity + 8 * w, std::min(8u, parity_bytes() - 8 * w));
    if (bits - 64 * w < 64) word &= ~(~std::uint64_t{0} << (bits - 64 * w));
    scratch_.remainder[w] ^= word;
  }
}

void BchCodec::find_syndromes() {
  const GaloisField& field = code_->field();
  kernels_.odd_syndromes(code_->syndromes(), scratch_.remainder.data(), scratch_.odd_syndromes.data());
  for (std::uint32_t l = 1; l <= 2 * code_->correctable_bits(); ++l) {
    scratch_.syndromes[l - 1] =
        l % 2 == 1 ? scratch_.odd_syndromes[l / 2] : field.square(scratch_.syndromes[l / 2 - 1]);
  }
}

DecodeOutcome BchCodec::decode(std::byte* payload, std::byte* parity) {
  find_remainder_of_read(payload, parity);
  if (std::ranges::all_of(scratch_.remainder, [](std::uint64_t word) { return word == 0; })) return {true, 0, 0};
  find_syndromes();

  const GaloisField& field = code_->field();
  const std::uint32_t variant = field.degree() - least_code_field_degree;
  const std::uint32_t errors = kernels_.error_locator[variant](field, code_->correctable_bits(), scratch_);
  if (errors > code_->correctable_bits()) return {};
  if (kernels_.roots[variant](code_->root_search(), errors, scratch_) != errors) return {};

  // A root alpha^-e of the locator marks an error in the coefficient of x^e, which is bit n-1-e.
  const std::uint32_t last = codeword_bits() - 1;
  const std::span<std::uint16_t> positions(scratch_.roots.data(), errors);
  for (std::uint16_t& position : positions) {
    const std::uint32_t logarithm = field.logarithm(position);
    const std::uint32_t exponent = logarithm == 0 ? 0 : field.order() - logarithm;
    if (exponent > last) return {};
    position = static_cast<std::uint16_t>(last - exponent);
  }
  const std::uint32_t payload_bits = code_->payload_bits();
  for (const std::uint32_t position : positions) {
    if (position < payload_bits) {
      flip(payload, position);
    } else {
      flip(parity, position - payload_bits);
    }
  }
  return {true, errors, 0};
}

DecodeOutcome BchCodec::decode_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity) {
  decide_by_signs(llr.first(code_->payload_bits()), payload);
  decide_by_signs(llr.subspan(code_->payload_bits()), parity);
  return decode(payload, parity);
}

}  // namespace nandscape::ecc

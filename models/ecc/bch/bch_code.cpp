// SPDX-License-Identifier: Apache-2.0
#include "ecc/bch/bch_code.h"

#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "ecc/bch/kernels.h"

namespace nandscape::ecc {

namespace {

[[noreturn]] void refuse(std::uint32_t payload_bytes, std::uint32_t correctable_bits, const std::string& why) {
  throw std::invalid_argument("there is no BCH code for " + std::to_string(payload_bytes) + " payload bytes and " +
                              std::to_string(correctable_bits) + " errors: " + why);
}

}  // namespace

std::shared_ptr<const BchCode> BchCode::get(std::uint32_t payload_bytes, std::uint32_t correctable_bits) {
  if (payload_bytes == 0) refuse(payload_bytes, correctable_bits, "the payload must have at least one byte");
  if (correctable_bits == 0) refuse(payload_bytes, correctable_bits, "it must correct at least one error");
  if (correctable_bits > max_bch_correctable_bits) {
    refuse(payload_bytes, correctable_bits, "at most " + std::to_string(max_bch_correctable_bits) + " are supported");
  }

  static std::mutex mutex;
  static std::map<std::pair<std::uint32_t, std::uint32_t>, std::shared_ptr<const BchCode>> codes;
  const std::scoped_lock lock(mutex);
  std::shared_ptr<const BchCode>& code = codes[{payload_bytes, correctable_bits}];
  const std::uint64_t payload_bits = std::uint64_t{payload_bytes} * 8;
  for (std::uint32_t m = least_code_field_degree; code == nullptr && m <= max_field_degree; ++m) {
    const std::uint64_t longest = (std::uint64_t{1} << m) - 1;
    if (payload_bits >= longest || 2 * correctable_bits >= longest) continue;
    GaloisField field(m);
    BinaryPolynomial generator = generator_polynomial(field, correctable_bits);
    if (payload_bits + generator.size() - 1 > longest) continue;
    code.reset(new BchCode(payload_bytes, correctable_bits, std::move(field), std::move(generator)));
  }
  if (code == nullptr) {
    refuse(payload_bytes, correctable_bits,
           "payload and parity must fit into " + std::to_string((1u << max_field_degree) - 1) + " bits");
  }
  return code;
}

BchCode::BchCode(std::uint32_t payload_bytes, std::uint32_t correctable_bits, GaloisField field,
                 BinaryPolynomial generator)
    : payload_bytes_(payload_bytes),
      correctable_bits_(correctable_bits),
      field_(std::move(field)),
      generator_(std::move(generator)),
      remainder_(generator_),
      syndromes_(field_, parity_bits(), correctable_bits),
      root_search_(field_, correctable_bits) {}

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "ecc/bch/bch_codec.h"
#include "ecc/codes/codec.h"
#include "ecc/concatenated/concatenated_codec.h"
#include "ecc/ldpc/ldpc_codec.h"

namespace nandscape {

std::unique_ptr<Codec> make_codec(const Code& code) {
  switch (code.family) {
    case CodeFamily::bch: return std::make_unique<BchCodec>(BchCode::get(code.payload_bytes, code.correctable_bits));
    case CodeFamily::ldpc: return std::make_unique<LdpcCodec>(LdpcCode::of(code.payload_bytes, code.ldpc_parity_bytes));
    case CodeFamily::concatenated: return std::make_unique<ConcatenatedCodec>(code);
  }
  throw std::invalid_argument("there is no code " + to_string(code));
}

}  // namespace nandscape

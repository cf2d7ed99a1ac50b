// SPDX-License-Identifier: Apache-2.0
// `ecc.codec: bch`.
#include "ecc/bch/bch_codec.h"
#include "ecc/codes/code_family.h"
#include "ecc/codes/miscorrection.h"

namespace nandscape::ecc {

namespace {

class BchFamily final : public CodeFamily {
 public:
  using Parameters = NoParameters;
  explicit BchFamily(const Parameters&) {}

  bool has_correctable_bits() const override { return true; }
  bool has_ldpc_parity() const override { return false; }
  std::uint32_t guaranteed_errors(const Code& code) const override { return code.correctable_bits; }

  std::optional<double> miscorrected_share(const Code& code, std::uint32_t codeword_bits) const override {
    return ecc::miscorrected_share(codeword_bits, codeword_bits - 8 * code.payload_bytes, code.correctable_bits);
  }

  std::vector<Code> shipped_codes() const override {
    return {
        {"bch", 1080, 24, 0}, {"bch", 1024, 72, 0}, {"bch", 4096, 55, 0}, {"bch", 2048, 29, 0},
        {"bch", 1024, 16, 0}, {"bch", 512, 9, 0},   {"bch", 256, 5, 0},   {"bch", 128, 3, 0},
    };
  }

  std::unique_ptr<Codec> make_codec(const Code& code) const override {
    return std::make_unique<BchCodec>(BchCode::get(code.payload_bytes, code.correctable_bits));
  }
};

}  // namespace

void register_bch(CodeFamilyRegistry& registry) {
  registry.add<BchFamily>("bch",
                          "corrects up to correctable_bits errors of a codeword, with the parity that this takes");
}

}  // namespace nandscape::ecc

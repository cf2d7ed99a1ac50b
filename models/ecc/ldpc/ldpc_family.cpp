// SPDX-License-Identifier: Apache-2.0
// `ecc.codec: ldpc`.
#include "ecc/codes/code_family.h"
#include "ecc/ldpc/ldpc_codec.h"

namespace nandscape::ecc {

namespace {

class LdpcFamily final : public CodeFamily {
 public:
  using Parameters = NoParameters;
  explicit LdpcFamily(const Parameters&) {}

  bool has_correctable_bits() const override { return false; }
  bool has_ldpc_parity() const override { return true; }
  bool takes_soft_reads(const Code&) const override { return true; }
  bool has_any_parity() const override { return true; }

  std::vector<Code> shipped_codes() const override {
    return {
        {"ldpc", 4096, 0, 512}, {"ldpc", 4096, 0, 256}, {"ldpc", 2048, 0, 256}, {"ldpc", 2048, 0, 128},
        {"ldpc", 4096, 0, 544}, {"ldpc", 4096, 0, 480}, {"ldpc", 4096, 0, 448}, {"ldpc", 4096, 0, 576},
        {"ldpc", 4096, 0, 384}, {"ldpc", 4096, 0, 640},
    };
  }

  std::unique_ptr<Codec> make_codec(const Code& code) const override {
    return std::make_unique<LdpcCodec>(LdpcCode::of(code.payload_bytes, code.ldpc_parity_bytes));
  }
};

}  // namespace

void register_ldpc(CodeFamilyRegistry& registry) {
  registry.add<LdpcFamily>("ldpc", "quasi-cyclic LDPC with ldpc_parity_bytes");
}

}  // namespace nandscape::ecc

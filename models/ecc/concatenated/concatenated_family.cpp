// SPDX-License-Identifier: Apache-2.0
// `ecc.codec: concatenated`.
#include "ecc/codes/code_family.h"
#include "ecc/concatenated/concatenated_codec.h"

namespace nandscape::ecc {

namespace {

class ConcatenatedFamily final : public CodeFamily {
 public:
  using Parameters = NoParameters;
  explicit ConcatenatedFamily(const Parameters&) {}

  bool has_correctable_bits() const override { return true; }
  bool has_ldpc_parity() const override { return true; }

  std::vector<Code> shipped_codes() const override { return {{"concatenated", 4096, 24, 512}}; }

  std::unique_ptr<Codec> make_codec(const Code& code) const override {
    return std::make_unique<ConcatenatedCodec>(code);
  }
};

}  // namespace

void register_concatenated(CodeFamilyRegistry& registry) {
  registry.add<ConcatenatedFamily>("concatenated", "BCH inside LDPC: BCH corrects the errors that LDPC leaves");
}

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// The family of the codes that are loaded from plug-ins (`ecc.plugin`). All properties of such a code are reported by
// its codec.
#include "ecc/codes/code_family.h"
#include "ecc/plugin/plugin_codec.h"

namespace nandscape::ecc {

namespace {

class PluginFamily final : public CodeFamily {
 public:
  bool has_correctable_bits() const override { return false; }
  bool has_ldpc_parity() const override { return false; }
  std::uint32_t guaranteed_errors(const Code& code) const override {
    return PluginCodec(code).facts().correctable_bits;
  }
  bool takes_soft_reads(const Code& code) const override { return PluginCodec(code).facts().takes_soft_reads != 0; }

  std::unique_ptr<Codec> make_codec(const Code& code) const override { return std::make_unique<PluginCodec>(code); }
};

}  // namespace

std::unique_ptr<CodeFamily> make_plugin_family() { return std::make_unique<PluginFamily>(); }

}  // namespace nandscape::ecc

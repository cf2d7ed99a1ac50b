// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/write_mode.h"

namespace nandscape::controller {

namespace {

class Normal final : public WriteModePolicy {
 public:
  using Parameters = NoParameters;
  Normal(const Parameters&, const WriteModeContext&) {}

  bool plain() const override { return true; }
  std::uint16_t step_mv(const PlacedPage&) override { return 0; }
};

}  // namespace

void register_normal_writes(WriteModeRegistry& registry) {
  registry.add<Normal>("normal", "all pages alike, with the ISPP step of the device");
}

}  // namespace nandscape::controller
